package demo

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// attendance fills the events of people and their records as of Company.Now. It
// writes a batch while the next ones are computed.
func (f *filler) attendance(ctx context.Context, c *Company, loader *attendance.Loader) error {
	if loader.Last < loader.First {
		return nil
	}
	m := f.demoAttendance(c, loader)
	if err := m.lockMonths(ctx); err != nil {
		return err
	}
	for batch, err := range m.batches(ctx) {
		if err != nil {
			return err
		}
		if err := loader.Write(ctx, batch); err != nil {
			return err
		}
	}
	return loader.Finish(ctx)
}

// loader returns the loader of a company whose policies are stored.
func (f *filler) loader(ctx context.Context, c *Company) (*attendance.Loader, error) {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, err
	}
	first, last := c.Period()
	return attendance.NewLoader(ctx, f.tx, attendance.LoaderOptions{CompanyID: f.companyID, Zone: zone, First: first, Last: last, Now: c.Now()})
}

// demoAttendance computes the attendance of a company's people, concurrently.
type demoAttendance struct {
	*Company
	loader      *attendance.Loader
	users       int64     // ids given to the companies before
	departments []int64   // ids in the order of Company.Departments
	ancestors   [][]int64 // of each department, which is the last one itself
}

func (f *filler) demoAttendance(c *Company, loader *attendance.Loader) *demoAttendance {
	m := &demoAttendance{Company: c, loader: loader, users: f.users}
	for i, d := range c.Departments {
		id, above := f.departments+int64(i)+1, []int64(nil)
		if d.Parent > 0 {
			above = m.ancestors[d.Parent-1]
		}
		m.departments, m.ancestors = append(m.departments, id), append(m.ancestors, append(slices.Clone(above), id))
	}
	return m
}

// batchDays is the number of days of people that are computed and written at
// once: a few dozen megabytes.
const batchDays = 20_000

// batches returns the batches in the order of the people. As many as there are
// processors are computed ahead.
func (m *demoAttendance) batches(ctx context.Context) iter.Seq2[*attendance.LoaderBatch, error] {
	type result struct {
		batch *attendance.LoaderBatch
		err   error
	}
	size := max(1, batchDays/int(m.loader.Last-m.loader.First+1))
	return func(yield func(*attendance.LoaderBatch, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		queue := make(chan chan result, runtime.GOMAXPROCS(0))
		go func() {
			defer close(queue)
			for people := range chunks(m.People(), size) {
				next := make(chan result, 1)
				select {
				case queue <- next:
				case <-ctx.Done():
					return
				}
				go func() {
					batch, err := m.batch(people)
					next <- result{batch, err}
				}()
			}
		}()
		for next := range queue {
			if r := <-next; !yield(r.batch, r.err) {
				return
			}
		}
	}
}

func chunks[T any](all iter.Seq[T], size int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		var chunk []T
		for one := range all {
			if chunk = append(chunk, one); len(chunk) == size {
				if !yield(chunk) {
					return
				}
				chunk = nil
			}
		}
		if len(chunk) > 0 {
			yield(chunk)
		}
	}
}

func (m *demoAttendance) batch(people []*Person) (*attendance.LoaderBatch, error) {
	batch := m.loader.NewBatch(batchDays + 100)
	for _, p := range people {
		first, last := m.Employed(p)
		if first > last {
			continue
		}
		facts, err := m.facts(p, first, last)
		if err == nil {
			err = batch.Add(facts)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return batch, nil
}

// lockMonths locks the months before the last one, each of them when the next
// one ended.
func (m *demoAttendance) lockMonths(ctx context.Context) error {
	by := queries.Actor{CompanyID: m.loader.CompanyID, UserID: m.users + 1, Name: m.Named(1)} // the administrator
	today := workday.DateOf(m.loader.Now.In(m.loader.Zone))
	for month := firstOfMonth(m.loader.First, 0); firstOfMonth(month, 2) <= firstOfMonth(today, 0); month = firstOfMonth(month, 1) {
		at := (firstOfMonth(month, 2) - 1).At(17*60, m.loader.Zone)
		if err := m.loader.LockMonth(ctx, by, month, at); err != nil {
			return err
		}
	}
	return nil
}

// firstOfMonth returns the first day of the month that is a number of months
// before that of a date.
func firstOfMonth(date workday.Date, behind int) workday.Date {
	year, month, _ := date.Time().Date()
	return workday.NewDate(year, month+time.Month(behind), 1)
}
