// Package locales provides the message catalogues of the console and formats
// dates and numbers, in Korean, English and Japanese.
package locales

import (
	"context"
	"strings"

	"golang.org/x/text/language"
)

// A Locale is a language of the console, spelled as in a lang attribute and in
// the locale cookie.
type Locale string

// The languages of the console. Korean is the default.
const (
	Korean   Locale = "ko"
	English  Locale = "en"
	Japanese Locale = "ja"
)

// All returns the languages in the order of the language menu.
func All() []Locale {
	return []Locale{Korean, English, Japanese}
}

// Parse reads the spelling of a lang attribute or locale cookie; false for
// anything but "ko", "en" and "ja".
func Parse(s string) (Locale, bool) {
	switch l := Locale(s); l {
	case Korean, English, Japanese:
		return l, true
	}
	return Korean, false
}

// Detect returns the language for an Accept-Language header: the first of
// English, Japanese and Korean in the browser's order of preference, compared
// by base language. It is Korean if the header has none of them or is
// malformed.
func Detect(acceptLanguage string) Locale {
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		return Korean
	}
	for _, tag := range tags {
		// Raw, unlike Base, does not guess the language of "und-US".
		base, _, _ := tag.Raw()
		if l, ok := Parse(base.String()); ok {
			return l
		}
	}
	return Korean
}

// Name returns the language's name in the language itself.
func (l Locale) Name() string {
	switch l {
	case English:
		return "English"
	case Japanese:
		return "日本語"
	}
	return "한국어"
}

// Prefix returns the path prefix of the language: "", "/en" or "/ja".
func (l Locale) Prefix() string {
	switch l {
	case English:
		return "/en"
	case Japanese:
		return "/ja"
	}
	return ""
}

// SplitPath returns the language of a path and the path without its prefix:
// "/en/profile" is English and "/profile", "/en" is English and "/". A query is
// preserved.
func SplitPath(path string) (Locale, string) {
	for _, l := range []Locale{English, Japanese} {
		rest, ok := strings.CutPrefix(path, l.Prefix())
		switch {
		case !ok:
		case rest == "" || rest[0] == '?' || rest[0] == '#':
			return l, "/" + rest
		case rest[0] == '/':
			return l, rest
		}
	}
	return Korean, path
}

// Path adds the language's prefix to a path: "/profile" becomes "/en/profile",
// "/" becomes "/en". A query is preserved. The result always begins with
// exactly one slash, so a redirect to it cannot leave the site.
func (l Locale) Path(path string) string {
	path = "/" + strings.TrimLeft(path, `/\`)
	if l.Prefix() == "" {
		return path
	}
	if rest := path[1:]; rest == "" || rest[0] == '?' || rest[0] == '#' {
		return l.Prefix() + rest
	}
	return l.Prefix() + path
}

type contextKey struct{}

// NewContext returns a context with the reader's language.
func NewContext(ctx context.Context, l Locale) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// FromContext returns the reader's language, Korean if the context has none.
func FromContext(ctx context.Context) Locale {
	if l, ok := ctx.Value(contextKey{}).(Locale); ok {
		return l
	}
	return Korean
}
