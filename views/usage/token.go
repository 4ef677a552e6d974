package usage

import (
	"context"
	"net/url"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/views"

	"github.com/a-h/templ"
)

// TokensPath is the page of the service tokens, without language prefix.
const TokensPath = "/manage/security/tokens"

// Tokens is the content of the page of the service tokens.
type Tokens struct {
	Frame  views.Frame
	Tokens []identity.Token
}

// TokenForm is a form for a new service token, as it was typed.
type TokenForm struct {
	Name, Expires, Addresses string
	Scopes                   []string
	Refused                  queries.FieldErrors // nil if it was not submitted
}

// tokenAction is the address of a form about a token.
func tokenAction(id int64, action string) string {
	return TokensPath + "/" + views.IDText(id) + "/" + action
}

// tokenDialogURL is the page with a dialog opened.
func tokenDialogURL(name, value string) string {
	return views.WithQuery(TokensPath, url.Values{name: {value}})
}

// tokenHint is what identifies a token, whose secret is not stored.
func tokenHint(t identity.Token) string { return "ocs_…" + t.Ending }

func (f TokenForm) name(ctx context.Context) views.Input {
	return views.Input{
		Name: "name", Value: f.Name, Required: true, Label: locales.T(ctx, "token.name"), Help: locales.T(ctx, "token.name.help"), Error: views.Refusal(ctx, f.Refused, "name"),
		Attributes: templ.Attributes{"autocomplete": "off"},
	}
}

func (f TokenForm) expiry(ctx context.Context) views.Input {
	return views.Input{
		Name: "expires_at", Type: "date", Value: f.Expires, Label: locales.T(ctx, "token.expires.field"), Help: locales.T(ctx, "token.expires.help"), Error: views.Refusal(ctx, f.Refused, "expires_at"),
	}
}

// inputs are the fields that the summary of errors links to.
func (f TokenForm) inputs(ctx context.Context) []views.Input {
	return []views.Input{
		f.name(ctx),
		{Name: "scopes", Error: views.Refusal(ctx, f.Refused, "scopes")},
		f.expiry(ctx),
		{Name: "allowed_addresses", Error: views.Refusal(ctx, f.Refused, "allowed_addresses")},
	}
}

// overlaps are the choices of how long a rotated token works on, in seconds.
func overlaps(ctx context.Context) []views.Option {
	return []views.Option{
		{Value: "0", Text: locales.T(ctx, "token.rotation.now")}, {Value: "3600", Text: locales.T(ctx, "token.rotation.hour")},
		{Value: "86400", Text: locales.T(ctx, "token.rotation.day")}, {Value: "604800", Text: locales.T(ctx, "token.rotation.week")},
	}
}
