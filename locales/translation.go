package locales

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

// translation is a message in one language by plural form. Only English has a
// form for one.
type translation struct {
	other text
	one   *text // nil if it is the same as other
}

func parseMessage(m *i18n.Message) (translation, error) {
	other, err := parseText(m.Other)
	if err != nil || m.One == "" {
		return translation{other: other}, err
	}
	one, err := parseText(m.One)
	return translation{other, &one}, err
}

// text is a template: the text before each placeholder, the placeholders'
// names, and the text after the last one.
type text struct {
	before []string
	names  []string
	last   string
}

// parseText parses a template such as "{{.Name}}, {{.Count}} people".
func parseText(source string) (text, error) {
	var t text
	for {
		before, rest, found := strings.Cut(source, "{{")
		if !found {
			t.last = before
			return t, nil
		}
		inside, behind, closed := strings.Cut(rest, "}}")
		name, isField := strings.CutPrefix(strings.TrimSpace(inside), ".")
		if !closed || !isField || name == "" || strings.ContainsAny(name, " .|()") {
			return t, fmt.Errorf("%q has a placeholder that is not {{.Name}}", source)
		}
		t.before, t.names = append(t.before, before), append(t.names, name)
		source = behind
	}
}

// fill inserts the count as Count, and values from pairs of name and value.
func (t *text) fill(count string, pairs []any) string {
	if len(t.names) == 0 {
		return t.last
	}
	size := len(t.last)
	for i, name := range t.names {
		size += len(t.before[i]) + len(valueOf(name, count, pairs))
	}
	var b strings.Builder
	b.Grow(size)
	for i, name := range t.names {
		b.WriteString(t.before[i])
		b.WriteString(valueOf(name, count, pairs))
	}
	b.WriteString(t.last)
	return b.String()
}

// valueOf returns a value as text. It supports few types, so that callers need
// not allocate their values.
func valueOf(name, count string, pairs []any) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if key, ok := pairs[i].(string); !ok || key != name {
			continue
		}
		switch value := pairs[i+1].(type) {
		case string:
			return value
		case int:
			return strconv.Itoa(value)
		case int64:
			return strconv.FormatInt(value, 10)
		}
	}
	if name == "Count" && count != "" {
		return count
	}
	return "⟦" + name + "⟧"
}
