package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
	"officeconsole/seal"
)

const providersPage = "/manage/security/providers"

func providerForm(p *queriestest.SignOnProvider, pairs ...string) []string {
	return append([]string{
		"name", "한빛 계정", "issuer", p.URL, "client_id", queriestest.SignOnClient, "client_secret", queriestest.SignOnSecret,
		"domains", "Hanbit.example, @lab.example", "create_people", "false", "enabled", "true",
	}, pairs...)
}

func TestProviderPage(t *testing.T) {
	s := newSite(t)
	p := queriestest.NewSignOnProvider(t, s.db)
	admin := s.as(queriestest.Admin)
	admin.get("/en" + providersPage).want(200).shows("No provider yet")
	admin.get("/en" + providersPage + "?new=1").want(200).shows(s.url + "/oauth")
	admin.post(providersPage, providerForm(p)...).leads(providersPage + "/1")
	admin.get(providersPage+"/1").want(200).shows("공급자를 추가했습니다", p.URL, `value="hanbit.example, lab.example"`).hides(queriestest.SignOnSecret)
	admin.get(providersPage).want(200).shows(p.URL).hides(queriestest.SignOnSecret)

	// An empty secret stays as it is.
	admin.post(providersPage+"/1", providerForm(p, "version", "1", "department_claim", "groups")...).leads(providersPage + "/1")
	form := providerForm(p, "version", "2", "rank_claim", "title")
	form[7] = ""
	admin.post(providersPage+"/1", form...).leads(providersPage + "/1")
	form[len(form)-3] = "3"
	admin.post(providersPage+"/1", form...).leads(providersPage + "/1") // the same once more changes nothing
	stored := queriestest.LookUp(t, s.db, "select client_secret from providers where rank_claim = 'title' and version_no = 3")
	field := seal.Field{Table: "providers", Column: "client_secret", CompanyID: queriestest.Hanbit, RowID: 1}
	if secret, err := s.db.OpenSecret(t.Context(), field, stored); err != nil || secret != queriestest.SignOnSecret {
		t.Errorf("the secret has changed to %q, %v", secret, err)
	}
	form[3] = "https://elsewhere.example"
	admin.post(providersPage+"/1", form...).want(422).shows("클라이언트 비밀 값을 다시 입력해 주세요", `aria-describedby="client_secret-help client_secret-error"`)
	for language, text := range map[string]string{"": "김서연 님이 11월 20일 10:00에 먼저 저장했습니다", "/en": "saved first", "/ja": "先に保存しました"} {
		admin.post(language+providersPage+"/1", providerForm(p, "version", "1")...).want(409).shows(text, `href="`+language+providersPage+`/1" target="_blank"`, `name="version" value="3"`)
	}

	admin.get("/en/manage/security/changes").want(200).shows("Single sign-on provider").hides(queriestest.SignOnSecret)
	if n := s.count("select count(*) from changes where object_type = 'provider' and (old::text || coalesce(new::text, '')) like '%' || $1 || '%'", queriestest.SignOnSecret); n != 0 {
		t.Error("the secret is in the change log")
	}
	admin.get(providersPage + "/1?delete=1").want(200).shows("공급자를 삭제하시겠습니까?")
	s.as(queriestest.OtherAdmin).get(providersPage + "/1").want(404)
	s.as(queriestest.OtherAdmin).post(providersPage + "/1/delete").want(404)
	admin.post(providersPage+"/1/delete", "version", "3").leads(providersPage)
	admin.get(providersPage + "/2").want(404)
}

// Saving over what somebody else has saved says who that was; saving again replaces it.
func TestSaveProviderTwice(t *testing.T) {
	s := newSite(t)
	p := queriestest.NewSignOnProvider(t, s.db)
	p.Create(t, s.db, p.Draft())
	admin := s.as(queriestest.Admin)
	s.exec("update users set is_admin = true where company_id = 1 and id = $1", queriestest.Employee)
	s.as(queriestest.Employee).post(providersPage+"/1", providerForm(p, "version", "1", "rank_claim", "theirs")...).leads(providersPage + "/1")
	typed := form(providerForm(p, "version", "1", "rank_claim", "mine"))
	conflict := admin.post(providersPage+"/1", typed...).want(409).shows("먼저 저장했습니다", `value="mine"`).hides(queriestest.SignOnSecret)
	admin.post(providersPage+"/1", typed.with("version", conflict.field("version"))...).leads(providersPage + "/1")
	if n := s.count("select count(*) from providers where rank_claim = 'mine'"); n != 1 {
		t.Error("saving again has not replaced the provider")
	}
}

// Saving a provider that somebody has deleted loses nothing that was typed but the secret:
// saving it once more adds it anew. Anything else that is done with it says who deleted it.
func TestDeletedProvider(t *testing.T) {
	s := newSite(t)
	p := queriestest.NewSignOnProvider(t, s.db)
	draft := p.Draft()
	p.Create(t, s.db, draft)
	draft.Name, draft.Domains = "다른 계정", []string{"rest.example"}
	p.Create(t, s.db, draft)
	admin := s.as(queriestest.Admin)
	admin.post(providersPage+"/1/delete", "version", "1").leads(providersPage)
	admin.get(providersPage) // takes the toast
	const gone = "김서연 님이 2026년 11월 20일 10:00에 이 공급자를 삭제했습니다"
	for _, action := range []string{"/delete", "/test"} {
		admin.post(providersPage+"/1"+action, "version", "1").leads(providersPage)
		admin.get(providersPage).want(200).shows(gone)
	}
	for _, page := range []string{"/1", "/1?delete=1"} {
		admin.get(providersPage+page).want(200).shows(gone, "다른 계정").hides("공급자를 삭제하시겠습니까?")
	}
	typed := form(providerForm(p, "version", "1", "rank_claim", "mine", "kind", "oidc"))
	for language, text := range map[string]string{"/en": "김서연 deleted this provider at", "/ja": "このプロバイダーを削除しました"} {
		admin.post(language+providersPage+"/1", typed...).want(409).shows(text).hides("⟦")
	}
	admin.post(providersPage+"/1", typed...).want(409).hides(queriestest.SignOnSecret).
		shows(gone, "새로 추가", "클라이언트 비밀 값은 다시 입력해 주세요", `value="mine"`, `value="Hanbit.example, @lab.example"`, `name="version" value="0"`, `action="`+providersPage+`"`)
	admin.post(providersPage, typed.with("version", "0")...).leads(providersPage + "/3")
	other := s.as(queriestest.OtherAdmin)
	for _, action := range []string{"", "/delete", "/test"} {
		other.post(providersPage+"/1"+action, typed...).want(404)
	}
	other.get(providersPage + "/1").want(404)
}

func TestProviderFormIsRefused(t *testing.T) {
	s := newSite(t)
	p := queriestest.NewSignOnProvider(t, s.db)
	p.Create(t, s.db, p.Draft())
	admin := s.as(queriestest.OtherAdmin)
	admin.post("/en/manage/security/providers", "kind", "ldap", "name", "x").want(422).hides("⟦")
	for _, test := range []struct {
		field, value, message string
	}{
		{"name", " ", "Please enter a display name"},
		{"name", strings.Repeat("가", 51), "too long"},
		{"issuer", "", "Please enter the issuer"},
		{"issuer", "https://a.example/?x=1", "cannot have a query"},
		{"issuer", "ftp://a.example", "must begin with https"},
		{"issuer", "https://10.1.2.3/", "operator’s permission"},
		{"issuer", "javascript:alert(1)", "Please check the issuer"},
		{"client_id", "", "Please enter the client ID"},
		{"client_secret", "", "Please enter the client secret"},
		{"domains", "", "at least one email domain"},
		{"domains", "not a domain!", "Please check the email domains"},
		{"domains", "localhost", "Please check the email domains"},
		{"domains", "hanbit.example", "One of the domains cannot be used"},
		{"admin_claim", "groups", "Enter the administrator value"},
	} {
		values := map[string]string{"name": "계정", "issuer": "https://id.example", "client_id": "c", "client_secret": "hidden!", "domains": "other.example"}
		values[test.field] = test.value
		var pairs []string
		for name, value := range values {
			pairs = append(pairs, name, value)
		}
		a := admin.post("/en"+providersPage, pairs...).want(422).shows(test.message, `aria-describedby`).hides("hidden!")
		if test.field != "issuer" {
			a.shows(`value="https://id.example"`)
		}
	}
	form := []string{"name", "계정", "issuer", "https://id.example", "client_id", "c", "client_secret", "s", "domains", "other.example"}
	admin.post(providersPage, form...).want(303)
	admin.post("/en"+providersPage, form...).want(422).shows("Another provider has one of the domains")
	if n := s.count("select count(*) from providers where company_id = 2"); n != 1 {
		t.Errorf("%d providers", n)
	}
}

func TestTestingAProvider(t *testing.T) {
	s := newSite(t)
	p := queriestest.NewSignOnProvider(t, s.db)
	draft := p.Draft()
	draft.Enabled, draft.DepartmentClaim = false, "groups"
	p.Create(t, s.db, draft)
	admin := s.as(queriestest.Admin)
	p.Enters("s-1", "admin@hanbit.example", "김서연")
	p.Claims["groups"] = []string{"연구소"}
	admin.get(admin.post("/en"+providersPage+"/1/test").visited(t, p)).leads("/en" + providersPage + "/1#trial")
	admin.get("/en"+providersPage+"/1").want(200).shows("You can sign in with this provider", "Keys: 1", "김서연", `["연구소"]`, "Department")
	admin.get("/en" + providersPage + "/1").want(200).hides("Claims received")
	if n := s.count("select count(*) from identities") + s.count("select count(*) from sign_ins where user_id <> $1", queriestest.Admin); n != 0 {
		t.Error("testing has signed somebody in")
	}

	p.Change = func(_, claims map[string]any) { claims["aud"] = "another" }
	admin.get(admin.post("/en"+providersPage+"/1/test").visited(t, p)).leads("/en" + providersPage + "/1#trial")
	admin.get("/en"+providersPage+"/1").want(200).shows("A step has failed", "could not be verified", "expected audience").hides("Claims received")

	p.Answer = http.NotFound
	admin.post("/en" + providersPage + "/1/test").leads("/en" + providersPage + "/1#trial")
	admin.get("/en"+providersPage+"/1").want(200).shows("A step has failed", "could not be reached", "404")
}

// The address to register at a provider does not depend on the host that a request
// names.
func TestRedirectURLIsThePublicOne(t *testing.T) {
	s := newSiteWith(t, handlers.Config{PublicURL: "https://console.example"})
	s.as(queriestest.Admin).get(providersPage + "?new=1").want(200).shows("https://console.example/oauth").hides(s.url + "/oauth")
}
