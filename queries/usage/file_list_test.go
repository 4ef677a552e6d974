package usage_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

// filled stores files of everybody over three months, and returns their events, the
// latest first.
func filled(t *testing.T, count int) (*areas.Areas, []usage.FileEvent) {
	t.Helper()
	db := queriestest.New(t)
	senders := []int64{queriestest.Kim, queriestest.Employee, queriestest.Foreigner, queriestest.Japanese}
	var events []usage.FileEvent
	for i := range count {
		e := saved(fmt.Sprintf("%04d", i), time.Duration(i)*(90*24*time.Hour/time.Duration(count)))
		e.UserID, e.ReceiverIDs, e.Platform = senders[i%4], []int64{senders[(i+1)%4], queriestest.Manager}, usage.Platforms[i%3]
		if i%25 == 7 {
			e.Name = "합병검토_" + e.EventID + ".pdf"
		}
		if i%100 == 3 {
			e.Name = "견적서\u202efdp" + e.EventID + ".exe"
		}
		events = append(events, e)
	}
	for batch := range slices.Chunk(events, usage.MaxEvents) {
		for _, r := range take(t, db, batch...) {
			if r.Status != usage.Accepted {
				t.Fatalf("%+v", r)
			}
		}
	}
	return db, events
}

// Each filter gives what a look at every event gives, page by page and back.
func TestFilesByFilter(t *testing.T) {
	const count = 5_000 // more than a search reads before it asks the index
	db, events := filled(t, count)
	for _, test := range []struct {
		query  string
		chosen func(usage.FileEvent) bool
	}{
		{"", func(usage.FileEvent) bool { return true }},
		{"platform=web", func(e usage.FileEvent) bool { return e.Platform == "web" }},
		{"platform=mobile_web", func(usage.FileEvent) bool { return false }},
		{"sender_id=6", func(e usage.FileEvent) bool { return e.UserID == queriestest.Kim }},
		{"receiver_id=6&platform=pc", func(e usage.FileEvent) bool { return e.ReceiverIDs[0] == queriestest.Kim && e.Platform == "pc" }},
		{"receiver_id=4&sender_id=6", func(e usage.FileEvent) bool { return e.UserID == queriestest.Kim }},
		{"receiver_id=2&sender_id=6&platform=pc", func(e usage.FileEvent) bool { return e.UserID == queriestest.Kim && e.Platform == "pc" }},
		{"receiver_id=6&sender_id=6", func(usage.FileEvent) bool { return false }},
		{"in=receiver&q=이준호&sender_id=6&department_id=2", func(e usage.FileEvent) bool { return e.UserID == queriestest.Kim }},
		{"q=합병검토&sender_id=8&receiver_id=6", func(e usage.FileEvent) bool {
			return strings.Contains(e.Name, "합병검토") && e.UserID == queriestest.Japanese
		}},
		{"sender_id=9", func(usage.FileEvent) bool { return false }},
		{"in=sender&q=김철수", func(e usage.FileEvent) bool { return e.UserID == queriestest.Kim }},
		{"in=receiver&q=olivia", func(e usage.FileEvent) bool { return e.ReceiverIDs[0] == queriestest.Foreigner }},
		{"in=sender&q=없는사람", func(usage.FileEvent) bool { return false }},
		{"in=sender&q=김철수&sender_id=2", func(usage.FileEvent) bool { return false }},
		{"department_id=2", func(e usage.FileEvent) bool { return e.UserID == queriestest.Kim || e.UserID == queriestest.Foreigner }},
		{"department_id=1&platform=mobile", func(e usage.FileEvent) bool { return e.Platform == "mobile" }},
		{"department_id=2&receiver_id=2", func(e usage.FileEvent) bool { return e.UserID == queriestest.Kim }},
		{"deceptive=1", func(e usage.FileEvent) bool { return usage.IsDeceptive(e.Name) }},
		{"deceptive=1&sender_id=8&receiver_id=6", func(e usage.FileEvent) bool { return usage.IsDeceptive(e.Name) && e.UserID == queriestest.Japanese }},
		{"from=2026-10-05&to=2026-10-07", func(e usage.FileEvent) bool {
			day := e.SavedAt.In(seoul).Format(time.DateOnly)
			return day >= "2026-10-05" && day <= "2026-10-07"
		}},
		{"from=1900-01-01&to=2200-12-31", func(usage.FileEvent) bool { return true }},
		{"q=회의록", func(e usage.FileEvent) bool { return strings.Contains(e.Name, "회의록") }},
		{"q=합병검토", func(e usage.FileEvent) bool { return strings.Contains(e.Name, "합병검토") }},
		{"q=합병검토+pdf&sender_id=8", func(e usage.FileEvent) bool {
			return strings.Contains(e.Name, "합병검토") && e.UserID == queriestest.Japanese
		}},
		{"q=0123.docx", func(e usage.FileEvent) bool { return strings.Contains(e.Name, "0123.docx") }},
		{"q=없는이름", func(usage.FileEvent) bool { return false }},
	} {
		var want []string
		for _, e := range events {
			if test.chosen(e) {
				want = append(want, e.EventID)
			}
		}
		got, last := pages(t, db, test.query)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d files %v, want %d %v", test.query, len(got), got[:min(5, len(got))], len(want), want[:min(5, len(want))])
		}
		if back := backward(t, db, test.query, last); !slices.Equal(back, want) {
			t.Errorf("%s backward: %d files, want %d", test.query, len(back), len(want))
		}
		s := sums(t, db, test.query)
		if s.More {
			if s.Files != usage.MostCounted || len(want) <= usage.MostCounted {
				t.Errorf("%s: %+v, want %d", test.query, s, len(want))
			}
			continue
		}
		if s.Unknown || s.Files != int64(len(want)) || s.Bytes != int64(1000*len(want)) {
			t.Errorf("%s: %+v, want %d", test.query, s, len(want))
		}
	}
}

// pages reads a list to its end, and returns its last page, too.
func pages(t *testing.T, db *areas.Areas, query string) (ids []string, last usage.FileList) {
	t.Helper()
	f := filter(t, query)
	f.Limit = 470
	for {
		page, err := db.Usage.Files(t.Context(), queriestest.Hanbit, seoul, f)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for _, row := range page.Rows {
			ids = append(ids, row.EventID)
		}
		if page.Next == nil {
			return ids, page
		}
		f.Cursor = page.Next
	}
}

// backward reads a list from its last page to its beginning.
func backward(t *testing.T, db *areas.Areas, query string, page usage.FileList) []string {
	t.Helper()
	f := filter(t, query)
	f.Limit = 470
	var ids []string
	for {
		var some []string
		for _, row := range page.Rows {
			some = append(some, row.EventID)
		}
		ids = append(some, ids...)
		if page.Previous == nil {
			return ids
		}
		f.Cursor = page.Previous
		var err error
		if page, err = db.Usage.Files(t.Context(), queriestest.Hanbit, seoul, f); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
}

func TestFilesOfAnotherCompany(t *testing.T) {
	db, _ := filled(t, 20)
	f := filter(t, "")
	f.Limit = 50
	for query := range map[string]bool{"": true, "q=회의록": true, "sender_id=6": true, "receiver_id=4": true, "deceptive=1": true, "platform=pc": true} {
		f := filter(t, query)
		f.Limit = 50
		page, err := db.Usage.Files(t.Context(), queriestest.Other, seoul, f)
		if err != nil || len(page.Rows) > 0 {
			t.Errorf("%s: %d files of another company (%v)", query, len(page.Rows), err)
		}
		if s, err := db.Usage.FileSums(t.Context(), queriestest.Other, seoul, f); err != nil || s.Files != 0 {
			t.Errorf("%s: %+v (%v)", query, s, err)
		}
	}
	f.DepartmentIDs = lists.OneDepartment(queriestest.OtherSales)
	if _, err := db.Usage.Files(t.Context(), queriestest.Hanbit, seoul, f); !errors.Is(err, queries.NotFound) {
		t.Errorf("a department of another company: %v", err)
	}
	key := list(t, db, "", 1).Rows[0].Key()
	if _, err := db.Usage.OpenFile(t.Context(), queries.Actor{CompanyID: queriestest.Other, UserID: queriestest.OtherAdmin}, key); !errors.Is(err, queries.NotFound) {
		t.Errorf("a file of another company: %v", err)
	}
}

// A search that finds more files than the index may return reads them in order.
func TestSearchOfAFrequentWord(t *testing.T) {
	db, _ := filled(t, 4_600)
	usage.SetSearch(t, 10, 20)
	all, _ := pages(t, db, "q=회의록")
	if len(all) < 4_000 {
		t.Errorf("%d files", len(all))
	}
	rare, _ := pages(t, db, "q=합병검토")
	if len(rare) != 184 || !slices.IsSorted(rare) {
		t.Errorf("%d files", len(rare))
	}
}

func TestOpenFile(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	e := saved("one", 200*24*time.Hour) // before the second version of the policy of 영업본부
	e.Name = "견적서\u202efdp.exe"
	take(t, db, e)
	row := list(t, db, "", 1).Rows[0]
	key, ok := usage.ParseFileKey(row.Key().String())
	if !ok || key != (usage.FileKey{SavedAt: row.SavedAt.UTC(), ID: row.ID}) {
		t.Fatalf("%s is read as %+v", row.Key(), key)
	}
	by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
	first, err := db.Usage.OpenFile(t.Context(), by, key)
	if err != nil {
		t.Fatal(err)
	}
	if first.Sender.Name != "김철수" || len(first.Receivers) != 1 || first.Receivers[0].Name != "이준호" || !first.Deceptive || len(first.Views) != 0 {
		t.Errorf("%+v", first)
	}
	if !first.HasPolicy || first.Policy.PolicyName != "영업본부 외근 정책" || first.Policy.VersionNo != 1 || first.Policy.Settings.FileSaving("pc") != "allow" {
		t.Errorf("policy %q, version %d", first.Policy.PolicyName, first.Policy.VersionNo)
	}
	clock.Advance(time.Minute)
	second, err := db.Usage.OpenFile(t.Context(), by, key)
	if err != nil || len(second.Views) != 1 || second.Views[0].ActorName != "김서연" {
		t.Errorf("views %+v (%v)", second.Views, err)
	}
	const recorded = "select count(*) || ' ' || min(object_name) from changes where action = 'file.viewed'"
	if got := queriestest.LookUp(t, db, recorded); got != "2 견적서[U+202E]fdp.exe" {
		t.Error(got)
	}
	for _, text := range []string{"", "1", "1-", "x-1", "1-0", "01-1", "99999999999999999999-1", "1-1x"} {
		if k, ok := usage.ParseFileKey(text); ok {
			t.Errorf("%q is read as %+v", text, k)
		}
	}
}

func TestNameParts(t *testing.T) {
	for name, want := range map[string]string{
		"":                             "",
		"회의록.docx":                     "회의록.docx",
		"견적서\u202efdp.exe":             "견적서[U+202E]fdp.exe",
		"\u3164\u200b.pdf":             "[U+3164][U+200B].pdf",
		"a\nb\t\u0085":                 "a[U+000A]b[U+0009][U+0085]",
		"👨\u200d👩\u200d👧.png":          "👨\u200d👩\u200d👧.png",
		"見積書\u2066x\u2069\U000E0041.x": "見積書[U+2066]x[U+2069][U+E0041].x",
	} {
		if got := usage.PlainName(name); got != want {
			t.Errorf("%q is written %q, want %q", name, got, want)
		}
		if deceptive := usage.IsDeceptive(name); deceptive != (name != want) {
			t.Errorf("%q is deceptive: %t", name, deceptive)
		}
	}
}
