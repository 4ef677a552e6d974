package usage_test

import (
	"slices"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// Pages are read of the latest month first, and of all if that does not fill them.
func TestHistoryReachesBehindTheLatestMonth(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "delete from access_events")
	takeAccess(t, db, login("old-1", time.Hour), login("old-2", 2*time.Hour), login("new-1", 3*time.Hour), login("new-2", 3*time.Hour))
	if err := db.EnsurePartitionsAt(t.Context(), queriestest.Now.AddDate(0, 0, -40)); err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "update access_events set at = at - interval '40 days' where event_id like 'old-%'")
	if got := history(t, db, ""); !slices.Equal(got, []string{"new-2", "new-1", "old-1", "old-2"}) {
		t.Error(got)
	}
	f := accessFilter(t, "")
	f.Limit = 1
	var got []string
	for range 4 {
		page, err := db.Usage.AccessEvents(t.Context(), queriestest.Hanbit, seoul, f)
		if err != nil || len(page.Rows) != 1 {
			t.Fatalf("%d rows (%v) behind %v", len(page.Rows), err, got)
		}
		got, f.Cursor = append(got, page.Rows[0].EventID), page.Next
	}
	if f.Cursor != nil || !slices.Equal(got, []string{"new-2", "new-1", "old-1", "old-2"}) {
		t.Error(got, f.Cursor)
	}
}

// Names come from a cache until the version of the directory changes.
func TestNamesAreCachedByTheVersionOfTheDirectory(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "delete from access_events")
	takeAccess(t, db, login("x", time.Hour))
	name := func(version int64) string {
		t.Helper()
		f := accessFilter(t, "")
		f.DirectoryVersion = version
		list, err := db.Usage.AccessEvents(t.Context(), queriestest.Hanbit, seoul, f)
		if err != nil || len(list.Rows) != 1 {
			t.Fatalf("%d rows (%v)", len(list.Rows), err)
		}
		return list.Rows[0].User.Name
	}
	before := name(7)
	queriestest.Exec(t, db, "update users set name = '새이름' where company_id = $1 and id = $2", queriestest.Hanbit, queriestest.Kim)
	for version, want := range map[int64]string{7: before, 0: "새이름"} {
		if got := name(version); got != want {
			t.Errorf("version %d: %s, not %s", version, got, want)
		}
	}
	if got := name(8); got != "새이름" {
		t.Error(got)
	}
}
