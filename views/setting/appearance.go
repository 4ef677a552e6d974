package setting

import (
	"context"
	"strings"

	"officeconsole/locales"
	"officeconsole/settings"

	"github.com/a-h/templ"
)

// segmentedWidth is the greatest width of the choices of a segmented control
// together, in half-width characters. Wider ones become cards.
const segmentedWidth = 44

// broadWidth is the greatest width of a segmented control in one column of
// the form, in half-width characters.
const broadWidth = 26

// maxCards is the greatest number of choices that are shown side by side.
// More become a select element.
const maxCards = 4

// An appearance is the control that shows an enum.
type appearance int

const (
	segmented appearance = iota
	cards
	dropdown
)

func appearanceOf(ctx context.Context, key string, t settings.Enum) appearance {
	switch {
	case len(t.Values) > maxCards:
		return dropdown
	case t.Explained:
		return cards
	case columns(ctx, key, t) <= segmentedWidth:
		return segmented
	}
	return cards
}

// columns is the width of the choices side by side, in half-width
// characters.
func columns(ctx context.Context, key string, t settings.Enum) int {
	n := 0
	for _, value := range t.Values {
		n += 3 // the space around a choice
		for _, c := range locales.T(ctx, t.LabelID(key, value)) {
			n++
			if c >= firstWide {
				n++
			}
		}
	}
	return n
}

// firstWide is the first full-width character; Hangul, kana and Chinese
// characters follow it.
const firstWide = 0x1100

// isBroad reports whether a setting takes two columns of the form.
func isBroad(ctx context.Context, s settings.Setting) bool {
	switch t := s.Type.(type) {
	case settings.Enum:
		return appearanceOf(ctx, s.Key, t) == segmented && columns(ctx, s.Key, t) > broadWidth
	case settings.Set:
		return len(t.Values) > 3
	}
	return false
}

// isWide reports whether a setting takes the whole width of the form.
func isWide(ctx context.Context, s settings.Setting) bool {
	switch t := s.Type.(type) {
	case settings.Enum:
		return appearanceOf(ctx, s.Key, t) == cards
	case settings.Object:
		switch t.Fields[0].Type.(type) {
		case settings.Bool, settings.Int:
			return len(t.Fields) > 2
		}
		return true
	case settings.List:
		return true
	}
	return false
}

// choiceTextID is the id of a text of a card: its name, or what it is about.
func choiceTextID(name, value, text string) string {
	return name + "." + strings.ToLower(value) + "-" + text
}

// cardAttributes are the attributes of the radio button of a card. The second
// line of the card describes it and is not part of its name.
func cardAttributes(name, value string, t settings.Enum) templ.Attributes {
	attributes := templ.Attributes{"class": "radio"}
	if t.Explained {
		attributes["aria-labelledby"] = choiceTextID(name, value, "name")
		attributes["aria-describedby"] = choiceTextID(name, value, "about")
	}
	return attributes
}
