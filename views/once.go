package views

import (
	"context"
	"io"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"officeconsole/locales"
)

// Parts of every page that differ only by language, rendered once in each.
var (
	errorDialogOnce = Once(errorDialog())
	idleWarningOnce = Once(idleWarning())
	leaveDialogOnce = Once(leaveDialog())
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
