package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

const (
	clockers  = 10_000 // users who arrive and leave
	attempts  = 3
	eventsDay = 2 // days ago
)

// events compares storing clock events, including the records derived from
// them, with a bare COPY of the resulting rows into the same tables.
func events(ctx context.Context, b *bench) error {
	database, err := b.server.withAttendance(ctx, size, b.attendanceDays())
	if err != nil {
		return err
	}
	db, err := areas.Open(ctx, database, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	b.table.head(fmt.Sprintf("Clock events of %s people in batches of %d, %s people, %d days", thousands(clockers), attendance.ClockBatch, thousands(size), b.attendanceDays()))
	e := &eventBench{db: db, date: workday.DateOf(time.Now().UTC()) - eventsDay}
	if err := e.chooseWorkday(ctx); err != nil {
		return err
	}
	var ratio, whole, taken, copied spread
	for range attempts {
		ours, err := e.sendDay(ctx)
		if err != nil {
			return err
		}
		bare, months, err := e.copyDay(ctx)
		if err != nil {
			return err
		}
		whole = append(whole, (bare+months).Seconds()/ours.Seconds())
		ratio, taken, copied = append(ratio, bare.Seconds()/ours.Seconds()), append(taken, 2*clockers/ours.Seconds()), append(copied, 2*clockers/bare.Seconds())
	}
	b.table.row("events per second, relative to a bare COPY of events and records", "≥ 0.25", ratio.String())
	b.table.row("events per second, relative to a bare COPY of these and the months", "", whole.String())
	b.table.row("events per second, as events and by COPY", "", fmt.Sprintf("%.0f, %.0f", taken.median(), copied.median()))
	return nil
}

type eventBench struct {
	db    *areas.Areas
	date  workday.Date
	users []int64
}

// chooseWorkday chooses the latest date on which enough users work, and the
// users who clock.
func (e *eventBench) chooseWorkday(ctx context.Context) error {
	for back := range workday.Date(10) {
		rows, err := e.db.Pool().Query(ctx, "select user_id from day_records where company_id = 1 and work_date = $1 and day_type = 'workday' and not extra and user_id in (select id from users where company_id = 1 and hidden_at is null) order by user_id limit $2", (e.date - back).Time(), clockers)
		if err != nil {
			return err
		}
		if e.users, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
			return err
		}
		if len(e.users) == clockers {
			e.date -= back
			return nil
		}
	}
	return fmt.Errorf("cannot measure clock events: no day on which %d people work", clockers)
}

// reset restores the day to its state before the first arrival.
func (e *eventBench) reset(ctx context.Context) error {
	if _, err := e.db.Pool().Exec(ctx, "delete from clock_events where company_id = 1 and user_id = any ($1) and at between $2 and $3", e.users, e.from(), e.to()); err != nil {
		return err
	}
	_, err := e.db.Pool().Exec(ctx, `update day_records set status = 'before', presence = 'before', flags = 0, arrival_at = null, departure_at = null, worked_min = 0
		where company_id = 1 and user_id = any ($1) and work_date = $2`, e.users, e.date.Time())
	if err != nil {
		return err
	}
	if err := queriestest.ComputeMonths(ctx, e.db.DB, 1, e.users); err != nil {
		return err
	}
	return e.vacuum(ctx)
}

func (e *eventBench) vacuum(ctx context.Context) error {
	_, err := e.db.Pool().Exec(ctx, "vacuum day_records, clock_events, attendance_months")
	return err
}

// from and to bound the day in every time zone.
func (e *eventBench) from() time.Time { return e.date.At(0, time.UTC).Add(-12 * time.Hour) }
func (e *eventBench) to() time.Time   { return e.date.At(0, time.UTC).Add(36 * time.Hour) }

// sendDay sends the arrivals and departures in batches. As with the rows of copyDay, the
// time to compose them does not count.
func (e *eventBench) sendDay(ctx context.Context) (time.Duration, error) {
	if err := e.reset(ctx); err != nil {
		return 0, err
	}
	batches := e.batches()
	began := time.Now()
	for _, batch := range batches {
		results, err := e.db.Attendance.TakeClockEvents(ctx, 1, batch)
		if err != nil {
			return 0, err
		}
		for _, r := range results {
			if r.Status != attendance.ClockAccepted {
				return 0, fmt.Errorf("event %s: %s %s", r.EventID, r.Status, r.Code)
			}
		}
	}
	return time.Since(began), nil
}

// batches returns the arrivals at nine and the departures at six, with ids of their own.
func (e *eventBench) batches() [][]attendance.ClockInput {
	var batches [][]attendance.ClockInput
	now := time.Now().UnixNano()
	for _, k := range []struct {
		kind workday.Kind
		hour int
	}{{workday.In, 0}, {workday.Out, 9}} { // in UTC, nine hours behind
		for users := range slices.Chunk(e.users, attendance.ClockBatch) {
			batch := make([]attendance.ClockInput, len(users))
			for i, user := range users {
				batch[i] = attendance.ClockInput{
					EventID: fmt.Sprintf("bench-%d-%d-%s", now, user, k.kind), UserID: user, Kind: k.kind, Offline: true, Platform: "pc", DeviceID: fmt.Sprint("d", user), Reason: "bench",
					OccurredAt: e.date.Time().Add(time.Duration(k.hour)*time.Hour + time.Duration(user%50)*time.Minute),
				}
			}
			batches = append(batches, batch)
		}
	}
	return batches
}

// copyDay deletes the rows that sendDay has produced and writes them again by COPY: in bare
// the events and records, in months those of which the lists of months consist.
func (e *eventBench) copyDay(ctx context.Context) (bare, months time.Duration, err error) {
	tables := make([]deletedRows, 3)
	for i, t := range []struct {
		name, order, where string
		args               []any
	}{
		{"clock_events", "kind, user_id", "user_id = any ($1) and at between $2 and $3", []any{e.users, e.from(), e.to()}},
		{"day_records", "user_id", "user_id = any ($1) and work_date = $2", []any{e.users, e.date.Time()}},
		{"attendance_months", "user_id", "user_id = any ($1) and month = date_trunc('month', $2::date)", []any{e.users, e.date.Time()}},
	} {
		if tables[i], err = e.deleteRows(ctx, t.name, "order by "+t.order, t.where, t.args...); err != nil {
			return 0, 0, err
		}
	}
	if err := e.vacuum(ctx); err != nil {
		return 0, 0, err
	}
	if bare, err = e.copyRows(ctx, tables[:2]); err != nil {
		return 0, 0, err
	}
	months, err = e.copyRows(ctx, tables[2:])
	return bare, months, err
}

// copyRows writes rows by COPY in as many calls as sendDay has batches.
func (e *eventBench) copyRows(ctx context.Context, tables []deletedRows) (time.Duration, error) {
	began := time.Now()
	for _, t := range tables {
		for some := range slices.Chunk(t.rows, attendance.ClockBatch) {
			if _, err := e.db.Pool().CopyFrom(ctx, pgx.Identifier{t.table}, t.columns, pgx.CopyFromRows(some)); err != nil {
				return 0, err
			}
		}
	}
	return time.Since(began), nil
}

// deletedRows are rows that were deleted from a table.
type deletedRows struct {
	table   string
	columns []string
	rows    [][]any
}

func (e *eventBench) deleteRows(ctx context.Context, table, order, where string, args ...any) (cut deletedRows, err error) {
	cut.table = table
	rows, err := e.db.Pool().Query(ctx, "select * from "+table+" where company_id = 1 and "+where+" "+order, args...)
	if err != nil {
		return cut, err
	}
	defer rows.Close()
	for _, f := range rows.FieldDescriptions() {
		cut.columns = append(cut.columns, f.Name)
	}
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return cut, err
		}
		cut.rows = append(cut.rows, values)
	}
	if err := rows.Err(); err != nil {
		return cut, err
	}
	_, err = e.db.Pool().Exec(ctx, "delete from "+table+" where company_id = 1 and "+where, args...)
	return cut, err
}
