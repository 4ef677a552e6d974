package views

import (
	"context"
	"slices"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/usage"

	"github.com/a-h/templ"
)

// ProfilePage is the content of the page on which people see their own data.
type ProfilePage struct {
	About   identity.Profile
	Clients []usage.ClientPerson
	SignIns []identity.SignInsRow
	Privacy Privacy

	HasPassword bool
	LetterKeys  bool                // whether single letters are shortcuts in this browser
	Refused     queries.FieldErrors // fields of a refused form; nil if none was submitted
}

// hasLetterKeys reports whether the reader has pages on which single letters are shortcuts:
// the exceptions of a day.
func (p ProfilePage) hasLetterKeys(reader Frame) bool {
	return reader.Person.IsAdmin || slices.ContainsFunc(p.About.Viewed, func(d identity.ViewedDepartment) bool { return d.MayEdit })
}

// clientOn is the person's client on a platform; the zero row without one.
func (p ProfilePage) clientOn(platform string) usage.ClientPerson {
	for _, c := range p.Clients {
		if c.Platform == platform {
			return c
		}
	}
	return usage.ClientPerson{}
}

// clientState says whether a client is installed, was removed or never was there.
func clientState(ctx context.Context, c usage.ClientPerson) string {
	switch {
	case c.Installed:
		return locales.T(ctx, "profile.clients.installed")
	case c.UserID != 0:
		return locales.T(ctx, "client.state.removed")
	}
	return locales.T(ctx, "client.state.never")
}

// passwordInputs are the fields of the password form, which are always
// empty.
func passwordInputs(ctx context.Context, refused queries.FieldErrors) []Input {
	current := Input{
		Name: "current", Type: "password", Required: true,
		Label: locales.T(ctx, "password.current"), Error: Refusal(ctx, refused, "current"),
		Attributes: templ.Attributes{"autocomplete": "current-password"},
	}
	return append([]Input{current}, newPasswordInputs(ctx, refused)...)
}

// newPasswordInputs are the fields of a new password, which are always empty.
func newPasswordInputs(ctx context.Context, refused queries.FieldErrors) []Input {
	return []Input{
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

// devicePassword is the field that confirms signing out other devices.
func devicePassword(ctx context.Context, refused queries.FieldErrors) Input {
	return Input{
		Name: "password", Type: "password", Required: true,
		Label: locales.T(ctx, "password.current"), Help: locales.T(ctx, "profile.devices.password"), Error: Refusal(ctx, refused, "password"),
		Attributes: templ.Attributes{"autocomplete": "current-password", "aria-label": locales.T(ctx, "profile.devices.password.label")},
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
