package notice_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

// An hour before now.
var published = queriestest.Now.Add(-time.Hour)

func readableTitles(t *testing.T, db *areas.Areas, userID int64, f notice.ReadableFilter) string {
	t.Helper()
	f.Limit = 100
	page, err := db.Notices.Readables(t.Context(), queriestest.Hanbit, userID, f)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, row := range page.Rows {
		all = append(all, row.Title)
	}
	return strings.Join(all, " ")
}

func TestWhoMayRead(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	ids := map[string]int64{}
	for _, n := range []queriestest.Notice{
		{Title: "모두", PublishAt: published},
		{Title: "영업", PublishAt: published, Departments: map[int64]bool{queriestest.Sales: true}},
		{Title: "영업만", PublishAt: published, Departments: map[int64]bool{queriestest.Sales: false}},
		{Title: "김철수", PublishAt: published, Users: []int64{queriestest.Kim, queriestest.Hidden, queriestest.Bot}},
		{Title: "둘다", PublishAt: published, Departments: map[int64]bool{queriestest.Sales: true, queriestest.Domestic: true}, Users: []int64{queriestest.Kim}},
		{Title: "예약", PublishAt: queriestest.Now.Add(time.Minute)},
		{Title: "지금", PublishAt: queriestest.Now},
		{Title: "삭제", PublishAt: published, Deleted: true},
		{Title: "남", PublishAt: published, Company: queriestest.Other},
	} {
		ids[n.Title] = queriestest.InsertNotice(t, db, n)
	}
	for _, c := range []struct {
		user int64
		want string
	}{
		{queriestest.Employee, "지금 모두"},
		{queriestest.Viewer, "지금 둘다 영업만 영업 모두"},
		{queriestest.Kim, "지금 둘다 김철수 영업 모두"},
		{queriestest.Admin, "지금 모두"},
		{queriestest.Hidden, ""}, {queriestest.Bot, ""}, {queriestest.OtherKim, ""}, {0, ""},
	} {
		if got := readableTitles(t, db, c.user, notice.ReadableFilter{}); got != c.want {
			t.Errorf("user %d may read %q, not %q", c.user, got, c.want)
		}
		for title, id := range ids {
			_, err := db.Notices.Read(t.Context(), queriestest.Hanbit, c.user, id)
			if may := slices.Contains(strings.Fields(c.want), title); may != (err == nil) || !may && !errors.Is(err, queries.NotFound) {
				t.Errorf("user %d opens %q: %v", c.user, title, err)
			}
		}
	}
	clock.Advance(time.Minute)
	if got := readableTitles(t, db, queriestest.Employee, notice.ReadableFilter{}); got != "예약 지금 모두" {
		t.Errorf("a minute later: %q", got)
	}
}

func TestReadablePages(t *testing.T) {
	db := queriestest.New(t)
	for i := range 7 {
		id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: strconv.Itoa(i), PublishAt: published.Add(time.Duration(i/2) * time.Second)})
		if i%3 == 0 {
			if err := db.Notices.MarkRead(t.Context(), queriestest.Hanbit, queriestest.Employee, id); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		filter notice.ReadableFilter
		want   string
	}{
		{notice.ReadableFilter{}, "65 43 21 0"},
		{notice.ReadableFilter{Unread: true}, "54 21"},
		{notice.ReadableFilter{Read: true}, "63 0"},
	} {
		c.filter.Limit = 2
		var got []string
		for {
			page, err := db.Notices.Readables(t.Context(), queriestest.Hanbit, queriestest.Employee, c.filter)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, row := range page.Rows {
				text += row.Title
			}
			got = append(got, text)
			if page.Next == nil {
				break
			}
			if c.filter.Cursor, err = lists.ParseCursor(page.Next.String()); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: pages %q, not %q", c.filter.Name(), got, c.want)
		}
	}
	foreign := notice.ReadableFilter{Unread: true, Limit: 2, Cursor: &lists.Cursor{List: "notice:read", Value: "1", ID: 1}}
	if _, err := db.Notices.Readables(t.Context(), queriestest.Hanbit, queriestest.Employee, foreign); !errors.Is(err, lists.ErrCursor) {
		t.Errorf("the cursor of another list: %v", err)
	}
	found, _ := search.Parse("가나")
	queriestest.InsertNotice(t, db, queriestest.Notice{Title: "%가나다_", PublishAt: published})
	if got := readableTitles(t, db, queriestest.Employee, notice.ReadableFilter{Search: found}); got != "%가나다_" {
		t.Errorf("found %q", got)
	}
}

// readers returns how many have read a notice by the rows and by the counts.
func readers(t *testing.T, db *areas.Areas, id int64) string {
	t.Helper()
	return queriestest.LookUp(t, db, `(select count(*) from notice_reads where notice_id = $1) || ' ' ||
		(select coalesce(sum(readers), 0) from notice_read_counts where notice_id = $1)`, id)
}

func TestTakeReads(t *testing.T) {
	db := queriestest.New(t)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "영업", PublishAt: published, Departments: map[int64]bool{queriestest.Sales: true}})
	reserved := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "예약", PublishAt: queriestest.Now.Add(time.Hour)})
	early, late := published.Add(-time.Hour), queriestest.Now.Add(time.Hour)
	between := published.Add(time.Minute)
	results, err := db.Notices.TakeReads(t.Context(), queriestest.Hanbit, []notice.ReadEvent{
		{UserID: queriestest.Kim, NoticeID: id, At: between},
		{UserID: queriestest.Kim, NoticeID: id, At: early},
		{UserID: queriestest.Viewer, NoticeID: id, At: early},
		{UserID: queriestest.Manager, NoticeID: id, At: late},
		{UserID: queriestest.Employee, NoticeID: id},
		{UserID: queriestest.Kim, NoticeID: reserved},
		{UserID: queriestest.Kim, NoticeID: 999_999},
		{UserID: queriestest.Hidden, NoticeID: id},
		{UserID: queriestest.Bot, NoticeID: id},
		{UserID: queriestest.OtherKim, NoticeID: id},
		{UserID: queriestest.Foreigner, NoticeID: id},
	})
	if err != nil {
		t.Fatal(err)
	}
	accepted, duplicate := notice.ReadResult{Status: notice.ReadAccepted}, notice.ReadResult{Status: notice.ReadDuplicate}
	noNotice, noUser := notice.ReadResult{Status: notice.ReadRefused, Code: "event.notice"}, notice.ReadResult{Status: notice.ReadRefused, Code: "event.user"}
	if want := []notice.ReadResult{accepted, duplicate, accepted, accepted, noNotice, noNotice, noNotice, noUser, noUser, noUser, accepted}; !slices.Equal(results, want) {
		t.Errorf("results\n%v, not\n%v", results, want)
	}
	for user, want := range map[int64]time.Time{queriestest.Kim: between, queriestest.Viewer: published, queriestest.Manager: queriestest.Now, queriestest.Foreigner: queriestest.Now} {
		r, err := db.Notices.Read(t.Context(), queriestest.Hanbit, user, id)
		if err != nil || r.ReadAt == nil || !r.ReadAt.Equal(want) {
			t.Errorf("%d has read it at %v, not %s (%v)", user, r.ReadAt, want, err)
		}
	}
	if got := readers(t, db, id); got != "4 4" {
		t.Errorf("readers %s", got)
	}
	again, err := db.Notices.TakeReads(t.Context(), queriestest.Hanbit, []notice.ReadEvent{{UserID: queriestest.Kim, NoticeID: id}})
	if err != nil || again[0] != duplicate || readers(t, db, id) != "4 4" {
		t.Errorf("again: %v %v, readers %s", again, err, readers(t, db, id))
	}
	if none, err := db.Notices.TakeReads(t.Context(), queriestest.Hanbit, nil); err != nil || len(none) != 0 {
		t.Errorf("no events: %v %v", none, err)
	}
	if _, err := db.Notices.TakeReads(t.Context(), queriestest.Hanbit, make([]notice.ReadEvent, notice.ReadBatch+1)); err != queries.Invalid("event.too_many") {
		t.Errorf("too many: %v", err)
	}
	if elsewhere, err := db.Notices.TakeReads(t.Context(), queriestest.Other, []notice.ReadEvent{{UserID: queriestest.Kim, NoticeID: id}}); err != nil || elsewhere[0] != noUser {
		t.Errorf("by another company: %v %v", elsewhere, err)
	}
}

// Many who report the same people at the same time, in different orders, count
// everybody once.
func TestReadsAtTheSameTime(t *testing.T) {
	db := queriestest.New(t)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "모두", PublishAt: published})
	people := []int64{queriestest.Admin, queriestest.Employee, queriestest.Viewer, queriestest.Manager, queriestest.Kim, queriestest.Foreigner, queriestest.Japanese}
	var all sync.WaitGroup
	var accepted [16]int
	for i := range accepted {
		all.Go(func() {
			var events []notice.ReadEvent
			for n := range people {
				events = append(events, notice.ReadEvent{UserID: people[(n+i)%len(people)], NoticeID: id})
			}
			results, err := db.Notices.TakeReads(t.Context(), queriestest.Hanbit, events)
			if err != nil {
				t.Error(err)
			}
			for _, r := range results {
				if r.Status == notice.ReadAccepted {
					accepted[i]++
				}
			}
		})
	}
	all.Wait()
	sum := 0
	for _, n := range accepted {
		sum += n
	}
	if got := readers(t, db, id); got != "7 7" || sum != len(people) {
		t.Errorf("readers %s, accepted %d", got, sum)
	}
	if shards := queriestest.LookUp(t, db, "select count(*) from notice_read_counts where notice_id = $1", id); shards != "7" {
		t.Errorf("seven people are counted in %s rows", shards)
	}
}

func TestFiles(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "영업", PublishAt: published, Departments: map[int64]bool{queriestest.Sales: true}})
	reserved := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "예약", PublishAt: queriestest.Now.Add(time.Hour)})
	file := queriestest.InsertAttachment(t, db, files, id, "가.txt", "text/plain", []byte("가"))
	later := queriestest.InsertAttachment(t, db, files, reserved, "나.txt", "text/plain", []byte("나"))
	who := func(id int64, administrator bool) directory.Person {
		return directory.Person{CompanyID: queriestest.Hanbit, ID: id, IsAdmin: administrator}
	}
	elsewhere := directory.Person{CompanyID: queriestest.Other, ID: queriestest.OtherAdmin, IsAdmin: true}
	for _, c := range []struct {
		reader directory.Person
		notice int64
		file   int64
		want   error
	}{
		{who(queriestest.Kim, false), id, file, nil},
		{who(queriestest.Employee, false), id, file, queries.NotFound},
		{who(queriestest.Admin, true), id, file, nil},
		{elsewhere, id, file, queries.NotFound},
		{who(queriestest.Kim, false), reserved, later, queries.NotFound},
		{who(queriestest.Admin, true), reserved, later, nil},
		{who(queriestest.Admin, true), 999_999, 999_999, queries.NotFound},
	} {
		if _, err := db.Notices.File(t.Context(), c.reader, c.file); !errors.Is(err, c.want) {
			t.Errorf("%d reads file %d: %v", c.reader.ID, c.file, err)
		}
		if _, err := db.Notices.Files(t.Context(), c.reader, c.notice); !errors.Is(err, c.want) {
			t.Errorf("%d reads the files of %d: %v", c.reader.ID, c.notice, err)
		}
	}
	for _, user := range []int64{queriestest.Kim, queriestest.Kim, queriestest.Employee, queriestest.Admin} {
		if err := db.Notices.NoteDownload(t.Context(), queriestest.Hanbit, user, id); err != nil {
			t.Fatal(err)
		}
	}
	if got := queriestest.LookUp(t, db, "select array_agg(user_id) from notice_downloads where notice_id = $1", id); got != "{6}" {
		t.Errorf("downloaded by %s", got)
	}
	clock.Advance(notice.DownloadTime - time.Hour - time.Second)
	if _, err := db.Notices.File(t.Context(), who(queriestest.Kim, false), file); err != nil {
		t.Errorf("a second before the end: %v", err)
	}
	clock.Advance(time.Second)
	for _, reader := range []directory.Person{who(queriestest.Kim, false), who(queriestest.Admin, true)} {
		if _, err := db.Notices.File(t.Context(), reader, file); !errors.Is(err, notice.ErrExpired) {
			t.Errorf("at the end: %v", err)
		}
		if _, err := db.Notices.Files(t.Context(), reader, id); !errors.Is(err, notice.ErrExpired) {
			t.Errorf("all at the end: %v", err)
		}
	}
	if r, err := db.Notices.Read(t.Context(), queriestest.Hanbit, queriestest.Kim, id); err != nil || r.CanDownload || len(r.Files) != 1 {
		t.Errorf("the notice itself: %+v %v", r, err)
	}
}
