package handlers_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/handlers"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

// notice inserts a notice that was published a number of hours ago.
func (s *site) notice(title, body string, hours int) int64 {
	s.t.Helper()
	return queriestest.InsertNotice(s.t, s.db, queriestest.Notice{Title: title, Body: body, PublishAt: queriestest.Now.Add(-time.Duration(hours) * time.Hour)})
}

func TestReadNotices(t *testing.T) {
	s := newSite(t)
	employee := s.as(queriestest.Employee)
	employee.get("/notice").want(200).shows("받은 공지가 없습니다").hides("<article")
	first := s.notice("서약서 <b>제출</b>", "# 안내\n<script>alert(1)</script> [나쁜](javascript:alert(1)) [포털](https://portal.example)", 2)
	s.notice("주차장 공사", "본문", 1)
	queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "영업 공지", PublishAt: queriestest.Now, Departments: map[int64]bool{queriestest.Sales: true}})
	s.notice("예약 공지", "본문", -1)

	list := employee.get("/notice").want(200).shows("안 읽은 공지", "주차장 공사", "한빛테크", "공지를 선택해 주세요").hides("읽은 것 없음", "영업 공지", "예약 공지", "data-island")
	if !strings.Contains(list.body, ">2</span>") || strings.Contains(list.text(), "읽은 공지</h2>") && !strings.Contains(list.text(), "안 읽은 공지") {
		t.Error("two are unread, none is read")
	}
	path := fmt.Sprintf("/notice/%d", first)
	open := employee.get(path).want(200)
	for _, want := range []string{"<h3>안내</h3>", "&lt;script&gt;alert(1)&lt;/script&gt;", "나쁜 <a href=\"https://portal.example\" rel=\"noopener noreferrer\" target=\"_blank\">포털</a>", "서약서 &lt;b&gt;제출&lt;/b&gt;"} {
		if !strings.Contains(open.body, want) {
			t.Errorf("the notice lacks %q", want)
		}
	}
	open.shows("한빛테크 김서연", "2026년 11월 20일 금요일 08:00", "안 읽은 공지", `aria-current="page"`).hides("javascript:")
	if strings.Count(open.body, "<h1") != 1 {
		t.Error("the page does not have one heading")
	}
	if got := s.count("select count(*) from notice_reads where notice_id = $1 and user_id = $2", first, queriestest.Employee); got != 1 {
		t.Error("the notice is not read")
	}
	if n := strings.Count(open.body, " data-unread"); n != 1 {
		t.Errorf("%d notices are marked as unread beside the open one", n)
	}
	// It stays where it was until the next page.
	if strings.Contains(open.text(), "<h2>읽은 공지") {
		t.Error("the open notice is already among those read")
	}
	employee.get("/notice").shows("<h2>읽은 공지").shows(">1</span>")
	employee.get(path).want(200)
	if got := s.count("select sum(readers) from notice_read_counts where notice_id = $1", first); got != 1 {
		t.Errorf("%d readers are counted", got)
	}
	for path, status := range map[string]int{
		"/notice/999999": 404, "/notice/x": 404, "/notice/0": 404, "/notice?q=가": 422, "/notice?cursor=x": 404, "/notice?q=a+b+c+d": 200,
	} {
		employee.get(path).want(status)
	}
	employee.get("/notice?q=" + url.QueryEscape("ㅈㅊㅈ")).shows("주차장 공사").hides("서약서")
	employee.get("/notice?q=" + url.QueryEscape("없는 공지")).want(200).shows("조건에 맞는 공지가 없습니다")
	employee.get("/en/notice").want(200).shows("Unread", "Read", "Choose a notice")
	employee.get("/ja/notice").want(200).shows("未読のお知らせ", "お知らせを選択してください")
	s.as(queriestest.Admin).get("/notice").want(200).shows("주차장 공사", "관리자")
	s.nobody().get("/notice").want(303)
}

// Browsers that load pages ahead do not read them.
func TestPrefetchedNotice(t *testing.T) {
	s := newSite(t)
	id := s.notice("서약서", "본문", 1)
	s.as(queriestest.Employee).with("Sec-Purpose", "prefetch;prerender").get(fmt.Sprintf("/notice/%d", id)).want(204)
	if n := s.count("select count(*) from notice_reads"); n != 0 {
		t.Errorf("%d reads", n)
	}
}

func TestMoreNotices(t *testing.T) {
	s := newSite(t)
	for i := range 32 {
		s.notice(fmt.Sprintf("공지 %02d", i), "본문", i+1)
	}
	employee := s.as(queriestest.Employee)
	first := employee.get("/notice").want(200).shows("공지 00", "공지 29", "30+", "안 읽은 공지 더 보기").hides("공지 30")
	more := linkTo(t, first, "안 읽은 공지 더 보기")
	employee.get(more).want(200).shows("공지 30", "공지 31", "최근 공지로").hides("공지 29", "더 보기")
	open := linkTo(t, employee.get(more), "공지 31")
	employee.get(open).want(200).shows("공지 30", "최근 공지로")
	s.exec("insert into notice_reads select company_id, id, $1, now() from notices on conflict do nothing", queriestest.Employee)
	first = employee.get("/notice").want(200).shows("이전 공지 더 보기", "공지 19").hides("안 읽은 공지", "공지 20")
	employee.get(linkTo(t, first, "이전 공지 더 보기")).want(200).shows("공지 20", "공지 31").hides("공지 19")
}

// linkTo returns the address of the link around a text.
func linkTo(t *testing.T, a answer, text string) string {
	t.Helper()
	body := a.text()
	at := strings.Index(body, text)
	from := strings.LastIndex(body[:max(at, 0)], `href="`)
	if at < 0 || from < 0 {
		t.Fatalf("no link around %q", text)
	}
	address, _, _ := strings.Cut(body[from+len(`href="`):], `"`)
	return address
}

func TestDownload(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	id := s.notice("서약서", "본문", 1)
	page := queriestest.InsertAttachment(t, s.db, files, id, "서약서/2026\n\"최종\".html", "text/html; charset=utf-8", []byte("<script>alert(1)</script>"))
	queriestest.InsertAttachment(t, s.db, files, id, "표.txt", "text/plain; charset=utf-8", bytes.Repeat([]byte("가나다라"), 5000))
	other := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "영업", PublishAt: queriestest.Now, Departments: map[int64]bool{queriestest.Sales: true}})
	secret := queriestest.InsertAttachment(t, s.db, files, other, "기밀.txt", "text/plain", []byte("기밀"))
	employee := s.as(queriestest.Employee)
	path := func(notice, file int64) string { return fmt.Sprintf("/notice/%d/attachments/%d", notice, file) }

	employee.get(fmt.Sprintf("/notice/%d", id)).shows("첨부 파일 2개", "14일 남았습니다.", "12월 4일 09:00까지 내려받을 수 있습니다.", path(id, page), "모두 내려받기 (zip)")
	a := employee.with("Accept-Encoding", "gzip").get(path(id, page)).want(200)
	for name, want := range map[string]string{
		"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
		"Cache-Control": "private, no-cache", "Content-Length": "25", "Content-Encoding": "",
		"Content-Disposition": `attachment; filename="____2026____.html"; filename*=UTF-8''%EC%84%9C%EC%95%BD%EC%84%9C_2026_%EC%B5%9C%EC%A2%85_.html`,
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	if a.body != "<script>alert(1)</script>" {
		t.Errorf("content %q", a.body)
	}
	if part := employee.with("Range", "bytes=8-").get(path(id, page)).want(http.StatusPartialContent); part.body != "alert(1)</script>" {
		t.Errorf("part %q", part.body)
	}
	employee.with("If-None-Match", a.header.Get("Etag")).get(path(id, page)).want(http.StatusNotModified)
	all := employee.get(fmt.Sprintf("/notice/%d/attachments.zip", id)).want(200)
	archive, err := zip.NewReader(strings.NewReader(all.body), int64(len(all.body)))
	if err != nil || len(archive.File) != 2 || archive.File[0].Name != "서약서_2026_최종_.html" || archive.File[1].UncompressedSize64 != 60000 {
		t.Fatalf("archive: %v %+v", err, archive)
	}
	if got := s.count("select count(*) from notice_downloads where user_id = $1", queriestest.Employee); got != 1 {
		t.Errorf("%d downloads are noted", got)
	}
	for _, refused := range []string{path(other, secret), path(id, secret), path(id, 999_999), path(other, page), fmt.Sprintf("/notice/%d/attachments.zip", other), path(id, 0)} {
		employee.get(refused).want(404).hides("기밀")
	}
	s.as(queriestest.Viewer).get(path(other, secret)).want(200)
	s.as(queriestest.Admin).get(path(other, secret)).want(200)
	s.nobody().get(path(id, page)).want(303)

	s.clock.Advance(notice.DownloadTime)
	employee = s.as(queriestest.Employee)
	employee.get(fmt.Sprintf("/notice/%d", id)).want(200).shows("내려받기 기간이 12월 4일에 끝났습니다.", "표.txt", "기간 끝남").hides(path(id, page), "attachments.zip")
	for _, gone := range []string{path(id, page), fmt.Sprintf("/notice/%d/attachments.zip", id)} {
		employee.get(gone).want(404).shows("첨부 파일의 내려받기 기간이 끝났습니다.")
		employee.with("Accept", "application/json").get(gone).want(404).shows(`"code":"attachment.expired"`)
	}
}

// A reader of a deleted notice is told so; nobody else learns that it ever was.
func TestDeletedNotice(t *testing.T) {
	s := newSite(t)
	published := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "영업 공지", PublishAt: queriestest.Now.Add(-time.Hour), Departments: map[int64]bool{queriestest.Sales: true}})
	reserved := s.notice("예약", "본문", -1)
	admin := s.as(queriestest.Admin)
	for _, id := range []int64{published, reserved} {
		admin.post(fmt.Sprintf("/manage/notice/%d/delete", id)).want(303)
	}
	const missing, deleted = "페이지를 찾을 수 없습니다", "삭제된 공지입니다"
	path := fmt.Sprintf("/notice/%d", published)
	s.as(queriestest.Viewer).get(path).want(404).shows(deleted).hides(missing, "영업 공지")
	s.as(queriestest.Viewer).get(path + "/attachments.zip").want(404).shows(deleted)
	s.as(queriestest.Employee).get(path).want(404).shows(missing).hides(deleted)
	s.as(queriestest.OtherAdmin).get(path).want(404).shows(missing).hides(deleted)
	s.as(queriestest.Viewer).get(fmt.Sprintf("/notice/%d", reserved)).want(404).shows(missing).hides(deleted)
}

func TestMissingBlob(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	id := s.notice("서약서", "본문", 1)
	file := queriestest.InsertAttachment(t, s.db, files, id, "가.txt", "text/plain", []byte("가"))
	if err := files.Remove(t.Context(), queriestest.LookUp(t, s.db, "select blob from notice_attachments where id = $1", file)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fmt.Sprintf("/notice/%d/attachments/%d", id, file), fmt.Sprintf("/notice/%d/attachments.zip", id)} {
		a := s.as(queriestest.Employee).get(path).want(404)
		if a.header.Get("Content-Disposition") != "" {
			t.Errorf("%s: the error is a file", path)
		}
	}
}
