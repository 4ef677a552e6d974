package usage_test

import (
	"strings"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

// What a search finds is added up in each way of finding it: among the first files, by
// the index, and by reading on. None of them depends on the others.
func TestSumsOfASearch(t *testing.T) {
	usage.SetCountTime(t, 10*time.Second) // the machine of a test may be slow
	db, events := filled(t, 2_400)
	matching := func(chosen func(usage.FileEvent) bool) (count int64) {
		for _, e := range events {
			if chosen(e) {
				count++
			}
		}
		return count
	}
	has := func(word string) func(usage.FileEvent) bool {
		return func(e usage.FileEvent) bool { return strings.Contains(e.Name, word) }
	}
	for _, limits := range [][2]int{{2_000, 4_000}, {10, 20}, {10, 200}} { // of the first files, the index has 96 of 합병검토
		usage.SetSearch(t, limits[0], limits[1])
		for query, want := range map[string]int64{
			"q=합병검토":             matching(has("합병검토")),
			"q=합병검토&platform=pc": matching(func(e usage.FileEvent) bool { return strings.Contains(e.Name, "합병검토") && e.Platform == "pc" }),
			"q=합병검토&sender_id=8": matching(func(e usage.FileEvent) bool {
				return strings.Contains(e.Name, "합병검토") && e.UserID == queriestest.Japanese
			}),
			"q=합병검토&receiver_id=4&department_id=2": matching(func(e usage.FileEvent) bool {
				return strings.Contains(e.Name, "합병검토") && (e.UserID == queriestest.Kim || e.UserID == queriestest.Foreigner)
			}),
			"q=회의록&deceptive=1": matching(func(e usage.FileEvent) bool { return has("회의록")(e) && usage.IsDeceptive(e.Name) }),
			"q=회의록&from=2026-10-05&to=2026-10-07": matching(func(e usage.FileEvent) bool {
				day := e.SavedAt.In(seoul).Format(time.DateOnly)
				return has("회의록")(e) && day >= "2026-10-05" && day <= "2026-10-07"
			}),
			"q=없는이름": 0,
		} {
			if got := sums(t, db, query); got != (usage.FileSums{Files: want, Bytes: 1000 * want}) {
				t.Errorf("%v, %s: %+v, want %d", limits, query, got, want)
			}
		}
		got := sums(t, db, "q=회의록")
		if got.Files != usage.MostCounted || got.Bytes != 1000*(usage.MostCounted+1) || !got.More {
			t.Errorf("%v, a frequent word: %+v", limits, got)
		}
	}
}

// A page that has all rows is added up itself.
func TestSumsOfAWholePage(t *testing.T) {
	db, _ := filled(t, 60)
	for query, want := range map[string]int64{"q=합병검토": 3, "q=없는이름": 0} {
		if got := sumsOfPage(t, db, query, 50); got != (usage.FileSums{Files: want, Bytes: 1000 * want}) {
			t.Errorf("%s: %+v, want %d", query, got, want)
		}
	}
	if got := sumsOfPage(t, db, "in=sender&q=김철수", 50); got.Files != 15 {
		t.Errorf("of a sender: %+v", got)
	}
	if got := sumsOfPage(t, db, "platform=web", 50); got.Files != 20 || !got.OfDays {
		t.Errorf("of a platform: %+v", got)
	}
}

func sumsOfPage(t *testing.T, db *areas.Areas, query string, limit int) usage.FileSums {
	t.Helper()
	s, err := db.Usage.FileSumsOf(t.Context(), queriestest.Hanbit, seoul, filter(t, query), list(t, db, query, limit))
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return s
}

// Counting that takes too long ends, and the page has no sums; the others are not limited.
func TestSumsOfASearchEndInTime(t *testing.T) {
	db, _ := filled(t, 60)
	usage.SetCountTime(t, 50*time.Millisecond)
	page, whole := list(t, db, "q=회의록", 10), list(t, db, "q=합병검토", 10)
	tx, err := db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "lock table saved_files in access exclusive mode"); err != nil { // any reader waits
		t.Fatal(err)
	}
	got, err := db.Usage.FileSumsOf(t.Context(), queriestest.Hanbit, seoul, filter(t, "q=회의록"), page)
	if err != nil || got != (usage.FileSums{Unknown: true}) {
		t.Errorf("%+v (%v)", got, err)
	}
	got, err = db.Usage.FileSumsOf(t.Context(), queriestest.Hanbit, seoul, filter(t, "q=합병검토"), whole)
	if err != nil || got != (usage.FileSums{Files: 3, Bytes: 3000}) {
		t.Errorf("of a page with all rows: %+v (%v)", got, err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	usage.SetCountTime(t, 10*time.Second)
	if got := sums(t, db, "q=회의록"); !got.Unknown {
		t.Errorf("a further page counts again: %+v", got)
	}
	if got := sums(t, db, "q=회의록&platform=pc"); got.Unknown || got.Files == 0 {
		t.Errorf("another search: %+v", got)
	}
}
