package views

import (
	"context"
	"time"

	"officeconsole/locales"
)

// SavedFirst is who saved an object while somebody else had its form open.
type SavedFirst struct {
	Name string // "" where the change log does not say
	At   time.Time
	URL  string // the page of what is saved
}

// text says who saved first, and what saving again does.
func (s SavedFirst) text(ctx context.Context, f Frame) string {
	if s.Name == "" {
		return locales.T(ctx, "installation.changed")
	}
	return locales.T(ctx, "installation.conflict", "Name", s.Name, "Time", locales.ShortDateTime(ctx, s.At.In(f.Zone()), f.Now))
}
