package identity_test

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// signOn is a database with a provider of the first company.
type signOn struct {
	t        *testing.T
	db       *areas.Areas
	clock    *queriestest.Clock
	provider *queriestest.SignOnProvider
	id       int64
}

func newSignOn(t *testing.T, edit func(*identity.ProviderDraft)) *signOn {
	t.Helper()
	db, clock := queriestest.NewWithClock(t)
	provider := queriestest.NewSignOnProvider(t, db)
	draft := provider.Draft()
	if edit != nil {
		edit(&draft)
	}
	provider.Enters("s-2", "employee@hanbit.example", "이준호")
	return &signOn{t, db, clock, provider, provider.Create(t, db, draft)}
}

var here = netip.MustParseAddr("192.0.2.7")

// begin sends a browser to the provider.
func (s *signOn) begin() identity.Visit {
	s.t.Helper()
	visit, err := s.db.Identity.BeginSignOn(s.t.Context(), identity.SignOnRequest{
		Email: "employee@Hanbit.example", Locale: "ja", Next: "/profile", BaseURL: "https://console.example", Address: here, UserAgent: "test",
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return visit
}

// back is what the browser brings back from the provider.
func (s *signOn) back(visit identity.Visit) identity.ProviderAnswer {
	s.t.Helper()
	query := s.provider.Visit(s.t, visit.URL)
	return identity.ProviderAnswer{State: query.Get("state"), Code: query.Get("code"), Browser: visit.Browser, Address: here, UserAgent: "test"}
}

func (s *signOn) complete(r identity.ProviderAnswer) (identity.SignOn, error) {
	return s.db.Identity.CompleteSignOn(s.t.Context(), r)
}

// enter signs somebody in.
func (s *signOn) enter() (identity.SignOn, error) {
	s.t.Helper()
	return s.complete(s.back(s.begin()))
}

// lastAccess is the latest row of the access history.
func (s *signOn) lastAccess() string {
	return queriestest.LookUp(s.t, s.db, "select concat_ws(' ', kind, result, reason, coalesce(user_id, 0), account) from access_events where company_id = 1 order by at desc, id desc limit 1")
}

func TestSignOn(t *testing.T) {
	s := newSignOn(t, nil)
	visit := s.begin()
	query := mustParse(t, visit.URL).Query()
	if query.Get("login_hint") != "employee@hanbit.example" || query.Get("code_challenge_method") != "S256" || query.Get("scope") != "openid profile email" {
		t.Errorf("sent with %v", query)
	}
	done, err := s.complete(s.back(visit))
	if err != nil || done.ID != queriestest.Employee || done.SignInID == 0 || done.Locale != "ja" || done.Next != "/profile" {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := s.lastAccess(); got != "login ok sso 2 " {
		t.Errorf("recorded %q", got)
	}
	// From now on the subject counts, whatever the email is.
	s.provider.Enters("s-2", "somebody@elsewhere.example", "이준호")
	if done, err := s.enter(); err != nil || done.ID != queriestest.Employee {
		t.Errorf("the second time: %+v, %v", done.Person, err)
	}
}

func TestSignOnWithoutProvider(t *testing.T) {
	s := newSignOn(t, func(d *identity.ProviderDraft) { d.Enabled = false })
	for _, email := range []string{"employee@hanbit.example", "somebody@elsewhere.example", "nothing", "\xff@\x00"} {
		if _, err := s.db.Identity.BeginSignOn(t.Context(), identity.SignOnRequest{Email: email, Address: here}); err != queries.Invalid("sso.domain") {
			t.Errorf("%q: %v", email, err)
		}
	}
}

// Nobody comes back from a provider twice, too late, or in another browser.
func TestVisitIsOfOneBrowserAndOnce(t *testing.T) {
	s := newSignOn(t, nil)
	first := s.back(s.begin())
	other := s.back(s.begin())

	swapped := first
	swapped.Browser = other.Browser
	for name, r := range map[string]identity.ProviderAnswer{
		"swapped": swapped, "unknown": {State: "x", Code: first.Code, Browser: first.Browser}, "without a cookie": {State: first.State, Code: first.Code}, "nothing": {},
	} {
		if done, err := s.complete(r); !errors.Is(err, queries.Invalid("sso.expired")) {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
	}
	if _, err := s.complete(first); err != nil {
		t.Fatalf("the right browser: %v", err)
	}
	if _, err := s.complete(first); !errors.Is(err, queries.Invalid("sso.expired")) {
		t.Errorf("again: %v", err)
	}
	s.clock.Advance(10*time.Minute + time.Second)
	if done, err := s.complete(other); !errors.Is(err, queries.Invalid("sso.expired")) || done.Locale != "ja" {
		t.Errorf("too late: %+v, %v", done, err)
	}
	if got := s.lastAccess(); got != "login failed sso_expired 0 " {
		t.Errorf("recorded %q", got)
	}
}

func TestVisitsAreDeleted(t *testing.T) {
	s := newSignOn(t, nil)
	s.begin()
	s.clock.Advance(10*time.Minute + time.Second)
	if err := s.db.Identity.CleanUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, s.db, "select count(*)::text from provider_visits"); got != "0" {
		t.Errorf("%s visits", got)
	}
}

func TestAnswerThatIsNotForUs(t *testing.T) {
	minutes := func(s *signOn, n time.Duration) int64 { return s.db.Now().Add(n * time.Minute).Unix() }
	for name, change := range map[string]func(s *signOn, header, claims map[string]any){
		"wrong issuer":         func(_ *signOn, _, c map[string]any) { c["iss"] = "https://other.example" },
		"wrong audience":       func(_ *signOn, _, c map[string]any) { c["aud"] = "another client" },
		"wrong nonce":          func(_ *signOn, _, c map[string]any) { c["nonce"] = "x" },
		"no nonce":             func(_ *signOn, _, c map[string]any) { delete(c, "nonce") },
		"another party":        func(_ *signOn, _, c map[string]any) { c["azp"] = "another client" },
		"audiences, no party":  func(_ *signOn, _, c map[string]any) { c["aud"] = []string{queriestest.SignOnClient, "other"} },
		"no subject":           func(_ *signOn, _, c map[string]any) { delete(c, "sub") },
		"expired":              func(s *signOn, _, c map[string]any) { c["exp"] = minutes(s, -2) - 1 },
		"from the future":      func(s *signOn, _, c map[string]any) { c["iat"] = minutes(s, 2) + 1 },
		"without a signature":  func(_ *signOn, h, _ map[string]any) { h["alg"] = "none" },
		"signed with a secret": func(_ *signOn, h, _ map[string]any) { h["alg"] = "HS256" },
		"unknown key":          func(_ *signOn, h, _ map[string]any) { h["kid"] = "x" },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSignOn(t, nil)
			s.provider.Change = func(header, claims map[string]any) { change(s, header, claims) }
			if done, err := s.enter(); !errors.Is(err, queries.Invalid("sso.answer")) {
				t.Fatalf("%+v, %v", done.Person, err)
			}
			if got := s.lastAccess(); got != "login failed sso_answer 0 " {
				t.Errorf("recorded %q", got)
			}
		})
	}
}

func TestClocksMayDifferByTwoMinutes(t *testing.T) {
	s := newSignOn(t, nil)
	for name, change := range map[string]func(now time.Time, claims map[string]any){
		"behind": func(now time.Time, c map[string]any) { c["exp"] = now.Add(-2 * time.Minute).Unix() },
		"ahead": func(now time.Time, c map[string]any) {
			c["iat"], c["nbf"] = now.Add(2*time.Minute).Unix(), now.Add(2*time.Minute).Unix()
		},
	} {
		s.provider.Change = func(_, claims map[string]any) { change(s.db.Now(), claims) }
		if _, err := s.enter(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnswerOfTheBrowser(t *testing.T) {
	s := newSignOn(t, nil)
	for _, test := range []struct {
		name string
		edit func(*identity.ProviderAnswer)
		want queries.Invalid
	}{
		{"cancelled", func(r *identity.ProviderAnswer) { r.Code, r.Error = "", "access_denied" }, "sso.cancelled"},
		{"another error", func(r *identity.ProviderAnswer) { r.Error = "server_error" }, "sso.answer"},
		{"no code", func(r *identity.ProviderAnswer) { r.Code = "" }, "sso.answer"},
		{"another's code", func(r *identity.ProviderAnswer) { r.Code = s.back(s.begin()).Code }, "sso.answer"},
		{"another issuer", func(r *identity.ProviderAnswer) { r.Issuer = "https://other.example" }, "sso.answer"},
	} {
		r := s.back(s.begin())
		test.edit(&r)
		if _, err := s.complete(r); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestKeysChange(t *testing.T) {
	s := newSignOn(t, nil)
	if _, err := s.enter(); err != nil {
		t.Fatal(err)
	}
	s.provider.NewKey(t)
	if _, err := s.enter(); err != nil {
		t.Errorf("with a new key: %v", err)
	}
}

func TestProviderThatCannotBeUsed(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"down": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusServiceUnavailable) },
		"huge": func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(`{"issuer":"` + strings.Repeat("x", 20<<20)))
		},
		"moved": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"script": func(w http.ResponseWriter, r *http.Request) {
			issuer := "http://" + r.Host
			w.Write([]byte(`{"issuer":"` + issuer + `","authorization_endpoint":"javascript:alert(1)","token_endpoint":"` + issuer + `/t","jwks_uri":"` + issuer + `/k"}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSignOn(t, nil)
			s.provider.Answer = answer
			_, err := s.db.Identity.BeginSignOn(t.Context(), identity.SignOnRequest{Email: "kim.cs@hanbit.example", Address: here})
			if !errors.Is(err, queries.Invalid("sso.provider")) {
				t.Fatal(err)
			}
			if got := s.lastAccess(); got != "login failed sso_provider 0 kim.cs@hanbit.example" {
				t.Errorf("recorded %q", got)
			}
			if _, err := s.db.Identity.SignIn(t.Context(), queriestest.Credentials("admin@hanbit.example", queriestest.Password)); err != nil {
				t.Errorf("with a password: %v", err)
			}
		})
	}
}

// A program that goes on trying does not fill the access history.
func TestRefusedSignOnsAreRecordedUpToALimit(t *testing.T) {
	s := newSignOn(t, nil)
	s.provider.Answer = http.NotFound
	for range 60 {
		_, _ = s.db.Identity.BeginSignOn(t.Context(), identity.SignOnRequest{Email: "kim.cs@hanbit.example", Address: here})
	}
	if got := queriestest.LookUp(t, s.db, "select count(*)::text from access_events"); got != "50" {
		t.Errorf("%s rows", got)
	}
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
