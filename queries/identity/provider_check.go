package identity

import (
	"context"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/search"
)

// The limits of what somebody enters for a provider, in characters.
const (
	maxProviderName = 50
	maxProviderText = 500
	maxClaim        = 100
	maxDomains      = 50
)

var domainName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$`)

// checkProvider returns a draft as it is stored, or FieldErrors. old is nil for a new
// provider. The metadata of SAML is read from its address where that is a new one.
func (s *Store) checkProvider(ctx context.Context, d ProviderDraft, old *Provider) (ProviderDraft, error) {
	refused := queries.FieldErrors{}
	if d.Kind == "" {
		d.Kind = OpenIDConnect
		if old != nil {
			d.Kind = old.Kind
		}
	}
	required := queries.Invalid("") // the refusal of an empty issuer
	switch {
	case d.Kind != OpenIDConnect && d.Kind != SAML:
		return d, queries.FieldErrors{"kind": "provider.kind.required"}
	case old != nil && d.Kind != old.Kind:
		return d, queries.FieldErrors{"kind": "provider.kind.fixed"}
	case d.Kind == SAML:
		d.Issuer, d.ClientID, d.ClientSecret = "", "", ""
	default:
		d.MetadataURL, d.Metadata = "", ""
		required = "provider.issuer.required"
	}
	d.Metadata = strings.TrimSpace(d.Metadata)
	checkTexts(refused, []textField{
		{"name", &d.Name, maxProviderName, "provider.name.required"},
		{"issuer", &d.Issuer, maxProviderText, required},
		{"client_id", &d.ClientID, maxProviderText, ""},
		{"client_secret", &d.ClientSecret, maxProviderText, ""},
		{"metadata_url", &d.MetadataURL, maxProviderText, ""},
		{"department_claim", &d.DepartmentClaim, maxClaim, ""},
		{"rank_claim", &d.RankClaim, maxClaim, ""},
		{"admin_claim", &d.AdminClaim, maxClaim, ""},
		{"admin_value", &d.AdminValue, maxProviderText, ""},
	})
	if d.AdminClaim != "" && d.AdminValue == "" {
		refused["admin_value"] = "provider.admin_value.required"
	}
	d.Domains = tidyDomains(d.Domains)
	switch {
	case len(d.Domains) == 0:
		refused["domains"] = "provider.domains.required"
	case len(d.Domains) > maxDomains:
		refused["domains"] = "provider.domains.most"
	case slices.ContainsFunc(d.Domains, func(domain string) bool { return len(domain) > 253 || !domainName.MatchString(domain) }):
		refused["domains"] = "provider.domains.invalid"
	}
	if d.Kind == SAML {
		s.checkMetadata(ctx, &d, old, refused)
	} else {
		s.checkClient(d, old, refused)
	}
	if len(refused) > 0 {
		return d, refused
	}
	return d, nil
}

// textField is a field of a draft. missing is the refusal of an empty text; "" if it
// may be empty.
type textField struct {
	name    string
	value   *string
	longest int
	missing queries.Invalid
}

func checkTexts(refused queries.FieldErrors, fields []textField) {
	for _, text := range fields {
		*text.value = strings.TrimSpace(*text.value)
		switch {
		case search.IsBlank(*text.value) && text.missing != "":
			refused[text.name] = text.missing
		case utf8.RuneCountInString(*text.value) > text.longest || !directory.PlainText(*text.value):
			refused[text.name] = "provider.text.invalid"
		}
	}
}

// checkClient checks what only a provider of OpenID Connect has. One without a secret
// was restored, and cannot be enabled before it has one.
func (s *Store) checkClient(d ProviderDraft, old *Provider, refused queries.FieldErrors) {
	if refused["issuer"] == "" {
		if refusal := s.checkIssuer(d.Issuer); refusal != "" {
			refused["issuer"] = refusal
		}
	}
	if d.ClientID == "" {
		refused["client_id"] = "provider.client_id.required"
	}
	switch {
	case d.ClientSecret != "":
	case old == nil || !old.HasSecret && d.Enabled:
		refused["client_secret"] = "provider.client_secret.required"
	case old.HasSecret && d.Issuer != old.Issuer: // which would get the secret of the other one
		refused["client_secret"] = "provider.client_secret.again"
	}
}

func tidyDomains(domains []string) []string {
	var tidy []string
	for _, domain := range domains {
		if domain = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(domain), "@")); domain != "" {
			tidy = append(tidy, domain)
		}
	}
	slices.Sort(tidy)
	return slices.Compact(tidy)
}

// checkIssuer returns why a text cannot be the issuer of a provider; "" if it can.
func (s *Store) checkIssuer(issuer string) queries.Invalid {
	if u, err := url.Parse(issuer); err == nil && u.RawQuery != "" {
		return "provider.issuer.invalid"
	}
	return s.checkAddress("issuer", issuer)
}

// checkAddress returns why the console may not read from the address in a field; "" if it
// may. What its name resolves to is checked when it is reached.
func (s *Store) checkAddress(field, text string) queries.Invalid {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "" || u.User != nil || u.Fragment != "":
		return queries.Invalid("provider." + field + ".invalid")
	case !s.isWebAddress(u):
		return queries.Invalid("provider." + field + ".scheme")
	}
	if address, err := netip.ParseAddr(u.Hostname()); err == nil && !s.network.Allows(address, u.Scheme == "https") {
		return "provider.address.private"
	}
	return ""
}

// isWebAddress reports whether a browser may be sent to an address: one with TLS,
// unless the operator allows addresses without.
func (s *Store) isWebAddress(u *url.URL) bool {
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && len(s.network.Allowed) > 0)
}
