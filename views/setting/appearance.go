package setting

import (
	"context"

	"officeconsole/locales"
	"officeconsole/settings"
)

// widest is how many columns of half-width characters the choices of a
// segmented control may have together. Longer ones become cards.
const widest = 44

// broadest is how many of them fit into one column of the form.
const broadest = 26

// mostCards is how many choices stand side by side; more become a select.
const mostCards = 4

// An appearance is how an enum is shown.
type appearance int

const (
	segmented appearance = iota
	cards
	dropdown
)

func appearanceOf(ctx context.Context, key string, t settings.Enum) appearance {
	switch {
	case len(t.Values) > mostCards:
		return dropdown
	case columns(ctx, key, t) <= widest:
		return segmented
	}
	return cards
}

// columns is how wide the choices are side by side, in half-width characters.
func columns(ctx context.Context, key string, t settings.Enum) int {
	n := 0
	for _, value := range t.Values {
		n += 3 // of space around it
		for _, c := range locales.T(ctx, t.LabelID(key, value)) {
			n++
			if c >= firstWide {
				n++
			}
		}
	}
	return n
}

const firstWide = 0x1100 // Hangul, kana and Chinese characters are of full width

// isBroad reports whether a setting takes two columns of the form.
func isBroad(ctx context.Context, s settings.Setting) bool {
	switch t := s.Type.(type) {
	case settings.Enum:
		return appearanceOf(ctx, s.Key, t) == segmented && columns(ctx, s.Key, t) > broadest
	case settings.Set:
		return len(t.Values) > 3
	}
	return false
}

// isWide reports whether a setting takes the width of the form.
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
