package usage_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

var seoul = time.FixedZone("KST", 9*60*60)

// saved is an event of Kim's that is accepted.
func saved(id string, before time.Duration) usage.FileEvent {
	return usage.FileEvent{
		EventID: id, UserID: queriestest.Kim, ReceiverIDs: []int64{queriestest.Employee}, Room: "1:1 대화", Name: "회의록_" + id + ".docx", Size: 1000,
		Platform: "pc", SavedAt: queriestest.Now.Add(-before), Address: netip.MustParseAddr("10.0.0.1"),
	}
}

func take(t *testing.T, db *areas.Areas, events ...usage.FileEvent) []usage.Result {
	t.Helper()
	results, err := db.Usage.TakeFileEvents(t.Context(), queriestest.Hanbit, events)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// statuses writes results in one line: "accepted, refused event.user".
func statuses(results []usage.Result) string {
	var words []string
	for _, r := range results {
		words = append(words, strings.TrimSpace(string(r.Status)+" "+r.Code))
	}
	return strings.Join(words, ", ")
}

// names lists the files of a filter, given as the query of the page.
func names(t *testing.T, db *areas.Areas, query string) []string {
	t.Helper()
	var all []string
	for _, row := range list(t, db, query, 50).Rows {
		all = append(all, row.EventID)
	}
	return all
}

func filter(t *testing.T, query string) usage.FileFilter {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	f, err := usage.ReadFileFilter(values)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func list(t *testing.T, db *areas.Areas, query string, limit int) usage.FileList {
	t.Helper()
	f := filter(t, query)
	f.Limit = limit
	page, err := db.Usage.Files(t.Context(), queriestest.Hanbit, seoul, f)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return page
}

func sums(t *testing.T, db *areas.Areas, query string) usage.FileSums {
	t.Helper()
	s, err := db.Usage.FileSums(t.Context(), queriestest.Hanbit, seoul, filter(t, query))
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return s
}

func TestFileEventsAreDecidedOnOneByOne(t *testing.T) {
	db := queriestest.New(t)
	with := func(change func(*usage.FileEvent)) usage.FileEvent {
		e := saved("x", time.Hour)
		change(&e)
		return e
	}
	for _, test := range []struct {
		want   string
		change func(*usage.FileEvent)
	}{
		{"refused event.id", func(e *usage.FileEvent) { e.EventID = "" }},
		{"refused event.id", func(e *usage.FileEvent) { e.EventID = strings.Repeat("x", 101) }},
		{"refused event.user", func(e *usage.FileEvent) { e.UserID = 999 }},
		{"refused event.user", func(e *usage.FileEvent) { e.UserID = queriestest.OtherKim }},
		{"refused event.user", func(e *usage.FileEvent) { e.UserID = queriestest.Bot }},
		{"refused usage.receiver", func(e *usage.FileEvent) { e.ReceiverIDs = []int64{queriestest.OtherKim} }},
		{"refused usage.receiver", func(e *usage.FileEvent) { e.ReceiverIDs = []int64{queriestest.Employee, -1} }},
		{"refused usage.receivers", func(e *usage.FileEvent) { e.ReceiverIDs = make([]int64, 501) }},
		{"refused usage.name", func(e *usage.FileEvent) { e.Name = "" }},
		{"refused usage.too_long", func(e *usage.FileEvent) { e.Name = strings.Repeat("가", 10_000) }},
		{"refused usage.too_long", func(e *usage.FileEvent) { e.Folder = strings.Repeat("가", 301) }},
		{"refused usage.character", func(e *usage.FileEvent) { e.Name = "a\x00b" }},
		{"refused usage.size", func(e *usage.FileEvent) { e.Size = -1 }},
		{"refused usage.size", func(e *usage.FileEvent) { e.Size = math.MaxInt64 }},
		{"refused usage.sha256", func(e *usage.FileEvent) { e.SHA256 = "abc" }},
		{"refused usage.platform", func(e *usage.FileEvent) { e.Platform = "fridge" }},
		{"refused event.time", func(e *usage.FileEvent) { e.SavedAt = time.Time{} }},
		{"refused event.future", func(e *usage.FileEvent) { e.SavedAt = queriestest.Now.Add(25 * time.Hour) }},
		{"refused usage.past", func(e *usage.FileEvent) { e.SavedAt = queriestest.Now.AddDate(-1, 0, -2) }},
	} {
		if got := statuses(take(t, db, with(test.change))); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	got := statuses(take(t, db, saved("a", time.Hour), with(func(e *usage.FileEvent) { e.UserID = 0 }), saved("b", 300*24*time.Hour), saved("a", time.Hour),
		with(func(e *usage.FileEvent) { e.EventID, e.UserID = "hidden", queriestest.Hidden }), with(func(e *usage.FileEvent) { e.EventID, e.ReceiverIDs = "own", nil })))
	if want := "accepted, refused event.user, accepted, duplicate, accepted, accepted"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := names(t, db, ""); len(got) != 4 || got[3] != "b" {
		t.Errorf("stored %v", got)
	}
	if _, err := db.Usage.TakeFileEvents(t.Context(), queriestest.Hanbit, make([]usage.FileEvent, 501)); !errors.Is(err, queries.Invalid("event.too_many")) {
		t.Errorf("501 events: %v", err)
	}
}

// Events that are sent again change nothing, in any order and at the same time.
func TestFileEventsAreTakenOnce(t *testing.T) {
	db := queriestest.New(t)
	var events []usage.FileEvent
	for i := range 40 {
		events = append(events, saved(fmt.Sprint("e", i), time.Duration(i)*11*time.Hour))
	}
	reversed := slices.Clone(events)
	slices.Reverse(reversed)
	accepted := make([]int, 6)
	group, ctx := errgroup.WithContext(context.WithoutCancel(t.Context()))
	for i := range accepted {
		group.Go(func() error {
			batch := events
			if i%2 == 1 {
				batch = reversed
			}
			results, err := db.Usage.TakeFileEvents(ctx, queriestest.Hanbit, batch)
			for _, r := range results {
				if r.Status == usage.Accepted {
					accepted[i]++
				}
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range accepted {
		total += n
	}
	if total != 40 {
		t.Errorf("accepted %v", accepted)
	}
	moved := saved("e1", 12*time.Hour) // the same id with another time
	if got := statuses(take(t, db, moved)); got != "duplicate" {
		t.Error(got)
	}
	if s := sums(t, db, ""); s.Files != 40 || s.Bytes != 40_000 {
		t.Errorf("%+v", s)
	}
	const stored = "select (select count(*) from saved_files) || ' ' || (select count(*) from saved_file_receivers)"
	if got := queriestest.LookUp(t, db, stored); got != "40 40" {
		t.Error(got)
	}
}
