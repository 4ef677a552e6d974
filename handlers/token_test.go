package handlers_test

import (
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

const tokensPage = "/manage/security/tokens"

// Service tokens are created, replaced and ended by administrators, and each is shown
// once.
func TestServiceTokens(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	secretOn := func(a answer) string {
		t.Helper()
		found := regexp.MustCompile(`>(ocs_[A-Z2-7]+)<`).FindStringSubmatch(a.body)
		if found == nil {
			t.Fatalf("no token in %s", a.body)
		}
		return found[1]
	}
	bearer := func(token string) error {
		_, err := s.db.Identity.Bearer(t.Context(), identity.PresentedToken{Token: token, Address: netip.MustParseAddr("203.0.113.5")})
		return err
	}
	admin.get(tokensPage).want(200).shows("서비스 토큰이 없습니다")
	admin.get(tokensPage+"?create=1").want(200).shows(`name="expires_at"`, `value="events"`)
	created := admin.post(tokensPage, "name", "메신저 서버", "scopes", "events", "scopes", "read", "expires_at", "2026-12-31", "allowed_addresses", "\r\n203.0.113.0/24\r\n \r\n198.51.100.5\r\n").
		want(200).shows("이 창을 닫으면 다시 볼 수 없습니다", "203.0.113.0/24, 198.51.100.5", "1월 1일")
	first := secretOn(created)
	admin.get(tokensPage).want(200).shows("메신저 서버", "events, read", "사용한 적 없음", "ocs_…"+first[len(first)-4:]).hides(first)
	if err := bearer(first); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(5 * time.Minute)
	admin.get(tokensPage).shows("5분 전", "203.0.113.5")

	id := regexp.MustCompile(`rotate=(\d+)`).FindStringSubmatch(admin.get(tokensPage).body)[1]
	admin.get(tokensPage+"?rotate="+id).want(200).shows(`name="overlap" value="3600"`, `value="604800"`)
	second := secretOn(admin.post(tokensPage+"/"+id+"/rotation", "overlap", "3600").want(200))
	admin.get(tokensPage).shows("교체됨", "사용 중")
	if bearer(first) != nil || bearer(second) != nil || first == second {
		t.Error("not both tokens are valid")
	}
	admin.post(tokensPage+"/"+id+"/rotation", "overlap", "3600").leads(tokensPage)
	admin.get(tokensPage).shows("이미 끝났거나 교체된 토큰입니다")
	for _, overlap := range []string{"", "x", "-1", "604801"} {
		admin.post(tokensPage+"/"+id+"/rotation", "overlap", overlap).want(422)
	}

	admin.get(tokensPage + "?end=" + id).want(200).shows("‘메신저 서버’ 토큰을 폐기하시겠습니까?")
	end := tokensPage + "/" + id + "/delete"
	s.as(queriestest.OtherAdmin).post(end).want(404)
	s.as(queriestest.OtherAdmin).get(tokensPage).want(200).hides("메신저 서버")
	s.as(queriestest.OtherAdmin).get(tokensPage + "?end=" + id).want(404)
	s.as(queriestest.Manager).post(end).leads("/logs/workingattitude/day")
	admin.post(strings.Replace(end, "/delete", "0000/delete", 1)).want(404)
	admin.post(end).leads(tokensPage)
	admin.get(tokensPage).shows("토큰을 폐기했습니다")
	if bearer(first) == nil || bearer(second) != nil {
		t.Error("not the one token ended")
	}
	admin.post(end).leads(tokensPage)
	admin.get(tokensPage).shows("이미 끝난 토큰입니다")
	row := regexp.MustCompile(`open=[0-9]+-[0-9]+`).FindString(admin.get(accessPath + "?kind=token_created").body)
	admin.get(accessPath + "?" + row).want(200).shows(`href="` + tokensPage + `"`)
	for prefix, words := range map[string]string{"": "교체", "/en": "Replaced", "/ja": "交換"} {
		admin.get(prefix+"/manage/security/changes").want(200).shows("메신저 서버", words)
		admin.get(prefix + tokensPage).want(200).hides("⟦")
	}
}

// What is refused is said beside its field, and what was typed stays.
func TestRefusedServiceTokens(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	a := admin.post("/en"+tokensPage, "name", " ", "expires_at", "2026-11-19", "allowed_addresses", "headquarters").want(422)
	a.shows("Please enter a name.", "Please check the scopes", "from today on", "Please check the IP ranges", ">headquarters</textarea>", `value="2026-11-19"`, `id="scopes-error"`)
	admin.post("/ja"+tokensPage, "name", "名前", "scopes", "read", "expires_at", "tomorrow").want(422).shows("10年以内", `value="名前"`, `value="read" checked`)
	if n := s.count("select count(*) from tokens"); n != 0 {
		t.Errorf("%d tokens", n)
	}
	if _, err := s.db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "a&b", Scopes: []string{"read"}}); err != nil {
		t.Fatal(err)
	}
	admin.get(tokensPage).want(200).shows("a&b", "모든 주소")
}
