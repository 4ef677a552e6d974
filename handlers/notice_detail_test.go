package handlers_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/exports"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

func (s *site) read(id int64, users ...int64) {
	s.t.Helper()
	for _, user := range users {
		if err := s.db.Notices.MarkRead(s.t.Context(), queriestest.Hanbit, user, id); err != nil {
			s.t.Fatal(err)
		}
	}
}

func TestNoticeDetail(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	id := s.notice("서약서 제출", "# 안내\n<b>굵게</b>", 5)
	path := fmt.Sprintf("/manage/notice/%d", id)
	body := admin.get(path).want(200).shows("서약서 제출", "즉시 게시", "전 직원", "2026년 11월 20일 금요일 05:00", "미확인자에게 알림", "내부 공지")
	if !strings.Contains(body.body, "<h3>안내</h3>") || !strings.Contains(body.body, "&lt;b&gt;굵게") {
		t.Error("the text is not rendered")
	}
	admin.get(path+"/readers").want(200).shows("미확인자", "7명", "근무 중인 7명에게 바로 갑니다", "이준호", "Olivia Martin", "0%", "한빛테크 직속").hides("모두 읽었습니다")
	s.read(id, queriestest.Employee, queriestest.Kim)
	admin.get(path+"/readers").want(200).shows("<dd>7", "<dd>2", "28%", "<dd>5", "영업본부", "연구소", "100%", "표로 보기", `class="line"`, "알림").hides("이준호")
	admin.get(path+"/readers?read=true").want(200).shows("이준호", "김철수", "읽은 시각", "11/20 10:00").hides("Olivia Martin")
	admin.get(path+fmt.Sprintf("/readers?department_id=%d", queriestest.Sales)).want(200).shows("국내영업팀", "해외영업팀", "영업본부 직속", "상위 부서", "박지민").hides("佐藤ひろし", "일본지사</a>")
	admin.get(path + "/readers?q=" + url.QueryEscape("ㅂㅈㅁ")).want(200).shows("박지민").hides("최유진")
	admin.get(path + "/readers?q=" + url.QueryEscape("아무도")).want(200).shows("조건에 맞는 사람이 없습니다")
	admin.get(path + "/files").want(200).shows("첨부 파일이 없습니다")
	admin.get("/en"+path+"/readers").want(200).shows("Recipients", "Not read", "Show as a table", "5 people")
	if ja := admin.get("/ja" + path).want(200); strings.Count(ja.body, `<bdi lang="ko">서약서 제출</bdi>`) != 2 || !strings.Contains(ja.body, `<div class="prose prose-read" lang="ko">`) {
		t.Error("a Korean notice is not marked on a Japanese page")
	}
	if strings.Contains(body.body, `<bdi lang=`) {
		t.Error("a Korean notice is marked on a Korean page")
	}
	admin.get("/ja"+path+"/readers").want(200).shows("既読状況", "未読", "表で見る", "5人")
	for path, status := range map[string]int{
		path + "/readers?q=가": 422, path + "/readers?read=maybe": 404, path + "/readers?department_id=x": 404, path + "/readers?cursor=x": 404,
		"/manage/notice/999999": 404, "/manage/notice/999999/readers": 404, "/manage/notice/999999/reminders": 404,
	} {
		admin.get(path).want(status)
	}
	s.read(id, queriestest.Admin, queriestest.Viewer, queriestest.Manager, queriestest.Foreigner, queriestest.Japanese)
	admin.get(path+"/readers").want(200).shows("모두 읽었습니다", "100%").hides("미확인자에게 알림")

	reserved := s.notice("예약 공지", "본문", -5)
	admin.get(fmt.Sprintf("/manage/notice/%d/readers", reserved)).want(200).shows("아직 게시되지 않은 공지입니다").hides("미확인자에게 알림", "<svg class=\"chart\"", ">0%<")
	s.as(queriestest.Employee).get(path + "/readers").want(303)
	other := queriestest.InsertNotice(t, s.db, queriestest.Notice{Company: queriestest.Other, Title: "남", PublishAt: queriestest.Now})
	admin.get(fmt.Sprintf("/manage/notice/%d", other)).want(404)
}

// Beside each person is what they do at the moment, and when they were last seen.
func TestWorkOfReaders(t *testing.T) {
	s := newSite(t)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clocks(queriestest.Kim, workday.In, "2026-11-20T08:50:00")
	s.exec("update day_records set starts_at = '2026-11-20 13:00+09' where user_id = $1", queriestest.Foreigner)
	s.exec("update day_records set day_type = 'leave', presence = 'not_due' where user_id = $1", queriestest.Japanese)
	seen := func(id int64, at string) {
		s.exec(`insert into sign_ins (company_id, user_id, created_at, seen_at, expires_at, idle_seconds, address, user_agent)
			values (1, $1, $2::timestamptz, $2::timestamptz, $2::timestamptz, 0, '192.0.2.1', '')`, id, at)
	}
	seen(queriestest.Kim, "2026-11-20 09:20+09")
	seen(queriestest.Foreigner, "2026-11-19 21:54+09")
	path := fmt.Sprintf("/manage/notice/%d/readers", s.notice("서약서", "본문", 5))
	admin := s.as(queriestest.Admin)
	row := func(path, name string) string {
		t.Helper()
		_, row, _ := strings.Cut(admin.get(path).want(200).text(), name+"</bdi></b>")
		row, _, _ = strings.Cut(row, "</tr>")
		return row
	}
	for name, want := range map[string][]string{
		"김철수": {"근무 중", "40분 전"}, "Olivia Martin": {"13:00 출근", "어제 21:54"}, "佐藤ひろし": {"휴가", "30일 동안 없음"}, "박지민": {"09:00 출근", "30일 동안 없음"},
	} {
		for _, want := range want {
			if got := row(path, name); !strings.Contains(got, want) {
				t.Errorf("the row of %s lacks %q: %s", name, want, got)
			}
		}
	}
	if got := row("/en"+path, "Olivia Martin"); !strings.Contains(got, "From 13:00") || !strings.Contains(got, "Yesterday") {
		t.Errorf("in English: %s", got)
	}
	s.exec("delete from day_records")
	if got := row("/ja"+path, "佐藤ひろし"); !strings.Contains(got, "–") || !strings.Contains(got, "30日間なし") {
		t.Errorf("without records: %s", got)
	}
	s.exec("insert into notice_reads select company_id, id, $1, now() from notices on conflict do nothing", queriestest.Kim)
	if got := row(path+"?read=true", "김철수"); !strings.Contains(got, "40분 전") {
		t.Errorf("among the readers: %s", got)
	}
}

func TestRemindByPage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	id := s.notice("서약서 제출", "본문", 5)
	path := fmt.Sprintf("/manage/notice/%d", id)
	s.read(id, queriestest.Employee)
	admin.get(path+"/reminders").want(200).shows("읽지 않은 사람에게 알림을 보내시겠습니까?", "근무 중인 6명에게 바로 갑니다", "6명에게 알림")
	admin.post(path + "/reminders").leads(path + "/readers")
	admin.get(path+"/readers").shows("6명에게 알림을 보냅니다", "알림 6명", `class="event"`)
	admin.post(path + "/reminders").leads(path + "/readers")
	admin.get(path + "/readers").shows("11:00부터 다시 보낼 수 있습니다")
	if n := s.count("select count(*) from notice_reminders"); n != 1 {
		t.Errorf("%d reminders", n)
	}
	s.clock.Advance(9 * time.Hour) // 19:00
	admin = s.as(queriestest.Admin)
	admin.get(path+"/reminders").shows("6명에게 다음 근무가 시작될 때 갑니다", "11/23 09:00")
	s.read(id, queriestest.Admin, queriestest.Viewer, queriestest.Manager, queriestest.Foreigner, queriestest.Japanese, queriestest.Kim)
	admin.get(path + "/reminders").leads(path + "/readers")
	admin.post(path + "/reminders").leads(path + "/readers")
	admin.get(path + "/readers").shows("모두 읽어서 알릴 사람이 없습니다")
	admin.post("/manage/notice/999999/reminders").want(404)
	s.as(queriestest.Employee).post(path + "/reminders").leads("/logs/workingattitude/day")
	s.clock.Advance(notice.DownloadTime)
	s.as(queriestest.Admin).get(path).shows("만료")
}

func TestNoticeHistory(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	path := s.addNotice("예약 공지", 48*time.Hour)
	steps := []func(){
		func() {
			admin.upload(path, nil, "action", "save", "version", "1", "title", "고친 공지", "body", "첫 줄\n<b>둘째 줄</b>", "when", "reserved", "date", "2026-11-24", "time", "09:00",
				"audience", "chosen", "targets", `[{"type":"department","id":2,"include_children":true},{"type":"user","id":8}]`).leads(noticesPath)
		},
		func() { admin.post(path + "/delete").leads(noticesPath) },
		func() { admin.post(path + "/restoration").leads(noticesPath) },
	}
	for _, step := range steps {
		s.clock.Advance(time.Minute)
		step()
	}
	shows := []string{"변경 이력", "11월 22일 10:00 게시로 예약했습니다", "예약을 수정했습니다", "<del>예약 공지</del>", "<ins>고친 공지</ins>", "첫 줄", "둘째 줄", "전 직원", "영업본부(하위 포함)", "佐藤ひろし",
		"2026년 11월 24일 09:00", "예약을 취소했습니다", "복원했습니다", "김서연", "11월 20일 10:03"}
	admin.get(path+"/history").want(200).shows(shows...).hides("예약한 시각에 게시되었습니다", "⟦")
	admin.get("/en"+path+"/history").want(200).shows("Reservation edited", "Reservation cancelled", "Restored", "incl. sub-departments").hides("⟦")
	admin.get("/ja"+path+"/history").want(200).shows("予約を編集しました", "下位を含む").hides("⟦")
	s.clock.Advance(4 * 24 * time.Hour)
	admin = s.as(queriestest.Admin)
	admin.post(path + "/reminders").leads(path + "/readers")
	body := admin.get(path+"/history").want(200).shows("예약한 시각에 게시되었습니다", "에게 알림을 보냈습니다").body
	if strings.Index(body, "알림을 보냈습니다") > strings.Index(body, "예약한 시각에") || strings.Index(body, "예약한 시각에") > strings.Index(body, "복원했습니다") {
		t.Error("the events are not in their order")
	}
	s.exec("insert into changes (company_id, at, actor_name, action, object_type, object_id, object_name) select 1, timestamptz '2026-11-25 00:00Z' + i * interval '1 second', '', 'notice.deleted', 'notice', 1, '' from generate_series(1, 40) i")
	first := admin.get(path+"/history").want(200).shows("이전 이력 더 보기").hides("게시로 예약했습니다", "최근 이력으로")
	earlier := regexp.MustCompile(`href="([^"]*history\?cursor=[^"]*)"`).FindStringSubmatch(first.text())
	admin.get(earlier[1]).want(200).shows("최근 이력으로", "게시로 예약했습니다", "예약한 시각에 게시되었습니다").hides("이전 이력 더 보기")
	old := queriestest.InsertNotice(t, s.db, queriestest.Notice{Company: queriestest.Hanbit, Title: "오래된 공지", PublishAt: queriestest.Now})
	admin.get(fmt.Sprintf("/manage/notice/%d/history", old)).want(200).shows("바로 게시했습니다").hides("예약한 시각에 게시되었습니다")
	admin.get(path + "/history?cursor=x").want(404)
	s.as(queriestest.OtherAdmin).get(path + "/history").want(404)
	s.as(queriestest.Employee).get(path + "/history").want(303)
}

func TestExportReaders(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	id := s.notice("서약서", "본문", 5)
	s.read(id, queriestest.Employee, queriestest.Kim)
	path := fmt.Sprintf("/manage/notice/%d/readers", id)
	admin.get(path+"?read=true").want(200).shows("내보내기", "export?format=csv&read=true")
	read := admin.get(path + "/export?format=csv&read=true").want(200)
	read.shows("이름,사번,부서,직위,읽은 시각", "이준호", "김철수,H0006,국내영업팀", "2026-11-20 10:00").hides("Olivia Martin")
	if got := read.header.Get("Content-Disposition"); got != fmt.Sprintf(`attachment; filename="notice-%d-read.csv"`, id) {
		t.Errorf("the file is %s", got)
	}
	admin.get(path + "/export?format=csv").want(200).shows("Olivia Martin").hides("이준호")
	admin.get(path + "/export?format=csv&q=" + url.QueryEscape("박지민")).want(200).shows("박지민").hides("Olivia Martin")
	admin.get(fmt.Sprintf("/en%s/export?format=csv&department_id=%d", path, queriestest.Sales)).want(200).shows("Name,Employee ID", "박지민").hides("佐藤ひろし")
	if body := admin.get(path + "/export?format=xlsx").want(200).body; !strings.HasPrefix(body, "PK") {
		t.Error("the file is no workbook")
	}
	if n := s.count("select count(*) from changes where action = 'export.downloaded' and new ->> 'notice_id' = $1::text", fmt.Sprint(id)); n != 5 {
		t.Errorf("%d downloads are in the change log", n)
	}
	for query, status := range map[string]int{"": 404, "?format=pdf": 404, "?format=csv&read=maybe": 404, "?format=csv&q=가": 422} {
		admin.get(path + "/export" + query).want(status)
	}
	admin.get(fmt.Sprintf("/manage/notice/%d/readers/export?format=csv", s.notice("예약", "본문", -5))).want(404)
	s.as(queriestest.OtherAdmin).get(path + "/export?format=csv").want(404)
	s.as(queriestest.Employee).get(path + "/export?format=csv").want(303)

	// A list that is too large is written in the background, below its own list.
	s.exec(`insert into exports (company_id, user_id, request, file_name, state, created_at, expires_at)
		values (1, 1, jsonb_build_object('list', 'readers', 'notice_id', $1::bigint, 'read', true, 'format', 'csv', 'locale', 'ko'), 'notice-1-read.csv', 'waiting', now(), '2030-01-01')`, id)
	written := fmt.Sprint(path, "/exports/", s.count("select id from exports"))
	if waiting := admin.get(written).want(200).shows("notice-1-read.csv", written+"/cancellation"); waiting.header.Get("Refresh") == "" {
		t.Error("the page does not reload itself")
	}
	if err := exports.Run(t.Context(), s.db); err != nil {
		t.Fatal(err)
	}
	admin.get("/en" + written).want(200).shows(written + "/file")
	admin.get(written+"/file").want(200).shows("이준호", "김철수").hides("Olivia Martin")
	admin.post(written + "/cancellation").leads(written) // it is complete
	s.as(queriestest.Employee).get(written + "/file").leads("/logs/workingattitude/day")
	s.as(queriestest.OtherAdmin).get(written + "/file").want(404)
}
