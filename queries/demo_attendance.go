package queries

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"

	"officeconsole/demo"
	"officeconsole/workday"
)

// attendance fills what people clocked, and the records of their days as they
// are at demo.Company.Now: a part of the people at a time is copied while the
// next ones are computed.
func (f *filling) attendance(ctx context.Context, c *demo.Company) error {
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
		if err := f.copyBulk(ctx, "clock_events", len(part.events), eventColumns(part.events)); err != nil {
			return err
		}
		if err := f.copyBulk(ctx, "day_records", len(part.records), recordColumns(part.records)); err != nil {
			return err
		}
		if err := f.copyBulk(ctx, "attendance_months", len(part.months), monthColumns(part.months)); err != nil {
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
	*demo.Company
	companyID   int64
	users       int64 // ids given to the companies before
	departments []int64
	lineages    [][]int64
	schedule    demoSchedule
	now         time.Time
}

func (f *filling) demoAttendance(ctx context.Context, c *demo.Company) (*demoAttendance, error) {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, err
	}
	first, _ := c.Period()
	t, err := f.timelineOf(ctx, f.companyID, "workingattitude", (first-2).At(0, zone))
	if err != nil {
		return nil, err
	}
	m := &demoAttendance{
		Company: c, companyID: f.companyID, users: f.users, now: c.Now().Truncate(time.Microsecond),
		schedule: demoSchedule{timeline: t, policies: &attendancePolicies{}, zone: zone, turns: map[workday.Date]bool{}},
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
	events  []ClockEvent
	records []DayRecord
	months  []AttendanceMonth
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

func (m *demoAttendance) part(people []*demo.Person) (*demoPart, error) {
	part := &demoPart{events: make([]ClockEvent, 0, 2*demoPartDays), records: make([]DayRecord, 0, demoPartDays+100)}
	for _, p := range people {
		if first, last := m.Employed(p); first <= last {
			if err := m.person(part, p, first, last); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
	}
	return part, nil
}

func (m *demoAttendance) person(part *demoPart, p *demo.Person, first, last workday.Date) error {
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
		if !between(r.Date, first, last) {
			continue
		}
		row := newRecord(r.Record, m.companyID, RecordKey{id, r.Date, r.Extra}, versions[r.Date-first+2])
		row.Name, row.DepartmentID, row.SettlesAt = p.Name, m.departments[p.Department-1], r.settlesAt
		row.DeletedAt = deletion(all.Edits, row)
		part.records = append(part.records, row)
	}
	part.months = append(part.months, markWeeks(part.records[from:], versions, first-2)...)
	return nil
}

// deletion is when the edits hide a record.
func deletion(edits []demo.Edit, row DayRecord) *time.Time {
	for _, e := range edits {
		if e.Field == "deleted" && e.Extra == row.Extra && e.Date == workday.DateOf(row.WorkDate) {
			return &e.At
		}
	}
	return nil
}

// computed are the records of days, of which only the last ones are still open.
func (m *demoAttendance) computed(days []workday.Day, events []workday.Event) []computed {
	today := workday.DateOf(m.now.In(m.schedule.zone))
	open := slices.IndexFunc(days, func(d workday.Day) bool { return d.Date == today-3 })
	if open < 1 || open+2 > len(days) {
		return records(workday.Lay(days), events, m.now, everyDate)
	}
	var all []computed
	for _, r := range workday.Records(days[:open+2], events, m.now) {
		if r.Date < today-3 {
			all = append(all, computed{Record: r})
		}
	}
	since := days[open].Date.At(-2*24*60, m.schedule.zone)
	recent := slices.IndexFunc(events, func(e workday.Event) bool { at, _ := e.At(); return at.After(since) })
	if recent < 0 {
		recent = len(events)
	}
	for _, r := range records(workday.Lay(days[open-1:]), events[recent:], m.now, everyDate) {
		if r.Date >= today-3 {
			all = append(all, r)
		}
	}
	return all
}

// take makes facts of events as the console does when it takes them in. first
// is the date of the first of the versions.
func (m *demoAttendance) take(part *demoPart, id int64, p *demo.Person, all *demo.Attendance, versions []*attendancePolicy, first workday.Date) []workday.Event {
	c := &eventBatch{derivation: &derivation{policyResolver: policyResolver{companyID: m.companyID}}, devices: map[int64]map[string]bool{id: {}}}
	for _, device := range all.Devices {
		c.devices[id][device] = true
		part.devices = append(part.devices, []any{m.companyID, id, device, p.Joined})
	}
	taken := make([]workday.Event, 0, len(all.Events))
	for _, e := range all.Events {
		input := ClockInput{
			EventID: e.ID, UserID: id, Kind: e.Kind, OccurredAt: e.Occurred, SentAt: e.Sent, Offline: e.Offline,
			Platform: e.Platform, DeviceID: e.Device, Address: e.Address, Reason: e.Reason, Source: e.Source,
		}
		if e.Position != nil {
			input.GPS = &GPS{e.Position.Lat, e.Position.Lng, e.Position.AccuracyM, e.Position.Mock}
		}
		c.now = e.Received
		row := c.row(input)
		version := versions[workday.DateOf(row.At.In(m.schedule.zone))-first]
		if refusal := c.admit(&row, input, version.Clocking, p.Consents() != nil); refusal != "" {
			continue
		}
		if row.DeviceNew {
			part.devices = append(part.devices, []any{m.companyID, id, row.DeviceID, row.ReceivedAt})
		}
		part.events = append(part.events, row)
		taken = append(taken, row.event())
	}
	return taken
}

// markWeeks sets over_week on a person's records of whole weeks, and gives their
// months. first is the date of the first of the versions.
func markWeeks(rows []DayRecord, versions []*attendancePolicy, first workday.Date) []AttendanceMonth {
	all, place, policies := months{}, make(map[RecordKey]int, len(rows)), map[policyVersionKey]*attendancePolicy{}
	if len(rows) == 0 {
		return nil
	}
	for i := range rows {
		key := rows[i].Key()
		place[key], policies[rows[i].version()] = i, versions[key.Date-first]
		all.put(&rows[i])
	}
	last := workday.DateOf(rows[len(rows)-1].WorkDate)
	for week := workday.WeekOf(workday.DateOf(rows[0].WorkDate), versions[0].WeekStart); week <= last; week += 7 {
		all.markWeek(rows[0].UserID, week, policies, func(key RecordKey, flags workday.Flags) bool {
			rows[place[key]].Flags = int32(flags)
			return true
		})
	}
	made, _ := all.rows(rows[0].CompanyID)
	return made
}
