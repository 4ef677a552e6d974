package notice_test

import (
	"fmt"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

// changeDirectory runs a statement that changes users, as the directory would.
func changeDirectory(t *testing.T, db *areas.Areas, statement string, args ...any) {
	t.Helper()
	queriestest.Exec(t, db, statement, args...)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = $1", queriestest.Hanbit)
}

// reach returns how many have read a notice and for how many it is: in the list, on
// its page and in its coverage.
func reach(t *testing.T, db *areas.Areas, id int64, f notice.Filter) string {
	t.Helper()
	f.Limit = 10
	page, err := db.Notices.List(t.Context(), queriestest.Hanbit, time.UTC, f)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, row := range page.Rows {
		if row.ID == id {
			text = fmt.Sprintf("%d/%d", row.Readers, row.Recipients)
		}
	}
	if f.Status == notice.Deleted {
		return text
	}
	full, err := db.Notices.Full(t.Context(), queriestest.Hanbit, id)
	if err != nil {
		t.Fatal(err)
	}
	c := coverage(t, db, id, 0)
	return fmt.Sprintf("%s %d/%d %d/%d", text, full.Readers, full.Recipients, c.Readers, c.Recipients)
}

// Readers who are hidden or have moved away no longer count, wherever readers do.
func TestFormerReaders(t *testing.T) {
	db := queriestest.New(t)
	users := []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager, queriestest.Kim}
	some := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "네 사람", PublishAt: published, Users: users})
	sales := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "영업", PublishAt: published, Departments: map[int64]bool{queriestest.Sales: true}})
	all := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "모두", PublishAt: published})
	unread := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "아무도", PublishAt: published})
	read(t, db, some, time.Minute, queriestest.Viewer, queriestest.Manager, queriestest.Kim)
	read(t, db, sales, time.Minute, queriestest.Viewer, queriestest.Kim, queriestest.Foreigner)
	read(t, db, all, time.Minute, queriestest.Employee, queriestest.Kim)
	if err := db.Notices.NoteDownload(t.Context(), queriestest.Hanbit, queriestest.Kim, some); err != nil {
		t.Fatal(err)
	}
	expect := func(what string, want map[int64]string) {
		t.Helper()
		for id, want := range want {
			if got := reach(t, db, id, notice.Filter{}); got != want+" "+want+" "+want {
				t.Errorf("%s, notice %d: %s, not %s", what, id, got, want)
			}
		}
	}
	expect("at first", map[int64]string{some: "3/4", sales: "3/4", all: "2/7", unread: "0/7"})

	changeDirectory(t, db, "update users set hidden_at = $3 where id in ($1, $2)", queriestest.Manager, queriestest.Kim, queriestest.Now)
	expect("after two are hidden", map[int64]string{some: "1/2", sales: "2/2", all: "1/5", unread: "0/5"})
	if got := coverage(t, db, some, 0).Downloads; got != 0 {
		t.Errorf("%d downloads, by who is hidden", got)
	}
	plan, err := db.Notices.PlanReminder(t.Context(), queriestest.Hanbit, some)
	if err != nil || plan.People() != 1 {
		t.Errorf("to remind: %+v %v", plan, err)
	}

	changeDirectory(t, db, "update users set department_id = $2 where id = $1", queriestest.Foreigner, queriestest.Messenger)
	expect("after one has moved away", map[int64]string{some: "1/2", sales: "1/1", all: "1/5"})
	changeDirectory(t, db, "update users set hidden_at = null where id in ($1, $2)", queriestest.Manager, queriestest.Kim)
	changeDirectory(t, db, "update users set department_id = $2 where id = $1", queriestest.Foreigner, queriestest.Overseas)
	expect("after all are back", map[int64]string{some: "3/4", sales: "3/4", all: "2/7"})

	changeDirectory(t, db, "update users set hidden_at = $2 where id = $1", queriestest.Kim, queriestest.Now)
	queriestest.Exec(t, db, "update notices set deleted_at = $2, announced_at = publish_at where id = $1", sales, queriestest.Now)
	if got := reach(t, db, sales, notice.Filter{Status: notice.Deleted}); got != "2/3" {
		t.Errorf("of a deleted notice: %s", got)
	}
}

// A page of the list is read in the same number of statements, however many notices have
// readers who no longer count.
func TestFormerReadersInOneStatement(t *testing.T) {
	db := queriestest.New(t)
	for i := range 6 {
		n := queriestest.Notice{Title: fmt.Sprint("공지 ", i), PublishAt: published}
		if i%2 == 0 {
			n.Users = []int64{queriestest.Kim, queriestest.Viewer}
		}
		read(t, db, queriestest.InsertNotice(t, db, n), time.Minute, queriestest.Kim)
	}
	changeDirectory(t, db, "update users set hidden_at = $2 where id = $1", queriestest.Kim, queriestest.Now)
	coverage(t, db, queriestest.InsertNotice(t, db, queriestest.Notice{Title: "모두", PublishAt: published}), 0) // the tree is cached from here on
	log := queriestest.LogStatements(t, db)
	if _, err := db.Notices.List(t.Context(), queriestest.Hanbit, time.UTC, notice.Filter{Limit: 10}); err != nil {
		t.Fatal(err)
	}
	// the notices, their targets, the version of the directory, and the former readers
	if statements := log.Take(); len(statements) != 4 {
		t.Errorf("%d statements: %v", len(statements), statements)
	}
}

// The readers of a notice are read once for a version of the directory, because a large
// department reads many notices.
func TestFormerReadersAreCached(t *testing.T) {
	db := queriestest.New(t)
	sales := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "영업", PublishAt: published, Departments: map[int64]bool{queriestest.Sales: true}})
	read(t, db, sales, time.Minute, queriestest.Kim, queriestest.Viewer)
	changeDirectory(t, db, "update users set department_id = $2 where id = $1", queriestest.Viewer, queriestest.Messenger)
	if got := reach(t, db, sales, notice.Filter{}); got != "1/3 1/3 1/3" {
		t.Fatal(got)
	}
	read(t, db, sales, time.Hour, queriestest.Foreigner)
	log := queriestest.LogStatements(t, db)
	page, err := db.Notices.List(t.Context(), queriestest.Hanbit, time.UTC, notice.Filter{Limit: 10})
	if err != nil || page.Rows[0].Readers != 2 {
		t.Errorf("%+v %v", page.Rows, err)
	}
	if statements := log.Take(); len(statements) != 3 {
		t.Errorf("%d statements: %v", len(statements), statements)
	}
}
