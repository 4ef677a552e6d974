package attendance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/workday"
)

// Loader fills the tables of one company with attendance, in bulk and by the
// rules of the area: from facts it derives the records and months that the
// Store would have derived from them. It works inside a transaction, on a
// company whose users have no attendance yet and whose policies are stored.
//
// Batches can be filled concurrently; the methods that take a context cannot
// run at the same time.
type Loader struct {
	LoaderOptions
	tx       queries.Tx
	timeline *policy.Timeline
	policies policyCache
	switches map[workday.Date]bool // the dates on which another version may apply than on the day before

	// Their ids follow their times, so Finish writes them.
	edits       []loadedEdit
	corrections []*Correction
	changes     []loadedChange
}

// LoaderOptions configures a Loader.
type LoaderOptions struct {
	CompanyID   int64
	Zone        *time.Location // of the company
	First, Last workday.Date   // the dates that get records
	Now         time.Time      // the time as of which records are computed, truncated to microseconds
}

// UserDay is a date of a user with the policy that applies on it.
type UserDay struct {
	workday.Day
	settings.Clocking
	policy *recordPolicy
}

// NewLoader reads the policies of the company through a transaction, which the
// loader goes on to use.
func NewLoader(ctx context.Context, tx queries.Tx, o LoaderOptions) (*Loader, error) {
	o.Now = o.Now.Truncate(time.Microsecond)
	timeline, err := policy.New(tx).ReadTimeline(ctx, o.CompanyID, "workingattitude", (o.First-2).At(0, o.Zone))
	if err != nil {
		return nil, fmt.Errorf("load attendance: %w", err)
	}
	l := &Loader{LoaderOptions: o, tx: tx, timeline: timeline, policies: newPolicyCache(func() time.Time { return o.Now }).with(timeline), switches: map[workday.Date]bool{}}
	for _, span := range timeline.Spans() {
		for _, at := range []*time.Time{&span.EffectiveFrom, span.Until} {
			if at != nil {
				date := workday.DateOf(at.In(o.Zone))
				l.switches[date], l.switches[date+1] = true, true
			}
		}
	}
	return l, nil
}

// Days returns the dates from first to last with the policies that apply on
// them to a user in a department. ancestors are the ids from the root to that
// department.
func (l *Loader) Days(userID int64, ancestors []int64, first, last workday.Date) ([]UserDay, error) {
	days := make([]UserDay, 0, last-first+1)
	var version *recordPolicy
	for date := first; date <= last; date++ {
		if version == nil || l.switches[date] {
			span := l.timeline.Resolve(userID, ancestors, date.At(0, l.Zone))
			if span == nil { // before the company's first version: the first one
				span = l.timeline.FirstDefault()
			}
			var err error
			if version, err = l.policies.get(span); err != nil {
				return nil, err
			}
		}
		day := workday.Day{Date: date, Policy: version.Policy, Holiday: version.HolidayOn(date)}
		days = append(days, UserDay{day, version.Clocking, version})
	}
	return days, nil
}

// Write copies a batch into the tables, except for its edits and corrections,
// which Finish writes.
func (l *Loader) Write(ctx context.Context, b *LoaderBatch) error {
	for _, table := range []struct {
		name string
		rows int
		set  *rowSet
	}{
		{"clock_events", len(b.events), eventColumns(b.events)},
		{"day_records", len(b.records), recordColumns(b.records)},
		{"attendance_months", len(b.months), monthColumns(b.months)},
	} {
		if err := table.set.copyTo(ctx, l.tx, table.name, table.rows); err != nil {
			return err
		}
	}
	l.edits, l.corrections, l.changes = append(l.edits, b.edits...), append(l.corrections, b.corrections...), append(l.changes, b.changes...)
	return copyTables(ctx, l.tx, deviceTable(b.devices), grantTable(b.grants), viewTable(b.views))
}

// LockMonth locks the month of a date, as Store.LockMonth does, without its
// checks. Finish adds it to the change log.
func (l *Loader) LockMonth(ctx context.Context, by queries.Actor, date workday.Date, at time.Time) error {
	month := monthOf(date)
	if _, err := New(l.tx).lockMonth(ctx, lockMonthParams{l.CompanyID, month.Time(), at, queries.OrNil(by.UserID)}); err != nil {
		return err
	}
	l.changes = append(l.changes, loadedChange{at, by, lockChange("attendance.locked", month, "")})
	return nil
}

// AddViewer registers viewing-authority persons like RegisterViewer, but
// without its checks and without an entry in the change log. It refuses with
// FieldErrors a draft that repeats another registration.
func (l *Loader) AddViewer(ctx context.Context, by int64, at time.Time, d ViewerDraft) error {
	q := New(l.tx)
	id, err := q.insertViewer(ctx, insertViewerParams{
		CompanyID: l.CompanyID, RankID: queries.OrNil(d.RankID), WholeCompany: d.WholeCompany, MayEdit: d.MayEdit, CreatedBy: queries.OrNil(by), Now: at,
	})
	if err != nil {
		return err
	}
	return q.fillViewer(ctx, l.CompanyID, id, d)
}

// Finish writes the corrections, edits and changes of all batches in the order
// of their times, and marks the records of the dates as created. Nothing can be
// written after it.
func (l *Loader) Finish(ctx context.Context) error {
	var lastID int64
	if err := l.tx.QueryRow(ctx, "select coalesce(max(id), 0) from attendance_corrections").Scan(&lastID); err != nil {
		return err
	}
	sortByTime(l.corrections, func(c *Correction) time.Time { return c.CreatedAt })
	for i, c := range l.corrections {
		c.ID = lastID + int64(i) + 1
	}
	sortByTime(l.edits, func(e loadedEdit) time.Time { return e.At })
	sortByTime(l.changes, func(c loadedChange) time.Time { return c.at })
	changes, err := l.changeTable()
	if err != nil {
		return err
	}
	if err := copyTables(ctx, l.tx, correctionTable(l.corrections), editTable(l.edits), changes); err != nil {
		return err
	}
	return New(l.tx).noteOpenings(ctx, noteOpeningsParams{CompanyID: l.CompanyID, First: l.First.Time(), Last: l.Last.Time()})
}

// sortByTime sorts by microseconds, as times are stored, and is stable.
func sortByTime[T any](all []T, at func(T) time.Time) {
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(at(a).UnixMicro(), at(b).UnixMicro()) })
}
