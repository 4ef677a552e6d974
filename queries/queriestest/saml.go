package queriestest

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/saml/samltest"
	"officeconsole/sender"
)

// A SAMLProvider is a provider of SAML at which everybody is signed in already, and that
// publishes its metadata. Its fields may be changed between requests.
type SAMLProvider struct {
	*samltest.Provider
	URL    string
	Answer http.HandlerFunc // answers instead of the provider, unless nil
}

// NewSAMLProvider starts a provider, and lets the console reach it.
func NewSAMLProvider(t *testing.T, db *areas.Areas) *SAMLProvider {
	t.Helper()
	p := &SAMLProvider{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.Answer != nil {
			p.Answer(w, r)
			return
		}
		_, _ = w.Write([]byte(p.Metadata()))
	}))
	t.Cleanup(server.Close)
	p.URL, p.Provider = server.URL, samltest.New(server.URL, db.Now)
	db.Identity.Allow(sender.Network{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	return p
}

// Draft is the provider as an administrator enters it.
func (p *SAMLProvider) Draft() identity.ProviderDraft {
	return identity.ProviderDraft{Name: "한빛 계정", Kind: identity.SAML, MetadataURL: p.EntityID, Domains: []string{"hanbit.example"}, Enabled: true}
}

// Create gives the first company the provider.
func (p *SAMLProvider) Create(t *testing.T, db *areas.Areas, d identity.ProviderDraft) (id int64) {
	t.Helper()
	id, err := db.Identity.CreateProvider(t.Context(), queries.Actor{CompanyID: Hanbit, Name: "test"}, d)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Enters makes the provider say who signs in.
func (p *SAMLProvider) Enters(subject, email, name string) {
	p.Subject, p.Attributes = subject, map[string][]string{"mail": {email}, "displayName": {name}}
}

// Visit does what a browser does that is sent to the provider, and returns the form that
// it posts to the console.
func (p *SAMLProvider) Visit(t *testing.T, address string) url.Values {
	t.Helper()
	return p.Respond(t, address)
}
