package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/areas"
	"officeconsole/queries/usage"
)

const (
	fewFiles   = 100_000
	manyFiles  = 5_000_000
	filesPath  = "/logs/communication/file"
	filePeople = 1_200
	fileDays   = 365
	fileEvents = 10_000
)

// files compares the log of millions of saved files with that of a company with
// 100,000, both of one year, and storing files with a bare COPY of the same rows.
func files(ctx context.Context, b *bench) error {
	var companies []*company
	for _, count := range []int{fewFiles, b.files} {
		database, err := b.server.filesDatabase(ctx, count)
		if err != nil {
			return err
		}
		s, err := newConsole(ctx, database)
		if err != nil {
			return err
		}
		defer s.close()
		companies = append(companies, &company{people: count, site: s})
	}
	b.table.head(fmt.Sprintf("Saved files by HTTP: %s against %s, of %d days", thousands(b.files), thousands(fewFiles), fileDays))
	questions, err := fileQuestions(ctx, companies)
	if err != nil {
		return err
	}
	for _, c := range companies { // now, because the server closes a connection without a request
		if c.client, err = c.site.dial(ctx); err != nil {
			return err
		}
		defer c.client.conn.Close()
	}
	if err := compare(ctx, b, companies, questions, func(int) string { return "≤ 1.5" }); err != nil {
		return err
	}
	if err := fileFloor(ctx, b, companies[1].site); err != nil {
		return err
	}
	return takeFiles(ctx, b, companies[1].site.db)
}

// fileQuestions are the first and a later page of every filter.
func fileQuestions(ctx context.Context, companies []*company) ([]question, error) {
	today := time.Now().Format(time.DateOnly)
	filters := []struct{ name, query string }{
		{"all", ""},
		{"a platform", "platform=mobile_web"},
		{"a month", "from=" + time.Now().AddDate(0, -4, 0).Format(time.DateOnly) + "&to=" + time.Now().AddDate(0, -3, 0).Format(time.DateOnly)},
		{"a sender", "sender_id=100"},
		{"a receiver", "receiver_id=100"},
		{"a sender on a platform", "sender_id=100&platform=web"},
		{"people of a name, as senders", "in=sender&q=" + url.QueryEscape("김서")},
		{"a department with those below", "department_id=2"},
		{"a department on a platform today", "department_id=2&platform=web&from=" + today},
		{"deceptive names", "deceptive=1"},
		{"a word of every second name", "q=pdf"},
		{"a word of one name in 50", "q=" + url.QueryEscape(fileWord(50))},
		{"a word of one name in 1,000", "q=" + url.QueryEscape(fileWord(1000))},
		{"a word of one name in 10,000", "q=" + url.QueryEscape(fileWord(10000))},
		{"a word of one name in 10,000, sent by a department", "department_id=2&q=" + url.QueryEscape(fileWord(10000))},
		{"a word of no name", "q=" + url.QueryEscape("없는이름")},
	}
	var questions []question
	for _, f := range filters {
		path := filesPath
		if f.query != "" {
			path += "?" + f.query
		}
		questions = append(questions, question{f.name, func(_ context.Context, c *company) (int, error) {
			_, err := c.client.get(path)
			return unchanged, err
		}})
		later := map[*company]string{}
		for _, c := range companies {
			var err error
			if later[c], err = laterFiles(ctx, c.site.db, f.query); err != nil {
				return nil, err
			}
		}
		questions = append(questions, question{f.name + ", later", func(_ context.Context, c *company) (int, error) {
			_, err := c.client.get(later[c])
			return unchanged, err
		}})
	}
	return questions, nil
}

// laterFiles returns the path of the fourth page, or of the last one of fewer.
func laterFiles(ctx context.Context, db *areas.Areas, query string) (string, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", err
	}
	filter, err := usage.ReadFileFilter(values)
	if err != nil {
		return "", err
	}
	filter.Limit = pageSize
	for range 3 {
		list, err := db.Usage.Files(ctx, 1, time.UTC, filter)
		if err != nil {
			return "", err
		}
		if list.Next == nil {
			break
		}
		filter.Cursor = list.Next
	}
	if cursor := filter.Cursor.String(); cursor != "" {
		values.Set("cursor", cursor)
	}
	return filesPath + "?" + values.Encode(), nil
}

// fileFloor compares the log with the plain page.
func fileFloor(ctx context.Context, b *bench, s *site) error {
	database, err := b.server.filesDatabase(ctx, b.files)
	if err != nil {
		return err
	}
	bare, err := newPlain(ctx, database)
	if err != nil {
		return err
	}
	defer bare.close()
	var rate spread
	for i := range 6 {
		here, err := s.load(ctx, filesPath, connections, roundLength)
		if err != nil {
			return err
		}
		there, err := bare.load(ctx, "/", connections, roundLength)
		if err != nil {
			return err
		}
		if i > 0 {
			rate = append(rate, here.perSecond/there.perSecond)
		}
	}
	b.table.row("requests per second, relative to the plain floor", "≥ 0.40", rate.String())
	return nil
}

// takeFiles compares storing events with a bare COPY of the rows of both tables.
func takeFiles(ctx context.Context, b *bench, db *areas.Areas) error {
	var ratio, taken, copied spread
	for range attempts {
		began := time.Now()
		prefix := fmt.Sprint("bench-", began.UnixNano(), "-")
		random := rand.New(rand.NewPCG(uint64(began.UnixNano()), 1))
		for batch := range fileEvents / usage.MaxEvents {
			events := make([]usage.FileEvent, usage.MaxEvents)
			for i := range events {
				f := benchFile(random, 0, began)
				events[i] = usage.FileEvent{EventID: fmt.Sprint(prefix, batch, "-", i), UserID: f.UserID, ReceiverIDs: f.ReceiverIds, Room: f.Room, Folder: f.Folder,
					Name: f.Name, Size: f.Size, SHA256: f.Sha256, Platform: f.Platform, SavedAt: began.Add(time.Duration(batch*usage.MaxEvents+i) * time.Millisecond), Address: *f.Ip}
			}
			results, err := db.Usage.TakeFileEvents(ctx, 1, events)
			if err != nil {
				return err
			}
			for _, r := range results {
				if r.Status != usage.Accepted {
					return fmt.Errorf("event %s: %s %s", r.EventID, r.Status, r.Code)
				}
			}
		}
		ours := time.Since(began)
		bare, err := copyFiles(ctx, db, began)
		if err != nil {
			return err
		}
		ratio, taken, copied = append(ratio, bare.Seconds()/ours.Seconds()), append(taken, fileEvents/ours.Seconds()), append(copied, fileEvents/bare.Seconds())
	}
	b.table.row("events per second, relative to a bare COPY", "≥ 0.30", ratio.String())
	b.table.row("events per second, as events and by COPY", "", fmt.Sprintf("%.0f, %.0f", taken.median(), copied.median()))
	return nil
}

// copyFiles deletes the files saved since a time, and writes their rows again by
// COPY.
func copyFiles(ctx context.Context, db *areas.Areas, since time.Time) (time.Duration, error) {
	e := eventBench{db: db}
	files, err := e.deleteRows(ctx, "saved_files", "order by id", "saved_at >= $1", since)
	if err != nil {
		return 0, err
	}
	receivers, err := e.deleteRows(ctx, "saved_file_receivers", "order by file_id", "saved_at >= $1", since)
	if err != nil {
		return 0, err
	}
	if _, err := db.Pool().Exec(ctx, "vacuum saved_files, saved_file_receivers"); err != nil {
		return 0, err
	}
	perFile := len(receivers.rows) / (len(files.rows) / usage.MaxEvents)
	began := time.Now()
	for _, c := range []struct {
		deletedRows
		size int
	}{{files, usage.MaxEvents}, {receivers, perFile}} {
		for from := 0; from < len(c.rows); from += c.size {
			some := c.rows[from:min(from+c.size, len(c.rows))]
			if _, err := db.Pool().CopyFrom(ctx, pgx.Identifier{c.table}, c.columns, pgx.CopyFromRows(some)); err != nil {
				return 0, err
			}
		}
	}
	return time.Since(began), nil
}
