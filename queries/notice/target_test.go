package notice_test

import (
	"testing"

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
