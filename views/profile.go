package views

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"

	"github.com/a-h/templ"
)

// ProfilePage is the content of the page on which people see their own data.
type ProfilePage struct {
	About   identity.Profile
	SignIns []identity.SignInsRow
	Refused queries.FieldErrors // fields of the password form; nil if it was not submitted
}

// passwordInputs are the fields of the password form, which are always
// empty.
func passwordInputs(ctx context.Context, refused queries.FieldErrors) []Input {
	return []Input{
		{
			Name: "current", Type: "password", Required: true,
			Label: locales.T(ctx, "password.current"), Error: Refusal(ctx, refused, "current"),
			Attributes: templ.Attributes{"autocomplete": "current-password"},
		},
		{
			Name: "new", Type: "password", Required: true,
			Label: locales.T(ctx, "password.new"), Help: locales.T(ctx, "password.new.help"), Error: Refusal(ctx, refused, "new"),
			Attributes: templ.Attributes{"autocomplete": "new-password"},
		},
		{
			Name: "confirmation", Type: "password", Required: true,
			Label: locales.T(ctx, "password.confirmation"), Error: Refusal(ctx, refused, "confirmation"),
			Attributes: templ.Attributes{"autocomplete": "new-password"},
		},
	}
}

// signedInElsewhere reports whether the person has a session besides the
// current one.
func signedInElsewhere(signIns []identity.SignInsRow, current int64) bool {
	for _, s := range signIns {
		if s.ID != current {
			return true
		}
	}
	return false
}

// signOutPath is where the form that ends a session is sent.
func signOutPath(signInID int64) string {
	return "/profile/sessions/" + strconv.FormatInt(signInID, 10) + "/delete"
}
