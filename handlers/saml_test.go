package handlers_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// newSAMLSite returns a site whose first company has a provider of SAML.
func newSAMLSite(t *testing.T) (*site, *queriestest.SAMLProvider) {
	t.Helper()
	s := newSite(t)
	p := queriestest.NewSAMLProvider(t, s.db)
	p.Create(t, s.db, p.Draft())
	p.Enters("s-2", "employee@hanbit.example", "이준호")
	return s, p
}

// responded follows the page that leads to a provider of SAML, and returns the form that
// the provider's page posts.
func (a answer) responded(t *testing.T, p *queriestest.SAMLProvider) url.Values {
	t.Helper()
	a.want(http.StatusOK)
	address, found := strings.CutPrefix(a.header.Get("Refresh"), "0; url=")
	if !found {
		t.Fatalf("no way to the provider: %v", a.header)
	}
	return p.Visit(t, address)
}

// postFromElsewhere posts a form as a browser does from another site: without the
// cookies of the console.
func (s *site) postFromElsewhere(t *testing.T, path string, form url.Values) *http.Response {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, s.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", "https://id.example")
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

func TestSAMLSignOn(t *testing.T) {
	s, p := newSAMLSite(t)
	c := s.nobody()
	form := c.post("/ja/sso", "email", "employee@hanbit.example", "next", "/profile").responded(t, p)
	taken := s.postFromElsewhere(t, "/sso/saml", form)
	to := taken.Header.Get("Location")
	if taken.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/oauth?code=") || len(taken.Cookies()) != 0 {
		t.Fatalf("%s to %s with the cookies %v", taken.Status, to, taken.Cookies())
	}
	s.nobody().get(to).want(422) // another browser, which does not end the visit
	c.get(to).leads("/ja/profile")
	c.get("/ja/profile").want(200).shows("employee@hanbit.example")
	c.get(to).want(422).shows("처음부터 다시 시도해 주세요")
	c.post("/ja/logout").leads("/ja") // SAML has no way to sign out there
	if again := s.postFromElsewhere(t, "/sso/saml", form); again.StatusCode != 422 {
		t.Errorf("posted again: %s", again.Status)
	}
}

// A response that another person's browser posted signs nobody in at the browser that has
// begun the visit.
func TestSAMLResponseOfAnotherBrowser(t *testing.T) {
	s, p := newSAMLSite(t)
	attacker := s.nobody()
	form := attacker.post("/sso", "email", "kim.cs@hanbit.example").responded(t, p) // as the victim, employee@
	if taken := s.postFromElsewhere(t, "/sso/saml", form); taken.StatusCode != http.StatusSeeOther {
		t.Fatal(taken.Status)
	}
	attacker.get("/oauth?state=" + url.QueryEscape(form.Get("RelayState"))).want(422).shows("처음부터 다시 시도해 주세요")
	if n := s.count("select count(*) from sign_ins"); n != 0 {
		t.Errorf("%d sign-ins", n)
	}
}

// Another site may post to exactly one path.
func TestCrossSiteSAMLResponse(t *testing.T) {
	s, p := newSAMLSite(t)
	form := s.nobody().post("/sso", "email", "employee@hanbit.example").responded(t, p)
	for _, path := range []string{"/ja/sso/saml", "/sso/saml/", "/sso/saml/metadata", "/sso", "/sso/", "//sso/saml", "/sso/./saml", "/SSO/saml", "/sso/saml/x", "/login", "/logout"} {
		if a := s.postFromElsewhere(t, path, form); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
	if a := s.postFromElsewhere(t, "/sso/saml", form); a.StatusCode != http.StatusSeeOther {
		t.Errorf("the right path: %s", a.Status)
	}
	for name, form := range map[string]url.Values{"unknown": {"RelayState": {"x"}, "SAMLResponse": {"x"}}, "from the provider's side": {"SAMLResponse": form["SAMLResponse"]}, "nothing": nil} {
		a := s.postFromElsewhere(t, "/sso/saml", form)
		body, err := io.ReadAll(a.Body)
		if err != nil || a.StatusCode != 422 || !strings.Contains(string(body), "처음부터 다시 시도해 주세요") {
			t.Errorf("%s: %s, %v", name, a.Status, err)
		}
	}
	if a := s.postFromElsewhere(t, "/sso/saml", url.Values{"SAMLResponse": {strings.Repeat("x", 20<<20)}}); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("20 MB: %s", a.Status)
	}
}

func TestSAMLMetadata(t *testing.T) {
	s := newSite(t)
	a := s.nobody().get("/sso/saml/metadata").want(200).shows(`entityID="`+s.url+`/sso/saml/metadata"`, `Location="`+s.url+`/sso/saml"`)
	if a.header.Get("Content-Type") != "application/samlmetadata+xml" {
		t.Error(a.header)
	}
}

func TestSAMLProviderPage(t *testing.T) {
	s := newSite(t)
	p := queriestest.NewSAMLProvider(t, s.db)
	admin := s.as(queriestest.Admin)
	admin.get("/en"+providersPage+"?new=saml").want(200).shows(s.url+"/sso/saml/metadata", "Metadata URL").hides("Client secret")
	form := []string{"name", "한빛 SAML", "kind", "saml", "metadata_url", p.EntityID, "domains", "hanbit.example", "enabled", "true", "department_claim", "groups"}
	admin.post(providersPage, form...).leads(providersPage + "/1")
	admin.get("/en"+providersPage+"/1").want(200).shows(`value="`+p.EntityID+`"`, "Entity ID of the provider", "groups").hides("Redirect URL")
	admin.post("/en"+providersPage+"/1", "name", "한빛 SAML", "kind", "saml", "metadata_url", "", "metadata", "<a/> & more", "domains", "hanbit.example", "version", "1").want(422).
		shows("This is not the metadata of a provider", "<a/> & more")
	admin.post("/en"+providersPage+"/1", "name", "한빛 SAML", "kind", "saml", "metadata", p.Metadata(), "domains", "hanbit.example", "enabled", "true", "department_claim", "groups", "version", "1").leads("/en" + providersPage + "/1")
	admin.get("/en" + providersPage + "/1").want(200).shows("IDPSSODescriptor").hides("for tests") // only what is needed
	admin.get("/en/manage/security/changes").want(200).shows("Metadata URL")

	p.Enters("s-1", "admin@hanbit.example", "김서연")
	p.Attributes["groups"] = []string{"연구소", "영업본부"}
	test := func() {
		t.Helper()
		back := s.postFromElsewhere(t, "/sso/saml", admin.post("/en"+providersPage+"/1/test").responded(t, p))
		admin.get("/en" + back.Header.Get("Location")).leads("/en" + providersPage + "/1#trial")
	}
	test()
	admin.get("/en"+providersPage+"/1").want(200).shows("You can sign in with this provider", "Keys: 1", "김서연", `["연구소","영업본부"]`, "leaves people signed in")
	p.SignsNothing = true
	test()
	admin.get("/en"+providersPage+"/1").want(200).shows("A step has failed", "neither the response nor the assertion is signed")
	if n := s.count("select count(*) from identities") + s.count("select count(*) from sign_ins where user_id <> $1", queriestest.Admin); n != 0 {
		t.Error("testing has signed somebody in")
	}
}

func TestSAMLProviderIsDown(t *testing.T) {
	s, p := newSAMLSite(t)
	p.Answer = http.NotFound
	s.clock.Advance(11 * time.Minute)
	s.nobody().post("/en/sso", "email", "employee@hanbit.example").want(422).shows("could not be reached", "Sign in with a password")
	s.as(queriestest.Admin).get(adminHome).want(200) // with a password
}
