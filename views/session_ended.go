package views

import (
	"context"

	"github.com/a-h/templ"

	"officeconsole/locales"
)

// holder is what the dialog about an ended session says of whose session it is.
type holder struct {
	Email   string
	IsAdmin bool
}

// endings are the texts about why a session ends, for scripts. Only a change of an
// administrator may end the session of who makes it.
func (h holder) endings(ctx context.Context) templ.Attributes {
	texts := templ.Attributes{}
	for _, cause := range []string{"idle", "expired", "revoked", "other", "left", "renew", "done"} {
		if cause != "done" || h.IsAdmin {
			texts["data-"+cause] = locales.T(ctx, "session.ended."+cause)
		}
	}
	return texts
}
