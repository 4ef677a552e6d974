package handlers_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
)

const viewersPath = "/policies/workingattitude/manager"

// Registrations as submitted by a form.
var (
	salesHeads = []string{"by", "position", "rank_id", "2", "within", "departments", "scope_ids", "2", "scope_children", "2",
		"department_ids", "2", "department_children", "2", "department_ids", "5", "may_edit", "yes"}
	twoPeople = []string{"by", "person", "user_ids", "6", "user_ids", "7", "department_ids", "7", "department_children", "7", "may_edit", "no"}
)

func TestViewers(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(viewersPath).want(200).shows("등록된 열람 권한자가 없습니다", "?new=1").hides("<table")
	admin.post(viewersPath, salesHeads...).leads(viewersPath)
	admin.get(viewersPath).want(200).shows("열람 권한자를 등록했습니다", "부장 이상", "영업본부", "하위 포함", "연구소", "열람 및 수정", "김서연", "전체 1개 중 1–1")
	admin.post(viewersPath, twoPeople...).leads(viewersPath)
	admin.get(viewersPath).want(200).shows("김철수", "Olivia Martin", "일본지사", "열람만", "전체 2개 중 1–2")

	for _, test := range []struct {
		path         string
		status       int
		shows, hides string
	}{
		{"?q=철수", 200, "Olivia Martin", "부장 이상"},
		{"?q=부장", 200, "부장 이상", "Olivia Martin"},
		{"?editing=yes", 200, "부장 이상", "Olivia Martin"},
		{"?editing=no", 200, "Olivia Martin", "부장 이상"},
		{"?q=없는사람", 200, "조건에 맞는 열람 권한자가 없습니다", "<table"},
		{"?q=가", 422, "2자", "가가"},
		{"?q=aa+bb+cc+dd", 200, "검색어는 3개까지 사용합니다", "가가"},
		{"?editing=maybe", 404, "", "<table"},
		{"?cursor=x", 404, "", "<table"},
		{"?cursor=" + dayCursor("6-2026-11-20", true), 404, "", "<table"},
		{"?edit=x", 404, "", "<form class=\"viewer-form\""},
		{"?edit=999999", 404, "", "<form class=\"viewer-form\""},
	} {
		admin.get(viewersPath + test.path).want(test.status).shows(test.shows).hides(test.hides)
	}
}

func TestViewersPages(t *testing.T) {
	s := newSite(t)
	s.exec(`insert into attendance_viewers (company_id, rank_id, whole_company, may_edit, created_at, updated_at)
		select 1, 1 + n % 3, true, false, now(), now() from generate_series(1, 120) n`)
	admin := s.as(queriestest.Admin)
	first := admin.get(viewersPath).want(200).shows("전체 120개 중 1–50")
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(first.body)
	if next == nil {
		t.Fatal("no next page")
	}
	second := admin.get(next[1]).want(200).shows("전체 120개 중 51–100")
	prev := regexp.MustCompile(`rel="prev" href="([^"]+)"`).FindStringSubmatch(second.body)
	admin.get(prev[1]).want(200).shows("전체 120개 중 1–50")
}

func TestViewersForAdministratorsOnly(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(viewersPath, twoPeople...).leads(viewersPath)
	id := s.count("select id from attendance_viewers")
	paths := []string{viewersPath, fmt.Sprintf("%s/%d", viewersPath, id), fmt.Sprintf("%s/%d/delete", viewersPath, id), fmt.Sprintf("%s/%d/restoration", viewersPath, id)}
	for _, who := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		c := s.as(who)
		c.get(viewersPath).leads("/logs/workingattitude/day")
		for _, path := range paths {
			c.post(path, twoPeople...).leads("/logs/workingattitude/day")
		}
	}
	s.nobody().get(viewersPath).leads("/login?next=" + url.QueryEscape(viewersPath))
	other := s.as(queriestest.OtherAdmin)
	other.get(viewersPath).want(200).shows("등록된 열람 권한자가 없습니다")
	other.get(fmt.Sprintf("%s?edit=%d", viewersPath, id)).want(404)
	for _, path := range paths[1:] {
		if a := other.post(path, "by", "position", "rank_id", "2"); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	other.post(viewersPath, twoPeople...).want(422).shows("등록할 수 없는 사람", "찾을 수 없는 부서")
	if n := s.count("select count(*) from attendance_viewers where deleted_at is null"); n != 1 {
		t.Errorf("%d registrations are left", n)
	}
}

func TestRegisteredViewersSeeMore(t *testing.T) {
	s := newSite(t)
	s.as(queriestest.Admin).post(viewersPath, "by", "person", "user_ids", "2", "department_ids", "5", "department_children", "5", "may_edit", "yes").leads(viewersPath)
	person, err := s.db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: 1, ID: queriestest.Employee})
	if err != nil {
		t.Fatal(err)
	}
	scope, err := s.db.Attendance.Scope(t.Context(), person)
	if err != nil || fmt.Sprint(scope.EditIDs) != "[5 6]" {
		t.Errorf("%+v %v", scope, err)
	}
}

// The fields of the pickers have the same effect as those of their fallbacks.
func TestViewerFormOfPickers(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(viewersPath, "by", "position", "rank_id", "2", "within", "departments", "may_edit", "yes", "users", "[]",
		"scope", `[{"type":"department","id":2,"include_children":true}]`,
		"departments", `[{"type":"department","id":5,"include_children":false},{"type":"department","id":7,"include_children":true}]`).leads(viewersPath)
	admin.post(viewersPath, "by", "person", "scope", "[]", "users", `[{"type":"user","id":6,"include_children":true}]`,
		"departments", `[{"type":"department","id":5,"include_children":true}]`).leads(viewersPath)
	rows := s.count(`select count(*) from attendance_viewer_departments where (is_scope, department_id, include_children)
		in ((true, 2, true), (false, 5, false), (false, 7, true), (false, 5, true))`)
	if people := s.count("select count(*) from attendance_viewer_users where user_id = 6"); rows != 4 || people != 1 {
		t.Errorf("%d departments and %d people were stored", rows, people)
	}
	for _, pairs := range [][]string{
		{"by", "person", "users", "{"}, {"by", "person", "user_ids", "x"}, {"by", "position", "rank_id", "x"},
		{"by", "person", "users", `[{"id":"6"}]`}, {"by", "person", "users", `[{"id":1e400}]`},
	} {
		admin.post(viewersPath, pairs...).want(422)
	}
}

func TestViewerFormRefuses(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, test := range []struct {
		language string
		pairs    []string
		shows    []string
	}{
		{"", []string{}, []string{"등록 방식을 선택해 주세요.", "관리 부서를 선택해 주세요."}},
		{"", []string{"by", "position", "within", "departments"}, []string{"직위 기준을 선택해 주세요.", "대상을 선택해 주세요.", "관리 부서를 선택해 주세요.", `href="#rank_id"`, `href="#within"`, `href="#departments"`, `id="rank_id-error"`}},
		{"/en", []string{"by", "position", "within", "departments"}, []string{"Please select a position criterion.", "Please select the targets.", "Please select a management department."}},
		{"/ja", []string{"by", "position", "within", "departments"}, []string{"職位基準を選択してください。", "対象を選択してください。", "管理部署を選択してください。"}},
		{"", []string{"by", "person", "user_ids", "2", "user_ids", "6", "user_ids", "7", "department_ids", "2"}, []string{"대상은 최대 2명까지 선택할 수 있습니다.", `href="#user_ids"`}},
		{"/en", []string{"by", "person", "user_ids", "2", "user_ids", "6", "user_ids", "7"}, []string{"You can select at most 2 people."}},
		{"/ja", []string{"by", "person", "user_ids", "2", "user_ids", "6", "user_ids", "7"}, []string{"対象は最大2人まで選択できます。"}},
		{"", []string{"by", "person", "user_ids", "9", "department_ids", "2"}, []string{"등록할 수 없는 사람"}},
		{"", []string{"by", "person", "user_ids", "9223372036854775807", "department_ids", "99999"}, []string{"등록할 수 없는 사람", "찾을 수 없는 부서"}},
	} {
		admin.post(test.language+viewersPath, test.pairs...).want(422).shows(test.shows...).shows(`data-guard="dirty"`)
	}
	if n := s.count("select count(*) from attendance_viewers"); n != 0 {
		t.Errorf("%d were registered", n)
	}
}

func TestViewerFormPreservesInput(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	a := admin.post(viewersPath, "by", "person", "user_ids", "2", "user_ids", "6", "user_ids", "7", "may_edit", "yes",
		"department_ids", "5", "department_ids", "7", "department_children", "7", "rank_id", "2", "people_q", "철수").want(422)
	for _, checked := range []string{
		`name="by" value="person" checked`, `name="may_edit" value="yes" checked`, `name="user_ids" value="2" checked`, `name="user_ids" value="7" checked`,
		`name="department_ids" value="5" checked`, `name="department_children" value="7" checked`, `<option value="2" selected`, `value="철수"`,
	} {
		if !strings.Contains(a.body, checked) {
			t.Errorf("%s is not there", checked)
		}
	}
	a.hides(`name="department_children" value="5" checked`)
	a.shows(`{"type":"user","id":7,"name":"Olivia Martin"`, `"max":2`)
}

// Without scripts, a search shows the form again with its selections.
func TestViewerFormSearches(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(viewersPath+"?new=1").want(200).shows("근태 열람 권한자 등록", `name="department_ids" value="2"`, "부장 이상").hides("공지봇", "김철수")
	a := admin.get(viewersPath + "?new=1&by=person&user_ids=2&people_q=" + url.QueryEscape("김철수") + "&departments_q=" + url.QueryEscape("해외") + "&department_ids=5").want(200)
	a.shows(`name="user_ids" value="2" checked`, `name="user_ids" value="6">`, `name="department_ids" value="5" checked`, `name="department_ids" value="4">`, "한빛테크 / 영업본부 / 해외영업팀", `data-guard="dirty"`)
	admin.get(viewersPath + "?new=1&by=person&people_q=%EA%B3%B5%EC%A7%80%EB%B4%87").want(200).hides(`name="user_ids"`) // 공지봇
	admin.get(viewersPath+"?new=1&by=person&people_q=a&departments_q=b").want(200).shows("2자", "people_q-error", "departments_q-error")
	admin.get(viewersPath + "?new=1&by=person&user_ids=x").want(404)
}

func TestUpdateViewer(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(viewersPath, salesHeads...).leads(viewersPath)
	id := s.count("select id from attendance_viewers")
	path := fmt.Sprintf("%s/%d", viewersPath, id)
	edit := fmt.Sprintf("%s?edit=%d", viewersPath, id)
	admin.get(edit).want(200).shows("근태 열람 권한 수정", `action="`+path+`"`, `<option value="2" selected`, `name="scope_ids" value="2" checked`, `name="department_ids" value="5" checked`)
	admin.post(path, "by", "person", "department_ids", "5").want(422).shows("대상을 선택해 주세요.", `action="`+path+`"`, `name="next" value="`+edit+`"`)
	admin.post("/en"+path, twoPeople...).leads("/en" + viewersPath)
	admin.get("/en"+viewersPath).shows("Viewing authority changed.", "Olivia Martin", "View only").hides("부장 or above")
	admin.post(viewersPath+"/999999", twoPeople...).want(404)
	admin.post(viewersPath+"/x", twoPeople...).want(404)
}

// A form that was opened before somebody else saved does not overwrite it: it says who
// saved first, with everything typed, and replaces it when it is sent again.
func TestViewerFormConflicts(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(viewersPath, salesHeads...).leads(viewersPath)
	id := s.count("select id from attendance_viewers")
	path, edit := fmt.Sprintf("%s/%d", viewersPath, id), fmt.Sprintf("%s?edit=%d", viewersPath, id)
	seen := admin.get(edit).want(200).field("version")
	if searched := admin.get(edit + "&by=position&version=" + seen + "&departments_q=" + url.QueryEscape("해외")).want(200).field("version"); searched != seen {
		t.Errorf("a search without scripts makes version %s of %s", searched, seen)
	}
	taken := append(slices.Clone(salesHeads[:len(salesHeads)-1]), "no", "version", seen)
	admin.post(path, taken...).leads(viewersPath)
	stale := append(slices.Clone(salesHeads), "version", seen)
	for language, text := range map[string]string{
		"": "김서연 님이 11월 20일 10:00에 먼저 저장했습니다. 입력한 내용은 그대로 있습니다.", "/en": "김서연 saved first, Nov 20, 10:00. Everything you entered is still here.", "/ja": "김서연さんが11月20日 10:00に先に保存しました。",
	} {
		admin.post(language+path, stale...).want(409).shows(text, `name="may_edit" value="yes" checked`, `name="department_ids" value="5" checked`,
			`<option value="2" selected`, `data-guard="dirty"`, `href="`+language+edit+`" target="_blank"`, `name="next" value="`+edit+`"`).hides("⟦")
	}
	if s.count("select count(*) from attendance_viewers where may_edit") != 0 {
		t.Error("the right to edit is back")
	}
	refused := admin.post(path, "by", "person", "department_ids", "5", "version", fmt.Sprint(s.count("select version_no from attendance_viewers"))).want(422)
	if again := refused.field("version"); again == seen {
		t.Errorf("a refused form has the version %s", again)
	}
	again := append(slices.Clone(salesHeads), "version", admin.post(path, stale...).want(409).field("version"))
	admin.post(path, again...).leads(viewersPath)
	if s.count("select count(*) from attendance_viewers where may_edit") != 1 {
		t.Error("the second save did not replace the first")
	}
	admin.post(path, append(slices.Clone(salesHeads), "version", "x")...).want(422)
}

func TestDeleteViewerAndUndo(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(viewersPath, twoPeople...).leads(viewersPath)
	path := fmt.Sprintf("%s/%d", viewersPath, s.count("select id from attendance_viewers"))
	admin.get(viewersPath).shows("열람 권한을 삭제하시겠습니까?", "더 이상 열람할 수 없습니다", `action="`+path+`/delete"`)
	admin.post(path + "/delete").leads(viewersPath)
	admin.get(viewersPath).want(200).shows("열람 권한을 삭제했습니다.", "실행 취소", `action="`+path+`/restoration"`).hides("Olivia Martin")
	admin.get(viewersPath).hides("열람 권한을 삭제했습니다.")
	admin.post(path + "/delete").want(404)
	admin.post(path + "/restoration").leads(viewersPath)
	admin.get(viewersPath).shows("열람 권한을 복원했습니다.", "Olivia Martin")
	admin.post(path + "/delete").leads(viewersPath)
	admin.post(viewersPath, twoPeople...).leads(viewersPath)
	admin.post(path + "/restoration").want(409).shows("복원할 수 없습니다")
	s.clock.Advance(31 * 24 * time.Hour)
	s.as(queriestest.Admin).post(path + "/restoration").want(404)
}

func TestViewersInEveryLanguage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(viewersPath, salesHeads...)
	admin.get("/en"+viewersPath).want(200).shows(`<html lang="en">`, "Attendance viewing authority", "부장 or above", "incl. sub-departments", "View and edit", "1–1 of 1", "/en"+viewersPath+"?new=1")
	admin.get("/ja"+viewersPath).want(200).shows(`<html lang="ja">`, "勤怠閲覧権限者", "부장以上", "下位を含む", "閲覧・編集", "全1件中 1–1件")
	for _, language := range []string{"", "/en", "/ja"} {
		admin.get(language + viewersPath).hides("⟦")
		admin.get(language + viewersPath + "?new=1").want(200).hides("⟦")
	}
}

func TestViewersEscapeNames(t *testing.T) {
	s := newSite(t)
	s.exec(`update users set name = '<script>alert(1)</script>' where id = 6`)
	s.exec(`update departments set name = '"><script>alert(2)' where id = 7`)
	admin := s.as(queriestest.Admin)
	admin.post(viewersPath, twoPeople...)
	for _, path := range []string{viewersPath, viewersPath + "?edit=" + fmt.Sprint(s.count("select id from attendance_viewers"))} {
		if a := admin.get(path).want(200); strings.Contains(a.body, "<script>alert") {
			t.Errorf("%s: a name became a script", path)
		}
	}
}
