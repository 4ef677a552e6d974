package handlers_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"officeconsole/queries/hiding"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

const hiddenPath = "/manage/use/hidden"

func TestHideAndShow(t *testing.T) {
	s := newSite(t)
	admin, devices := s.as(queriestest.Admin), []*client{s.as(queriestest.Employee), s.as(queriestest.Employee)}
	admin.get(hiddenPath).want(200).shows("숨긴 사용자", "정하윤", "육아휴직", "휴직").hides("이준호")
	admin.get("/organization/hidden").want(200).shows("정하윤", `href="/manage/use/hidden" aria-current="page"`)
	admin.get(hiddenPath+"?new=1").want(200).shows(`<dialog id="hiding"`, "정하윤").hides("이준호")
	admin.post(hiddenPath+"?new=1", "action", "edit", "people_q", "이준호", "user_ids", "6", "reason", "11월").want(200).
		shows("이준호", "메신저팀", `value="6" checked`, ">11월<")

	employee := fmt.Sprint(queriestest.Employee)
	asked := admin.post(hiddenPath, "users", employee+", 6", "kind", "leaver", "reason", "11월 퇴사").want(200)
	asked.shows("김철수 외 1명 숨기기", "로그인 2개와 토큰 0개가 종료됩니다", "2명 숨기기", "11월 퇴사")
	for _, d := range devices {
		d.get(employeeHome).want(200)
	}
	admin.post(hiddenPath, "confirmed", "1", "user_ids", employee, "user_ids", "6", "kind", "leaver", "reason", "11월 퇴사").want(303).leads(hiddenPath)
	done := admin.get(hiddenPath).want(200).shows("2명을 숨겼습니다.", "이준호", "김철수", "11월 퇴사")
	for _, d := range devices {
		d.get(employeeHome).leads("/login?next=%2Flogs%2Fworkingattitude%2Fday")
		d.with("HX-Request", "true").get(employeeHome).want(419)
	}
	admin.get("/policies/communication/status").want(200).hides("이준호")

	undo := regexp.MustCompile(`/manage/use/hidden/sets/\d+/reversal`).FindString(done.body)
	admin.post(undo).leads(hiddenPath)
	admin.get(hiddenPath).want(200).shows("2명을 다시 표시했습니다.").hides("이준호")
	for _, d := range devices {
		d.get(employeeHome).leads("/login?next=%2Flogs%2Fworkingattitude%2Fday") // nothing is revived
	}
	s.as(queriestest.Employee).get(employeeHome).want(200)
	admin.post(undo).leads(hiddenPath)
	admin.get(hiddenPath).want(200).shows("실행 취소할 사용자가 없습니다")

	admin.post("/en"+hiddenPath+"/showing", "id", "5").leads("/en" + hiddenPath)
	admin.get("/en"+hiddenPath).want(200).shows("1 person is shown again.", "No hidden users")
	admin.post(hiddenPath+"/showing", "id", "5").leads(hiddenPath)
	admin.get(hiddenPath).want(200).shows("이미 다시 표시된 사용자입니다.")
}

// Showing people again and its undo lead back to the list as it was filtered.
func TestShowFromFilteredList(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(hiddenPath, "state", "deactivated", "confirmed", "1", "user_ids", "6").want(303)
	admin.get(hiddenPath) // takes the toast with its undo
	for list, pairs := range map[string][]string{
		hiddenPath + "?kind=leave":                             {"id", "5"},
		hiddenPath + "?kind=leave&q=%EC%A0%95%ED%95%98":        {"id", "5"},
		hiddenPath + "?source=administrator&state=deactivated": {"id", "6", "state", "deactivated"},
	} {
		if back := admin.get(list).want(200).field("back"); back != list {
			t.Errorf("the forms of %s lead back to %q", list, back)
		}
		admin.post("/en"+hiddenPath+"/showing", append(pairs, "back", list)...).leads("/en" + list)
		admin.undo(list).leads(list)
		admin.get(list) // takes the toast
	}
	const leave = hiddenPath + "?kind=leave"
	admin.post(hiddenPath+"/showing", "id", "5", "back", leave).leads(leave)
	admin.post(hiddenPath+"/showing", "id", "5", "back", leave).leads(leave)
	admin.get(leave).shows("이미 다시 표시된 사용자입니다.")
	admin.post(hiddenPath, "confirmed", "1", "user_ids", "5", "kind", "leave").leads(hiddenPath)
	admin.post(hiddenPath+"/showing", "id", "5", "back", "https://evil.example"+hiddenPath+"?q=x").leads(hiddenPath)
	admin.post(hiddenPath+"/showing", "id", "6", "state", "deactivated", "back", noticesPath).leads(hiddenPath + "?state=deactivated")
}

// A form without a reason hides for another reason than those of the list, and says so
// before.
func TestHidingWithoutKind(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for language, text := range map[string]string{"": "기타", "/en": "Other", "/ja": "その他"} {
		asked := admin.post(language+hiddenPath, "users", "6").want(200).shows(`<span class="badge">` + text + `</span>`).hides("⟦")
		if got := asked.field("kind"); got != "other" {
			t.Errorf("the question has the kind %q", got)
		}
	}
	admin.post(hiddenPath, "confirmed", "1", "user_ids", "6").leads(hiddenPath)
	if s.count("select count(*) from users where id = 6 and hidden_at is not null") != 1 {
		t.Error("nobody is hidden")
	}
}

// A refused form says whom it is about, beside the field, with everything that
// was typed.
func TestHidingIsRefused(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, confirmed := range []string{"", "1"} {
		for language, text := range map[string]string{"": "대상을 선택해 주세요.", "/en": "A target must be selected.", "/ja": "対象を選択してください。"} {
			admin.post(language+hiddenPath, "confirmed", confirmed, "kind", "leave", "reason", "<이유>").want(422).
				shows(text, "<이유>", `value="leave" selected`, `aria-describedby="user_ids-help user_ids-error"`)
		}
		for ids, text := range map[string]string{
			"1": "자기 자신은 숨길 수 없습니다: 김서연", "9": "봇은 숨길 수 없습니다: 공지봇", "5, 6": "이미 숨긴 사용자입니다: 정하윤",
			"11": "존재하지 않는 사용자가 포함되어 있습니다.", "6, 99999": "존재하지 않는 사용자가 포함되어 있습니다.",
		} {
			admin.post(hiddenPath, "confirmed", confirmed, "users", ids, "kind", "leave").want(422).shows(text)
		}
	}
	admin.post(hiddenPath, "users", "x").want(422)
	admin.post(hiddenPath + "/showing").want(422).shows("대상을 선택해 주세요.")
	admin.post(hiddenPath + "/sets/x/reversal").want(http.StatusNotFound)
	if n := s.count("select count(*) from users where hidden_at is not null"); n != 1 {
		t.Errorf("%d are hidden", n)
	}
}

// A day on which somebody is shown again is checked, stored, listed and in the change log.
func TestHiddenUntil(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for language, texts := range map[string][2]string{
		"": {"내일 이후의 날짜", "날짜를 다시 확인"}, "/en": {"Please enter a date after today.", "Please check the date."}, "/ja": {"明日以降の日付", "日付を確認"},
	} {
		for i, typed := range []string{"2026-11-20", "2026-11-31"} {
			admin.post(language+hiddenPath, "users", "2", "kind", "leave", "reason", "휴직", "show_again_on", typed).want(422).
				shows(texts[i], `value="`+typed+`"`, `aria-describedby="show_again_on-help show_again_on-error"`, "휴직")
		}
	}
	asked := admin.post(hiddenPath, "users", "2", "kind", "leave", "show_again_on", "2027-02-28").want(200).shows("2027년 2월 28일에 다시 표시", `name="show_again_on" value="2027-02-28"`)
	back := []string{"action", "edit", "users", asked.field("users"), "kind", asked.field("kind"), "show_again_on", asked.field("show_again_on")}
	admin.post(hiddenPath, back...).want(200).shows(`value="2027-02-28"`, `value="leave" selected`, `value="2" checked`)
	admin.post(hiddenPath, "confirmed", "1", "user_ids", "2", "kind", "leave", "show_again_on", "2027-02-28").leads(hiddenPath)
	admin.get(hiddenPath).want(200).shows("이준호", "2027년 2월 28일에 다시 표시")
	admin.get("/en" + hiddenPath).want(200).shows("until Feb 28, 2027")
	admin.get(fmt.Sprintf("/manage/security/changes?open=%d", s.lastChange())).want(200).shows("다시 표시할 날", "2027년 2월 28일")
}

// The form and the question are above the list that they were opened from, and cancelling
// leads back to it.
func TestHidingAboveFilteredList(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(hiddenPath, "state", "deactivated", "confirmed", "1", "user_ids", "6").want(303)
	later := (&lists.Cursor{List: "hidden-users", Value: "2027-01-01T00:00:00Z", ID: 1}).String()
	for _, c := range []struct{ list, dialog, state, name, other string }{
		{hiddenPath, hiddenPath + "?new=1", "hidden", "정하윤", "김철수"},
		{hiddenPath + "?kind=leave&q=%EC%A0%95%ED%95%98", hiddenPath + "?kind=leave&new=1&q=%EC%A0%95%ED%95%98", "hidden", "정하윤", "김철수"},
		{hiddenPath + "?cursor=" + later, hiddenPath + "?cursor=" + later + "&new=1", "hidden", "정하윤", "김철수"},
		{hiddenPath + "?source=administrator&state=deactivated", hiddenPath + "?new=1&source=administrator&state=deactivated", "deactivated", "김철수", "정하윤"},
	} {
		admin.get("/en"+c.list).want(200).shows(`href="/en`+c.dialog+`"`, "<bdi>"+c.name+"</bdi>").hides("<dialog id=\"hiding\"", c.other)
		typed := []string{"state", c.state, "kind", "test", "reason", "<이유>"}
		for name, above := range map[string]answer{
			"form":     admin.get("/en" + c.dialog).want(200),
			"refused":  admin.post("/en"+c.dialog, typed...).want(422).shows("A target must be selected.", "<이유>"),
			"question": admin.post("/en"+c.dialog, append(typed, "users", "2")...).want(200).shows("1 person", "<이유>"),
			"again":    admin.post("/en"+c.dialog, append(typed, "users", "2", "action", "edit")...).want(200).shows("<이유>", `value="2" checked`),
		} {
			above.shows(`action="/en`+c.dialog+`"`, "<bdi>"+c.name+"</bdi></span>").hides(">"+c.other+"<", "⟦")
			if got := above.cancelled(); got != "/en"+c.list {
				t.Errorf("cancelling the %s leads from %s to %s", name, c.dialog, got)
			}
			if _, dialog, _ := strings.Cut(above.body, `<dialog id="hiding"`); !strings.Contains(dialog, `name="state" value="`+c.state+`"`) {
				t.Errorf("the %s of %s is not about %s users", name, c.dialog, c.state)
			}
		}
	}
	admin.get("/organization/hidden?new=1").want(200).shows(`<dialog id="hiding"`, "정하윤", `action="`+hiddenPath+`?new=1"`, `data-dismiss href="`+hiddenPath+`"`)
	admin.get(hiddenPath + "?new=1&kind=leave").want(200).shows(`value="leave" selected`)
	admin.get(hiddenPath + "?new=1&kind=whatever").want(404)
	if n := s.count("select count(*) from users where hidden_at is not null or deactivated_at is not null"); n != 2 {
		t.Errorf("%d are hidden or deactivated", n)
	}
}

// Attendance of the past stays where it may be seen, and says who is hidden.
func TestAttendanceOfHiddenUsersIsMarked(t *testing.T) {
	w := newHiddenWalk(t)
	mark := regexp.MustCompile(`<span class="badge">(<svg[^>]*>.*?</svg>\s*)?숨김</span>`)
	pages := []string{
		"/logs/workingattitude/day?date=2026-11-20", "/logs/workingattitude/day?date=2026-11-20&q=" + hiddenName, "/logs/workingattitude/week?date=2026-11-20",
		"/logs/workingattitude/month?month=2026-11", "/logs/workingattitude/management?from=2026-11-20&to=2026-11-20", fmt.Sprintf("/logs/workingattitude/day/%d-2026-11-20", w.id),
	}
	marks := func(path string) int {
		return len(mark.FindAllString(w.admin.get(path).want(200).shows(hiddenName).body, -1))
	}
	before := make([]int, len(pages))
	for i, path := range pages {
		before[i] = marks(path)
	}
	w.exec("update users set hidden_at = now() where id = $1", w.id)
	w.exec("update companies set directory_version = directory_version + 1 where id = 1")
	for i, path := range pages {
		if n := marks(path); n != before[i]+1 {
			t.Errorf("%s: %d marks, %d before", path, n, before[i])
		}
	}
}

// Twice as many readers as the pool has connections are all answered, while people
// are hidden and shown.
func TestHiddenUsersUnderLoad(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	by := queriestest.AdminActor(t, s.db)
	var all sync.WaitGroup
	for range 2 * int(s.db.Pool().Config().MaxConns) {
		all.Go(func() {
			if a := admin.get(hiddenPath + "?q=정하"); a.status != 200 || !strings.Contains(a.body, "정하윤") {
				t.Errorf("answers %d", a.status)
			}
		})
	}
	all.Go(func() {
		for range 5 {
			if _, err := s.db.Hidings.Hide(t.Context(), by, hiding.Draft{UserIDs: []int64{queriestest.Employee}, Kind: hiding.Leave}); err != nil {
				t.Error(err)
			}
			if _, err := s.db.Hidings.Show(t.Context(), by, []int64{queriestest.Employee}); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
}

// Leavers are deactivated and reactivated on the tab beside the hidden users, several
// at once, and each is undone.
func TestDeactivateAndReactivate(t *testing.T) {
	s := newSite(t)
	admin, device := s.as(queriestest.Admin), s.as(queriestest.Employee)
	const list = hiddenPath + "?state=deactivated"
	admin.get(list).want(200).shows("비활성 사용자가 없습니다", `href="/manage/use/hidden?state=deactivated" aria-current="page"`).hides("정하윤")
	admin.get(hiddenPath+"?new=1&state=deactivated&people_q=이준호").want(200).shows("이준호", "비활성화할 사람").hides("다시 표시할 날", `name="kind"`)

	asked := admin.post(hiddenPath, "state", "deactivated", "users", "2, 6", "reason", "11월 퇴사").want(200)
	asked.shows("김철수 외 1명 비활성화", "로그인 1개와 토큰 0개가 종료됩니다", "2명 비활성화", `name="state" value="deactivated"`, "11월 퇴사")
	device.get(employeeHome).want(200)
	admin.post(hiddenPath, "state", "deactivated", "confirmed", "1", "user_ids", "2", "user_ids", "6", "reason", "11월 퇴사").leads(list)
	done := admin.get(list).want(200).shows("2명을 비활성화했습니다.", "이준호", "김철수", "11월 퇴사", "관리자", "김서연", `name="source"`)
	admin.get(hiddenPath).want(200).hides("이준호")
	admin.get(list+"&source=provisioning").want(200).shows("조건에 맞는 비활성 사용자가 없습니다", `<option value="provisioning" selected>프로비저닝</option>`)
	device.get(employeeHome).leads("/login?next=%2Flogs%2Fworkingattitude%2Fday")
	s.nobody().post("/login", "email", queriestest.Email(queriestest.Employee), "password", queriestest.Password).want(422).shows("사용이 중지된 계정입니다")
	admin.get("/manage/security/changes").want(200).shows("비활성화")
	admin.get("/manage/security/access").want(200).shows("비활성 사용자")

	undo := regexp.MustCompile(`/manage/use/hidden/sets/\d+/reversal`).FindString(done.body)
	admin.post(undo).leads(list)
	admin.get(list).want(200).shows("2명을 다시 활성화했습니다.").hides("이준호")
	device.get(employeeHome).leads("/login?next=%2Flogs%2Fworkingattitude%2Fday") // nothing is revived
	s.as(queriestest.Employee).get(employeeHome).want(200)
	admin.post("/en"+hiddenPath, "state", "deactivated", "confirmed", "1", "user_ids", "6").leads("/en" + list)
	admin.get("/en"+list).want(200).shows("1 person was deactivated.", "Administrator")
	admin.post("/ja"+hiddenPath+"/showing", "state", "deactivated", "id", "6").leads("/ja" + list)
	admin.get("/ja" + list).want(200).shows("1人を有効に戻しました。")
	admin.post(hiddenPath+"/showing", "state", "deactivated", "id", "6").leads(list)
	admin.get(list).want(200).shows("이미 다시 활성화된 사용자입니다.")
}

// Somebody who is hidden and deactivated is not visible when one of the two ends.
func TestShowADeactivatedUser(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(hiddenPath, "confirmed", "1", "user_ids", "2", "user_ids", "6").want(303)
	done := admin.get(hiddenPath).want(200)
	admin.post(hiddenPath, "state", "deactivated", "confirmed", "1", "user_ids", "6").want(303)
	admin.post(regexp.MustCompile(`/manage/use/hidden/sets/\d+/reversal`).FindString(done.body)).want(303)
	admin.get(hiddenPath).want(200).shows("1명을 다시 표시했습니다. 1명의 숨김을 해제했습니다. 비활성 사용자이므로 아직 표시되지 않습니다.").hides("2명을")

	admin.post(hiddenPath, "state", "deactivated", "confirmed", "1", "user_ids", "5").want(303)
	admin.post("/en"+hiddenPath+"/showing", "id", "5").want(303)
	admin.get("/en" + hiddenPath).want(200).shows("1 person is no longer hidden, but is deactivated and therefore still not shown.").hides("shown again.")
	admin.post(hiddenPath+"/showing", "state", "deactivated", "id", "5").want(303)
	admin.get(hiddenPath).want(200).shows("1명을 다시 활성화했습니다.").hides("아직 표시되지")
}

func TestDeactivationIsRefused(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(hiddenPath, "state", "deactivated", "confirmed", "1", "user_ids", "6").want(303)
	for _, confirmed := range []string{"", "1"} {
		for ids, text := range map[string]string{
			"": "대상을 선택해 주세요.", "1": "자기 자신은 비활성화할 수 없습니다: 김서연", "9": "봇은 비활성화할 수 없습니다: 공지봇", "2, 6": "이미 비활성화한 사용자입니다: 김철수",
			"11": "존재하지 않는 사용자가 포함되어 있습니다.",
		} {
			admin.post(hiddenPath, "state", "deactivated", "confirmed", confirmed, "users", ids, "reason", "<이유>").want(422).
				shows(text, "<이유>", "비활성화할 수 없습니다", `name="state" value="deactivated"`)
		}
	}
	admin.post(hiddenPath, "state", "retired", "confirmed", "1", "user_ids", "2").want(422)
	admin.get(hiddenPath + "?new=1&state=retired").want(404)
	if n := s.count("select count(*) from users where deactivated_at is not null"); n != 1 {
		t.Errorf("%d are deactivated", n)
	}
}
