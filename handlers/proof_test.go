package handlers_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// A dangerous act asks again for a proof, and then does what was typed.
func TestProofKeepsTheForm(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.clock.Advance(identity.ProofAge - time.Second)
	const tokens = "/manage/security/tokens"
	admin.post(tokens, "name", "급여", "scopes", "read").want(200).shows("급여")
	s.clock.Advance(2 * time.Second)
	fields := []string{"name", `급여 "시스템"`, "scopes", "read", "scopes", "events", "allowed_addresses", "203.0.113.0/24\n198.51.100.7"}
	page := admin.post("/en"+tokens, fields...).want(422)
	page.shows("Confirm that it is you", `action="/en/manage/security/tokens"`, `name="name" value="급여 "시스템""`, `name="scopes" value="events"`, "198.51.100.7").hides("proof_code")
	if n := s.count("select count(*) from tokens"); n != 1 {
		t.Fatalf("%d tokens without a proof", n)
	}
	admin.post(tokens, append(fields, "proof_password", "wrong")...).want(422).shows("현재 비밀번호", `name="scopes" value="read"`)
	admin.post(tokens, append(fields, "proof_password", queriestest.Password)...).want(200).shows(`급여 "시스템"`)
	if n := s.count("select count(*) from tokens where scopes = '{read,events}' and allowed_addresses = '{203.0.113.0/24,198.51.100.7}'"); n != 1 {
		t.Error("what was typed is lost")
	}
	admin.post("/manage/security/tokens/1/rotation", "overlap", "60").want(200) // the proof counts for other acts
	if n := s.count("select count(*) from access_events where kind = 'proved' and user_id = 1 and result = 'failed'"); n != 1 {
		t.Errorf("%d failures are in the access history", n)
	}
}

// Every route of a dangerous act asks for a proof, and changes nothing without one.
func TestDangerousActsAskForAProof(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.as(queriestest.Employee).enrolled()
	stored := queriestest.LookUp(t, s.db, "select secret from authenticator_apps")
	s.clock.Advance(identity.ProofAge)
	for _, path := range []string{
		"/manage/security/tokens", "/manage/security/tokens/1/rotation", "/manage/security/providers", "/manage/security/providers/1", "/manage/security/providers/1/delete",
		"/manage/security/factors", "/manage/security/retention", "/manage/security/access/people/2/factors/delete", "/manage/security/access/people/2/identities/delete", "/manage/security/access/people/2/password-link", "/profile/factors/app", "/profile/factors/app/confirmation", "/profile/factors/app/delete",
		"/profile/factors/passkeys", "/profile/factors/passkeys/1/delete", "/profile/factors/codes",
		"/manage/use/webhook/outgoing", "/manage/use/webhook/outgoing/secret/rotation", "/manage/use/webhook/tokens/message/rotation",
	} {
		admin.post(path).want(422).shows("본인 확인", "proof_password")
	}
	for _, unit := range []string{"day", "week", "month", "management"} {
		admin.get("/logs/workingattitude/" + unit + "/export?format=csv").want(422).shows("본인 확인")
	}
	admin.with("Accept", "application/json").post("/manage/security/tokens").want(403).shows("proof.required")
	if s.count("select count(*) from authenticator_apps where secret = $1", stored) != 1 {
		t.Error("a factor was reset without a proof")
	}
	admin.get("/manage/security/tokens").want(200) // reading asks for nothing
}

func TestProofBeforeADownload(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.clock.Advance(identity.ProofAge)
	const export = "/logs/workingattitude/day/export?date=2026-11-20&format=csv"
	admin.get("/en" + export).want(422).shows(`name="next" value="/logs/workingattitude/day/export?date=2026-11-20&format=csv"`)
	a := admin.post("/en/proof", "next", export, "proof_password", queriestest.Password).want(200).shows("Your download begins", `href="/en/logs/workingattitude/day?date=2026-11-20"`)
	if to := a.header.Get("Refresh"); to != "0; url=/en"+export {
		t.Errorf("the page goes on to %s", to)
	}
	if got := admin.get(export).want(200); !strings.Contains(got.header.Get("Content-Disposition"), "csv") {
		t.Errorf("no file: %v", got.header)
	}
	admin.post("/proof", "next", "//evil.example", "proof_password", queriestest.Password).leads("/")
	admin.post("/proof", "next", "/profile", "proof_password", "wrong").want(422).shows("본인 확인", `name="next" value="/profile"`)
}

func TestProofWithAFactor(t *testing.T) {
	s := newSiteWith(t, secure)
	admin := s.as(queriestest.Admin)
	secret, _ := admin.enrolled()
	s.clock.Advance(identity.ProofAge)
	code := queriestest.AppCode(t, secret, s.clock.Now())
	admin.post("/manage/security/factors", "version", "0").want(422).shows("proof_code").hides("proof_password")
	admin.post("/manage/security/factors", "version", "0", "proof_password", queriestest.Password).want(422).shows("여섯 자리 숫자나 여덟 자리 복구 코드")
	rule := []string{"version", "0", "required_of", "administrators", "grace_days", "0"}
	admin.post("/manage/security/factors", append(rule, "proof_code", code)...).leads("/manage/security/factors")
	s.clock.Advance(identity.ProofAge)
	admin.post("/manage/security/factors", append(rule, "proof_code", code)...).want(422).shows(`value="administrators"`)

	// Undoing a change of the rule asks, too.
	change := s.count("select max(id) from changes where action = 'factor_rule.updated'")
	undo := "/manage/security/changes/" + strconv.Itoa(change) + "/reversal"
	admin.post(undo).want(422).shows("본인 확인")
	admin.post(undo, "proof_code", queriestest.AppCode(t, secret, s.clock.Now())).leads("/manage/security/changes")
	if s.count("select count(*) from factor_rules where required_of = 'nobody'") != 1 {
		t.Error("the rule was not set back")
	}
}

// Somebody without a password and a second factor signs in again.
func TestProofWithoutAnything(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec("delete from passwords where user_id = 1")
	s.clock.Advance(identity.ProofAge)
	admin.get("/proof?next=/manage/security/tokens").want(422).shows("통합 로그인을 쓸 수 없습니다", "비밀번호 재설정 링크를 요청해 주세요").hides("다시 로그인하면 계속할 수 있습니다", `name="next" value="/manage/security/tokens"`)

	p := queriestest.NewSignOnProvider(t, s.db)
	p.Create(t, s.db, p.Draft())
	admin.get("/proof?next=/manage/security/tokens").want(422).shows("다시 로그인하면 계속할 수 있습니다", `action="/sso"`, `name="next" value="/manage/security/tokens"`).hides("그 화면에서 다시 입력")
	admin.post("/manage/security/tokens", "proof_password", "x").want(422).shows("다시 로그인하면")
	from := admin.with("Referer", s.url+"/en/manage/security/tokens?new=1")
	from.post("/manage/security/tokens", "name", "급여", "scopes", "read").want(422).
		shows("다시 로그인하면", "입력하신 내용은 그 화면에서 다시 입력해 주세요", `name="next" value="/manage/security/tokens?new=1"`).hides("다시 확인합니다. 입력하신")
}
