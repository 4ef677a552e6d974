package handlers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

// People of the same name can be told apart where they are searched, chosen and listed,
// and in the history of the notice.
func TestNamesakesOfNotices(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec("update users set name = '강대민' where id in ($1, $2)", queriestest.Employee, queriestest.Kim)
	page := admin.upload(noticesPath, nil, "action", "preview", "title", "점검", "audience", "chosen", "when", "now", "target", fmt.Sprint("user:", queriestest.Employee), "target", fmt.Sprint("user:", queriestest.Kim)).want(200)
	page.shows("메신저팀 · 사원</small>", "국내영업팀 · 사원</small>")
	if got := page.text(); !strings.Contains(got, `"name":"강대민","path":"메신저팀 · 사원"`) {
		t.Error("the chips do not tell them apart")
	}

	by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
	at := s.clock.Now().Add(time.Hour)
	created, err := s.db.Notices.Create(t.Context(), by, notice.Draft{Title: "점검", Body: "본문", PublishAt: &at, Targets: notice.Targets{UserIDs: []int64{queriestest.Employee}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.db.Notices.Update(t.Context(), by, created.ID, 0, func(d notice.Draft) notice.Draft {
		d.Targets = notice.Targets{UserIDs: []int64{queriestest.Kim}}
		return d
	})
	if err != nil {
		t.Fatal(err)
	}
	one := fmt.Sprint(noticesPath, "/", created.ID)
	admin.get(one+"/history").want(200).shows("강대민 · 메신저팀", "강대민 · 국내영업팀")
	admin.get(one).want(200).shows(`title="강대민 · 국내영업팀"`)
	admin.get(noticesPath).want(200).shows(`title="강대민 · 국내영업팀"`)
}

// The search for targets without scripts shows where people belong, and says that
// nothing was found only after a search.
func TestFoundTargets(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.upload(noticesPath, nil, "action", "find", "find", "김철수", "audience", "chosen", "when", "now").want(200).shows("김철수", "국내영업팀 · 사원</small>")
	admin.upload(noticesPath, nil, "action", "find", "find", "없는 이름", "audience", "chosen", "when", "now").want(200).shows("검색 결과가 없습니다")
	admin.upload(noticesPath, nil, "action", "find", "find", " ", "audience", "chosen", "when", "now").want(200).hides("검색 결과가 없습니다") // nothing was searched
}

// The head of a notice names the targets that the list does: no hidden users.
func TestHiddenTargets(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	id := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "넷", PublishAt: queriestest.Now, Users: []int64{queriestest.Hidden, queriestest.Kim, queriestest.Viewer}})
	head := func(path string) string {
		t.Helper()
		_, chips, _ := strings.Cut(admin.get(path).want(200).body, `<span class="chips chips-line">`)
		chips, _, _ = strings.Cut(chips, "</span></span></span>")
		return chips
	}
	list, detail := head(noticesPath), head(fmt.Sprint(noticesPath, "/", id))
	if list != detail || !strings.Contains(list, "김철수") || !strings.Contains(list, ">+1<") {
		t.Errorf("the list shows %s\nthe page shows %s", list, detail)
	}
}

// Readers who are hidden do not count, and whoever has not read it can be reminded.
func TestFormerReadersOfNotices(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	id := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "서약서", PublishAt: queriestest.Now, Users: []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager, queriestest.Kim}})
	queriestest.InsertAttachment(t, s.db, queriestest.Blobs(t), id, "가.txt", "text/plain", []byte("a"))
	s.read(id, queriestest.Viewer, queriestest.Manager, queriestest.Kim)
	if err := s.db.Notices.NoteDownload(t.Context(), queriestest.Hanbit, queriestest.Kim, id); err != nil {
		t.Fatal(err)
	}
	s.exec("update users set hidden_at = $3 where id in ($1, $2)", queriestest.Manager, queriestest.Kim, queriestest.Now)
	s.exec("update companies set directory_version = directory_version + 1")
	admin.get(noticesPath).want(200).shows("1/2", "(50%)")
	path := fmt.Sprint(noticesPath, "/", id)
	for _, tab := range []string{"", "/readers", "/files", "/history"} {
		admin.get(path+tab).want(200).shows(`<span class="count">50%</span>`, "미확인자에게 알림")
	}
	admin.get(path + "/readers").shows("<dt>첨부 내려받음</dt><dd>0")
	s.read(id, queriestest.Employee)
	for _, tab := range []string{"", "/readers", "/files", "/history"} {
		admin.get(path + tab).want(200).shows(`<span class="count">100%</span>`).hides("미확인자에게 알림")
	}
}

// A search that is too short leaves the notices beside its message.
func TestShortSearchOfReader(t *testing.T) {
	s := newSite(t)
	id := s.notice("주차장 공사", "본문", 1)
	employee := s.as(queriestest.Employee)
	list := employee.get("/notice?q=가").want(422).shows("검색어는 2자 이상", "주차장 공사", `value="가"`)
	if link := linkTo(t, list, "주차장 공사"); link != fmt.Sprint("/notice/", id) {
		t.Errorf("the notice is at %s", link)
	}
	s.nobody().get("/notice?q=가").want(303)
}
