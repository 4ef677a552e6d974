package views

import (
	"context"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"officeconsole/locales"
)

// Enumeration joins texts with the comma of the reader's language.
func Enumeration(ctx context.Context, texts []string) string {
	return strings.Join(texts, comma(ctx))
}

// comma separates the items of an enumeration. The Japanese comma includes
// its space.
func comma(ctx context.Context) string {
	if locales.FromContext(ctx) == locales.Japanese {
		return "、"
	}
	return ", "
}

// CommaBefore returns the comma after an item, or "" if no items follow it.
func CommaBefore(ctx context.Context, following int) string {
	if following == 0 {
		return ""
	}
	return comma(ctx)
}

// SpacedPath writes spaces around the slashes of a department path: "한빛테크 /
// 연구소".
func SpacedPath(path string) string { return strings.ReplaceAll(path, "/", " / ") }

// Lang returns the lang attribute of a text of users that is mostly in Korean or
// Japanese script, if the page is in another language: Korean lines end between
// words, Japanese ones between any characters.
func Lang(ctx context.Context, text string) templ.Attributes {
	if language := langOf(locales.FromContext(ctx), text); language != "" {
		return templ.Attributes{"lang": string(language)}
	}
	return nil
}

// langOf is the language of Lang; "" for a text without the attribute.
func langOf(page locales.Locale, text string) locales.Locale {
	korean, japanese := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Hangul, r):
			korean++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			japanese++
		}
	}
	language := locales.Korean
	if japanese > korean {
		language = locales.Japanese
	}
	if korean+japanese == 0 || language == page {
		return ""
	}
	return language
}

// MonthsText writes a time of retention; 0 is without end.
func MonthsText(ctx context.Context, months int) string {
	if months == 0 {
		return locales.T(ctx, "retention.forever")
	}
	return locales.N(ctx, "retention.period", months)
}
