package settings

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bool is a switch. A form posts it as a hidden "false" before a checkbox with
// the value "true".
type Bool struct{}

func (Bool) read(r *reader, path string, raw, _ any) any {
	on, ok := raw.(bool)
	if !ok {
		r.refuse(path, missingOr(raw, errBool))
	}
	return on
}

func (Bool) posted(f url.Values, name string) (any, bool) {
	text, ok := postedText(f, name)
	switch text {
	case "true":
		return true, ok
	case "false":
		return false, ok
	}
	return text, ok
}

func (Bool) fill(f url.Values, name string, stored any) {
	f.Set(name, "false")
	if stored.(bool) {
		f.Set(name, "true")
	}
}

func (Bool) schema() map[string]any { return map[string]any{"type": "boolean"} }

func (Bool) value(_ string, stored any) Value {
	if stored.(bool) {
		return Value{Shape: ShapeMessage, ID: "setting.on"}
	}
	return Value{Shape: ShapeMessage, ID: "setting.off"}
}

// Enum is one of several words. Their message ids are setting.<key>.<value>, or
// <Labels>.<value>, in lower case.
type Enum struct {
	Values    []string
	Labels    string
	Explained bool // whether a form shows, below every value, the message that AboutID returns
}

// LabelID returns the message id of a value; key is the key of the setting.
func (t Enum) LabelID(key, value string) string { return valueLabel(t.Labels, key, value) }

// AboutID returns the message id of the sentence that says what a value does, or
// "" if it has none.
func (t Enum) AboutID(key, value string) string {
	if !t.Explained {
		return ""
	}
	return t.LabelID(key, value) + ".about"
}

func (t Enum) read(r *reader, path string, raw, _ any) any {
	return readChoice(r, path, raw, t.Values)
}

func (t Enum) posted(f url.Values, name string) (any, bool) { return emptyIsNone(postedText(f, name)) }

func (t Enum) fill(f url.Values, name string, stored any) { f.Set(name, stored.(string)) }

func (t Enum) schema() map[string]any {
	return map[string]any{"type": "string", "enum": t.Values}
}

func (t Enum) value(key string, stored any) Value {
	return Value{Shape: ShapeMessage, ID: t.LabelID(key, stored.(string))}
}

func valueLabel(labels, key, value string) string {
	if labels == "" {
		labels = message(key)
	}
	return labels + "." + strings.ToLower(value)
}

func readChoice(r *reader, path string, raw any, values []string) string {
	text, ok := raw.(string)
	switch {
	case !ok:
		r.refuse(path, missingOr(raw, errText))
	case !slices.Contains(values, text):
		r.refuse(path, errChoice)
	}
	return text
}

// Text is a line of 1 to Max characters without surrounding space.
type Text struct {
	Max     int
	Default bool // empty means the default
}

func (t Text) read(r *reader, path string, raw, missing any) any {
	text, ok := raw.(string)
	if !ok {
		r.refuse(path, missingOr(raw, errText))
		return ""
	}
	text = strings.TrimSpace(text)
	if fallback, ok := missing.(string); t.Default && ok && text == "" {
		return fallback
	}
	switch {
	case text == "":
		r.refuse(path, errRequired)
	case utf8.RuneCountInString(text) > t.Max:
		r.refuse(path, errTooLong, "Max", int64(t.Max))
	case strings.ContainsFunc(text, isUnreadable):
		r.refuse(path, errCharacters)
	}
	return text
}

// isUnreadable reports whether a character is a control character or replaces an
// invalid one. The database refuses NUL.
func isUnreadable(c rune) bool { return unicode.IsControl(c) || c == utf8.RuneError }

func (t Text) posted(f url.Values, name string) (any, bool) {
	text, ok := postedText(f, name)
	if t.Default {
		return text, ok
	}
	return emptyIsNone(text, ok)
}

// emptyIsNone returns nil for an empty field.
func emptyIsNone(text string, ok bool) (any, bool) {
	if strings.TrimSpace(text) == "" {
		return nil, ok
	}
	return text, ok
}

func (t Text) fill(f url.Values, name string, stored any) { f.Set(name, stored.(string)) }

func (t Text) schema() map[string]any {
	least := 1
	if t.Default {
		least = 0
	}
	return map[string]any{"type": "string", "minLength": least, "maxLength": t.Max}
}

func (t Text) value(_ string, stored any) Value {
	return Value{Shape: ShapeText, Text: stored.(string)}
}

// Extension is a file name extension, stored in lower case without its dot.
type Extension struct{}

const extensionPattern = `^[\p{L}\p{N}][\p{L}\p{N}+_-]*(\.[\p{L}\p{N}+_-]+)*$`

var extension = regexp.MustCompile(extensionPattern)

const mostExtension = 20

func (Extension) read(r *reader, path string, raw, _ any) any {
	text, ok := raw.(string)
	if !ok {
		r.refuse(path, missingOr(raw, errText))
		return ""
	}
	text = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(text), "*"), "."))
	switch {
	case utf8.RuneCountInString(text) > mostExtension:
		r.refuse(path, errTooLong, "Max", int64(mostExtension))
	case !extension.MatchString(text):
		r.refuse(path, errExtension)
	}
	return text
}

func (Extension) posted(f url.Values, name string) (any, bool) {
	return emptyIsNone(postedText(f, name))
}

func (Extension) fill(f url.Values, name string, stored any) { f.Set(name, stored.(string)) }

func (Extension) schema() map[string]any {
	return map[string]any{"type": "string", "minLength": 1, "maxLength": mostExtension}
}

func (Extension) value(_ string, stored any) Value {
	return Value{Shape: ShapeText, Text: stored.(string)}
}
