package handlers_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

const noticesPath = "/manage/notice"

// addNotice adds a notice to everyone, published after a while or at once for 0,
// and returns its URL.
func (s *site) addNotice(title string, after time.Duration) string {
	s.t.Helper()
	d := notice.Draft{Title: title, Body: "본문 **" + title + "**", Targets: notice.Targets{Everyone: true}}
	if after != 0 {
		at := s.clock.Now().Add(after)
		d.PublishAt = &at
	}
	n, err := s.db.Notices.Create(s.t.Context(), queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}, d)
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprint(noticesPath, "/", n.ID)
}

// rowMenu is part of the button that opens the menu for the notice at a path.
func rowMenu(path, state string) string {
	return fmt.Sprintf(`popovertarget="row-menu" data-row=%q data-state=%q`, strings.TrimPrefix(path, noticesPath+"/"), state)
}

func TestNotices(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(noticesPath).want(200).shows("등록된 공지가 없습니다", `href="/manage/notice" aria-current="page"`).hides("<table", `type="search"`)
	published, reserved := s.addNotice("정기 점검", 0), s.addNotice("<script>alert(1)</script>", 26*time.Hour)
	s.exec("insert into notice_read_counts (company_id, notice_id, shard, readers) select 1, id, n, 2 from notices cross join generate_series(1, 2) n where title = '정기 점검'")
	page := admin.get(noticesPath).want(200)
	page.shows("정기 점검", "본문 정기 점검", "4/7", "(57%)", `<rect width="57"`, "게시 전 · 7명", "11/21 12:00", "전 직원", "김서연", rowMenu(published, "published"), rowMenu(reserved, "reserved"))
	if strings.Contains(page.body, "<script>alert") {
		t.Error("a title is a script")
	}
	for _, test := range []struct {
		query        string
		status       int
		shows, hides string
	}{
		{"?status=published", 200, "정기 점검", "alert(1)"},
		{"?status=reserved", 200, "alert(1)", "정기 점검"},
		{"?status=expired", 200, "등록된 공지가 없습니다", "<table"},
		{"?status=deleted", 200, "삭제한 공지가 없습니다", "<table"},
		{"?q=" + url.QueryEscape("ㅈㄱ 점검"), 200, "정기 점검", "alert(1)"},
		{"?q=없는공지", 200, "조건에 맞는 공지가 없습니다", "<table"},
		{"?q=가", 422, "검색어는 2자 이상", "조건에 맞는"},
		{"?q=aa+bb+cc+dd", 200, "검색어는 3개까지 사용합니다", "<table"},
		{"?target=2", 200, "조건에 맞는 공지가 없습니다", "<table"},
		{"?author=1&from=2026-11-21", 200, "alert(1)", "정기 점검"},
		{"?status=gone", 404, "", "<table"},
		{"?target=x", 404, "", "<table"},
		{"?from=x", 404, "", "<table"},
		{"?sort=title", 404, "", "<table"},
		{"?cursor=x", 404, "", "<table"},
	} {
		admin.get(noticesPath + test.query).want(test.status).shows(test.shows).hides(test.hides)
	}
	admin.get("/en"+noticesPath).want(200).shows("Internal announcements", "Reserved", "Immediate", "Everyone").hides("⟦")
	admin.get("/ja"+noticesPath).want(200).shows("社内お知らせ", "即時掲載", "全社員").hides("⟦")
	if body := s.as(queriestest.OtherAdmin).get(noticesPath).want(200).body; strings.Contains(body, "정기 점검") {
		t.Error("another company sees the notice")
	}
}

func TestNoticePages(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for i := range 45 {
		s.addNotice(fmt.Sprintf("공지 %02d", i), time.Duration(i+1)*time.Hour)
	}
	first := admin.get(noticesPath).want(200).shows("공지 44", "공지 35", "전체 45개 중 1–10", `<span class="count">45</span>`).hides("공지 34")
	second := admin.get(first.next("next")).want(200).shows("공지 34", "공지 25", "전체 45개 중 11–20")
	admin.get(second.next("next")).want(200).shows("공지 24", "공지 15", "전체 45개 중 21–30")
	admin.get(second.next("prev")).want(200).shows("공지 44", "전체 45개 중 1–10")
	admin.get(noticesPath+"?sort=published").want(200).shows("공지 00", "공지 09", `aria-sort="ascending"`).hides("공지 10")
}

func TestDeleteNotices(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	one, two, three := s.addNotice("하나", 0), s.addNotice("둘", time.Hour), s.addNotice("셋", 48*time.Hour)
	admin.post("/en" + one + "/delete").leads("/en" + noticesPath)
	admin.get("/en"+noticesPath).shows("“하나” was deleted.", "Undo").hides("<bdi>하나")
	const restore = `/restoration"><input type="hidden" name="back" value="/manage/notice?status=deleted"> <button class="btn btn-quiet btn-small">` // without scripts
	admin.get(noticesPath+"?status=deleted").want(200).shows("<bdi>하나", rowMenu(one, "deleted"), one+restore, "삭제일").hides("data-pick")
	id := func(path string) string { return strings.TrimPrefix(path, noticesPath+"/") }
	admin.post(noticesPath+"/delete", "id", id(two), "id", id(three)).leads(noticesPath)
	admin.undo(noticesPath).leads(noticesPath)
	admin.get(noticesPath).shows("공지 2개를 복원했습니다.", "<bdi>둘", "<bdi>셋").hides("<bdi>하나")
	admin.post(one + "/restoration").leads(noticesPath)
	admin.get(noticesPath).shows("<bdi>하나")

	admin.post(two + "/delete").leads(noticesPath)
	admin.get(noticesPath+"?status=deleted").shows("<bdi>둘", "게시 안 함").hides("게시 전")
	s.clock.Advance(2 * time.Hour)
	admin = s.as(queriestest.Admin)
	admin.get(noticesPath+"?status=deleted").shows("<bdi>둘", "게시 안 함", rowMenu(two, "missed")).hides(two+restore, "0%")
	admin.post(two + "/restoration").leads(noticesPath + "?status=deleted")
	admin.get(noticesPath + "?status=deleted").shows("복제해서 다시 등록해 주세요.")
	for _, path := range []string{noticesPath + "/999999", noticesPath + "/x", noticesPath + "/0"} {
		admin.post(path + "/delete").want(404)
		admin.post(path + "/restoration").want(404)
	}
	admin.post(noticesPath+"/delete", "id", "x").want(404)
	admin.post(noticesPath + "/delete").leads(noticesPath)
	s.as(queriestest.OtherAdmin).post(one + "/delete").want(404)
}

// Deleting or restoring what somebody has deleted or restored before says who that was.
func TestDeleteAndRestoreNoticesTwice(t *testing.T) {
	s := newSite(t)
	admin, other := s.as(queriestest.Admin), s.as(queriestest.OtherAdmin)
	one, two := s.addNotice("하나", 0), s.addNotice("둘", time.Hour)
	id := func(path string) string { return strings.TrimPrefix(path, noticesPath+"/") }
	said := func(a answer, text string) {
		t.Helper()
		a.leads(noticesPath)
		admin.get(noticesPath).shows(text)
	}
	const gone = "김서연 님이 2026년 11월 20일 10:00에 이 공지를 삭제했습니다"
	said(admin.post(noticesPath+"/delete", "id", id(one), "id", id(two)), "공지 2개를 삭제했습니다")
	said(admin.post(one+"/delete"), gone)
	said(admin.post(one+"/reminders"), gone)
	said(admin.post(noticesPath+"/delete", "id", id(one)), gone)
	said(admin.post(noticesPath+"/delete", "id", id(one), "id", id(two)), "김서연 님이 2026년 11월 20일 10:00에 이미 삭제했습니다")
	admin.post(noticesPath+"/delete", "id", id(one), "id", "999999").want(404)
	for _, action := range []string{"/delete", "/reminders", "/restoration"} {
		other.post(one + action).want(404)
	}

	said(admin.post(one+"/restoration"), "공지를 복원했습니다")
	said(admin.post(one+"/restoration"), "김서연 님이 2026년 11월 20일 10:00에 이미 복원했습니다")
	said(admin.post(noticesPath+"/restoration", "id", id(one), "id", id(two)), "공지 2개를 복원했습니다")
	said(admin.post(noticesPath+"/restoration", "id", id(one), "id", id(two)), "이미 복원했습니다")
	if n := s.count("select count(*) from notices where deleted_at is null"); n != 2 {
		t.Errorf("%d notices are there", n)
	}
}

// Deleting, its undo and restoring lead back to the list as it was filtered and sorted.
func TestDeleteNoticesFromFilteredList(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	one, two := s.addNotice("점검 하나", 0), s.addNotice("점검 둘", time.Hour)
	id := func(path string) string { return strings.TrimPrefix(path, noticesPath+"/") }
	list := noticesPath + "?q=" + url.QueryEscape("점검") + "&sort=published"
	const deleted = noticesPath + "?status=deleted"
	if back := admin.get(list).want(200).shows("점검 하나", "점검 둘").field("back"); back != list {
		t.Errorf("the forms lead back to %q", back)
	}
	admin.post(one+"/delete", "back", list).leads(list)
	admin.undo(list).leads(list)
	admin.get(list).shows("공지를 복원했습니다.", "점검 하나")
	admin.post("/en"+noticesPath+"/delete", "id", id(one), "id", id(two), "back", list).leads("/en" + list)
	admin.undo(list).leads(list)
	admin.get(list).shows("공지 2개를 복원했습니다.")
	admin.post(noticesPath+"/delete", "back", list).leads(list) // none is selected
	admin.post(one+"/delete", "back", list).leads(list)
	admin.post(one+"/restoration", "back", deleted).leads(deleted)
	for _, elsewhere := range []string{"https://evil.example" + noticesPath + "?q=x", "//evil.example/?q=x", linksPath + "?q=x", noticesPath + "/new"} {
		admin.post(one+"/delete", "back", elsewhere).leads(noticesPath)
		admin.undo(noticesPath).leads(noticesPath)
	}
}

// noticeFields are the fields of a form that can be saved, changed by pairs.
func noticeFields(pairs ...string) []string {
	return append([]string{"action", "save", "title", "정기 점검", "body", "## 일정\n새벽 2시", "audience", "everyone", "when", "now"}, pairs...)
}

func TestWriteNotice(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(noticesPath+"/new").want(200).shows("공지 쓰기", `name="title"`, `value="everyone" checked`, "7명에게 바로 게시합니다", `href="/manage/notice">내부 공지`)
	admin.upload(noticesPath, nil, noticeFields()...).leads(noticesPath)
	admin.get(noticesPath).shows("공지를 등록했습니다.", "정기 점검", "일정 새벽 2시")
	admin.upload("/en"+noticesPath, nil, "action", "save", "title", "예약", "body", "본문", "when", "reserved", "date", "2026-11-24", "time", "09:00",
		"audience", "chosen", "targets", `[{"type":"department","id":2,"include_children":true},{"type":"user","id":8}]`).leads("/en" + noticesPath)
	admin.get("/en"+noticesPath).shows("The notice was reserved.", "11/24 09:00", "Not yet · for 5")
	if n := s.count("select count(*) from notices where publish_at = '2026-11-24 00:00Z' and not everyone"); n != 1 {
		t.Error("the reservation is not stored by the company's clocks")
	}

	edit := fmt.Sprint(noticesPath, "/", s.count("select id from notices where title = '예약'"))
	admin.get(edit+"/edit").want(200).shows("예약 수정", `value="예약"`, `name="version" value="1"`, `name="date" value="2026-11-24"`, `name="time" value="09:00"`, "영업본부", "佐藤ひろし", "5명에게", "09:00에 게시합니다", `action="`+edit+`"`)
	changed := []string{"action", "save", "version", "1", "title", "예약 고침", "body", "본문", "when", "reserved", "date", "2026-11-25", "time", "10:30", "audience", "chosen", "target", "department:5", "children", "5"}
	admin.upload(edit, nil, changed...).leads(noticesPath)
	stale := admin.upload(edit, nil, changed...).want(409).shows("김서연 님이 10:00에 먼저 저장했습니다.", "다시 저장하면", "<del>예약</del>", "<ins>예약 고침</ins>", "영업본부(하위 포함)", `value="예약 고침"`, `name="version" value="2"`, "연구소", `name="time" value="10:30"`)
	if strings.Contains(stale.body, `href="#title"`) {
		t.Error("a field is refused")
	}
	s.clock.Advance(6 * 24 * time.Hour)
	admin = s.as(queriestest.Admin)
	admin.upload(edit, nil, changed...).want(409).shows("11월 25일 10:30에 게시되어 고칠 수 없습니다", `value="예약 고침"`, "새 공지로 저장").hides("복원해서 저장")
	admin.get(edit + "/edit").want(404)
	admin.get(strings.Replace(noticesPath+"/new?from=ID", "ID", strings.TrimPrefix(edit, noticesPath+"/"), 1)).want(200).shows("공지 쓰기", `value="예약 고침"`, "연구소", `action="/manage/notice"`, `value="now" checked`)
	for _, path := range []string{noticesPath + "/999999/edit", noticesPath + "/new?from=999999", noticesPath + "/new?from=x"} {
		admin.get(path).want(404)
	}
	s.as(queriestest.OtherAdmin).get(noticesPath + "/new?from=1").want(404)
}

// What is typed survives that somebody else deletes the notice, and can be saved.
func TestSaveDeletedNotice(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	path := s.addNotice("예약", 26*time.Hour)
	typed := func(action string) []string {
		return []string{"action", action, "version", "1", "title", "고친 제목", "body", "고친 **본문**", "when", "reserved", "date", "2026-11-24", "time", "09:00", "audience", "chosen", "targets", `[{"type":"department","id":2,"include_children":true}]`}
	}
	admin.post(path + "/delete").leads(noticesPath)
	admin.upload(path, nil, typed("save")...).want(409).shows("김서연 님이 10:00에 이 공지를 삭제했습니다.", `value="고친 제목"`, "고친 **본문**", `value="2026-11-24"`, "영업본부", `value="restore"`, "복원해서 저장", `value="copy"`, "새 공지로 저장")
	admin.upload("/en"+path, nil, typed("save")...).want(409).shows("김서연 deleted this notice at 10:00.", "Restore and save", "Save as new notice")
	admin.upload(path, nil, typed("restore")...).leads(noticesPath)
	if n := s.count("select count(*) from notices where deleted_at is null and title = '고친 제목' and publish_at = '2026-11-24 00:00Z'"); n != 1 {
		t.Error("it was not restored and saved")
	}
	admin.post(path + "/delete").leads(noticesPath)
	copied := typed("copy")
	copied[5] = ""
	admin.upload(path, nil, copied...).want(422).shows("제목을 입력해 주세요.", `action="/manage/notice"`, "고친 **본문**").hides("복원해서 저장")
	s.clock.Advance(7 * 24 * time.Hour)
	admin = s.as(queriestest.Admin)
	late := typed("restore")
	late[11] = "2026-12-24"
	admin.upload(path, nil, late...).want(409).shows("11월 20일 10:00에 이 공지를 삭제했습니다", "새 공지로 저장", `value="고친 제목"`).hides(`value="restore"`)
	late[1] = "copy"
	admin.upload(path, nil, late...).leads(noticesPath)
	if n := s.count("select count(*) from notices where deleted_at is null and publish_at = '2026-12-24 00:00Z'"); n != 1 {
		t.Error("it was not saved as a new notice")
	}
	s.as(queriestest.OtherAdmin).upload(path, nil, typed("restore")...).want(404)
}

func TestNoticeFormRefuses(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, test := range []struct {
		language string
		pairs    []string
		shows    []string
	}{
		{"", []string{"audience", "chosen"}, []string{"제목을 입력해 주세요.", "본문을 입력해 주세요.", "대상을 선택해 주세요.", `href="#title"`, `href="#body"`, `href="#targets"`}},
		{"", []string{"when", "reserved"}, []string{"발송일과 시각을 입력해 주세요.", "제목을 입력해 주세요.", `href="#publish_at"`}},
		{"", []string{"when", "reserved", "date", "2026-11-20", "time", "10:00"}, []string{"예약 시각은 등록 시각 이후여야 합니다.", `value="2026-11-20"`, `id="publish_at-error"`}},
		{"/en", []string{"when", "reserved", "date", "2026-11-20", "time", "10:00"}, []string{"The reservation time must be after the time of registration."}},
		{"/ja", []string{"when", "reserved", "date", "2026-11-20", "time", "10:00"}, []string{"予約時刻は登録時刻より後にしてください。"}},
		{"", []string{"when", "reserved", "date", "2027-11-22", "time", "10:00"}, []string{"1년 뒤까지만"}},
		{"", []string{"when", "reserved", "date", "2026-02-30", "time", "10:00"}, []string{"다시 확인해 주세요."}},
		{"", []string{"title", strings.Repeat("가", 101), "body", strings.Repeat("나", 20_001)}, []string{"100자까지", "20,000자까지"}},
		{"", []string{"attachment_id", "99"}, []string{"없어진 파일이 있습니다."}},
	} {
		admin.upload(test.language+noticesPath, nil, append([]string{"action", "save"}, test.pairs...)...).want(422).shows(test.shows...).hides("⟦")
	}
	s.exec("update companies set time_zone = 'America/New_York' where id = 1")
	admin = s.as(queriestest.Admin)
	admin.upload(noticesPath, nil, noticeFieldsAt("2027-03-14", "02:30")...).want(422).shows("서머타임", `value="2027-03-14"`, `value="02:30"`, `value="정기 점검"`)
	if n := s.count("select count(*) from notices"); n != 0 {
		t.Errorf("%d were added", n)
	}
	admin.post(noticesPath, "title", "가").want(422)
	admin.upload(noticesPath, nil, noticeFields("attachment_id", "x")...).want(422)
	admin.upload(noticesPath, nil, "title", "가").want(422)
}

func noticeFieldsAt(date, clock string) []string {
	return []string{"action", "save", "title", "정기 점검", "body", "본문", "audience", "everyone", "when", "reserved", "date", date, "time", clock}
}

// Without scripts, files come with the form, and stay with it when it is shown
// again.
func TestNoticeWithoutScripts(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	page := admin.uploadAs("file", noticesPath, &file{"일정.csv", []byte("날짜\n")}, "action", "preview", "title", "점검", "body", "**굵게** <script>", "audience", "chosen", "target", "department:2", "when", "now")
	page.want(200).shows("일정.csv", "<strong>굵게</strong>", `value="점검"`, "영업본부", "2명에게 바로 게시합니다")
	if strings.Contains(page.body, "굵게</strong> <script>") {
		t.Error("the preview has a script")
	}
	id := fmt.Sprint(s.count("select id from notice_attachments"))
	page.shows(`name="attachment_id" value="` + id + `" checked`)
	found := admin.upload(noticesPath, nil, "action", "find", "find", "연구", "title", "점검", "attachment_id", id, "when", "now", "audience", "chosen")
	found.want(200).shows("한빛테크/연구소", `value="department:5"`, "일정.csv")
	admin.upload(noticesPath, nil, "action", "find", "find", "가", "when", "now").want(422).shows("검색어는 2자 이상").hides("검색 결과가 없습니다")
	// The Enter key searches, or shows the preview; it does not publish.
	admin.get(noticesPath + "/new").want(200).shows(`><button name="action" value="enter" hidden></button>`)
	published := s.count("select count(*) from notices")
	admin.upload(noticesPath, nil, append(noticeFields()[2:], "action", "enter", "find", "연구")...).want(200).shows(`value="department:5"`)
	admin.upload(noticesPath, nil, append(noticeFields()[2:], "action", "enter", "find", "  ")...).want(200).shows(`value="정기 점검"`).hides("검색 결과가 없습니다")
	if n := s.count("select count(*) from notices"); n != published {
		t.Errorf("%d notices were published", n-published)
	}
	admin.upload(noticesPath, nil, noticeFields("attachment_id", id)...).leads(noticesPath)
	if n := s.count("select count(*) from notice_attachments where notice_id is not null"); n != 1 {
		t.Error("the file is not attached")
	}
	large := admin.uploadAs("file", noticesPath, &file{"큰 파일", make([]byte, notice.MaxFileBytes+1)}, noticeFields()...)
	large.want(422).shows("10MB까지 올릴 수 있습니다.", `value="정기 점검"`)
}

func TestNoticePreviewAndSummary(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	preview := admin.post(noticesPath+"/preview", "body", "# 제목\n[나쁜](javascript:alert(1)) <img src=x onerror=alert(1)>").want(200)
	if !strings.Contains(preview.body, "<h3>제목</h3>") || strings.Contains(preview.body, "<img") || strings.Contains(preview.body, "javascript:") {
		t.Errorf("the preview is %s", preview.body)
	}
	for language, want := range map[string]string{"": "4명에게 2026년 11월 24일 화요일 09:00에 게시합니다 · 3일 23시간 뒤", "/en": "at 09:00 · in 3 days 23 hours", "/ja": "掲載します · 3日23時間後"} {
		admin.post(language+noticesPath+"/summary", "audience", "chosen", "targets", `[{"type":"department","id":2,"include_children":true}]`, "when", "reserved", "date", "2026-11-24", "time", "09:00").want(200).shows(want)
	}
	admin.post(noticesPath+"/summary", "audience", "everyone", "when", "now").want(200).shows("7명에게 바로 게시합니다")
	admin.post(noticesPath+"/summary", "audience", "everyone", "when", "reserved").want(200).shows("발송일과 시각을 입력해 주세요")
	admin.post(noticesPath+"/summary", "audience", "everyone", "when", "reserved", "date", "2026-11-20", "time", "10:01").want(200).shows("1분 뒤")
	admin.post(noticesPath+"/summary", "audience", "everyone", "when", "reserved", "date", "2026-11-20", "time", "10:00").want(200).shows("예약 시각은 등록 시각 이후여야 합니다.")
	admin.post("/en"+noticesPath+"/summary", "audience", "chosen", "targets", `[{"type":"user","id":8}]`, "when", "now").want(200).shows("Publishes to 1 person immediately")
	admin.post(noticesPath+"/summary", "targets", "x").want(422)

	// A summary that is still asked for while the notice is saved must not take the
	// toast from the page that follows.
	admin.upload(noticesPath, nil, noticeFields()...).leads(noticesPath)
	admin.post(noticesPath+"/summary", "audience", "everyone", "when", "now").want(200)
	admin.get(noticesPath).shows("공지를 등록했습니다.")
}
