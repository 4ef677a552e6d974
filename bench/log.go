package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/lists"
)

const (
	fewRows   = 100_000
	manyRows  = 5_000_000
	logDays   = 365
	logPeople = 1_200
	logEvents = 10_000
	logBatch  = 500
)

// logPart compares the list of a log of millions of rows with that of a company with
// 100,000, both of one year, and storing its events with a bare COPY of the same rows.
type logPart struct {
	title   string
	path    string
	table   string // of which the indexes are created after filling
	rows    int    // of the large company
	filters []logFilter

	// load stores made-up rows with some ids. at is the time of a row.
	load func(ctx context.Context, tx queries.Tx, random *rand.Rand, from, to int, at func(id int) time.Time) error

	// next returns the cursor behind a page, nil for the last one.
	next func(ctx context.Context, db *areas.Areas, page url.Values) (*lists.Cursor, error)

	// take stores a batch of events at times from one on, whose ids begin with a prefix.
	take func(ctx context.Context, db *areas.Areas, random *rand.Rand, prefix string, at time.Time) error

	// copies are the tables that take writes, each with its order and the condition of
	// the rows since a time.
	copies []copiedTable
}

type logFilter struct{ name, query string }

type copiedTable struct{ table, order, where string }

func (l logPart) measure(ctx context.Context, b *bench) error {
	var companies []*company
	var database string
	for _, count := range []int{fewRows, l.rows} {
		var err error
		if database, err = b.server.logDatabase(ctx, l, count); err != nil {
			return err
		}
		s, err := newConsole(ctx, database)
		if err != nil {
			return err
		}
		defer s.close()
		companies = append(companies, &company{people: count, site: s})
	}
	b.table.head(fmt.Sprintf("%s by HTTP: %s against %s, of %d days", l.title, thousands(l.rows), thousands(fewRows), logDays))
	questions, err := l.questions(ctx, companies)
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
	if err := l.floor(ctx, b, database, companies[1].site); err != nil {
		return err
	}
	return l.events(ctx, b, companies[1].site.db)
}

// questions are the first and a later page of every filter.
func (l logPart) questions(ctx context.Context, companies []*company) ([]question, error) {
	var questions []question
	for _, f := range l.filters {
		path := l.path
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
			if later[c], err = l.later(ctx, c.site.db, f.query); err != nil {
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

// later returns the path of the fourth page, or of the last one of fewer.
func (l logPart) later(ctx context.Context, db *areas.Areas, query string) (string, error) {
	page, err := url.ParseQuery(query)
	if err != nil {
		return "", err
	}
	for range 3 {
		next, err := l.next(ctx, db, page)
		if err != nil {
			return "", err
		}
		if next == nil {
			break
		}
		page.Set("cursor", next.String())
	}
	return l.path + "?" + page.Encode(), nil
}

// floor compares the list with the plain page.
func (l logPart) floor(ctx context.Context, b *bench, database string, s *site) error {
	bare, err := newPlain(ctx, database)
	if err != nil {
		return err
	}
	defer bare.close()
	var rate spread
	for i := range 6 {
		here, err := s.load(ctx, l.path, connections, roundLength)
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

// events compares storing events with a bare COPY of the rows of the same tables.
func (l logPart) events(ctx context.Context, b *bench, db *areas.Areas) error {
	var ratio, taken, copied spread
	for range attempts {
		began := time.Now()
		random := rand.New(rand.NewPCG(uint64(began.UnixNano()), 1))
		for batch := range logEvents / logBatch {
			at := began.Add(time.Duration(batch*logBatch) * time.Millisecond)
			if err := l.take(ctx, db, random, fmt.Sprintf("bench-%d-%d-", began.UnixNano(), batch), at); err != nil {
				return err
			}
		}
		ours := time.Since(began)
		bare, err := l.copyRows(ctx, db, began)
		if err != nil {
			return err
		}
		ratio, taken, copied = append(ratio, bare.Seconds()/ours.Seconds()), append(taken, logEvents/ours.Seconds()), append(copied, logEvents/bare.Seconds())
	}
	b.table.row("events per second, relative to a bare COPY", "≥ 0.30", ratio.String())
	b.table.row("events per second, as events and by COPY", "", fmt.Sprintf("%.0f, %.0f", taken.median(), copied.median()))
	return nil
}

// copyRows deletes the rows since a time, and writes them again by COPY, in as many
// parts as there were batches.
func (l logPart) copyRows(ctx context.Context, db *areas.Areas, since time.Time) (time.Duration, error) {
	e := eventBench{db: db}
	var all []deletedRows
	for _, c := range l.copies {
		rows, err := e.deleteRows(ctx, c.table, c.order, c.where, since)
		if err != nil {
			return 0, err
		}
		if _, err := db.Pool().Exec(ctx, "vacuum "+c.table); err != nil {
			return 0, err
		}
		all = append(all, rows)
	}
	began := time.Now()
	for _, c := range all {
		size := max(1, len(c.rows)/(logEvents/logBatch))
		for from := 0; from < len(c.rows); from += size {
			some := c.rows[from:min(from+size, len(c.rows))]
			if _, err := db.Pool().CopyFrom(ctx, pgx.Identifier{c.table}, c.columns, pgx.CopyFromRows(some)); err != nil {
				return 0, err
			}
		}
	}
	return time.Since(began), nil
}
