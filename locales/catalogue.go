package locales

import (
	"context"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// T is the message id in the reader's language. Args are pairs of name and
// value for the message's template: T(ctx, "policy.owner", "Name", name).
// Values are inserted as they are; format numbers and dates beforehand. An
// unknown id comes back in brackets: ⟦policy.owner⟧.
func T(ctx context.Context, id string, args ...any) string {
	return FromContext(ctx).T(id, args...)
}

// N is T for a message that counts something. The count chooses the plural
// form and is {{.Count}} in the template, with the language's separators.
func N(ctx context.Context, id string, count int, args ...any) string {
	return FromContext(ctx).N(id, count, args...)
}

// T is as the function T, in the language l.
func (l Locale) T(id string, args ...any) string {
	c := l.catalogue()
	if text, ok := c.plain[id]; ok {
		return text
	}
	return c.fill(id, nil, args)
}

// N is as the function N, in the language l.
func (l Locale) N(id string, count int, args ...any) string {
	return l.catalogue().fill(id, count, append(slices.Clip(args), "Count", l.Number(int64(count))))
}

// IDs lists every message id of the language in order.
func (l Locale) IDs() []string {
	return slices.Sorted(maps.Keys(l.catalogue().ids))
}

func (l Locale) catalogue() *catalogue {
	switch l {
	case English:
		return english
	case Japanese:
		return japanese
	}
	return korean
}

// A catalogue holds the messages of one language. Messages that insert nothing
// are ready in plain, as the form for "other"; the localizer renders the rest.
type catalogue struct {
	ids       map[string]bool
	plain     map[string]string
	localizer *i18n.Localizer
}

//go:embed *.toml
var files embed.FS

// Read once, never written again.
var korean, english, japanese = mustLoad()

func mustLoad() (ko, en, ja *catalogue) {
	catalogues, err := load()
	if err != nil {
		panic(err)
	}
	return catalogues[Korean], catalogues[English], catalogues[Japanese]
}

// load merges the embedded files noun.language.toml.
func load() (map[Locale]*catalogue, error) {
	bundle := i18n.NewBundle(language.Korean)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	catalogues := map[Locale]*catalogue{}
	for _, l := range All() {
		catalogues[l] = &catalogue{
			ids:       map[string]bool{},
			plain:     map[string]string{},
			localizer: i18n.NewLocalizer(bundle, string(l)),
		}
	}
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("list catalogues: %w", err)
	}
	for _, entry := range entries {
		text, err := files.ReadFile(entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read catalogue: %w", err)
		}
		file, err := bundle.ParseMessageFileBytes(text, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("catalogue %s: %w", entry.Name(), err)
		}
		c := catalogues[Locale(file.Tag.String())]
		if c == nil {
			return nil, fmt.Errorf("catalogue %s: no such language", entry.Name())
		}
		c.add(file.Messages)
	}
	return catalogues, nil
}

func (c *catalogue) add(messages []*i18n.Message) {
	for _, m := range messages {
		c.ids[m.ID] = true
		if !strings.Contains(m.Other, "{{") {
			c.plain[m.ID] = m.Other
		}
	}
}

// fill renders a message with a template or plural forms. A nil count means
// the form for "other".
func (c *catalogue) fill(id string, count any, args []any) string {
	if !c.ids[id] {
		return "⟦" + id + "⟧"
	}
	data := make(map[string]any, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		data[fmt.Sprint(args[i])] = args[i+1]
	}
	text, err := c.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: count, TemplateData: data})
	if err != nil {
		return "⟦" + id + "⟧"
	}
	return text
}
