// Package provider renders the page of the providers of single sign-on.
package provider

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/saml"
	"officeconsole/views"
)

// Path is the address of the page, without language prefix.
const Path = "/manage/security/providers"

// View is the page of a provider, or of a new one without an id.
type View struct {
	Frame       views.Frame
	Providers   []identity.Provider // of the company
	Provider    identity.Provider
	Form        Form
	RedirectURL string          // to which the provider sends browsers back
	Service     saml.Service    // the console, as a provider of SAML knows it
	Trial       *identity.Trial // that was just run; nil for none
}

// Form is what somebody enters for a provider.
type Form struct {
	identity.ProviderDraft
	Version int32 // that the form was filled with; 0 for a new provider
	Refused queries.FieldErrors
	Earlier *views.SavedFirst // who saved the provider first; nil if nobody did
	Gone    string            // who deleted the provider and when; "" if nobody did
}

// NewForm returns the form that changes a provider.
func NewForm(p identity.Provider) Form { return Form{ProviderDraft: p.Draft(), Version: p.VersionNo} }

// inputs are the fields by their names. A secret that was typed is not shown again.
func (v View) inputs(ctx context.Context) map[string]views.Input {
	f := v.Form
	mono := templ.Attributes{"maxlength": "500", "autocapitalize": "off", "autocomplete": "off", "spellcheck": "false"}
	url := templ.Attributes{"maxlength": "500", "inputmode": "url", "autocapitalize": "off", "spellcheck": "false"}
	secret := templ.Attributes{"maxlength": "500", "autocomplete": "new-password"}
	secretHelp := locales.T(ctx, "provider.client_secret.help")
	if v.Provider.HasSecret {
		secretHelp = locales.T(ctx, "provider.client_secret.kept", "Time", locales.ShortDateTime(ctx, v.Provider.SecretAt.In(v.Frame.Zone()), v.Frame.Now))
	}
	all := map[string]views.Input{
		"name":             {Value: f.Name, Required: true, Help: locales.T(ctx, "provider.name.help"), Attributes: templ.Attributes{"maxlength": "50"}},
		"issuer":           {Value: f.Issuer, Required: true, Help: locales.T(ctx, "provider.issuer.help"), Attributes: url},
		"client_id":        {Value: f.ClientID, Required: true, Attributes: mono},
		"client_secret":    {Type: "password", Required: !v.Provider.HasSecret, Help: secretHelp, Attributes: secret},
		"metadata_url":     {Value: f.MetadataURL, Help: locales.T(ctx, "provider.metadata_url.help"), Attributes: url},
		"metadata":         {Value: f.Metadata, Help: locales.T(ctx, "provider.metadata.help"), Attributes: templ.Attributes{"rows": "6", "maxlength": "200000", "autocapitalize": "off", "spellcheck": "false"}},
		"domains":          {Value: strings.Join(f.Domains, ", "), Required: true, Help: locales.T(ctx, "provider.domains.help"), Attributes: templ.Attributes{"autocapitalize": "off", "spellcheck": "false"}},
		"department_claim": {Value: f.DepartmentClaim, Help: locales.T(ctx, "provider.department_claim.help"), Attributes: mono},
		"rank_claim":       {Value: f.RankClaim, Help: locales.T(ctx, "provider.rank_claim.help"), Attributes: mono},
		"admin_claim":      {Value: f.AdminClaim, Help: locales.T(ctx, "provider.admin_claim.help"), Attributes: mono},
		"admin_value":      {Value: f.AdminValue, Help: locales.T(ctx, "provider.admin_value.help"), Attributes: mono},
	}
	for name, i := range all {
		i.Name, i.Label, i.Error = name, locales.T(ctx, "provider."+name), views.Refusal(ctx, f.Refused, name)
		all[name] = i
	}
	return all
}

// ordered returns the inputs in the order of the form.
func ordered(inputs map[string]views.Input) []views.Input {
	var list []views.Input
	for _, name := range []string{"name", "issuer", "client_id", "client_secret", "metadata_url", "metadata", "domains", "department_claim", "rank_claim", "admin_claim", "admin_value"} {
		list = append(list, inputs[name])
	}
	return list
}

// path is the address of a provider, without language prefix.
func path(p identity.Provider) string { return Path + "/" + strconv.FormatInt(p.ID, 10) }

// newPath is the address of the form of a new provider, without language prefix.
func newPath(kind string) string { return Path + "?new=" + kind }

// action is where the form of a provider is sent.
func (v View) action() string {
	if v.Provider.ID == 0 {
		return Path
	}
	return path(v.Provider)
}

// found says what a step of a trial found; "" for nothing.
func found(ctx context.Context, s identity.TrialStep) string {
	switch {
	case s.Refusal != "":
		return locales.T(ctx, s.Refusal)
	case s.Warning != "":
		return locales.T(ctx, s.Warning)
	case s.Name == "keys":
		return locales.T(ctx, "provider.trial.found.keys", "Value", s.Value)
	}
	return s.Value
}

// stepIcon is how the state of a step looks.
func stepIcon(s identity.TrialStep) (icon, tone string) {
	switch {
	case s.Refusal != "":
		return "error", "bad"
	case s.Warning != "":
		return "alert", "warn"
	}
	return "check", "good"
}

// fieldNames says what a claim becomes in the console.
func fieldNames(ctx context.Context, c identity.TrialClaim) string {
	var names []string
	for _, field := range c.Fields {
		names = append(names, locales.T(ctx, "provider.field."+field))
	}
	return strings.Join(names, " · ")
}
