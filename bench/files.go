package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/lists"
	"officeconsole/queries/usage"
)

// files compares the log of saved files, as logPart describes.
func files(ctx context.Context, b *bench) error {
	return logPart{
		title: "Saved files", path: "/logs/communication/file", table: "saved_files", rows: b.files, filters: fileFilters(),
		load: loadFiles, next: nextFiles, take: takeFiles,
		copies: []copiedTable{{"saved_files", "order by id", "saved_at >= $1"}, {"saved_file_receivers", "order by file_id", "saved_at >= $1"}},
	}.measure(ctx, b)
}

func fileFilters() []logFilter {
	return []logFilter{
		{"all", ""},
		{"a platform", "platform=mobile_web"},
		{"a month", monthQuery()},
		{"a sender", "sender_id=100"},
		{"a receiver", "receiver_id=100"},
		{"a sender on a platform", "sender_id=100&platform=web"},
		{"people of a name, as senders", "in=sender&q=" + url.QueryEscape("김서")},
		{"a department with those below", "department_id=2"},
		{"a department on a platform today", "department_id=2&platform=web&from=" + time.Now().Format(time.DateOnly)},
		{"deceptive names", "deceptive=1"},
		{"a word of every second name", "q=pdf"},
		{"a word of one name in 50", "q=" + url.QueryEscape(fileWord(50))},
		{"a word of one name in 1,000", "q=" + url.QueryEscape(fileWord(1000))},
		{"a word of one name in 10,000", "q=" + url.QueryEscape(fileWord(10000))},
		{"a word of one name in 10,000, sent by a department", "department_id=2&q=" + url.QueryEscape(fileWord(10000))},
		{"a word of no name", "q=" + url.QueryEscape("없는이름")},
	}
}

// monthQuery selects the month that began four months ago.
func monthQuery() string {
	return "from=" + time.Now().AddDate(0, -4, 0).Format(time.DateOnly) + "&to=" + time.Now().AddDate(0, -3, 0).Format(time.DateOnly)
}

// fileWord is a word that one name in a number has.
func fileWord(oneIn int) string {
	return map[int]string{50: "결산", 1000: "특허출원", 10000: "합병검토"}[oneIn]
}

// benchFile makes up a file that was saved before a time.
func benchFile(random *rand.Rand, id int64, at time.Time) usage.File {
	kinds, ends := []string{"보고서", "회의록", "견적서", "제안서", "계약서", "명세서", "점검표"}, []string{"pdf", "pdf", "xlsx", "pptx"}
	name := kinds[random.IntN(len(kinds))]
	for _, oneIn := range []int{50, 1000, 10000} {
		if random.IntN(oneIn) == 0 {
			name += "_" + fileWord(oneIn)
		}
	}
	address := netip.AddrFrom4([4]byte{10, 0, byte(random.IntN(250)), 1})
	f := usage.File{
		CompanyID: 1, ID: id, SavedAt: at.Truncate(time.Microsecond), EventID: fmt.Sprint("f", id), UserID: 1 + random.Int64N(logPeople-100), DepartmentID: 1 + random.Int64N(63),
		Room: "프로젝트", Folder: "자료실", Name: fmt.Sprintf("%s_%s_%d.%s", name, at.Format("20060102"), random.IntN(1000), ends[random.IntN(len(ends))]), Size: random.Int64N(20 << 20),
		Sha256: strings.Repeat("ab", 32), Platform: usage.Platforms[min(random.IntN(8), 3)], Ip: &address, ReceivedAt: at.Truncate(time.Microsecond),
	}
	f.ReceiverIds = []int64{1 + random.Int64N(logPeople-100)}
	if id%20_000 == 19_999 {
		f.Name += "\u202efdp.exe"
	}
	return f
}

func loadFiles(ctx context.Context, tx queries.Tx, random *rand.Rand, from, to int, at func(id int) time.Time) error {
	var rows usage.FileRows
	for id := from; id < to; id++ {
		rows.Add(benchFile(random, int64(id)+1, at(id)), time.UTC)
	}
	return usage.LoadFiles(ctx, tx, 1, rows)
}

func nextFiles(ctx context.Context, db *areas.Areas, page url.Values) (*lists.Cursor, error) {
	filter, err := usage.ReadFileFilter(page)
	if err != nil {
		return nil, err
	}
	filter.Limit = pageSize
	list, err := db.Usage.Files(ctx, 1, time.UTC, filter)
	return list.Next, err
}

func takeFiles(ctx context.Context, db *areas.Areas, random *rand.Rand, prefix string, at time.Time) error {
	events := make([]usage.FileEvent, logBatch)
	for i := range events {
		f := benchFile(random, 0, at)
		events[i] = usage.FileEvent{EventID: fmt.Sprint(prefix, i), UserID: f.UserID, ReceiverIDs: f.ReceiverIds, Room: f.Room, Folder: f.Folder,
			Name: f.Name, Size: f.Size, SHA256: f.Sha256, Platform: f.Platform, SavedAt: at.Add(time.Duration(i) * time.Millisecond), Address: *f.Ip}
	}
	return allAccepted(db.Usage.TakeFileEvents(ctx, 1, events))
}

// allAccepted is an error unless every event was stored.
func allAccepted(results []usage.Result, err error) error {
	for _, r := range results {
		if r.Status != usage.Accepted {
			return fmt.Errorf("event %s: %s %s", r.EventID, r.Status, r.Code)
		}
	}
	return err
}
