package handlers_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

func TestEnablePolicy(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(auditPath+"/enabling", "enabled", "true", "back", policiesPath+"?sort=name").leads(policiesPath + "?sort=name")
	admin.get(policiesPath+"?status=disabled").want(200).shows("정책을 사용하도록 설정했습니다", "조건에 맞는 정책이 없습니다")
	asked := admin.post(salesPath+"/enabling", "enabled", "false", "back", "https://evil.example/policies/communication/").want(303)
	question := admin.get(asked.location()).want(200).shows("‘영업본부 외근 정책’ 정책 사용을 중지하시겠습니까?", "명의 적용 내용이 바뀝니다", `action="/policies/communication/bulk"`).hides("evil", "내일부터")
	if question.field("action") != "disable" || question.field("back") != policiesPath {
		t.Errorf("the question asks for %q and leads to %q", question.field("action"), question.field("back"))
	}
	if got := admin.get(policiesPath + "?status=disabled").want(200).policyNames(); len(got) != 0 {
		t.Errorf("disabled before the yes: %q", got)
	}
	admin.post("/policies/communication/bulk", "action", "disable", "id", "5", "asked", "1").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("‘영업본부 외근 정책’ 정책 사용을 중지했습니다", `action="/policies/communication/revert?version=5-3"`)
	if got := admin.get(policiesPath + "?status=disabled").want(200).policyNames(); !slices.Equal(got, []string{"영업본부 외근 정책"}) {
		t.Errorf("disabled are %q", got)
	}
	admin.post("/policies/communication/revert?version=5-3").leads(policiesPath)
	if got := admin.get(policiesPath + "?status=disabled").want(200).shows("변경을 취소했습니다").policyNames(); len(got) != 0 {
		t.Errorf("still disabled are %q", got)
	}
	for _, path := range []string{"/policies/communication/revert", "/policies/communication/revert?version=x-2", "/policies/workingattitude/revert?version=5-4", "/policies/communication/revert?version=99-1"} {
		admin.post(path).want(404)
	}
	admin.get("/policies/communication/enabling?id=6&enabled=false").want(200).shows("‘연구소 보안 정책’ 정책은 예정된 변경에 따라", "다시 사용됩니다")
	admin.get("/policies/communication/enabling").want(404)
	admin.get("/policies/workingattitude/enabling?id=5&enabled=true").want(404)
}

// The undo of enabling, disabling and deleting leads back to the list as it was filtered
// and sorted.
func TestUndoLeadsBackToFilteredPolicies(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const bulk, list = "/policies/communication/bulk", policiesPath + "?sort=name&q=%EC%98%81%EC%97%85"
	for _, form := range []func() []string{
		func() []string { return []string{"action", "disable", "asked", "1", "id", "5"} }, func() []string { return admin.askedToDelete("5") },
	} {
		admin.post("/en"+bulk, append(form(), "back", list)...).leads("/en" + list)
		admin.undo(list).leads(list)
		if got := admin.get(list).want(200).policyNames(); !slices.Equal(got, []string{"영업본부 외근 정책"}) {
			t.Errorf("after %q: %q", form(), got)
		}
	}
	admin.post(auditPath+"/enabling", "enabled", "true", "back", list).leads(list)
	admin.undo(list).leads(list)
	admin.post("/policies/communication/restore?id=5&back=https%3A%2F%2Fevil.example%2F").want(404)
	admin.post(bulk, admin.askedToDelete("5")...).leads(policiesPath)
	admin.post("/policies/communication/restore?id=5&back=https%3A%2F%2Fevil.example%2F").leads(policiesPath)
}

func TestDuplicatePolicy(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	made := admin.post(salesPath + "/duplicate").want(303)
	admin.get(made.location()).want(200).shows("영업본부 외근 정책 (2)", "정책을 복제했습니다").hides(`value="department:3" checked`)
	if got := admin.get(made.location()).field("session_time_sec"); got != "10" {
		t.Errorf("the copy has the session time %s", got)
	}
}

func TestChangeSeveralPolicies(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const bulk = "/policies/communication/bulk"
	admin.post(bulk, "action", "disable", "id", "5").leads("/policies/communication/enabling?back=%2Fpolicies%2Fcommunication%2Fmanagement%3Fpicked%3D5&enabled=false&id=5")
	admin.post(bulk, "action", "disable", "id", "5", "asked", "1").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("정책 사용을 중지했습니다")
	admin.post(bulk, "action", "enable", "all", "1", "back", policiesPath+"?status=disabled", "asked", "1").want(303)
	if n := len(admin.get(policiesPath + "?status=disabled").want(200).policyNames()); n != 0 {
		t.Errorf("%d are still disabled", n)
	}
	admin.post(bulk, "action", "enable").want(422).shows("하나 이상 선택")
	admin.post(bulk, "action", "burn", "id", "5").want(404)
	admin.post(bulk, "action", "enable", "id", "x").want(404)
	admin.post(bulk, "action", "enable", "id", "8").want(404)

	asked := admin.post(bulk, "action", "delete", "id", "5", "id", "6", "back", policiesPath).want(303)
	admin.get(asked.location()).want(200).shows("정책 2개를 삭제하시겠습니까?", "영업본부 외근 정책", "연구소 보안 정책", "기본 정책")
	admin.post(bulk, admin.askedToDelete("5", "6")...).leads(policiesPath)
	list := admin.get(policiesPath).want(200).shows("정책 2개를 삭제했습니다", `action="/policies/communication/restore?id=5&id=6"`)
	if got := list.policyNames(); slices.Contains(got, "영업본부 외근 정책") {
		t.Errorf("there are still %q", got)
	}
	admin.post("/policies/communication/restore?id=5&id=6").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("정책 2개를 복원했습니다", "영업본부 외근 정책", "연구소 보안 정책")
	admin.post("/policies/communication/restore").want(404)
	admin.post("/policies/workingattitude/restore?id=5").want(404)
}

// askedToDelete returns the form that confirms to delete policies.
func (c *client) askedToDelete(ids ...string) []string {
	c.site.t.Helper()
	return c.get("/policies/communication/delete?id=" + strings.Join(ids, "&id=")).want(200).hides("먼저 저장했습니다").deletion(ids...)
}

// deletion returns the form of a question that confirms to delete policies.
func (a answer) deletion(ids ...string) []string {
	a.t.Helper()
	if len(ids) == 1 {
		return []string{"action", "delete", "confirmed", "1", "id", ids[0], "version_no." + ids[0], a.field("version_no")}
	}
	form := []string{"action", "delete", "confirmed", "1"}
	for _, id := range ids {
		form = append(form, "id", id, "version_no."+id, a.field("version_no."+id))
	}
	return form
}

// Several policies are deleted as the question showed them: what somebody saved after it
// is shown first.
func TestDeleteSeveralChangedPolicies(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const bulk = "/policies/communication/bulk"
	stale := admin.askedToDelete("5", "6")
	admin.apply(salesPath, admin.formOf(salesPath).with("description", "그사이", "session_time_sec", "30")).leads(salesPath)
	for language, text := range map[string]string{
		"": "김서연 님이 11월 20일 10:00에 ‘영업본부 외근 정책’ 정책을 먼저 저장했습니다.", "/en": "김서연 saved “영업본부 외근 정책” first, Nov 20, 10:00.", "/ja": "김서연さんが11月20日 10:00に「영업본부 외근 정책」を先に保存しました。",
	} {
		admin.post(language+bulk, stale...).want(409).shows(text, "그사이", "연구소 보안 정책").hides("⟦", "‘연구소 보안 정책’ 정책을 먼저")
	}
	admin.post(bulk, "action", "delete", "confirmed", "1", "id", "5", "id", "6").want(409) // a question without versions was not asked
	if n := s.count("select count(*) from policies where deleted_at is not null"); n != 0 {
		t.Errorf("%d were deleted", n)
	}
	admin.post(bulk, admin.post(bulk, stale...).want(409).deletion("5", "6")...).leads(policiesPath)
	if n := s.count("select count(*) from policies where id in (5, 6) and deleted_at is not null"); n != 2 {
		t.Errorf("%d were deleted", n)
	}
}

// ticked returns the values of the ticked boxes of a list.
func ticked(list answer) string {
	var values []string
	for _, box := range regexp.MustCompile(`<input [^>]*data-pick [^>]*>`).FindAllString(list.body, -1) {
		if strings.Contains(box, " checked") {
			values = append(values, regexp.MustCompile(`value="([^"]*)"`).FindStringSubmatch(box)[1])
		}
	}
	slices.Sort(values)
	return strings.Join(values, " ")
}

// Cancelling what was asked about several policies leaves their boxes ticked.
func TestCancellingLeavesPoliciesTicked(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	for _, action := range []string{"disable", "delete"} {
		asked := admin.post("/policies/communication/bulk", "action", action, "id", "5", "id", "6", "back", policiesPath+"?sort=name").want(303)
		question := admin.get(asked.location()).want(200)
		list := admin.get(question.cancelled()).want(200).shows("2개 선택 · 4명")
		if got := ticked(question) + ", " + ticked(list); got != "5 6, 5 6" {
			t.Errorf("%s: ticked under the question and after cancelling are %s", action, got)
		}
		if got := ticked(admin.get(policiesPath + "?sort=name")); got != "" {
			t.Errorf("%s: ticked are %s", action, got)
		}
	}
	admin.post("/policies/communication/bulk", "action", "disable", "id", "5", "asked", "1", "back", policiesPath+"?picked=5&sort=name").leads(policiesPath + "?sort=name")
	admin.get(policiesPath + "?picked=x").want(404)
}

func TestChangeSeveralPoliciesLockout(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const bulk = "/policies/communication/bulk"
	s.exec(`update policy_versions set enabled = false, settings = '{"login_platforms": ["pc"]}' where policy_id = 7`)
	s.exec(`insert into policy_targets (company_id, policy_id, no, user_id) values (1, 7, 1, 1)`)
	s.exec(`update companies set policy_version = policy_version + 1`)
	asked := admin.get(admin.post(bulk, "action", "enable", "id", "5", "id", "7", "back", policiesPath+"?sort=name").want(303).location()).want(200).
		shows("‘감사 대응 정책’ 정책을 사용하시겠습니까?", "‘영업본부 외근 정책’ 정책은 이미 사용 중입니다.", "허용 환경에 웹이 없어", "김서연", "5분 안에", `name="id" value="7"`, `name="next" value="/policies/communication/management?sort=name"`).
		hides("risk-error")
	if asked.field("action") != "enable" {
		t.Error("the question asks for something else")
	}
	enable := form{"action", "enable", "id", "7", "already", "5", "back", policiesPath + "?sort=name"}
	admin.post(bulk, append(enable, "asked", "1")...).want(422).shows(`id="risk-error"`, "‘영업본부 외근 정책’ 정책은 이미 사용 중입니다.")
	if n := s.count("select count(*) from policy_versions where policy_id = 7"); n != 1 {
		t.Fatalf("there are %d versions before the yes", n)
	}
	s.exec("update users set is_admin = true where id = $1", queriestest.Manager)
	other := s.as(queriestest.Manager)
	admin.post(bulk, append(enable, "asked", "1", "risk", "1")...).leads(policiesPath + "?sort=name")
	admin.get(policiesPath).want(303) // the version does not let them in
	other.get(policiesPath).want(200).shows("돌아가는 변경이 1개 있습니다", "10:05:00까지", `name="versions" value="7-2"`).hides("모두 확정")
	other.get(auditPath).want(200).shows("변경 확정")
}

// Provisional versions are listed above the list, whatever its filter, and are
// confirmed one by one or all at once.
func TestSavesAreConfirmedOnTheList(t *testing.T) {
	const confirm = "/policies/communication/confirm"
	for _, test := range []struct {
		name     string
		versions []string
		later    time.Duration
		said     string
		left     int
	}{
		{"one by one", []string{"5-3", "6-3"}, 0, "변경 1개를 확정했습니다.", 0},
		{"one of them", []string{"6-3"}, 0, "변경 1개를 확정했습니다.", 1},
		{"all", []string{"5-3,6-3"}, 0, "변경 2개를 확정했습니다.", 0},
		{"one that there is not", []string{"5-3,6-3,99-1"}, 0, "변경 2개를 확정했습니다. 확정 기한이 지난", 0},
		{"one is late", []string{"5-3,6-3"}, time.Minute, "변경 1개를 확정했습니다. 확정 기한이 지난", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSite(t)
			admin := s.as(queriestest.Admin)
			for no, id := range map[int]int{5: 4, 6: 5} { // minutes until they revert
				s.exec(`insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, reason, created_at, confirm_by, until)
					select company_id, policy_id, 3, $3::timestamptz, true, name, '', settings, search_text, '', $3::timestamptz, $3::timestamptz + $2 * interval '1 minute', $3::timestamptz + $2 * interval '1 minute'
					from policy_versions where policy_id = $1 and no = 1`, no, id, queriestest.Now)
			}
			s.exec("update companies set policy_version = policy_version + 1")
			admin.get("/en"+policiesPath+"?q=audit").want(200).shows("2 changes revert unless they are confirmed", "Confirm all changes", `value="5-3,6-3"`, "by 10:04:00", "by 10:05:00")
			admin.get("/ja"+policiesPath).want(200).shows("以前の設定に戻る変更が2件", "すべて確定")
			s.clock.Advance(test.later * 4)
			for _, versions := range test.versions {
				admin.post(confirm, "versions", versions, "back", policiesPath+"?sort=name").leads(policiesPath + "?sort=name")
			}
			a := admin.get(policiesPath).want(200).shows(test.said)
			if n := strings.Count(a.body, "data-countdown="); n != test.left {
				t.Errorf("%d still wait", n)
			}
			s.clock.Advance(policy.ConfirmTime)
			admin.post(confirm, "versions", "99-3").want(404)
			if test.left > 0 {
				admin.post(confirm, "versions", "5-3").want(409)
			}
			for _, wrong := range []string{"", "x", "5", "5-x", "5_3", "2-1", "8-1"} { // 2 is of the other kind, 8 of another company
				admin.post(confirm, "versions", wrong).want(404)
			}
		})
	}
}

func TestDeleteAndRestorePolicy(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	asked := admin.get(salesPath+"/delete?back="+salesPath).want(200).
		shows("‘영업본부 외근 정책’ 정책을 삭제하시겠습니까?", "국내영업팀", "해외영업팀", "기본 정책", "정책 삭제", `href="`+salesPath+`"`)
	admin.get("/en"+salesPath+"/delete").want(200).shows("Delete “영업본부 외근 정책” for", "Falls back to", "Delete policy")
	admin.get("/ja"+salesPath+"/delete").want(200).shows("削除しますか", "削除後のポリシー")
	admin.post(salesPath+"/delete", "version_no", "1").want(409).shows("‘영업본부 외근 정책’ 정책을 먼저 저장했습니다.")
	admin.post(salesPath+"/delete", "version_no", asked.field("version_no"), "back", salesPath).leads(policiesPath)
	admin.get(policiesPath).want(200).shows("‘영업본부 외근 정책’ 정책을 삭제했습니다", "실행 취소", `action="/policies/communication/restore?id=5"`)
	admin.get(policiesPath).want(200).hides("실행 취소")
	admin.get(salesPath).want(404)

	f := newForm.with("targets", `[{"type":"department","id":4,"include_children":true}]`, "session_time_sec", "30")
	admin.apply("/policies/communication", f).leads(policiesPath)
	admin.post(salesPath + "/restore").leads(policiesPath)
	admin.get(policiesPath).want(200).shows("‘영업본부 외근 정책’ 정책을 복원했습니다. 다른 정책으로 옮겨져 다시 적용하지 못한 대상: 해외영업팀")
	admin.get(salesPath).want(200).shows(`value="department:3" checked`).hides(`value="department:4" checked`)
}

func TestMoveAndCancelPlan(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	page := admin.get(researchPath).want(200).shows("변경 예정", "12/01 09:00", "30분", "5분", "예정 취소", "대체합니다")
	no := page.field("version_no")
	admin.post(researchPath+"/plan", "version_no", no, "at", "2026-11-20T10:01").want(422).shows("5분 이후", `id="plan-at-error"`, `value="2026-11-20T10:01"`, "<details open", "연구소 보안 정책")
	admin.post(researchPath+"/plan", "version_no", no, "at", "").want(422).shows("적용 시점을 다시 확인해 주세요", `href="#plan-at"`)
	admin.post(researchPath+"/plan", "version_no", "1", "at", "2026-12-05T10:00").want(409)
	admin.post(researchPath+"/plan", "version_no", "x").want(422)
	admin.post(researchPath+"/plan", "version_no", no, "at", "2026-12-05T10:00").leads(researchPath)
	admin.get(researchPath).want(200).shows("12/05 10:00", "취소됨")
	f := admin.formOf(researchPath).with("when", "next_work_date", "session_time_sec", "20")
	admin.post(researchPath, append(f, "action", "review")...).want(422).shows("이미 예정된 변경이 있습니다")
	admin.post(researchPath, append(f.with("when", "now"), "action", "review")...).want(200).shows("모두 대체합니다")
	admin.apply(researchPath, f.with("when", "now", "description", "지금")).leads(researchPath)
	moved := admin.get(researchPath)
	admin.post(researchPath+"/plan/delete", "version_no", moved.field("version_no")).want(200).shows("12월 5일 10:00에 예정된 변경을 취소하시겠습니까?", "명의 적용 내용이 바뀝니다")
	admin.get(researchPath).want(200).shows("12/05 10:00")
	admin.post(researchPath+"/plan/delete", "version_no", moved.field("version_no"), "asked", "1").leads(researchPath)
	cancelled := admin.get(researchPath).want(200).shows("예정된 변경을 취소했습니다").hides("예정 취소")
	admin.post(researchPath+"/plan/delete", "version_no", moved.field("version_no")).want(409)
	undo := regexp.MustCompile(`action="(` + researchPath + `/plan/restore\?no=\d+)"`).FindStringSubmatch(cancelled.text())
	if undo == nil {
		t.Fatal("cancelling cannot be undone")
	}
	admin.post(undo[1]).leads(researchPath)
	admin.get(researchPath).want(200).shows("변경을 취소했습니다", "12/05 10:00", "예정 취소")
	admin.post(undo[1]).want(409)
	admin.post(researchPath + "/plan/restore?no=x").want(404)
	admin.post(auditPath + "/plan/restore?no=1").want(409)
}

// The form of working attitude begins with what was saved today, which the next save takes
// the place of.
func TestSecondSaveOfADay(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const path = "/policies/workingattitude/2"
	admin.apply(path, admin.formOf(path).with("description", "하나")).leads(path)
	admin.get(path).want(200).shows(`value="하나"`, "부터 적용될 내용을 표시합니다", "11/21 00:00").hides("그때 이 내용을 대체합니다")
	f := admin.formOf(path).with("description", "둘")
	admin.post(path, append(f, "action", "review")...).want(200).shows("예정된 변경을 대신합니다").hides("모두 대체합니다")
	admin.apply(path, f).leads(path)
	page := admin.get(path).want(200).shows(`value="둘"`, "취소됨")
	if n := s.count("select count(*) from policy_versions where policy_id = 2 and cancelled_at is null and effective_from > '2026-11-20'"); n != 1 {
		t.Errorf("%d versions are planned", n)
	}
	admin.post(path+"/plan/delete", "version_no", page.field("version_no")).leads(path)
	admin.get(path).want(200).shows("예정된 변경을 취소했습니다").hides(`value="둘"`)
}

func TestRestoreEarlierVersion(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const restore = salesPath + "/versions/1/restore"
	admin.get(salesPath).want(200).shows(`href="` + restore + `"`)
	admin.get(restore).want(200).shows("버전 1 상태로 되돌리시겠습니까?", "10분", "1시간", "해외영업팀")
	admin.post(restore, "version_no", "2").leads(salesPath)
	admin.get(salesPath).want(200).shows("이전 버전으로 되돌렸습니다", "버전 3")
	admin.post(restore, "version_no", "3").leads(salesPath)
	admin.get(salesPath).want(200).shows("새 버전을 만들지 않았습니다").hides("버전 4")
	admin.post(restore, "version_no", "2").want(409).shows("김서연 님이")

	f := newForm.with("targets", `[{"type":"department","id":4,"include_children":true}]`, "session_time_sec", "30")
	admin.apply("/policies/communication", f).leads(policiesPath)
	admin.post(salesPath+"/versions/2/restore", "version_no", "3").want(409).shows("다른 정책으로 옮겨진 대상이 있어", "해외영업팀")
}

func TestCompleteHistoryIsShown(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for i := range 8 {
		f := admin.formOf(salesPath).with("session_time_sec", []string{"20", "30"}[i%2])
		admin.apply(salesPath, f).leads(salesPath)
	}
	admin.get(salesPath).want(200).shows("전체 10개", "버전 10").hides("버전 1 ")
	whole := admin.get(salesPath + "?history=all").want(200).shows("버전 1<")
	if strings.Contains(whole.body, "history=all\"") {
		t.Error("the whole history leads to itself")
	}
}

func TestListShowsTheMostImportantSettings(t *testing.T) {
	s := newSite(t)
	s.exec("update policy_versions set description = '' where policy_id = 5")
	s.exec("update companies set policy_version = policy_version + 1")
	s.as(queriestest.Admin).get(policiesPath).want(200).shows("세션 유지 시간 10분")
}
