package notice_test

import (
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

// The cast of the company: one person in the root department, one in Messenger,
// two in Sales, one each in Domestic, Overseas and Japan, a hidden one in
// Research, and a bot.
func TestRecipients(t *testing.T) {
	db := queriestest.New(t)
	own := func(id int64) notice.Targets { return notice.Targets{Departments: []notice.DepartmentTarget{{ID: id}}} }
	people := func(ids ...int64) notice.Targets { return notice.Targets{UserIDs: ids} }
	both := departments(queriestest.Sales)
	both.UserIDs = []int64{queriestest.Kim, queriestest.Japanese}
	for name, test := range map[string]struct {
		targets notice.Targets
		want    int
	}{
		"everyone":                      {notice.Targets{Everyone: true}, 7},
		"the root with all below":       {departments(queriestest.Root), 7},
		"the root alone":                {own(queriestest.Root), 1},
		"a department with all below":   {departments(queriestest.Sales), 4},
		"overlapping departments":       {departments(queriestest.Sales, queriestest.Domestic, queriestest.Root), 7},
		"a hidden person's department":  {own(queriestest.Research), 0},
		"below it":                      {departments(queriestest.Research), 1},
		"a person":                      {people(queriestest.Kim), 1},
		"a hidden person":               {people(queriestest.Hidden), 0},
		"a person twice":                {people(queriestest.Kim, queriestest.Kim), 1},
		"a department and its people":   {both, 5},
		"a department that is not ours": {departments(queriestest.OtherSales), 0},
	} {
		got, err := db.Notices.CountRecipients(t.Context(), queriestest.Hanbit, test.targets)
		if err != nil || got != test.want {
			t.Errorf("%s: %d people (%v), want %d", name, got, err, test.want)
		}
	}
	d := draft("영업", 0)
	d.Targets = both
	sales, all := create(t, db, d), create(t, db, draft("모두", 0))
	expect := func(n notice.Notice, want int) {
		t.Helper()
		if full, err := db.Notices.Full(t.Context(), queriestest.Hanbit, n.ID); err != nil || full.Recipients != want {
			t.Errorf("%s: %d recipients (%v), want %d", n.Title, full.Recipients, err, want)
		}
	}
	expect(sales, 5)
	expect(all, 7)
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Japanese)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = $1", queriestest.Hanbit)
	expect(sales, 4)
	expect(all, 6)
}

// A hidden user is unknown to whoever chooses the readers of a notice, and stays with the
// notices that were for them before.
func TestHiddenTargets(t *testing.T) {
	db := queriestest.New(t)
	d := draft("점검", time.Hour)
	d.Targets = notice.Targets{UserIDs: []int64{queriestest.Kim, queriestest.Viewer}}
	n, other := create(t, db, d), create(t, db, draft("다른 공지", time.Hour))
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Kim)
	unknown := queries.FieldErrors{"targets": "notice.targets.unknown"}
	_, err := db.Notices.Create(t.Context(), admin, d)
	refuses(t, "a new notice", err, unknown)
	retarget := func(id int64, ids ...int64) error {
		_, err := db.Notices.Update(t.Context(), admin, id, 0, func(d notice.Draft) notice.Draft {
			d.Targets = notice.Targets{UserIDs: ids}
			return d
		})
		return err
	}
	refuses(t, "another notice", retarget(other.ID, queriestest.Kim), unknown)
	refuses(t, "another notice, checked", db.Notices.CheckDraft(t.Context(), queriestest.Hanbit, other.ID, d), unknown)
	if err := db.Notices.CheckDraft(t.Context(), queriestest.Hanbit, n.ID, d); err != nil {
		t.Errorf("the notice, checked: %v", err)
	}
	for _, ids := range [][]int64{{queriestest.Kim, queriestest.Manager}, {queriestest.Manager}, {queriestest.Kim}} { // the last one as a revert does
		if err := retarget(n.ID, ids...); err != nil {
			t.Errorf("for %v: %v", ids, err)
		}
	}
	if stored, err := db.Notices.Draft(t.Context(), n); err != nil || !slices.Equal(stored.Targets.UserIDs, []int64{queriestest.Kim}) {
		t.Errorf("the targets are %+v, %v", stored.Targets, err)
	}
	if copied, _, err := db.Notices.Duplicate(t.Context(), queriestest.Hanbit, n.ID); err != nil || len(copied.Targets.UserIDs) != 0 {
		t.Errorf("the duplicate is for %+v, %v", copied.Targets, err)
	}
}
