package attendance

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// UserFacts are the events and edits of a user from one date to another.
type UserFacts struct {
	UserID       int64
	Name         string
	DepartmentID int64

	First, Last workday.Date // the dates that get records
	Days        []UserDay    // the result of Loader.Days, from two dates before First to three after Last; with leave, approved overtime and edits of times

	GivesLocation bool      // the user agreed that locations are recorded
	Devices       []string  // registered before the first event,
	DevicesAt     time.Time // at this time

	// The company, the user and the ids that follow the time are set by the
	// loader.
	Events      []ReceivedEvent // sorted by ClockEvent.At
	Edits       []GrantingEdit  // sorted by date
	Corrections []Correction
	Views       []RecordView
}

// ReceivedEvent is a clock event with the time at which the server received it.
type ReceivedEvent struct {
	ClockInput
	ReceivedAt time.Time
}

// GrantingEdit is an edit of a record. Correction is the index in
// UserFacts.Corrections of the request that it grants; -1 for none.
type GrantingEdit struct {
	Edit
	Correction int
}

// LoaderBatch is the attendance of some users until Loader.Write stores it. It
// takes some hundred bytes of memory for each event and record.
type LoaderBatch struct {
	loader *Loader

	events  []ClockEvent
	records []Record
	months  []monthRow

	devices     []loadedDevice
	grants      []Grant
	views       []RecordView
	edits       []loadedEdit
	corrections []*Correction
	changes     []loadedChange
}

// NewBatch returns an empty batch with capacity for the records of a number of
// days.
func (l *Loader) NewBatch(days int) *LoaderBatch {
	return &LoaderBatch{loader: l, events: make([]ClockEvent, 0, 2*days), records: make([]Record, 0, days)}
}

// Add derives the records and months of a user from facts. An event that the
// policy of its day refuses is left out, as TakeClockEvents leaves it out.
func (b *LoaderBatch) Add(f UserFacts) error {
	days := make([]workday.Day, len(f.Days))
	for i, d := range f.Days {
		days[i] = d.Day
	}
	b.addFacts(&f)
	from := len(b.records)
	for _, r := range b.loader.compute(days, b.takeEvents(&f)) {
		if !isBetween(r.Date, f.First, f.Last) {
			continue
		}
		row := newRecord(r.Record, b.loader.CompanyID, RecordKey{f.UserID, r.Date, r.Extra}, f.dayOn(r.Date).policy)
		row.Name, row.DepartmentID, row.SettlesAt, row.DeletedAt = f.Name, f.DepartmentID, r.SettlesAt, f.deletedAt(r.Date, r.Extra)
		b.records = append(b.records, row)
	}
	b.months = append(b.months, f.monthsOf(b.records[from:], b.loader.today())...)
	return b.addChanges(&f)
}

func (f *UserFacts) dayOn(date workday.Date) *UserDay { return &f.Days[date-f.Days[0].Date] }

// deletedAt returns the time at which an edit deleted a record, or nil.
func (f *UserFacts) deletedAt(date workday.Date, extra bool) *time.Time {
	for _, e := range f.Edits {
		if e.Field == "deleted" && e.Extra == extra && workday.DateOf(e.WorkDate) == date {
			return &e.At
		}
	}
	return nil
}

// takeEvents adds the events and the devices that they register.
func (b *LoaderBatch) takeEvents(f *UserFacts) []workday.Event {
	taking := &eventBatch{
		derivation: &derivation{policyResolver: policyResolver{CompanyID: b.loader.CompanyID}}, devices: map[int64]map[string]bool{f.UserID: {}},
	}
	for _, device := range f.Devices {
		taking.devices[f.UserID][device] = true
		b.devices = append(b.devices, loadedDevice{b.loader.CompanyID, f.UserID, device, f.DevicesAt})
	}
	taken := make([]workday.Event, 0, len(f.Events))
	for _, e := range f.Events {
		e.UserID, taking.Now = f.UserID, e.ReceivedAt
		row := taking.newEvent(e.ClockInput)
		registered := len(taking.fresh.DeviceIds)
		day := f.dayOn(workday.DateOf(row.At.In(b.loader.Zone)))
		if refusal := taking.admit(&row, e.ClockInput, day.Clocking, f.GivesLocation); refusal != "" {
			continue
		}
		if len(taking.fresh.DeviceIds) > registered {
			b.devices = append(b.devices, loadedDevice{b.loader.CompanyID, f.UserID, row.DeviceID, row.ReceivedAt})
		}
		b.events = append(b.events, row)
		taken = append(taken, row.event())
	}
	return taken
}

func (l *Loader) today() workday.Date { return workday.DateOf(l.Now.In(l.Zone)) }

// compute derives the records of days. computeRecords computes open days twice,
// and only the last days can be open, so the earlier ones are computed
// separately.
func (l *Loader) compute(days []workday.Day, events []workday.Event) []computedRecord {
	today := l.today()
	open := slices.IndexFunc(days, func(d workday.Day) bool { return d.Date == today-3 })
	if open < daysBefore || open+daysBehind > len(days) {
		return computeRecords(workday.NewPlans(days), events, l.Now, everyDate)
	}
	var all []computedRecord
	for _, r := range workday.Records(days[:open+daysBehind], events, l.Now) {
		if r.Date < today-3 {
			all = append(all, computedRecord{Record: r})
		}
	}
	since := days[open].Date.At(-daysBefore*24*60, l.Zone)
	recent := slices.IndexFunc(events, func(e workday.Event) bool { at, _ := e.At(); return at.After(since) })
	if recent < 0 {
		recent = len(events)
	}
	for _, r := range computeRecords(workday.NewPlans(days[open-daysBefore:]), events[recent:], l.Now, everyDate) {
		if r.Date >= today-3 {
			all = append(all, r)
		}
	}
	return all
}

// monthsOf sets the premium time of the user's records and returns their months.
func (f *UserFacts) monthsOf(rows []Record, today workday.Date) []monthRow {
	if len(rows) == 0 {
		return nil
	}
	months, index, policies := personMonths{}, make(map[RecordKey]int, len(rows)), map[policy.VersionKey]*recordPolicy{}
	for i := range rows {
		key := rows[i].Key()
		index[key], policies[rows[i].version()] = i, f.dayOn(key.Date).policy
		months.put(&rows[i])
	}
	pass := premiumPass{months: months, policies: policies, approved: map[RecordKey]int{}, today: today, mark: func(key RecordKey, _, day *monthDay) bool {
		rows[index[key]].setPremium(day.premium, day.Flags)
		return true
	}}
	for _, d := range f.Days {
		if d.ApprovedMin > 0 {
			pass.approved[RecordKey{UserID: f.UserID, Date: d.Date}] = d.ApprovedMin
		}
	}
	pass.run(f.UserID, workday.DateOf(rows[0].WorkDate), workday.DateOf(rows[len(rows)-1].WorkDate))
	return months.changed(rows[0].CompanyID).whole
}

// addFacts adds the rows that are stored unchanged.
func (b *LoaderBatch) addFacts(f *UserFacts) {
	companyID := b.loader.CompanyID
	for _, d := range f.Days {
		if d.Leave != "" || d.ApprovedMin > 0 {
			b.grants = append(b.grants, Grant{companyID, f.UserID, d.Date.Time(), string(d.Leave), int32(d.ApprovedMin)})
		}
	}
	own := make([]*Correction, len(f.Corrections))
	for i, c := range f.Corrections {
		c.CompanyID, c.UserID, c.DepartmentID = companyID, f.UserID, f.DepartmentID
		own[i] = &c
	}
	b.corrections = append(b.corrections, own...)
	for _, e := range f.Edits {
		row := loadedEdit{Edit: e.Edit}
		row.CompanyID, row.UserID = companyID, f.UserID
		if e.Correction >= 0 {
			row.grants = own[e.Correction]
		}
		b.edits = append(b.edits, row)
	}
	for _, v := range f.Views {
		v.CompanyID, v.UserID = companyID, f.UserID
		b.views = append(b.views, v)
	}
}

// addChanges adds the changes of the edits: one for all edits that were made
// together.
func (b *LoaderBatch) addChanges(f *UserFacts) error {
	for edits := f.Edits; len(edits) > 0; {
		first, n := edits[0].Edit, 1
		for n < len(edits) && edits[n].At.Equal(first.At) && edits[n].WorkDate.Equal(first.WorkDate) && edits[n].Extra == first.Extra {
			n++
		}
		c := recordChanges{key: RecordKey{f.UserID, workday.DateOf(first.WorkDate), first.Extra}, name: f.Name, reason: first.Reason}
		for _, e := range edits[:n] {
			c.fields = append(c.fields, fieldChange{Field: e.Field, OldAt: e.OldAt, NewAt: e.NewAt, OldText: e.OldText, NewText: e.NewText})
			if e.Field == "deleted" {
				deleted, err := strconv.ParseBool(e.NewText)
				if err != nil {
					return fmt.Errorf("edit of %s: %w", c.key, err)
				}
				c.hide = &deleted
			}
		}
		by := queries.Actor{CompanyID: b.loader.CompanyID, Name: first.EditorName}
		if first.EditorID != nil {
			by.UserID = *first.EditorID
		}
		b.changes, edits = append(b.changes, loadedChange{first.At, by, c.change()}), edits[n:]
	}
	return nil
}
