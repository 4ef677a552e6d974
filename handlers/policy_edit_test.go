package handlers_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// The policies of the cast.
const (
	standardPath = "/policies/communication/1"
	salesPath    = "/policies/communication/5" // 영업본부 외근 정책: two departments, version 2
	researchPath = "/policies/communication/6" // 연구소 보안 정책: a plan for 2026-12-01
	auditPath    = "/policies/communication/7" // 감사 대응 정책: disabled, lists nobody
)

// A form is the fields that a page would send, as pairs of name and value.
type form []string

// with returns the form with other values; "" after a name removes the field.
func (f form) with(pairs ...string) form {
	result := slices.Clone(f)
	for i := 0; i < len(pairs); i += 2 {
		for j := 0; j < len(result); {
			if result[j] == pairs[i] {
				result = slices.Delete(result, j, j+2)
			} else {
				j += 2
			}
		}
		result = append(result, pairs[i], pairs[i+1])
	}
	return result
}

var newForm = form{"name", "새 정책", "enabled", "true", "when", "now", "version_no", "0", "based_on", "0", "session_time_sec", "60"}

// formOf returns the form of a policy's page as shown without scripts: the
// fields that are not settings.
func (c *client) formOf(path string) form {
	c.site.t.Helper()
	a := c.get(path).want(200)
	f := form{"when", "now"}
	for _, name := range []string{"name", "description", "version_no", "based_on"} {
		f = append(f, name, a.field(name))
	}
	if regexp.MustCompile(`name="enabled"[^>]*\schecked`).MatchString(a.body) {
		f = append(f, "enabled", "true")
	}
	for _, target := range regexp.MustCompile(`(?:name="(target)" value="([^"]+)" checked)|(?:name="(children)" value="([^"]+)" checked)`).FindAllStringSubmatch(a.body, -1) {
		f = append(f, target[1]+target[3], target[2]+target[4])
	}
	if owner := regexp.MustCompile(`<option value="([^"]*:[^"]*)" selected>`).FindStringSubmatch(a.body); owner != nil {
		f = append(f, "owner", owner[1])
	}
	return f
}

// field returns the value of a field of the page.
func (a answer) field(name string) string {
	tag := regexp.MustCompile(`<input[^>]*\sname="` + regexp.QuoteMeta(name) + `"[^>]*>`).FindString(a.body)
	value := regexp.MustCompile(`\svalue="([^"]*)"`).FindStringSubmatch(tag)
	if value == nil {
		a.t.Fatalf("%s: no field %q", a.request, name)
	}
	return html.UnescapeString(value[1])
}

// cancelled returns the address that cancelling the question or form of the page leads to.
func (a answer) cancelled() string {
	link := regexp.MustCompile(`data-dismiss href="([^"]*)"|<a class="btn" href="([^"]*)">취소<`).FindStringSubmatch(a.body)
	if link == nil {
		a.t.Fatalf("%s: no question", a.request)
	}
	return html.UnescapeString(link[1] + link[2])
}

// apply sends a form and confirms the change.
func (c *client) apply(path string, f form) answer {
	c.site.t.Helper()
	asked := c.post(path, append(f, "action", "review")...).want(200)
	return c.post(path, append(f, "action", "apply", "reviewed", asked.field("reviewed"))...)
}

func TestCreatePolicy(t *testing.T) {
	for kind, settings := range map[string][]string{
		"communication":   {"session_time_sec", "30"},
		"workingattitude": {"work_type", "free"},
	} {
		t.Run(kind, func(t *testing.T) {
			s := newSite(t)
			admin := s.as(queriestest.Admin)
			list := "/policies/" + kind + "/management"
			admin.get(list).want(200).shows(`href="/policies/` + kind + `"`)
			f := form{"name", "ＡＢＣ 정책", "enabled", "true", "when", "time", "at", "2026-11-23T09:00", "version_no", "0", "based_on", "0",
				"targets", `[{"type":"department","id":7,"include_children":true},{"type":"user","id":1}]`}
			f = append(f, settings...)
			admin.post("/policies/"+kind, append(f, "action", "review")...).want(200).shows("2026년 11월 23일 09:00", "일본지사", "정책을 만드시겠습니까?")
			admin.apply("/policies/"+kind, f).leads(list)
			admin.get(list).want(200).shows("정책을 만들었습니다", "ＡＢＣ 정책", "11/23 09:00", "일본지사")
			admin.post("/policies/"+kind, f.with("name", "abc 정책", "action", "review")...).want(422).shows("같은 이름의 정책이 있습니다", `value="abc 정책"`)
			admin.with("Accept-Language", "ko").get("/en" + list).want(200)
		})
	}
}

func TestApplyingNeedsAConfirmation(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	f := newForm.with("targets", `[{"type":"department","id":7,"include_children":true}]`, "session_time_sec", "10")
	admin.post("/policies/communication", append(f, "action", "apply")...).want(200).shows("정책을 만드시겠습니까?")
	asked := admin.post("/policies/communication", append(f, "action", "review")...).want(200)
	other := f.with("session_time_sec", "20", "action", "apply", "reviewed", asked.field("reviewed"))
	admin.post("/policies/communication", other...).want(200).shows("정책을 만드시겠습니까?", "20분")
	if n := s.count("select count(*) from policies where company_id = 1"); n != 5 {
		t.Errorf("there are %d policies, as if something unseen had been applied", n)
	}
	admin.post("/policies/communication", append(f, "action", "edit")...).want(200).hides("정책을 만드시겠습니까?").shows(`value="새 정책"`, `data-guard="dirty"`)
}

func TestCreatePolicyWithoutTargetsOrChanges(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	for _, test := range []struct {
		f     form
		shows string
	}{
		{newForm, "적용 대상과 바꾼 설정이 없습니다"},
		{newForm.with("session_time_sec", "30"), "적용 대상이 없습니다"},
		{newForm.with("target", "department:7"), "바꾼 설정이 없습니다"},
	} {
		admin.post("/policies/communication", append(test.f, "action", "review")...).want(200).shows("이대로 만드시겠습니까?", test.shows, "이대로 만들기")
	}
	reached := append(newForm.with("target", "user:1"), "action", "review")
	admin.post("/policies/communication", reached...).want(200).shows("명에게 적용할 ‘새 정책’ 정책을 이대로 만드시겠습니까?").hides("바꾼 설정이 없습니다")
	admin.post("/en/policies/communication", reached...).want(200).shows("Create “새 정책” as it is for")
	admin.post("/en/policies/communication", append(newForm, "action", "review")...).want(200).shows("Create it as it is?")
	admin.post("/ja/policies/communication", append(newForm, "action", "review")...).want(200).shows("このまま作成しますか？")
	admin.apply("/policies/communication", newForm).leads(policiesPath)
}

func TestRefusedPolicyPreservesInput(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	typed := newForm.with("description", "적어 둔 설명", "targets", `[{"type":"department","id":4,"include_children":false}]`,
		"move", "1", "owner", "department:2", "file_max_mb", "77", "allowed_ip_ranges.0.location_name", "본사", "allowed_ip_ranges.0.range", "203.0.113.0/24")
	kept := []string{"적어 둔 설명", "해외영업팀", `value="77"`, "203.0.113.0/24", `value="department:2" selected`, `data-guard="dirty"`}
	for name, test := range map[string]struct {
		change form
		shows  []string
	}{
		"no name":               {form{"name", " "}, []string{"정책 이름을 입력해 주세요.", `href="#name"`}},
		"a name of 51":          {form{"name", strings.Repeat("가", 51)}, []string{"50자까지"}},
		"a name in use":         {form{"name", "영업본부　외근　정책"}, []string{"같은 이름의 정책이 있습니다"}},
		"a control character":   {form{"name", "a\x01b"}, []string{"사용할 수 없는 문자"}},
		"a long description":    {form{"description", strings.Repeat("가", 201) + " 적어 둔 설명"}, []string{"200자까지"}},
		"an owner there is not": {form{"owner", "department:2", "owner", "user:11"}, []string{"소유자로 지정한"}},
		"an owner that is none": {form{"owner", "department:2", "owner", "x"}, []string{"소유자로 지정한"}},
		"a session too short":   {form{"session_time_sec", "4"}, []string{`value="4"`, "session_time_sec-error"}},
		"name and session":      {form{"name", "", "session_time_sec", "4"}, []string{"정책 이름을 입력해 주세요.", "session_time_sec-error"}},
		"in the past":           {form{"when", "time", "at", "2026-11-19T10:00"}, []string{"5분 이후", `value="2026-11-19T10:00"`}},
		"this minute":           {form{"when", "time", "at", "2026-11-20T10:00"}, []string{"5분 이후"}},
		"too far":               {form{"when", "time", "at", "2028-01-01T00:00"}, []string{"1년 이내"}},
		"no time":               {form{"when", "time", "at", ""}, []string{"적용 시점을 다시 확인해 주세요."}},
		"no such start":         {form{"when", "yesterday"}, []string{"적용 시점을 다시 확인해 주세요."}},
		"another company's":     {form{"targets", `[{"type":"department","id":9},{"type":"department","id":4,"include_children":false}]`}, []string{"대상이 없거나 삭제되었습니다."}},
		"a target there is not": {form{"targets", `[{"type":"user","id":99999},{"type":"department","id":4,"include_children":false}]`}, []string{"대상이 없거나 삭제되었습니다."}},
		"a target twice":        {form{"targets", `[{"type":"department","id":4},{"type":"department","id":4}]`}, []string{"두 번 들어 있습니다"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := typed.with(test.change...)
			want := slices.DeleteFunc(slices.Clone(kept), func(text string) bool {
				return strings.HasPrefix(text, `value="department:2"`) && strings.Contains(name, "owner")
			})
			admin.post("/policies/communication", append(f, "action", "review")...).want(422).shows(append(want, test.shows...)...).shows("저장하지 못했습니다", `id="error-summary"`)
		})
	}
	for _, name := range []string{"가", strings.Repeat("가", 50)} {
		admin.post("/policies/communication", append(typed.with("name", name), "action", "review")...).want(200)
	}
	admin.post("/policies/communication", "targets", "{").want(422)
	admin.post("/policies/communication", "target", "department:x").want(422)
	admin.post("/policies/communication", "name", "a", "version_no", "x").want(422)
}

func TestMissingNameIsRefused(t *testing.T) {
	newSite(t).as(queriestest.Admin).post("/en/policies/communication", append(newForm.with("name", ""), "action", "review")...).want(422).
		shows("Please enter the policy name")
}

func TestUpdatePolicy(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	f := admin.formOf(salesPath).with("session_time_sec", "20", "name", "영업본부 새 정책")
	admin.post(salesPath, append(f, "action", "review")...).want(200).
		shows("변경을 적용하시겠습니까?", "10분", "20분", "영업본부 외근 정책", "설정 변경", "바로 적용됩니다")
	admin.apply(salesPath, f.with("reason", "분기 점검")).leads(salesPath)
	admin.get(salesPath).want(200).shows(`href="/policies/communication/status?policy_id=5"`, "변경 내용을 적용했습니다", "영업본부 새 정책", "분기 점검", "버전 3", "적용 중")
	admin.get("/en"+salesPath).want(200).shows("Version 3", "In effect", "History")
	admin.get("/ja"+salesPath).want(200).shows("バージョン 3", "変更履歴")
	if n := s.count("select count(*) from policy_targets where policy_id = 5 and no = 3"); n != 2 {
		t.Errorf("the new version lists %d targets", n)
	}
}

func TestConcurrentEdit(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	mine := admin.formOf(salesPath).with("file_max_mb", "50", "session_time_sec", "10", "targets",
		`[{"type":"department","id":3,"include_children":true},{"type":"department","id":7,"include_children":true}]`)
	s.clock.Advance(time.Minute)
	admin.apply(salesPath, admin.formOf(salesPath).with("session_time_sec", "25", "description", "그들의 설명", "target", "department:3", "children", "3")).leads(salesPath)

	refused := admin.post(salesPath, append(mine, "action", "review")...).want(409)
	refused.shows("김서연 님이", "그들의 설명", "25분", `value="50"`, "아무것도 덮어쓰지 않았습니다", `data-guard="dirty"`)
	admin.post(salesPath, append(mine, "action", "apply", "reviewed", "x")...).want(409)
	if n := s.count("select count(*) from policy_versions where policy_id = 5"); n != 3 {
		t.Fatalf("there are %d versions", n)
	}
	merged := admin.post(salesPath, append(mine, "action", "merge")...).want(200).shows("변경을 적용하시겠습니까?", "그들의 설명", "50MB", "일본지사")
	if got := merged.field("session_time_sec"); got != "25" {
		t.Errorf("their session time became %s", got)
	}
	if merged.field("version_no") != "3" {
		t.Error("the merged form does not begin with their version")
	}
	merged.hides("해외영업팀 하위")
	admin.post(salesPath, append(mine.with("based_on", "77"), "action", "merge")...).want(404)
	seen := mine.with("version_no", "3", "based_on", "3", "description", "그들의 설명", "session_time_sec", "25", "reviewed", merged.field("reviewed"))
	admin.post(salesPath, append(seen, "action", "apply")...).leads(salesPath)
}

func TestTakenTargetsMove(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	f := newForm.with("targets", `[{"type":"department","id":4,"include_children":true}]`, "session_time_sec", "30")
	admin.post("/policies/communication", append(f, "action", "review")...).want(409).
		shows("이미 다른 정책이 적용된 대상이 있습니다", "해외영업팀 · 현재 ‘영업본부 외근 정책’", `name="move"`, `value="새 정책"`, `"taken":{"id":5`)
	moving := f.with("move", "1")
	admin.post("/policies/communication", append(moving, "action", "review")...).want(200).shows("대상 1개가 다른 정책에서 옮겨집니다")
	admin.apply("/policies/communication", moving).leads(policiesPath)
	admin.get(salesPath).want(200).hides(`value="department:4" checked`)
}

// The dialog says of each target which policy holds it now, or from when one will; of
// what the policy holds itself it says nothing.
func TestTakenTargetsOfPlannedChanges(t *testing.T) {
	s := newSite(t)
	earlier := queriestest.CreatePolicy(t, s.db, queriestest.PolicyDraft("이전 정책", queriestest.UserTarget(queriestest.Kim)))
	if _, err := s.db.Policies.Update(t.Context(), queriestest.AdminActor(t, s.db), earlier.ID, 1, queriestest.PolicyDraft("이전 정책")); err != nil {
		t.Fatal(err)
	}
	planning, holder := planToTake(s)
	admin := s.as(queriestest.Admin)
	taken := func(language string, except int64) answer {
		return admin.get(fmt.Sprintf("%s/policies/communication/taken?except=%d", language, except)).want(200)
	}
	held := fmt.Sprintf(`{"type":"user","id":%d,"policy":{"id":%d,"name":"현재 정책","has_plan":true}}`, queriestest.Kim, holder.ID)
	taken("", holder.ID).hides(fmt.Sprintf(`"type":"user","id":%d,`, queriestest.Kim))
	taken("", planning.ID).shows(held)
	taken("", 0).shows(held)
	admin.get(fmt.Sprintf("/en/policies/communication/%d", holder.ID)).want(200).shows(fmt.Sprintf(`"takenURL":"/en/policies/communication/taken?except=%d"`, holder.ID))

	admin.post("/policies/communication/status/inherit", "type", "user", "id", fmt.Sprint(queriestest.Kim)).want(303)
	planned := func(from string) string {
		return fmt.Sprintf(`{"type":"user","id":%d,"policy":{"id":%d,"name":"나중 정책","from":"%s","has_plan":true}}`, queriestest.Kim, planning.ID, from)
	}
	taken("", 0).shows(planned("12월 7일"))
	taken("/en", 0).shows(planned("Dec 7"))
	taken("/ja", 0).shows(planned("12月7日"))
	taken("", planning.ID).hides(fmt.Sprintf(`"type":"user","id":%d,`, queriestest.Kim))

	f := newForm.with("targets", fmt.Sprintf(`[{"type":"user","id":%d,"include_children":true}]`, queriestest.Kim))
	admin.post("/policies/communication", append(f, "action", "review")...).want(422).shows("대상이 속한 정책에 예정된 변경이 있어 옮길 수 없습니다")
	admin.post(fmt.Sprintf("/policies/communication/%d/versions/1/restore", earlier.ID), "version_no", "2").want(409).shows("김철수 · 12월 7일부터 ‘나중 정책’")
}

func TestTargetsWithoutScripts(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	admin.post("/policies/communication", append(newForm, "find", "국내영업", "action", "find")...).want(200).
		shows(`value="department:3"`, "영업본부", `value="새 정책"`)
	admin.post("/policies/communication", append(newForm, "find", "김철수", "target", "department:7", "children", "7", "action", "find")...).want(200).
		shows(`value="user:6"`, `value="department:7" checked`)
	admin.post("/policies/communication", append(newForm, "find", "없는사람", "action", "find")...).want(200).shows("검색 결과가 없습니다.")
	admin.post("/policies/communication", append(newForm, "find", "김", "action", "find")...).want(422).shows("2자")
	admin.get("/policies/communication/taken?except=5").want(200).shows(`{"type":"department","id":5,"policy":{"id":6,"name":"연구소 보안 정책","has_plan":true}}`).hides(`"id":3,`)
}

func TestTheDefaultPolicy(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	a := admin.get(standardPath).want(200).hides(`id="policy-targets"`, standardPath+"/delete")
	if !regexp.MustCompile(`id="enabled"[^>]*\sdisabled`).MatchString(a.body) {
		t.Error("the default policy can be disabled")
	}
	f := admin.formOf(standardPath).with("enabled", "", "session_time_sec", "20")
	admin.apply(standardPath, f).leads(standardPath)
	admin.post(standardPath, append(admin.formOf(standardPath).with("target", "department:3"), "action", "review")...).want(422).shows("기본 정책은 대상을 지정할 수 없습니다")
	admin.get(standardPath + "/delete").want(422)
	admin.post(standardPath+"/delete", "version_no", "2").want(422)
	admin.post(standardPath+"/enabling", "enabled", "false").want(422)
}

func TestPolicyAddresses(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec("update policies set deleted_at = '2026-11-01' where id = 7")
	for _, path := range []string{
		"/policies/communication/8", // of the other company
		"/policies/communication/2", // of the other kind
		"/policies/communication/7", // deleted
		"/policies/communication/999", "/policies/communication/0", "/policies/communication/05", "/policies/communication/x",
		"/policies/communication/99999999999999999999", "/policies/other", "/policies/other/5", "/policies/other/management", "/policies/communication/manager",
		salesPath + "/versions/9/restore", salesPath + "/versions/x/restore", "/policies/communication/8/delete", "/policies/communication/delete",
		"/policies/communication/delete?id=8", "/policies/workingattitude/5", "/policies/workingattitude/delete?id=5",
	} {
		admin.get(path).want(404)
	}
	for _, path := range []string{"/8", "/2", "/8/enabling", "/8/duplicate", "/8/delete", "/8/plan", "/8/plan/delete", "/8/confirm", "/8/restore", "/5/restore", "/8/versions/1/restore"} {
		admin.post("/policies/communication"+path, "version_no", "1", "enabled", "true").want(404)
	}
	for _, path := range []string{salesPath, "/policies/communication", "/policies/workingattitude", "/policies/workingattitude/management"} {
		s.as(queriestest.Employee).get(path).leads("/logs/workingattitude/day")
		if a := s.nobody().get(path).want(303); !strings.HasPrefix(a.location(), "/login") {
			t.Errorf("%s leads to %s", path, a.location())
		}
	}
	s.as(queriestest.Employee).post(salesPath+"/delete", "version_no", "2").leads("/logs/workingattitude/day")
	if n := s.count("select count(*) from policies where deleted_at is not null"); n != 1 {
		t.Error("somebody who may not deleted a policy")
	}
}

func TestARiskyRuleIsConfirmedTwice(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	f := admin.formOf(standardPath).with("allowed_ip_mode", "listed", "allowed_ip_ranges.0.location_name", "본사", "allowed_ip_ranges.0.range", "203.0.113.0/24")
	asked := admin.post(standardPath, append(f, "action", "review")...).want(200).shows("관리자의 현재 주소가 허용 IP 대역에 없습니다", "김서연", `name="confirmed"`)
	sealed := f.with("action", "apply", "reviewed", asked.field("reviewed"))
	admin.post(standardPath, sealed...).want(422).shows("그래도 저장하려면 확인해 주세요", `id="confirmed-error"`)
	admin.post(standardPath, append(sealed, "confirmed", "1")...).leads(standardPath)
	if n := s.count("select count(*) from policy_versions where policy_id = 1 and confirm_by is not null and confirmed_at is null"); n != 1 {
		t.Fatalf("%d versions wait for their confirmation", n)
	}
	s.clock.Advance(6 * time.Minute)
	admin.get(standardPath).want(200).hides("변경 확정")
	if got := admin.get(standardPath).field("allowed_ip_mode"); got != "any" && !strings.Contains(got, "any") {
		t.Errorf("the rule still holds: %s", got)
	}
}

func TestConfirmingInTime(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	f := admin.formOf(standardPath).with("login_platforms", "mobile")
	asked := admin.post(standardPath, append(f, "action", "review")...).want(200).shows("허용 환경에 웹이 없어")
	s.exec("update users set is_admin = true where id = 2")
	admin.post(standardPath, append(f.with("action", "apply", "reviewed", asked.field("reviewed")), "confirmed", "1")...).leads(standardPath)
	if n := s.count("select count(*) from policy_versions where policy_id = 1 and until is not null"); n != 1 {
		t.Errorf("%d versions end by themselves", n)
	}
	s.exec(fmt.Sprintf("update policy_versions set settings = '{}' where policy_id = 1 and no = %d", 2))
	s.exec("update companies set policy_version = policy_version + 1")
	admin.get(standardPath).want(200).shows("변경 확정", "10:05:00", `data-countdown="300"`)
	admin.post(standardPath+"/confirm", "version_no", "2").leads(standardPath)
	s.clock.Advance(6 * time.Minute)
	admin.get(standardPath).want(200).shows("버전 2").hides("변경 확정")
	if n := s.count("select count(*) from policy_versions where policy_id = 1 and until is null and confirmed_at is not null"); n != 1 {
		t.Error("the confirmed version ended")
	}
}

// A change of working attitude says from which date on records follow it.
func TestAttendanceSaysItsFirstDate(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for path, texts := range map[string][]string{ // on a Friday, and Saturday is a day off
		"/policies/workingattitude":    {"지금(11월 21일 근무부터)", "내일 11월 21일(토)부터"},
		"/en/policies/workingattitude": {"Now (from Nov 21)", "Tomorrow (Sat, Nov 21)"},
		"/ja/policies/workingattitude": {"今すぐ（11月21日の勤務から）", "明日 11月21日（土）から"},
		"/policies/communication":      {"내일 11월 21일(토)부터"},
	} {
		admin.get(path).want(200).shows(texts...)
	}
	admin.get("/en/policies/communication").want(200).hides("(from ")
	admin.post("/en/policies/workingattitude", newForm.with("session_time_sec", "", "grace_in_min", "5", "action", "review")...).want(200).
		shows("Now (from Nov 21)", "It applies to attendance from Nov 21.")
}

// The departments that the review names add up to the people whom it announces, with a
// line for all others.
func TestReviewCountsEverybody(t *testing.T) {
	admin := newSite(t).as(queriestest.Admin)
	f := newForm.with("session_time_sec", "", "grace_in_min", "5", "target", "department:1", "children", "1", "move", "true")
	rest := "<dt>그 밖의 부서</dt><dd>1명</dd>"
	admin.post("/policies/workingattitude", append(f, "action", "review")...).want(200).shows("7명의 적용 내용이 바뀝니다", "<bdi>영업본부</bdi></dt><dd>2명</dd>", rest)
	f = newForm.with("session_time_sec", "", "grace_in_min", "5", "target", "department:7", "move", "true")
	admin.post("/policies/workingattitude", append(f, "action", "review")...).want(200).shows("1명의 적용 내용이 바뀝니다", "<bdi>일본지사</bdi></dt><dd>1명</dd>").hides("그 밖의 부서")
}
