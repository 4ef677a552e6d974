package notice_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

func TestListNotices(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	seoul := queriestest.Now.Location()
	old := draft("지난 공지", 0)
	old.AttachmentIDs = []int64{upload(t, db, files, "a", "a")}
	create(t, db, old)
	clock.Advance(15 * 24 * time.Hour)
	gone := create(t, db, draft("지운 공지", 0))
	if _, err := db.Notices.Delete(t.Context(), admin, gone.ID, 0); err != nil {
		t.Fatal(err)
	}
	sales := draft("영업 마감", 0)
	sales.Body, sales.Targets = "CRM 입력을 마쳐 주세요.", departments(queriestest.Domestic, queriestest.Overseas, queriestest.Japan)
	create(t, db, sales)
	viewer := admin
	viewer.UserID = queriestest.Viewer
	at := clock.Now().Add(24 * time.Hour)
	if _, err := db.Notices.Create(t.Context(), viewer, notice.Draft{Title: "정기 점검", Body: "새벽", Targets: notice.Targets{Everyone: true}, PublishAt: &at}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Notices.Create(t.Context(), other, draft("다른 회사", 0)); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"":                              "정기 점검, 영업 마감, 지난 공지",
		"sort=published":                "지난 공지, 영업 마감, 정기 점검",
		"status=published":              "영업 마감",
		"status=reserved":               "정기 점검",
		"status=expired":                "지난 공지",
		"status=deleted":                "지운 공지",
		"q=" + url.QueryEscape("ㅇㅇ"):    "영업 마감",
		"q=crm":                         "영업 마감",
		"q=crm+없는":                      "",
		"target=everyone":               "정기 점검, 지난 공지",
		"target=2":                      "영업 마감", // its departments are below
		"target=7":                      "영업 마감",
		"target=5":                      "",
		"author=1":                      "영업 마감, 지난 공지",
		"author=3":                      "정기 점검",
		"from=2026-11-20&to=2026-11-20": "지난 공지",
		"from=2026-11-21":               "정기 점검, 영업 마감",
		"to=2026-12-05":                 "영업 마감, 지난 공지",
		"from=2026-12-06&to=2026-12-05": "",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		f, err := notice.ReadFilter(values)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if again := f.Values().Encode(); again != values.Encode() {
			t.Errorf("%s is written as %s", query, again)
		}
		for limit := 1; limit <= 4; limit++ {
			if got := listedTitles(t, db.Notices, f, limit, seoul); got != want {
				t.Errorf("%s, %d a page: %s, want %s", query, limit, got, want)
			}
		}
	}
	page, err := db.Notices.List(t.Context(), queriestest.Hanbit, seoul, notice.Filter{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	row := page.Rows[1]
	if row.Recipients != 3 || len(row.Targets) != 2 || row.More != 1 || row.Targets[0].Name != "국내영업팀" || row.Author != "김서연" || row.Status(clock.Now()) != notice.Published {
		t.Errorf("the row is %+v", row)
	}
	if page.Rows[2].Files != 1 || page.Rows[2].Recipients != 7 {
		t.Errorf("the row is %+v", page.Rows[2])
	}
	counts, err := db.Notices.Counts(t.Context(), queriestest.Hanbit)
	if err != nil || counts.Of("") != 3 || counts.Of(notice.Published) != 1 || counts.Of(notice.Deleted) != -1 {
		t.Errorf("counts %v (%v)", counts, err)
	}
	choices, err := db.Notices.Choices(t.Context(), queriestest.Hanbit)
	if err != nil || len(choices.Authors) != 2 || len(choices.Departments) != 4 {
		t.Errorf("choices %+v (%v)", choices, err)
	}
}

// listedTitles reads a list page by page, then backward, and returns its titles.
func listedTitles(t *testing.T, store *notice.Store, f notice.Filter, limit int, zone *time.Location) string {
	t.Helper()
	f.Limit = limit
	read := func() lists.Page[notice.Row] {
		page, err := store.List(t.Context(), queriestest.Hanbit, zone, f)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	var forward, backward []string
	page := read()
	for {
		for _, row := range page.Rows {
			forward = append(forward, row.Title)
		}
		if page.Next == nil {
			break
		}
		f.Cursor = page.Next
		page = read()
	}
	for {
		var part []string
		for _, row := range page.Rows {
			part = append(part, row.Title)
		}
		backward = append(part, backward...)
		if page.Previous == nil {
			break
		}
		f.Cursor = page.Previous
		page = read()
	}
	if got, want := strings.Join(backward, ", "), strings.Join(forward, ", "); got != want {
		t.Errorf("backward: %s, forward: %s", got, want)
	}
	return strings.Join(forward, ", ")
}

func TestRefusedFilter(t *testing.T) {
	for query, field := range map[string]string{
		"status=gone": "status", "q=" + url.QueryEscape("가"): "q", "target=x": "target", "author=0": "author",
		"from=2026-02-30": "from", "to=x": "to", "sort=title": "sort", "cursor=x": "cursor",
	} {
		values, _ := url.ParseQuery(query)
		_, err := notice.ReadFilter(values)
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || len(refused) != 1 || refused[field] == "" {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// Beyond MostCounted, notices are not counted.
func TestCountsEnd(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into notices (company_id, title, body, search_text, everyone, publish_at, author_id, created_at, updated_at)
		select 1, 'a', 'a', 'a', true, timestamptz '2026-01-01' + i * interval '1 minute', 1 + i % 2, now(), now() from generate_series(1, 1200) i`)
	counts, err := db.Notices.Counts(t.Context(), queriestest.Hanbit)
	if err != nil || counts[notice.Expired] != notice.MostCounted || counts.Of(notice.Expired) != -1 || counts.Total() != -1 {
		t.Errorf("counts %v (%v)", counts, err)
	}
	choices, err := db.Notices.Choices(t.Context(), queriestest.Hanbit)
	if err != nil || len(choices.Authors) != 2 {
		t.Errorf("authors %+v (%v)", choices.Authors, err)
	}
}
