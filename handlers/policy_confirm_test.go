package handlers_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// lockOut has an administrator save a default policy that does not let the address of
// the tests in.
func lockOut(admin *client) {
	admin.site.t.Helper()
	f := admin.formOf(standardPath).with("allowed_ip_mode", "listed", "allowed_ip_ranges.0.location_name", "본사", "allowed_ip_ranges.0.range", "198.51.100.0/24")
	asked := admin.post(standardPath, append(f, "action", "review")...).want(200).shows("적용되는 즉시 허용되지 않는 접속은 끊깁니다")
	admin.post(standardPath, append(f.with("action", "apply", "reviewed", asked.field("reviewed")), "confirmed", "1")...).leads(standardPath)
}

// A rule ends the sessions that it does not let in at once, as a new sign-in would be
// refused, until it reverts.
func TestLockOutEndsSessionsAtOnce(t *testing.T) {
	s := newSite(t)
	admin, tab, employee := s.as(queriestest.Admin), s.as(queriestest.Admin), s.as(queriestest.Employee)
	s.exec("update companies set policy_version = policy_version + 1")
	lockOut(admin)
	tab.with("Accept", "application/json").get("/session").want(419) // what a page asks by itself
	admin.post(standardPath+"/confirm", "version_no", "2").leads("/login")
	admin.get(standardPath).leads("/login?next=%2Fpolicies%2Fcommunication%2F1")
	employee.get("/profile").want(200) // of another policy
	admin.signIn(queriestest.Admin).want(422).shows("허용된 IP 주소가 아니어서")
	if n := s.count("select count(*) from access_events where user_id = 1 and kind = 'ip_blocked' and reason = 'session' and source = 'console'"); n != 2 {
		t.Errorf("the access history has %d ended sessions", n)
	}
	if n := s.count("select count(*) from sign_ins where user_id = 1 and ended_at is null"); n != 0 {
		t.Errorf("%d sessions go on", n)
	}
	s.clock.Advance(policy.ConfirmTime)
	s.as(queriestest.Admin).get(standardPath).want(200).hides("변경 확정")
}

// A planned version ends sessions when it begins, without anybody saving anything.
func TestPlannedVersionEndsSessions(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec(`insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at)
		select company_id, policy_id, 2, $1, true, name, '{"login_platforms":["pc"]}', search_text, created_at from policy_versions where policy_id = 1 and no = 1`, s.clock.Now().Add(time.Minute))
	s.exec("update companies set policy_version = policy_version + 1")
	admin.get(policiesPath).want(200)
	s.clock.Advance(time.Minute - time.Second)
	admin.get(policiesPath).want(200)
	s.clock.Advance(time.Second)
	admin.get(policiesPath).want(http.StatusSeeOther)
	if n := s.count("select count(*) from access_events where user_id = 1 and kind = 'platform_blocked' and reason = 'session'"); n != 1 {
		t.Errorf("the access history has %d ended sessions", n)
	}
}

// A version that only another waiting one makes harmless for whoever confirms is not
// confirmed before that one.
func TestConfirmingWhatDoesNotLetThemIn(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const wait = `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, settings, search_text, created_at, confirm_by, until)
		select company_id, policy_id, 2, $2::timestamptz, true, name, $3::jsonb, search_text, $2::timestamptz, $2::timestamptz + interval '5 minutes', $2::timestamptz + interval '5 minutes'
		from policy_versions where policy_id = $1 and no = 1`
	s.exec(wait, 1, queriestest.Now, `{"login_platforms":["pc"]}`)
	s.exec(wait, 7, queriestest.Now, `{}`)
	s.exec("insert into policy_targets (company_id, policy_id, no, user_id) values (1, 7, 2, 1)")
	s.exec("update companies set policy_version = policy_version + 1")
	const refused = "확정하지 않았습니다. 새 설정은 웹 접속을 허용하지 않아"
	admin.get(standardPath).want(200).shows("이 브라우저(127.0.0.1)의 접속을 허용합니다", "변경 확정")
	admin.post(standardPath+"/confirm", "version_no", "2").want(422).shows(refused)
	admin.with("HX-Request", "true").post("/en"+standardPath+"/confirm", "version_no", "2").want(422).shows(`"code":"policy.confirm.platform"`, "this browser could not sign in")
	admin.post("/policies/communication/confirm", "versions", "1-2").want(422).shows(refused)
	admin.post("/policies/communication/confirm", "versions", "1-2,7-2").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("변경 1개를 확정했습니다. 나머지 변경: "+refused, `value="1-2"`).hides(`value="7-2"`)
	admin.post(standardPath+"/confirm", "version_no", "2").leads(standardPath)
	s.clock.Advance(policy.ConfirmTime)
	admin.get(standardPath).want(200).hides("변경 확정")
}

// What reverts by itself is a version, and everything shows what applies again.
func TestPolicyRevertsByItself(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	lockOut(admin)
	s.clock.Advance(policy.ConfirmTime)
	if err := s.db.Policies.RevertUnconfirmed(t.Context()); err != nil {
		t.Fatal(err)
	}
	admin = s.as(queriestest.Admin)
	admin.get(standardPath).want(200).shows("버전 3", "아무도 확정하지 않은 버전 2 대신 자동으로 되돌림", "확정되지 않음", "적용 중").hides("변경 확정")
	log := admin.get("/manage/security/changes").want(200).shows("자동으로 되돌림", "콘솔")
	open := regexp.MustCompile(`[?&](open=\d+)`).FindStringSubmatch(log.text())
	if open == nil {
		t.Fatal("the change cannot be opened")
	}
	admin.get("/manage/security/changes?"+open[1]).want(200).shows("김서연 님이 저장한 뒤 5분 안에 아무도 확정하지 않음", "기본 정책").hides("/reversal\"")
	admin.get("/en/manage/security/changes?" + open[1]).want(200).shows("nobody confirmed within five minutes what 김서연 had saved")
	admin.get("/ja" + standardPath).want(200).shows("バージョン2が確定されなかったため")
}

// A new policy that reverts is in force for nobody.
func TestNewPolicyRevertsByItself(t *testing.T) {
	s := newSite(t)
	p := queriestest.CreatePolicy(t, s.db, func() policy.Draft {
		d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
		d.Confirmed = true
		return d
	}())
	path := "/policies/communication/" + strconv.FormatInt(p.ID, 10)
	s.clock.Advance(policy.ConfirmTime)
	admin := s.as(queriestest.Admin)
	isDisabled := func() {
		t.Helper()
		if names := admin.get(policiesPath + "?status=disabled").want(200).policyNames(); !slices.Contains(names, "사내망") {
			t.Errorf("the disabled ones are %q", names)
		}
		if page := admin.get(path).want(200); regexp.MustCompile(`id="enabled"[^>]*\schecked`).MatchString(page.body) {
			t.Error("the switch says that it is enabled")
		}
	}
	isDisabled()
	if err := s.db.Policies.RevertUnconfirmed(t.Context()); err != nil {
		t.Fatal(err)
	}
	isDisabled()
	admin.get(path).want(200).shows("<del>사용</del>", "<ins>사용 안 함</ins>")
	admin.get(path + "/versions/1/restore").want(200).shows("198.51.100.0/24")
}
