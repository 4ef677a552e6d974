package identity

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// The limits of what somebody enters for a provider, in characters.
const (
	maxProviderName = 50
	maxProviderText = 500
	maxClaim        = 100
	maxDomains      = 50
)

var domainName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$`)

// checkProvider returns a draft as it is stored, or FieldErrors.
func (s *Store) checkProvider(d ProviderDraft, isNew bool) (ProviderDraft, error) {
	refused := queries.FieldErrors{}
	for _, text := range []struct {
		field   string
		value   *string
		longest int
		missing queries.Invalid // the refusal of an empty text; "" if it may be empty
	}{
		{"name", &d.Name, maxProviderName, "provider.name.required"},
		{"issuer", &d.Issuer, maxProviderText, "provider.issuer.required"},
		{"client_id", &d.ClientID, maxProviderText, "provider.client_id.required"},
		{"client_secret", &d.ClientSecret, maxProviderText, ""},
		{"department_claim", &d.DepartmentClaim, maxClaim, ""},
		{"rank_claim", &d.RankClaim, maxClaim, ""},
		{"admin_claim", &d.AdminClaim, maxClaim, ""},
		{"admin_value", &d.AdminValue, maxProviderText, ""},
	} {
		*text.value = strings.TrimSpace(*text.value)
		switch {
		case *text.value == "" && text.missing != "":
			refused[text.field] = text.missing
		case utf8.RuneCountInString(*text.value) > text.longest || !directory.PlainText(*text.value):
			refused[text.field] = "provider.text.invalid"
		}
	}
	if refused["issuer"] == "" {
		if refusal := s.checkIssuer(d.Issuer); refusal != "" {
			refused["issuer"] = refusal
		}
	}
	if isNew && d.ClientSecret == "" {
		refused["client_secret"] = "provider.client_secret.required"
	}
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
	if len(refused) > 0 {
		return d, refused
	}
	return d, nil
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
// What its name resolves to is checked when it is reached.
func (s *Store) checkIssuer(issuer string) queries.Invalid {
	u, err := url.Parse(issuer)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "provider.issuer.invalid"
	case !s.isWebAddress(u):
		return "provider.issuer.scheme"
	}
	if address, err := netip.ParseAddr(u.Hostname()); err == nil && !s.network.Allows(address, u.Scheme == "https") {
		return "provider.issuer.private"
	}
	return ""
}

// isWebAddress reports whether a browser may be sent to an address: one with TLS,
// unless the operator allows addresses without.
func (s *Store) isWebAddress(u *url.URL) bool {
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && len(s.network.Allowed) > 0)
}
