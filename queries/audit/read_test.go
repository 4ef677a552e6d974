package audit_test

import (
	"context"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// readPages reads the log of reads page by page, forward and then backward.
func readPages(t *testing.T, db *areas.Areas, f audit.ReadsFilter, size int) []string {
	t.Helper()
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		t.Fatal(err)
	}
	f.Limit = size
	pages := func(next func(lists.Page[audit.ReadRow]) *lists.Cursor) (all [][]string) {
		for {
			page, err := db.Audit.Reads(t.Context(), queriestest.Hanbit, zone, f)
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, r := range page.Rows {
				rows = append(rows, fmt.Sprint(r.ReaderName, " ", r.Kind, " ", r.Via, " ", r.Query, r.Object, " ", r.SubjectName))
			}
			all = append(all, rows)
			at := next(page)
			if at == nil {
				return all
			}
			f.Cursor = at
		}
	}
	forward := pages(func(p lists.Page[audit.ReadRow]) *lists.Cursor { return p.Next })
	backward := pages(func(p lists.Page[audit.ReadRow]) *lists.Cursor { return p.Previous })
	slices.Reverse(backward)
	if !reflect.DeepEqual(forward, backward) {
		t.Errorf("forward %q, backward %q", forward, backward)
	}
	return slices.Concat(forward...)
}

func TestReads(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	admin, manager := queriestest.AdminActor(t, db), queriestest.ManagerActor(t, db)
	other := admin
	other.CompanyID = queriestest.Other
	note := func(r audit.Read) {
		db.Audit.NoteRead(admin, r)
		clock.Advance(time.Minute)
	}
	note(audit.Read{Kind: audit.ReadDay, Via: audit.ViaPage, Query: url.Values{"date": {"2026-11-20"}, "q": {"김\x00\xff"}}, Rows: 50})
	note(audit.Read{Kind: audit.ReadRecord, Via: audit.ViaPage, Rows: 1, SubjectID: queriestest.Kim, Object: "6-2026-11-20", Positions: true})
	db.Audit.NoteRead(other, audit.Read{Kind: audit.ReadDay, Via: audit.ViaPage})
	db.Audit.NoteRead(manager, audit.Read{Kind: audit.ReadRecord, Via: audit.ViaAPI, Rows: 1, SubjectID: queriestest.Hidden, Object: "5-2026-11-20"})
	db.Audit.NoteRead(manager, audit.Read{Kind: audit.ReadRecord, Via: audit.ViaAPI, Rows: 1, SubjectID: queriestest.Kim, Object: "6-2026-11-19"})
	clock.Advance(24 * time.Hour)
	note(audit.Read{Kind: audit.ReadFiles, Via: audit.ViaExport, Rows: 12, ObjectName: "saved-files.xlsx"})
	if got := queriestest.LookUp(t, db, "select count(*) from reads"); got != "0" {
		t.Errorf("%s reads were written before WriteReads", got)
	}
	for range 2 {
		if err := db.Audit.WriteReads(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	day, kim, old := "김서연 day page date=2026-11-20&q=%EA%B9%80%00%FF ", "김서연 record page 6-2026-11-20 김철수", "최유진 record api 6-2026-11-19 김철수"
	hidden, files := "최유진 record api 5-2026-11-20 정하윤", "김서연 files export  "
	for name, test := range map[string]struct {
		filter audit.ReadsFilter
		want   []string
	}{
		"all":       {audit.ReadsFilter{}, []string{files, old, hidden, kim, day}},
		"reader":    {audit.ReadsFilter{ReaderID: queriestest.Manager}, []string{old, hidden}},
		"subject":   {audit.ReadsFilter{SubjectID: queriestest.Kim}, []string{old, kim}},
		"kind":      {audit.ReadsFilter{Kind: audit.ReadRecord, ReaderID: queriestest.Admin}, []string{kim}},
		"via":       {audit.ReadsFilter{Via: audit.ViaExport}, []string{files}},
		"positions": {audit.ReadsFilter{Positions: true}, []string{kim}},
		"period":    {audit.ReadsFilter{From: workday.DateOf(clock.Now().Add(9 * time.Hour))}, []string{files}},
		"before":    {audit.ReadsFilter{To: workday.DateOf(clock.Now().Add(9*time.Hour)) - 1}, []string{old, hidden, kim, day}},
	} {
		if got := readPages(t, db, test.filter, 2); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, not %q", name, got, test.want)
		}
	}
	readers, err := db.Audit.Readers(t.Context(), queriestest.Hanbit)
	if err != nil || len(readers) != 2 || readers[0].Name != "김서연" || readers[1].ID != queriestest.Manager {
		t.Errorf("readers %+v: %v", readers, err)
	}
	if _, err := db.Pool().Exec(t.Context(), "delete from reads"); err == nil {
		t.Error("reads can be deleted")
	}
	if _, err := db.Pool().Exec(t.Context(), "update reads set rows = 0"); err == nil {
		t.Error("reads can be altered")
	}
}

// While the database cannot take them, reads wait, and no reader does.
func TestReadsWaitForTheDatabase(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	const readers, each = 8, 200
	var group sync.WaitGroup
	for range readers {
		group.Go(func() {
			for range each {
				db.Audit.NoteRead(by, audit.Read{Kind: audit.ReadDay, Via: audit.ViaPage})
			}
		})
	}
	group.Wait()
	if err := db.Audit.WriteReads(ended); err == nil {
		t.Error("reads were written without a database")
	}
	for range 2 {
		group.Go(func() {
			if err := db.Audit.WriteReads(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := queriestest.LookUp(t, db, "select count(*) from reads"); got != fmt.Sprint(readers*each) {
		t.Errorf("%s reads were written, not %d", got, readers*each)
	}
}

// More reads than can wait are lost, and the rest is written.
func TestTooManyReads(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	for range audit.MaxPendingReads + 10 {
		db.Audit.NoteRead(by, audit.Read{Kind: audit.ReadDay, Via: audit.ViaPage})
	}
	if err := db.Audit.WriteReads(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from reads"); got != fmt.Sprint(audit.MaxPendingReads) {
		t.Errorf("%s reads were written", got)
	}
}
