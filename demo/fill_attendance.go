package demo

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// attendance fills what people clocked, and the records of their days as they
// are at demo.Company.Now: a part of the people at a time is copied while the
// next ones are computed.
func (f *filling) attendance(ctx context.Context, c *Company) error {
	if first, last := c.Period(); last < first {
		return nil
	}
	m, err := f.demoAttendance(ctx, c)
	if err != nil {
		return err
	}
	var edits, corrections []*dated
	locks, changes := m.lockMonths()
	for part, err := range m.parts(ctx) {
		if err != nil {
			return err
		}
		if err := f.copyBulk(ctx, "clock_events", len(part.events), attendance.EventColumns(part.events)); err != nil {
			return err
		}
		if err := f.copyBulk(ctx, "day_records", len(part.records), attendance.RecordColumns(part.records)); err != nil {
			return err
		}
		if err := f.copyBulk(ctx, "attendance_months", len(part.months), attendance.MonthColumns(part.months)); err != nil {
			return err
		}
		if err := part.insert(ctx, f); err != nil {
			return err
		}
		edits, corrections, changes = append(edits, part.edits...), append(corrections, part.corrections...), append(changes, part.changes...)
	}
	// Ids follow the time.
	asked := inTime(corrections)
	for _, row := range asked {
		f.corrections++
		row[0] = f.corrections
	}
	changed := inTime(edits)
	for i, row := range changed {
		if granted := edits[i].grants; granted != nil {
			row[0] = granted.row[0]
		}
	}
	return f.copyTables(ctx, []demoTable{
		{"attendance_corrections", correctionColumns, asked}, {"attendance_edits", editColumns, changed},
		{"attendance_locks", lockColumns, locks}, {"changes", changeColumns, inTime(changes)},
	})
}

// demoAttendance computes the attendance of a company's people. Several cores
// may do so at once.
type demoAttendance struct {
	*Company
	companyID   int64
	users       int64 // ids given to the companies before
	departments []int64
	lineages    [][]int64
	schedule    demoSchedule
	now         time.Time
}

func (f *filling) demoAttendance(ctx context.Context, c *Company) (*demoAttendance, error) {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, err
	}
	first, _ := c.Period()
	t, err := policy.New(f.tx).ReadTimeline(ctx, f.companyID, "workingattitude", (first-2).At(0, zone))
	if err != nil {
		return nil, err
	}
	m := &demoAttendance{
		Company: c, companyID: f.companyID, users: f.users, now: c.Now().Truncate(time.Microsecond),
		schedule: demoSchedule{Timeline: t, policies: &attendance.RecordPolicies{}, zone: zone, turns: map[workday.Date]bool{}},
	}
	m.schedule.findTurns()
	for i, d := range c.Departments {
		id, above := f.departments+int64(i)+1, []int64(nil)
		if d.Parent > 0 {
			above = m.lineages[d.Parent-1]
		}
		m.departments, m.lineages = append(m.departments, id), append(m.lineages, append(slices.Clone(above), id))
	}
	return m, nil
}

// demoPart is the attendance of some people.
type demoPart struct {
	events  []attendance.ClockEvent
	records []attendance.Record
	months  []attendance.Month
	demoFacts
}

// demoPartDays is how many days of people are computed and copied at once: a
// few dozen megabytes.
const demoPartDays = 20_000

// parts are in the order of the people, and computed ahead by as many as there
// are cores.
func (m *demoAttendance) parts(ctx context.Context) iter.Seq2[*demoPart, error] {
	type made struct {
		part *demoPart
		err  error
	}
	first, last := m.Period()
	size := max(1, demoPartDays/int(last-first+1))
	return func(yield func(*demoPart, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		queue := make(chan chan made, runtime.GOMAXPROCS(0))
		go func() {
			defer close(queue)
			for people := range chunks(m.People(), size) {
				result := make(chan made, 1)
				select {
				case queue <- result:
				case <-ctx.Done():
					return
				}
				go func() {
					part, err := m.part(people)
					result <- made{part, err}
				}()
			}
		}()
		for result := range queue {
			if r := <-result; !yield(r.part, r.err) {
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

func (m *demoAttendance) part(people []*Person) (*demoPart, error) {
	part := &demoPart{events: make([]attendance.ClockEvent, 0, 2*demoPartDays), records: make([]attendance.Record, 0, demoPartDays+100)}
	for _, p := range people {
		if first, last := m.Employed(p); first <= last {
			if err := m.person(part, p, first, last); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
	}
	return part, nil
}

func (m *demoAttendance) person(part *demoPart, p *Person, first, last workday.Date) error {
	id := m.users + int64(p.Number)
	duties, versions, err := m.schedule.duties(id, m.lineages[p.Department-1], first-2, last+3)
	if err != nil {
		return err
	}
	all := m.Attendance(p, duties)
	events := m.take(part, id, p, &all, versions, first-2)
	part.keep(m, id, p, &all)

	from := len(part.records)
	for _, r := range m.computed(all.Days, events) {
		if !attendance.Between(r.Date, first, last) {
			continue
		}
		row := attendance.NewRecord(r.Record, m.companyID, attendance.RecordKey{UserID: id, Date: r.Date, Extra: r.Extra}, versions[r.Date-first+2])
		row.Name, row.DepartmentID, row.SettlesAt = p.Name, m.departments[p.Department-1], r.SettlesAt
		row.DeletedAt = deletion(all.Edits, row)
		part.records = append(part.records, row)
	}
	part.months = append(part.months, markWeeks(part.records[from:], versions, first-2)...)
	return nil
}

// deletion is when the edits hide a record.
func deletion(edits []Edit, row attendance.Record) *time.Time {
	for _, e := range edits {
		if e.Field == "deleted" && e.Extra == row.Extra && e.Date == workday.DateOf(row.WorkDate) {
			return &e.At
		}
	}
	return nil
}

// computed are the records of days, of which only the last ones are still open.
func (m *demoAttendance) computed(days []workday.Day, events []workday.Event) []attendance.Computed {
	today := workday.DateOf(m.now.In(m.schedule.zone))
	open := slices.IndexFunc(days, func(d workday.Day) bool { return d.Date == today-3 })
	if open < 1 || open+2 > len(days) {
		return attendance.Records(workday.Lay(days), events, m.now, attendance.EveryDate)
	}
	var all []attendance.Computed
	for _, r := range workday.Records(days[:open+2], events, m.now) {
		if r.Date < today-3 {
			all = append(all, attendance.Computed{Record: r})
		}
	}
	since := days[open].Date.At(-2*24*60, m.schedule.zone)
	recent := slices.IndexFunc(events, func(e workday.Event) bool { at, _ := e.At(); return at.After(since) })
	if recent < 0 {
		recent = len(events)
	}
	for _, r := range attendance.Records(workday.Lay(days[open-1:]), events[recent:], m.now, attendance.EveryDate) {
		if r.Date >= today-3 {
			all = append(all, r)
		}
	}
	return all
}

// take makes facts of events as the console does when it takes them in. first
// is the date of the first of the versions.
func (m *demoAttendance) take(part *demoPart, id int64, p *Person, all *Attendance, versions []*attendance.RecordPolicy, first workday.Date) []workday.Event {
	c := &attendance.EventBatch{Derivation: &attendance.Derivation{PolicyResolver: attendance.PolicyResolver{CompanyID: m.companyID}}, Devices: map[int64]map[string]bool{id: {}}}
	for _, device := range all.Devices {
		c.Devices[id][device] = true
		part.devices = append(part.devices, []any{m.companyID, id, device, p.Joined})
	}
	taken := make([]workday.Event, 0, len(all.Events))
	for _, e := range all.Events {
		input := attendance.ClockInput{
			EventID: e.ID, UserID: id, Kind: e.Kind, OccurredAt: e.Occurred, SentAt: e.Sent, Offline: e.Offline,
			Platform: e.Platform, DeviceID: e.Device, Address: e.Address, Reason: e.Reason, Source: e.Source,
		}
		if e.Position != nil {
			input.GPS = &attendance.GPS{Lat: e.Position.Lat, Lng: e.Position.Lng, AccuracyM: e.Position.AccuracyM, Mock: e.Position.Mock}
		}
		c.Now = e.Received
		row := c.Row(input)
		version := versions[workday.DateOf(row.At.In(m.schedule.zone))-first]
		if refusal := c.Admit(&row, input, version.Clocking, p.Consents() != nil); refusal != "" {
			continue
		}
		if row.DeviceNew {
			part.devices = append(part.devices, []any{m.companyID, id, row.DeviceID, row.ReceivedAt})
		}
		part.events = append(part.events, row)
		taken = append(taken, row.Event())
	}
	return taken
}

// markWeeks sets over_week on a person's records of whole weeks, and gives their
// months. first is the date of the first of the versions.
func markWeeks(rows []attendance.Record, versions []*attendance.RecordPolicy, first workday.Date) []attendance.Month {
	all, place, policies := attendance.Months{}, make(map[attendance.RecordKey]int, len(rows)), map[policy.VersionKey]*attendance.RecordPolicy{}
	if len(rows) == 0 {
		return nil
	}
	for i := range rows {
		key := rows[i].Key()
		place[key], policies[rows[i].Version()] = i, versions[key.Date-first]
		all.Put(&rows[i])
	}
	last := workday.DateOf(rows[len(rows)-1].WorkDate)
	for week := workday.WeekOf(workday.DateOf(rows[0].WorkDate), versions[0].WeekStart); week <= last; week += 7 {
		all.MarkWeek(rows[0].UserID, week, policies, func(key attendance.RecordKey, flags workday.Flags) bool {
			rows[place[key]].Flags = int32(flags)
			return true
		})
	}
	made, _ := all.Rows(rows[0].CompanyID)
	return made
}
