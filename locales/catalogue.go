package locales

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// T returns the message with the given id in the reader's language. Args are
// pairs of name and value for the message's template: T(ctx, "policy.owner",
// "Name", name). Values are strings and whole numbers, which are inserted
// unchanged: format those numbers, and dates, beforehand. For an unknown id or
// value it returns the id in brackets: ⟦policy.owner⟧.
func T(ctx context.Context, id string, args ...any) string {
	return FromContext(ctx).T(id, args...)
}

// N returns a message that counts something, like T. The count selects the
// plural form and is {{.Count}} in the template, with the language's
// separators.
func N(ctx context.Context, id string, count int, args ...any) string {
	return FromContext(ctx).N(id, count, args...)
}

// T works like the function T, in the language l.
func (l Locale) T(id string, args ...any) string {
	m, ok := l.catalogue().messages[id]
	if !ok {
		return "⟦" + id + "⟧"
	}
	return m.other.fill("", args)
}

// N works like the function N, in the language l.
func (l Locale) N(id string, count int, args ...any) string {
	c := l.catalogue()
	m, ok := c.messages[id]
	if !ok {
		return "⟦" + id + "⟧"
	}
	text := &m.other
	if m.one != nil && plural.Cardinal.MatchPlural(c.tag, max(count, -count), 0, 0, 0, 0) == plural.One { // a negative count panics
		text = m.one
	}
	return text.fill(l.Number(int64(count)), args)
}

// IDs returns every message id of the language in order.
func (l Locale) IDs() []string {
	return slices.Sorted(maps.Keys(l.catalogue().messages))
}

func (l Locale) catalogue() *catalogue {
	switch l {
	case English:
		return english()
	case Japanese:
		return japanese()
	}
	return korean()
}

// A catalogue contains the parsed messages of one language.
type catalogue struct {
	tag      language.Tag
	messages map[string]translation
}

//go:embed *.toml
var files embed.FS

// Each catalogue is read when its language is first needed: most consoles need one or
// two, and most commands none.
var korean, english, japanese = catalogueOf(Korean), catalogueOf(English), catalogueOf(Japanese)

func catalogueOf(l Locale) func() *catalogue {
	return sync.OnceValue(func() *catalogue {
		c, err := load(l)
		if err != nil {
			panic(err) // the tests read all of them
		}
		return c
	})
}

// load reads the embedded files noun.language.toml of a language.
func load(l Locale) (*catalogue, error) {
	bundle := i18n.NewBundle(language.Korean)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	c := &catalogue{tag: language.Make(string(l)), messages: map[string]translation{}}
	names, err := fs.Glob(files, "*."+string(l)+".toml")
	if err != nil {
		return nil, fmt.Errorf("list catalogues: %w", err)
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read catalogue: %w", err)
		}
		file, err := bundle.ParseMessageFileBytes(text, name)
		if err != nil {
			return nil, fmt.Errorf("catalogue %s: %w", name, err)
		}
		if err := c.add(file.Messages); err != nil {
			return nil, fmt.Errorf("catalogue %s: %w", name, err)
		}
	}
	return c, nil
}

func (c *catalogue) add(messages []*i18n.Message) error {
	for _, m := range messages {
		parsed, err := parseMessage(m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.ID, err)
		}
		c.messages[m.ID] = parsed
	}
	return nil
}
