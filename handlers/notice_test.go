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

func TestNotices(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(noticesPath).want(200).shows("등록된 공지가 없습니다", `href="/manage/notice" aria-current="page"`).hides("<table", `type="search"`)
	published, reserved := s.addNotice("정기 점검", 0), s.addNotice("<script>alert(1)</script>", 26*time.Hour)
	s.exec("insert into notice_read_counts (company_id, notice_id, shard, readers) select 1, id, n, 2 from notices cross join generate_series(1, 2) n where title = '정기 점검'")
	page := admin.get(noticesPath).want(200)
	page.shows("정기 점검", "본문 정기 점검", "4/7", "(57%)", `<rect width="57"`, "게시 전 · 7명", "11/21 12:00", "전 직원", "김서연", published+"/delete", reserved+"/delete")
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
		{"?q=가", 422, "검색어는 2자 이상", "<table"},
		{"?q=aa+bb+cc+dd", 422, "3개까지", "<table"},
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
	first := admin.get(noticesPath).want(200).shows("공지 44", "공지 25", "전체 45개 중 1–20", `<span class="count">45</span>`).hides("공지 24")
	second := admin.get(first.next("next")).want(200).shows("공지 24", "공지 05", "전체 45개 중 21–40")
	admin.get(second.next("next")).want(200).shows("공지 04", "공지 00", "전체 45개 중 41–45").hides(`rel="next"`)
	admin.get(second.next("prev")).want(200).shows("공지 44", "전체 45개 중 1–20")
	admin.get(noticesPath+"?sort=published").want(200).shows("공지 00", "공지 19", `aria-sort="ascending"`).hides("공지 20")
}

func TestDeleteNotices(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	one, two, three := s.addNotice("하나", 0), s.addNotice("둘", time.Hour), s.addNotice("셋", 48*time.Hour)
	admin.post("/en" + one + "/delete").leads("/en" + noticesPath)
	admin.get("/en" + noticesPath).shows("“하나” was deleted.", "Undo").hides("<bdi>하나")
	admin.get(noticesPath+"?status=deleted").want(200).shows("<bdi>하나", one+"/restoration", "삭제일").hides("data-pick")
	id := func(path string) string { return strings.TrimPrefix(path, noticesPath+"/") }
	admin.post(noticesPath+"/delete", "id", id(two), "id", id(three)).leads(noticesPath)
	admin.undo(noticesPath).leads(noticesPath)
	admin.get(noticesPath).shows("공지를 되살렸습니다.", "<bdi>둘", "<bdi>셋").hides("<bdi>하나")
	admin.post(one + "/restoration").leads(noticesPath)
	admin.get(noticesPath).shows("<bdi>하나")

	admin.post(two + "/delete").leads(noticesPath)
	s.clock.Advance(2 * time.Hour)
	admin = s.as(queriestest.Admin)
	admin.get(noticesPath + "?status=deleted").shows("<bdi>둘").hides(two + "/restoration")
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
