package handlers_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// secure is the configuration of a console that browsers reach at queriestest.Site.
var secure = handlers.Config{PublicURL: queriestest.Site.URL}

var (
	appKey     = regexp.MustCompile(`<code id="app-key">([A-Z2-7 ]+)</code>`)
	codeItem   = regexp.MustCompile(`<li>([0-9A-Z]{4}-[0-9A-Z]{4})</li>`)
	optionsOf  = regexp.MustCompile(`data-options="([^"]*)"`)
	passkeyRow = regexp.MustCompile(`/profile/factors\?delete=(\d+)`)
)

// found returns what a page has in the place that the expression names.
func found(t *testing.T, in *regexp.Regexp, a answer) string {
	t.Helper()
	match := in.FindStringSubmatch(a.body)
	if match == nil {
		t.Fatalf("%d: nothing matches %s in %s", a.status, in, a.body)
	}
	return html.UnescapeString(match[1])
}

// enrolled adds an authenticator app for somebody on the page.
func (c *client) enrolled() (secret string, codes []string) {
	t := c.site.t
	t.Helper()
	c.post("/profile/factors/app").leads("/profile/factors")
	secret = strings.ReplaceAll(found(t, appKey, c.get("/profile/factors").want(200)), " ", "")
	page := c.post("/profile/factors/app/confirmation", "code", queriestest.AppCode(t, secret, c.site.clock.Now())).want(200)
	for _, match := range codeItem.FindAllStringSubmatch(page.body, -1) {
		codes = append(codes, match[1])
	}
	return secret, codes
}

func TestEnrolAppOnThePage(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	c.get("/profile/factors").want(200).shows("2단계 인증", "인증 앱 등록", "https 주소로 접속했을 때").hides(`id="codes"`, `<svg class="qr"`)
	c.post("/profile/factors/app").leads("/profile/factors")
	enrolment := c.get("/en/profile/factors").want(200).shows(`<svg class="qr"`, "Scan the QR code", "data-copy=\"app-key\"")
	c.post("/en/profile/factors/app/confirmation", "code", "12 34").want(422).shows("enter the six digits", `value="12 34"`, "data-select", `aria-invalid="true"`)
	secret := strings.ReplaceAll(found(t, appKey, enrolment), " ", "")
	page := c.post("/ja/profile/factors/app/confirmation", "code", queriestest.AppCode(t, secret, s.clock.Now())).want(200)
	page.shows("リカバリーコード", "今しか表示されない", `download="officeconsole-recovery-codes.txt"`, "data:text/plain")
	if codes := codeItem.FindAllString(page.body, -1); len(codes) != 10 {
		t.Errorf("recovery codes: %v", codes)
	}
	c.get("/profile/factors").want(200).shows("10개 남았습니다", "인증 앱 삭제").hides(`<svg class="qr"`, secret)
	c.post("/profile/factors/app/confirmation", "code", "000000").leads("/profile/factors")
	renewed := c.post("/profile/factors/codes").want(200)
	if codes := codeItem.FindAllString(renewed.body, -1); len(codes) != 10 {
		t.Errorf("new recovery codes: %v", codes)
	}
	c.get("/profile/data").want(200).shows(`"authenticator_app": "2026-`, `"recovery_codes": 10`).hides(secret)
	c.get("/profile/factors?delete=app").want(200).shows("비밀번호만으로 로그인하게 됩니다", `action="/profile/factors/app/delete"`)
	c.get("/profile/factors?delete=1").want(200).hides(`id="delete"`)
	c.post("/profile/factors/app/delete").leads("/profile/factors")
	c.get("/profile/factors").want(200).shows("인증 앱을 삭제했습니다", "인증 앱 등록").hides(`id="codes"`)
	c.post("/profile/factors/app/delete").want(404)
	c.post("/profile/factors/codes").want(404)
	c.post("/profile/factors/app").leads("/profile/factors")
	c.post("/profile/factors/app/cancellation").leads("/profile/factors")
	c.get("/profile/factors").want(200).hides(`<svg class="qr"`)
}

func TestSignInWithACode(t *testing.T) {
	s := newSite(t)
	secret, codes := s.as(queriestest.Employee).enrolled()
	s.clock.Advance(time.Minute)
	code := func() string { return queriestest.AppCode(t, secret, s.clock.Now()) }
	c := s.nobody()
	c.get("/login/factor").leads("/login")
	c.post("/en/login", "email", queriestest.Email(queriestest.Employee), "password", queriestest.Password, "next", "/profile?x=1", "remember", "1").leads("/en/login/factor")
	c.get("/profile").leads("/login?next=%2Fprofile") // nobody is signed in yet
	c.get("/en/login/factor").want(200).shows("Six digits", queriestest.Email(queriestest.Employee), "Use a recovery code").hides(`<label for="password"`)
	c.get("/login/factor?recovery=1").want(200).shows("복구 코드", "다른 방법 사용")
	c.post("/en/login/factor", "code", "000000").want(422).shows("The code is wrong", `value="000000"`, "data-select")
	a := c.post("/en/login/factor", "code", code()).leads("/en/profile?x=1")
	if cookie := a.setCookie("email"); cookie == nil || cookie.MaxAge <= 0 {
		t.Errorf("the email is not remembered: %v", cookie)
	}
	c.get("/en/profile").want(200)
	c.post("/en/login/factor", "code", codes[0]).leads("/en") // another tab

	other := s.nobody()
	other.signIn(queriestest.Employee).leads("/login/factor")
	other.post("/login/factor", "code", code()).want(422).shows("이미 쓴 숫자입니다")
	other.post("/login/factor", "code", "zzzz-zzzz", "recovery", "1").want(422).shows("맞지 않습니다", "복구 코드", `value="zzzz-zzzz"`)
	other.post("/login/factor", "code", codes[1], "recovery", "1").leads("/")
	other.get("/profile/factors").want(200).shows("9개 남았습니다")

	late := s.nobody()
	late.signIn(queriestest.Employee).leads("/login/factor")
	s.clock.Advance(11 * time.Minute)
	late.get("/login/factor").want(422).shows("처음부터 다시 로그인해 주세요")
	late.get("/login/factor").leads("/login")
	late.post("/login/factor", "code", code()).want(422).shows("처음부터 다시 로그인해 주세요")
	late.get("/profile").leads("/login?next=%2Fprofile")
}

// The dialog that signs somebody in again in place sends the code with the password.
func TestSignInAgainWithACode(t *testing.T) {
	s := newSite(t)
	secret, _ := s.as(queriestest.Employee).enrolled()
	s.clock.Advance(time.Minute)
	c := s.nobody().with("Accept", "application/json")
	again := func(code string) answer {
		return c.post("/login", "email", queriestest.Email(queriestest.Employee), "password", queriestest.Password, "code", code)
	}
	again("").want(422).shows(`"code":"session.factor.required"`)
	again("000000").want(422).shows(`"code":"factor.code.wrong"`)
	again(queriestest.AppCode(t, secret, s.clock.Now())).want(http.StatusNoContent)
}

func TestPasskeysOnThePage(t *testing.T) {
	s := newSiteWith(t, secure)
	c := s.as(queriestest.Employee)
	c.get("/profile/factors").want(200).shows("패스키 추가", "등록한 패스키가 없습니다")
	passkey := queriestest.NewPasskey()
	create := func() string {
		return passkey.Create(t, json.RawMessage(found(t, optionsOf, c.get("/profile/factors?passkey=1").want(200))))
	}
	c.post("/profile/factors/passkeys", "name", "", "passkey", create()).want(422).shows("이름을 입력해 주세요", "data-options")
	c.post("/profile/factors/passkeys", "name", "회사 <MacBook>", "passkey", "{}").want(422).shows("패스키를 확인하지 못했습니다", `value="회사 <MacBook>"`)
	c.post("/profile/factors/passkeys", "name", "회사 <MacBook>", "passkey", create()).want(200).shows("회사 <MacBook>", "내려받기")
	id := found(t, passkeyRow, c.get("/profile/factors"))
	c.get("/profile/factors?rename=" + id).want(200).shows(`value="회사 <MacBook>"`)
	c.post("/profile/factors/passkeys/"+id, "name", strings.Repeat("가", 51)).want(422).shows("50자까지")
	c.post("/profile/factors/passkeys/"+id, "name", "노트북").leads("/profile/factors")
	c.get("/en/profile/factors?delete="+id).want(200).shows("Delete 노트북", "your only second factor", `action="/en/profile/factors/passkeys/`+id+`/delete"`)
	s.as(queriestest.Viewer).post("/profile/factors/passkeys/" + id + "/delete").want(404)
	s.as(queriestest.Viewer).post("/profile/factors/passkeys/"+id, "name", "x").want(404)

	other := s.nobody()
	other.signIn(queriestest.Employee).leads("/login/factor")
	sign := func(page answer) string {
		return passkey.Sign(t, json.RawMessage(found(t, optionsOf, page)))
	}
	page := other.get("/login/factor").want(200).shows("패스키 사용", "복구 코드 사용")
	passkey.Origin = "https://evil.example"
	other.post("/login/factor", "passkey", sign(page)).want(422).shows("패스키를 확인하지 못했습니다")
	passkey.Origin = queriestest.Site.URL
	other.post("/login/factor", "passkey", sign(other.get("/login/factor"))).leads("/")

	alone := s.nobody()
	alone.get("/login").want(200).shows("패스키로 로그인")
	alone.post("/login/passkey", "passkey", "x", "next", "/profile").want(422).shows("패스키를 확인하지 못했습니다", `name="next" value="/profile"`)
	alone.post("/login/passkey", "passkey", sign(alone.get("/login/passkey?next=/profile")), "next", "/profile").leads("/profile")
	c.get("/profile/factors").want(200).shows("사용")
	c.post("/profile/factors/passkeys/" + id + "/delete").leads("/profile/factors")
	s.nobody().signIn(queriestest.Employee).leads("/")
}

// Where browsers offer no passkeys, nothing asks for one.
func TestNoPasskeysWithoutHTTPS(t *testing.T) {
	s := newSite(t)
	s.nobody().get("/login").want(200).hides("패스키")
	s.nobody().get("/login/passkey").want(404)
	s.as(queriestest.Employee).get("/profile/factors?passkey=1").want(200).hides("data-options")
}

func TestConfinedToTheFactorPage(t *testing.T) {
	s := newSite(t)
	admin, employee := s.as(queriestest.Admin), s.as(queriestest.Employee)
	const path = "/manage/security/factors"
	admin.get(path).want(200).shows("7명 중 7명", "1명 중 1명", `value="nobody" checked`, `value="14"`)
	admin.get("/en"+path).want(200).shows("1 of 1 person", "7 of 7 people")
	admin.get("/ja" + path).want(200).shows("7人中7人")
	admin.post(path, "version", "0", "required_of", "everybody", "grace_days", "400").want(422).shows("0에서 365", `value="400"`, `value="everybody" checked`)
	admin.post(path, "version", "0", "required_of", "x", "grace_days", "").want(422).shows("하나를 선택해", "0에서 365")
	admin.post(path, "version", "x").want(422)
	admin.post("/en"+path, "version", "0", "required_of", "everybody", "grace_days", "14", "trusts_sign_on", "1").leads("/en" + path)
	admin.post(path, "version", "0", "required_of", "nobody", "grace_days", "3").want(409).shows("김서연", `name="version" value="1"`, `value="3"`)
	employee.get("/logs/workingattitude/day").want(200).shows("까지 2단계 인증을 등록해 주세요")
	employee.get("/en/profile").want(200).shows("Please add a second factor by Dec")
	s.as(queriestest.OtherAdmin).get("/policies/communication/management").want(200).hides("2단계 인증을 등록해 주세요")
	admin.get("/en/manage/security/changes?object=factor_rule").want(200).shows("Second factor rule", "Who needs one Nobody → Everybody")

	s.clock.Advance(15*24*time.Hour + time.Hour)
	admin, employee = s.as(queriestest.Admin), s.as(queriestest.Employee)
	for path, to := range map[string]string{"/logs/workingattitude/day": "/profile/factors", "/profile": "/profile/factors", "/search?q=x": "/profile/factors", "/proof": ""} {
		if a := employee.get(path); a.location() != to {
			t.Errorf("%s leads to %q, want %q", path, a.location(), to)
		}
	}
	admin.get("/en/manage/security/access").leads("/en/profile/factors")
	admin.post("/manage/security/retention").leads("/profile/factors")
	employee.with("Accept", "application/json").get("/search?q=xy").want(422).shows("factor.due")
	employee.get("/session").want(200)
	employee.get("/profile/factors").want(200).shows("2단계 인증을 등록해야 계속할 수 있습니다")
	employee.enrolled()
	employee.get("/logs/workingattitude/day").want(200).hides("2단계 인증을 등록해")
	employee.post("/profile/factors/app/delete").want(422).shows("하나는 있어야 합니다")
	employee.post("/logout").want(303)
}

// A rule without days of grace cuts people off at once, so it asks first.
func TestRuleThatAppliesAtOnce(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const path = "/manage/security/factors"
	rule := []string{"version", "0", "required_of", "everybody", "grace_days", "0", "trusts_sign_on", "1"}
	admin.post("/en"+path, rule...).want(422).shows("7 people without a second factor", "are not asked for a second factor", `name="confirmed"`, `value="everybody" checked`, `value="0"`, "data-guard")
	admin.post(path, "version", "0", "required_of", "administrators", "grace_days", "0").want(422).shows("1명에게는 등록 화면만 열립니다")
	admin.post(path, "version", "0", "required_of", "nobody", "grace_days", "0").leads(path)
	admin.get(path).want(200).hides(`name="confirmed"`)
	rule[1] = "1"
	admin.post(path, append(rule, "confirmed", "1")...).leads(path)
	if s.count("select count(*) from factor_rules where required_of = 'everybody' and grace_days = 0") != 1 {
		t.Error("the confirmed rule was not saved")
	}

	// So does reverting the change that ended such a rule.
	if err := s.db.Identity.SaveFactorRule(t.Context(), queriestest.AdminActor(t, s.db), 2, identity.FactorRuleDraft{RequiredOf: identity.RequiredOfNobody}); err != nil {
		t.Fatal(err)
	}
	reversal := fmt.Sprintf("/en/manage/security/changes/%d/reversal", s.lastChange())
	admin.post(reversal).want(409).shows("people without a second factor can open nothing but", `name="confirmed" value="1"`)
	admin.get(path).want(200).shows(`value="nobody" checked`)
	admin.post(reversal, "confirmed", "1").want(303)
	if s.count("select count(*) from factor_rules where required_of = 'everybody' and grace_days = 0") != 1 {
		t.Error("the confirmed reversal was not carried out")
	}
}

func TestResetFactorsOnThePage(t *testing.T) {
	s := newSite(t)
	admin, employee := s.as(queriestest.Admin), s.as(queriestest.Employee)
	const panel, reset = "/manage/security/access?user_id=2", "/manage/security/access/people/2/factors/delete"
	admin.get(panel).want(200).shows("등록하지 않았습니다")
	admin.post(reset, "back", panel).leads(panel)
	admin.get(panel).want(200).shows("등록된 2단계 인증이 없습니다")
	employee.enrolled()
	admin.get("/en"+panel).want(200).shows("Authenticator app", "10 are left", "Reset").hides(reset, "data-question")
	admin.get("/en"+panel+"&reset=1").want(200).shows(`id="factor-reset"`, "Reset the second factors of 이준호?", "cannot be undone", `action="/en`+reset+`"`, `data-dismiss autofocus href="/en`+panel+`"`)
	admin.get("/manage/security/access?user_id=1&reset=1").want(200).hides("data-question")
	admin.post(reset, "back", panel).leads(panel)
	admin.get(panel).want(200).shows("2단계 인증을 초기화했습니다")
	admin.get("/en/manage/security/changes?object=user").want(200).shows("Second factor reset", "이준호")
	admin.get("/en/manage/security/access?kind=factor_reset").want(200).shows("Second factor reset")
	admin.post("/manage/security/access/people/1/factors/delete", "back", panel).leads(panel)
	admin.get(panel).want(200).shows("자신의 2단계 인증은 내 정보에서")
	admin.post("/manage/security/access/people/10/factors/delete").want(404)
	employee.get("/profile").leads("/login?next=%2Fprofile")
	employee = s.as(queriestest.Employee)
	employee.get("/profile").want(200).shows("관리자가 2단계 인증을 초기화했습니다")
	employee.post("/profile/factors/reset").leads("/profile/factors")
	employee.get("/profile").want(200).hides("초기화했습니다")
}

// Secrets appear in no log, change or answer but the one that issues them.
func TestFactorSecretsAreNotStoredTwice(t *testing.T) {
	s := newSite(t)
	secret, codes := s.as(queriestest.Employee).enrolled()
	for _, text := range append(codes, secret) {
		for _, table := range []string{"changes", "access_events", "outbox", "change_texts", "recovery_codes"} {
			if n := s.count("select count(*) from "+table+" t where t::text like '%' || $1 || '%'", strings.ReplaceAll(text, "-", "")); n > 0 {
				t.Errorf("%s has a secret", table)
			}
		}
	}
}
