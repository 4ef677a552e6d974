package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"officeconsole/bench/growth"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
)

const (
	singleCalls    = 3_000
	batchCalls     = 40
	pageClients    = 4
	pageRound      = 8 * time.Second
	quietRound     = time.Minute
	quietCompanies = 1_000
	openStreams    = 1_000
)

// costs measures what bench/growth calculates with, and writes it to a file on request.
func costs(ctx context.Context, b *bench) error {
	database, err := b.server.withAttendance(ctx, clockers, 30)
	if err != nil {
		return err
	}
	c := growth.Costs{
		Machine: fmt.Sprintf("%d cores, which did other work at the same time", runtime.NumCPU()),
		Fill:    fmt.Sprintf("%s people and 30 days", thousands(clockers)),
	}
	m, err := newMeter(ctx, b, database)
	if err != nil {
		return err
	}
	defer m.close()
	for _, step := range []func(context.Context, *growth.Costs) error{m.tables, m.calls, m.pages, m.streams, m.companies} {
		if err := step(ctx, &c); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if b.costs != "" {
		return os.WriteFile(b.costs, append(text, '\n'), 0o644)
	}
	fmt.Fprintf(b.table.out, "\n%s\n", text)
	return nil
}

// meter measures what the program and the server do.
type meter struct {
	*bench
	database string
	db       *areas.Areas
	program  *program
	events   *eventSender
}

func newMeter(ctx context.Context, b *bench, database string) (*meter, error) {
	db, err := areas.Open(ctx, database, time.Now)
	if err != nil {
		return nil, err
	}
	p, err := b.startProgram(ctx, "OFFICECONSOLE_DATABASE_URL="+database)
	if err != nil {
		db.Close()
		return nil, err
	}
	m := &meter{bench: b, database: database, db: db, program: p}
	if p.cookie, err = signIn(ctx, p.address); err == nil {
		m.events, err = newEventSender(ctx, database, p)
	}
	if err == nil {
		err = p.waitUntilIdle(ctx)
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *meter) close() {
	if m.events != nil {
		m.events.client.CloseIdleConnections()
	}
	m.program.close()
	m.db.Close()
}

// effort is what something took.
type effort struct {
	work    growth.Work // microseconds
	wal     float64     // bytes
	elapsed time.Duration
}

// measure returns what the program and the server need for something.
func (m *meter) measure(ctx context.Context, p *program, do func() error) (e effort, err error) {
	read := func() (console, database time.Duration, wal float64, err error) {
		if console, err = p.processorTime(); err != nil {
			return
		}
		if database, err = m.server.processorTime(); err != nil {
			return
		}
		err = m.db.Pool().QueryRow(ctx, "select (pg_current_wal_insert_lsn() - '0/0')::float8").Scan(&wal)
		return
	}
	console, database, wal, err := read()
	if err != nil {
		return e, err
	}
	began := time.Now()
	if err := do(); err != nil {
		return e, err
	}
	e.elapsed = time.Since(began)
	consoleAfter, databaseAfter, walAfter, err := read()
	e.work = growth.Work{Console: micro(consoleAfter - console), Database: micro(databaseAfter - database)}
	e.wal = walAfter - wal
	return e, err
}

func micro(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// each divides a work by a number.
func each(w growth.Work, n float64) growth.Work {
	return growth.Work{Console: w.Console / n, Database: w.Database / n}
}

// less takes a work from another, which is never less than nothing.
func less(w, other growth.Work) growth.Work {
	return growth.Work{Console: max(0, w.Console-other.Console), Database: max(0, w.Database-other.Database)}
}

// calls measures calls with one clock event and with as many as a call may have, one
// after the other.
func (m *meter) calls(ctx context.Context, c *growth.Costs) error {
	call := func(events, calls int) (growth.Call, error) {
		e, err := m.measure(ctx, m.program, func() error {
			for range calls {
				if err := m.events.send(ctx, events); err != nil {
					return err
				}
			}
			return nil
		})
		n := float64(calls)
		return growth.Call{Events: events, Work: each(e.work, n), WALBytes: e.wal / n}, err
	}
	var err error
	if c.Single, err = call(1, singleCalls); err != nil {
		return err
	}
	c.Batch, err = call(attendance.ClockBatch, batchCalls)
	return err
}

// pages measures the mean of sendersPages, and the memory that is in use afterwards.
func (m *meter) pages(ctx context.Context, c *growth.Costs) error {
	var bytes float64
	for _, path := range sendersPages {
		var o outcome
		e, err := m.measure(ctx, m.program, func() (err error) {
			o, err = m.program.load(ctx, path, pageClients, pageRound)
			return err
		})
		if err != nil {
			return err
		}
		work := each(e.work, o.perSecond*e.elapsed.Seconds())
		c.Page.Console += work.Console / float64(len(sendersPages))
		c.Page.Database += work.Database / float64(len(sendersPages))
		bytes += float64(o.bytes)
	}
	c.PageBytes = bytes / float64(len(sendersPages))
	resident, _, err := m.program.memory()
	if err != nil {
		return err
	}
	c.ConsoleMiB = resident
	c.ConnectionMiB, err = m.connectionMemory(ctx)
	return err
}

// quiet measures a time in which nobody asks for anything, in microseconds a second.
func (m *meter) quiet(ctx context.Context, p *program) (growth.Work, error) {
	e, err := m.measure(ctx, p, func() error {
		select {
		case <-time.After(quietRound):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	return each(e.work, e.elapsed.Seconds()), err
}

// companies measures the jobs for companies in which nothing happens: those of many
// without those of one.
func (m *meter) companies(ctx context.Context, c *growth.Costs) error {
	var took [2]growth.Work
	for i, count := range []int{1, 1 + quietCompanies} {
		var err error
		if took[i], err = m.quietCompanies(ctx, count); err != nil {
			return err
		}
	}
	c.Company = each(less(took[1], took[0]), quietCompanies)
	return nil
}

// quietCompanies measures a program with a number of companies. The first program runs
// meanwhile, too, so the server works for both.
func (m *meter) quietCompanies(ctx context.Context, count int) (growth.Work, error) {
	database, err := m.server.database(ctx, fmt.Sprintf("%squiet_%d", databasePrefix(), count), func(at string) error { return fillCompanies(ctx, at, count) })
	if err != nil {
		return growth.Work{}, err
	}
	p, err := m.startProgram(ctx, "OFFICECONSOLE_DATABASE_URL="+database)
	if err != nil {
		return growth.Work{}, err
	}
	defer p.close()
	if err := p.waitUntilIdle(ctx); err != nil {
		return growth.Work{}, err
	}
	return m.quiet(ctx, p)
}

func fillCompanies(ctx context.Context, at string, count int) error {
	db, err := openEmpty(ctx, at)
	if err != nil {
		return err
	}
	defer db.Close()
	for i := range count {
		if _, err := db.Directory.CreateCompany(ctx, queries.Actor{Name: "bench"}, directory.NewCompany{Name: fmt.Sprint("Company ", i), Host: fmt.Sprintf("company-%d.example", i)}); err != nil {
			return err
		}
	}
	return nil
}
