package views

import (
	"context"
	"io"
	"strings"
	"sync"

	"github.com/a-h/templ"
	lru "github.com/hashicorp/golang-lru/v2"

	"officeconsole/locales"
)

// Parts of every page that differ only by language, rendered once in each.
var (
	errorDialogOnce = Once(errorDialog())
	idleWarningOnce = Once(idleWarning())
	leaveDialogOnce = Once(leaveDialog())
	waitDialogOnce  = Once(waitDialog())
	phoneOpenOnce   = Once(supportPhoneHours(true))
	phoneClosedOnce = Once(supportPhoneHours(false))
)

// Once renders a component once in each language and returns a component
// that writes the stored markup. The component must depend on nothing but
// the language.
func Once(view templ.Component) templ.Component {
	pages := map[locales.Locale]func() (string, error){}
	for _, l := range locales.All() {
		pages[l] = sync.OnceValues(func() (string, error) {
			var out strings.Builder
			err := view.Render(locales.NewContext(context.Background(), l), &out)
			return out.String(), err
		})
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		markup, err := pages[locales.FromContext(ctx)]()
		if err == nil {
			_, err = io.WriteString(w, markup)
		}
		return err
	})
}

// Parts of every page that differ by few values, rendered once for each of them.
var (
	sideOf         = onceOf(side)
	sessionEndedOf = onceOf(sessionEnded)
)

// maxParts is the number of values for which the markup of a part is stored. It takes
// one to three kilobytes.
const maxParts = 256

// onceOf is Once for a component that depends on the language and a value, of which
// the latest are stored.
func onceOf[Value comparable](view func(Value) templ.Component) func(Value) templ.Component {
	type part struct {
		locale locales.Locale
		value  Value
	}
	parts, err := lru.New[part, string](maxParts)
	if err != nil {
		panic(err) // the size is positive
	}
	return func(value Value) templ.Component {
		return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
			p := part{locales.FromContext(ctx), value}
			markup, found := parts.Get(p)
			if !found {
				var out strings.Builder
				if err := view(value).Render(locales.NewContext(context.Background(), p.locale), &out); err != nil {
					return err
				}
				markup = out.String()
				parts.Add(p, markup)
			}
			_, err := io.WriteString(w, markup)
			return err
		})
	}
}
