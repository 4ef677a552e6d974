package identity_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
	"officeconsole/saml/samltest"
)

// samlSignOn is a database with a provider of SAML of the first company.
type samlSignOn struct {
	*signOn
	provider *queriestest.SAMLProvider
}

func newSAMLSignOn(t *testing.T, edit func(*identity.ProviderDraft)) *samlSignOn {
	t.Helper()
	db, clock := queriestest.NewWithClock(t)
	provider := queriestest.NewSAMLProvider(t, db)
	draft := provider.Draft()
	if edit != nil {
		edit(&draft)
	}
	provider.Enters("s-2", "employee@hanbit.example", "이준호")
	return &samlSignOn{&signOn{t: t, db: db, clock: clock, id: provider.Create(t, db, draft)}, provider}
}

// post posts what the provider gives a browser, and returns what the browser then
// brings to the console.
func (s *samlSignOn) post(visit identity.Visit) (identity.ProviderAnswer, error) {
	s.t.Helper()
	form := s.provider.Visit(s.t, visit.URL)
	code, err := s.db.Identity.TakeSAMLResponse(s.t.Context(), form.Get("RelayState"), form.Get("SAMLResponse"))
	return identity.ProviderAnswer{State: form.Get("RelayState"), Code: code, Browser: visit.Browser, Address: here, UserAgent: "test"}, err
}

func (s *samlSignOn) enter() (identity.SignOn, error) {
	s.t.Helper()
	r, err := s.post(s.begin())
	if err != nil {
		s.t.Fatal(err)
	}
	return s.complete(r)
}

func TestSAMLSignOn(t *testing.T) {
	s := newSAMLSignOn(t, nil)
	done, err := s.enter()
	if err != nil || done.ID != queriestest.Employee || done.SignInID == 0 || done.Locale != "ja" || done.Next != "/profile" {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := s.lastAccess(); got != "login ok sso 2 " {
		t.Errorf("recorded %q", got)
	}
	// From now on the name identifier counts, whatever the email is.
	s.provider.Enters("s-2", "somebody@elsewhere.example", "이준호")
	if done, err := s.enter(); err != nil || done.ID != queriestest.Employee {
		t.Errorf("the second time: %+v, %v", done.Person, err)
	}
	if url, err := s.db.Identity.SignOutAtProvider(t.Context(), queriestest.Hanbit, done.SignInID, "https://console.example/"); url != "" || err != nil {
		t.Errorf("signing out goes to %q, %v", url, err)
	}
}

// Nobody comes back twice, too late, in another browser, or without a response.
func TestSAMLVisitIsOfOneBrowserAndOnce(t *testing.T) {
	s := newSAMLSignOn(t, nil)
	expired := queries.Invalid("sso.expired")
	if _, err := s.db.Identity.TakeSAMLResponse(t.Context(), "unknown", "x"); !errors.Is(err, expired) {
		t.Errorf("unknown: %v", err)
	}
	first := s.begin()
	r, err := s.post(first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.post(first); !errors.Is(err, expired) {
		t.Errorf("posted twice: %v", err)
	}
	other := r
	other.Browser = s.begin().Browser
	if done, err := s.complete(other); !errors.Is(err, expired) {
		t.Errorf("another browser: %+v, %v", done, err)
	}
	if _, err := s.complete(r); err != nil {
		t.Fatalf("the right browser: %v", err)
	}
	if _, err := s.complete(r); !errors.Is(err, expired) {
		t.Errorf("again: %v", err)
	}
	without := s.begin()
	state := mustParse(t, without.URL).Query().Get("RelayState")
	if _, err := s.complete(identity.ProviderAnswer{State: state, Browser: without.Browser, Address: here}); !errors.Is(err, expired) {
		t.Errorf("without a response: %v", err)
	}
	late, err := s.post(s.begin())
	if err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(10*time.Minute + time.Second)
	if done, err := s.complete(late); !errors.Is(err, expired) || done.Locale != "ja" {
		t.Errorf("too late: %+v, %v", done, err)
	}
}

// Somebody who lets another person's browser post that person's response to a visit of
// their own does not have the code that the other browser gets.
func TestSAMLResponseOfAnotherBrowser(t *testing.T) {
	for name, code := range map[string]string{"without a code": "", "with a guessed code": "x"} {
		s := newSAMLSignOn(t, nil)
		r, err := s.post(s.begin())
		if err != nil || r.Code == "" {
			t.Fatal(r.Code, err)
		}
		right := r.Code
		r.Code = code
		if done, err := s.complete(r); !errors.Is(err, queries.Invalid("sso.expired")) || done.ID != 0 {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
		r.Code = right
		if _, err := s.complete(r); !errors.Is(err, queries.Invalid("sso.expired")) {
			t.Errorf("the visit has not ended %s: %v", name, err)
		}
	}
}

// A visit to a provider of OpenID Connect takes no response of SAML.
func TestSAMLResponseForOpenIDConnect(t *testing.T) {
	s := newSignOn(t, nil)
	state := mustParse(t, s.begin().URL).Query().Get("state")
	if _, err := s.db.Identity.TakeSAMLResponse(t.Context(), state, "x"); !errors.Is(err, queries.Invalid("sso.expired")) {
		t.Error(err)
	}
}

func TestSAMLAnswerIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(*queriestest.SAMLProvider)
		want queries.Invalid
	}{
		"unsigned":     {func(p *queriestest.SAMLProvider) { p.SignsNothing = true }, "sso.answer"},
		"another key":  {func(p *queriestest.SAMLProvider) { p.Keys = []*samltest.Key{samltest.NewKey()} }, "sso.answer"},
		"cancelled":    {func(p *queriestest.SAMLProvider) { p.SignsNothing, p.Change = true, denial }, "sso.cancelled"},
		"no email":     {func(p *queriestest.SAMLProvider) { p.Attributes = nil }, "sso.email.refused"},
		"other domain": {func(p *queriestest.SAMLProvider) { p.Enters("s-9", "admin@other.example", "") }, "sso.email.refused"},
		"unknown":      {func(p *queriestest.SAMLProvider) { p.Enters("s-9", "nobody@hanbit.example", "") }, "sso.unknown"},
		"hidden":       {func(p *queriestest.SAMLProvider) { p.Enters("s-9", "hidden@hanbit.example", "") }, "session.hidden"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSAMLSignOn(t, nil)
			published := s.provider.Metadata() // does not change with the provider
			s.provider.Answer = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(published)) }
			visit := s.begin()
			test.edit(s.provider)
			r, err := s.post(visit)
			if err != nil {
				t.Fatal(err)
			}
			if done, err := s.complete(r); !errors.Is(err, test.want) || done.Next != "/profile" {
				t.Errorf("%+v, %v", done, err)
			}
			if got := s.lastAccess(); !strings.HasPrefix(got, "login failed ") {
				t.Errorf("recorded %q", got)
			}
		})
	}
}

func denial(r *etree.Element) {
	r.RemoveChild(r.FindElement("./Assertion"))
	code := r.FindElement("//StatusCode")
	code.CreateAttr("Value", "urn:oasis:names:tc:SAML:2.0:status:Responder")
	code.CreateElement("samlp:StatusCode").CreateAttr("Value", "urn:oasis:names:tc:SAML:2.0:status:RequestDenied")
}

// An assertion with the id of an earlier one was copied, even if it is signed anew.
func TestAssertionIsUsedOnce(t *testing.T) {
	s := newSAMLSignOn(t, nil)
	s.provider.Change = func(r *etree.Element) { r.FindElement("./Assertion").CreateAttr("ID", "_same") }
	if _, err := s.enter(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.enter(); !errors.Is(err, queries.Invalid("sso.answer")) || !strings.Contains(err.Error(), "used before") {
		t.Errorf("again: %v", err)
	}
	s.clock.Advance(9 * time.Minute)
	if err := s.db.Identity.CleanUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, s.db, "select count(*)::text from used_assertions"); got != "0" {
		t.Errorf("%s assertions are stored", got)
	}
}

func TestSAMLKeysChange(t *testing.T) {
	s := newSAMLSignOn(t, nil)
	s.provider.Keys = append(s.provider.Keys, samltest.NewKey()) // signs with a second key
	if _, err := s.enter(); err != nil {
		t.Fatal(err)
	}
	published := s.provider.Metadata()
	s.provider.Answer = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(published)) }
	s.provider.Keys = []*samltest.Key{samltest.NewKey()}
	if _, err := s.enter(); !errors.Is(err, queries.Invalid("sso.answer")) {
		t.Errorf("with a key that is not published: %v", err)
	}
	old := s.provider.Keys
	published = s.provider.Metadata()
	if _, err := s.enter(); err != nil {
		t.Errorf("with a new key: %v", err)
	}
	s.provider.Keys = []*samltest.Key{samltest.NewKey()}
	published = s.provider.Metadata()
	s.provider.Keys = old
	s.clock.Advance(11 * time.Minute)
	if _, err := s.enter(); !errors.Is(err, queries.Invalid("sso.answer")) {
		t.Errorf("with a key that was taken back: %v", err)
	}
}

// Whoever knows the state of a visit cannot make the console ask a provider any number
// of times.
func TestSAMLResponseIsVerifiedOnce(t *testing.T) {
	s := newSAMLSignOn(t, nil)
	visit := s.begin()
	published, asked := s.provider.Metadata(), 0
	s.provider.Keys = []*samltest.Key{samltest.NewKey()}
	s.provider.Answer = func(w http.ResponseWriter, _ *http.Request) { asked++; _, _ = w.Write([]byte(published)) }
	if _, err := s.post(visit); err != nil {
		t.Fatal(err)
	}
	if _, err := s.post(visit); !errors.Is(err, queries.Invalid("sso.expired")) || asked != 1 {
		t.Errorf("posted twice: %v, and the provider was asked %d times", err, asked)
	}
}

func TestSAMLAttributes(t *testing.T) {
	s := newSAMLSignOn(t, func(d *identity.ProviderDraft) {
		d.DepartmentClaim, d.RankClaim, d.AdminClaim, d.AdminValue = "groups", "title", "groups", "console-admins"
	})
	s.provider.Attributes["groups"], s.provider.Attributes["title"] = []string{"없는 부서", "영업본부/국내영업팀", "console-admins"}, []string{"부장"}
	if _, err := s.enter(); err != nil {
		t.Fatal(err)
	}
	got := queriestest.LookUp(t, s.db, "select u.name || ' ' || u.is_admin || ' ' || r.name from users u left join ranks r on r.company_id = u.company_id and r.id = u.rank_id where u.id = $1", queriestest.Employee)
	if got != "이준호 true 부장" {
		t.Error(got)
	}
	for email, set := range map[string]func(){
		"attribute of an object id": func() {
			s.provider.Subject, s.provider.Attributes = "s-a", map[string][]string{"urn:oid:0.9.2342.19200300.100.1.3": {"kim.cs@hanbit.example"}}
		},
	} {
		set()
		if done, err := s.enter(); err != nil || done.ID != queriestest.Kim {
			t.Errorf("%s: %+v, %v", email, done.Person, err)
		}
	}
}

// A name identifier that is an email is the email where there is no attribute.
func TestSAMLNameIdentifierIsAnEmail(t *testing.T) {
	s := newSAMLSignOn(t, nil)
	s.provider.Subject, s.provider.Attributes = "Kim.CS@hanbit.example", nil
	s.provider.Format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
	if done, err := s.enter(); err != nil || done.ID != queriestest.Kim {
		t.Errorf("%+v, %v", done.Person, err)
	}
}

func TestSAMLProviderThatCannotBeUsed(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"down":   func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusServiceUnavailable) },
		"huge":   func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat("<a>", 20<<20/3))) },
		"moved":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"a page": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html></html>")) },
		"another": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(samltest.New("http://other.example", time.Now).Metadata()))
		},
		"script": func(w http.ResponseWriter, r *http.Request) {
			p := samltest.New("http://"+r.Host, time.Now)
			p.SignInURL = "javascript:alert(1)"
			_, _ = w.Write([]byte(p.Metadata()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSAMLSignOn(t, nil)
			s.clock.Advance(11 * time.Minute) // what was read when it was created has expired
			s.provider.Answer = answer
			_, err := s.db.Identity.BeginSignOn(t.Context(), identity.SignOnRequest{Email: "kim.cs@hanbit.example", Address: here})
			if !errors.Is(err, queries.Invalid("sso.provider")) {
				t.Fatal(err)
			}
			if got := s.lastAccess(); got != "login failed sso_provider 0 kim.cs@hanbit.example" {
				t.Errorf("recorded %q", got)
			}
		})
	}
}

// A provider whose metadata was entered is not asked about itself.
func TestSAMLWithEnteredMetadata(t *testing.T) {
	s := newSAMLSignOn(t, nil)
	draft := s.provider.Draft()
	draft.MetadataURL, draft.Metadata = "", s.provider.Metadata()
	if err := s.db.Identity.UpdateProvider(t.Context(), queriestest.AdminActor(t, s.db), s.id, 1, draft); err != nil {
		t.Fatal(err)
	}
	s.provider.Answer = http.NotFound
	if _, err := s.enter(); err != nil {
		t.Error(err)
	}
}
