package notice_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

var colleague = queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Manager, Name: "최유진"}

// change is an edit for Update.
func change(edit func(*notice.Draft)) func(notice.Draft) notice.Draft {
	return func(d notice.Draft) notice.Draft {
		edit(&d)
		return d
	}
}

func TestEditConflict(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	file := upload(t, db, queriestest.Blobs(t), "일정.csv", "날짜")
	n := create(t, db, draft("예약", 48*time.Hour))
	clock.Advance(time.Minute)
	for _, edit := range []func(*notice.Draft){
		func(d *notice.Draft) { d.Title, d.AttachmentIDs = "고친 예약", []int64{file} },
		func(d *notice.Draft) { d.Targets = departments(queriestest.Sales) },
	} {
		if _, err := db.Notices.Update(t.Context(), colleague, n.ID, 0, change(edit)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := db.Notices.Update(t.Context(), admin, n.ID, 1, change(func(d *notice.Draft) { d.Body = "내 본문" }))
	var conflict *notice.EditConflict
	if !errors.As(err, &conflict) || !errors.Is(err, queries.Conflict("notice.edited")) {
		t.Fatal(err)
	}
	if conflict.ByName != "최유진" || conflict.ByUserID != queriestest.Manager || conflict.VersionNo != 3 || !conflict.At.Equal(clock.Now()) {
		t.Errorf("%+v", conflict)
	}
	if c := conflict.Changes; !slices.Equal(c.Fields, []string{"title", "attachment_ids", "targets"}) || c.Before.Title != "예약" || !slices.Equal(c.After.FileNames, []string{"일정.csv"}) {
		t.Errorf("changes %+v", c)
	}
	_, err = db.Notices.Update(t.Context(), admin, n.ID, 77, change(func(d *notice.Draft) { d.Body = "내 본문" }))
	if !errors.As(err, &conflict) || len(conflict.Changes.Fields) != 0 {
		t.Errorf("a version that never was: %v", err)
	}
	if got := queriestest.LookUp(t, db, "select title || version_no || body from notices"); got != "고친 예약3본문입니다." {
		t.Errorf("stored %s", got)
	}
}

func TestUpdateGone(t *testing.T) {
	for name, test := range map[string]struct {
		wait    time.Duration
		restore bool
	}{
		"a reservation":                 {time.Minute, true},
		"its time has passed":           {48 * time.Hour, false},
		"the moment of its publication": {24 * time.Hour, false},
	} {
		db, clock := queriestest.NewWithClock(t)
		n := create(t, db, draft("예약", 24*time.Hour))
		if _, err := db.Notices.Delete(t.Context(), colleague, n.ID, 0); err != nil {
			t.Fatal(err)
		}
		clock.Advance(test.wait)
		d := notice.Draft{Title: "고친 예약", Body: "본문", Targets: notice.Targets{Everyone: true}}
		at := clock.Now().Add(time.Hour)
		d.PublishAt = &at
		var gone *notice.Gone
		if _, err := db.Notices.Update(t.Context(), admin, n.ID, 1, change(func(*notice.Draft) {})); !errors.As(err, &gone) || !errors.Is(err, queries.NotFound) {
			t.Fatalf("%s: %v", name, err)
		}
		if gone.ByName != "최유진" || gone.ByUserID != queriestest.Manager || !gone.At.Equal(queriestest.Now) || gone.CanRestore != test.restore {
			t.Errorf("%s: %+v", name, gone)
		}
		refused := d
		refused.Title = ""
		if _, err := db.Notices.RestoreAndUpdate(t.Context(), admin, n.ID, 1, refused); err == nil || isStored(t, db, n.ID) {
			t.Errorf("%s: restored although the change is refused (%v)", name, err)
		}
		_, err := db.Notices.RestoreAndUpdate(t.Context(), admin, n.ID, 1, d)
		if test.restore != (err == nil) || test.restore != isStored(t, db, n.ID) || !test.restore && !errors.As(err, &gone) {
			t.Errorf("%s: restoring: %v", name, err)
		}
		if _, err := db.Notices.RestoreAndUpdate(t.Context(), admin, n.ID, 1, d); test.restore && !errors.Is(err, queries.Conflict("notice.edited")) {
			t.Errorf("%s: somebody else has restored it: %v", name, err)
		}
		if _, err := db.Notices.RestoreAndUpdate(t.Context(), other, n.ID, 0, d); !errors.Is(err, queries.NotFound) {
			t.Errorf("%s: another company: %v", name, err)
		}
	}
}

func isStored(t *testing.T, db *areas.Areas, id int64) bool {
	t.Helper()
	_, err := db.Notices.Notice(t.Context(), queriestest.Hanbit, id)
	return err == nil
}
