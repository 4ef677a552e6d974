package views

import (
	"context"
	"io"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"officeconsole/locales"
)

// The parts of pages that depend on nothing but the language.
var (
	errorDialogOnce = Once(errorDialog())
	idleWarningOnce = Once(idleWarning())
	leaveDialogOnce = Once(leaveDialog())
	phoneOpenOnce   = Once(supportPhoneHours(true))
	phoneClosedOnce = Once(supportPhoneHours(false))
)

// Once is a component that is rendered once in each language. The component it
// is made of must depend on nothing but the language.
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
