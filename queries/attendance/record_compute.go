package attendance

import (
	"slices"
	"time"

	"officeconsole/workday"
)

// computedRecord is a record with the time at which it changes by the passing
// of time alone.
type computedRecord struct {
	workday.Record
	SettlesAt *time.Time
}

// computeRecords returns the records of days as they are now. Records of days
// that are still open are also computed as of the close of the day: a record
// that differs then has to settle.
func computeRecords(plans []workday.Plan, events []workday.Event, now time.Time, wanted func(workday.Date) bool) []computedRecord {
	var closed []workday.Record
	open := workday.RecordsOn(plans, events, now, wanted)
	if slices.ContainsFunc(open, func(r workday.Record) bool { return now.Before(r.Close) }) {
		closed = workday.RecordsOn(plans, events, now.AddDate(1, 0, 0), wanted)
	}
	all := make([]computedRecord, len(open))
	for i, r := range open {
		all[i].Record = r
		if !now.Before(r.Close) {
			continue
		}
		later := closed[i]
		if r.Presence != later.Presence || r.Status != later.Status || r.Flags != later.Flags || !sameMinutes(r.WorkedMin, later.WorkedMin) || len(r.Uncounted) != len(later.Uncounted) {
			all[i].SettlesAt = &r.Close
		}
		// Stored records do not distinguish users who are not due yet from
		// those who have not arrived; AsOf does.
		if r.Presence == workday.PresenceNotDue && later.Presence == workday.PresenceAbsent {
			all[i].Presence, all[i].Status = workday.PresenceBefore, workday.StatusBefore
		}
	}
	return all
}

func everyDate(workday.Date) bool { return true }

func sameMinutes[N comparable](a, b *N) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}

// newRecord returns a computed record as a row.
func newRecord(r workday.Record, companyID int64, key RecordKey, p *recordPolicy) Record {
	row := Record{
		CompanyID: companyID, UserID: key.UserID, WorkDate: r.Date.Time(), Extra: r.Extra, PolicyID: p.policyID, VersionNo: p.no,
		DayType: string(r.Type), Holiday: r.Holiday, StartsAt: timeOrNil(r.Start), EndsAt: timeOrNil(r.End), OpensAt: r.Open, ClosesAt: r.Close,
		Presence: string(r.Presence), Status: string(r.Status), Flags: int32(r.Flags),
		BreakMin: int32(r.BreakMin), OvertimeMin: int32(r.OvertimeMin), NightMin: int32(r.NightMin),
		HolidayMin: int32(r.HolidayMin), HolidayOverMin: int32(r.HolidayOverMin), Uncounted: int32(len(r.Uncounted) + len(r.Unmatched)),
		LateMin: int32(r.LateMin), EarlyMin: int32(r.EarlyMin), RequiredMin: int32(r.RequiredMin),
	}
	if r.WorkedMin != nil {
		worked := int32(*r.WorkedMin)
		row.WorkedMin = &worked
	}
	if r.BalanceMin != nil {
		balance := int32(*r.BalanceMin)
		row.BalanceMin = &balance
	}
	if r.Arrival != nil {
		row.ArrivalAt, row.Device, row.Place = &r.Arrival.At, r.Arrival.Event.Platform, r.Arrival.Event.Place.Name
	}
	if r.Departure != nil {
		row.DepartureAt = &r.Departure.At
	}
	return row
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// sameRecord reports whether two rows are equal as they are stored, in
// microseconds.
func sameRecord(a, b Record) bool {
	times := func(r *Record) []*time.Time {
		return []*time.Time{r.StartsAt, r.EndsAt, &r.OpensAt, &r.ClosesAt, r.SettlesAt, r.ArrivalAt, r.DepartureAt, r.DeletedAt}
	}
	if !slices.EqualFunc(times(&a), times(&b), sameTime) || !sameMinutes(a.WorkedMin, b.WorkedMin) || !sameMinutes(a.BalanceMin, b.BalanceMin) {
		return false
	}
	for _, r := range []*Record{&a, &b} {
		r.StartsAt, r.EndsAt, r.SettlesAt, r.ArrivalAt, r.DepartureAt, r.DeletedAt, r.WorkedMin = nil, nil, nil, nil, nil, nil, nil
		r.BalanceMin = nil
		r.OpensAt, r.ClosesAt, r.WorkDate = time.Time{}, time.Time{}, time.Time{}
	}
	return a == b
}

func sameTime(a, b *time.Time) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Truncate(time.Microsecond).Equal(b.Truncate(time.Microsecond)))
}

func eventsOfRows(rows []ClockEvent) []workday.Event {
	all := make([]workday.Event, len(rows))
	for i, row := range rows {
		all[i] = row.event()
	}
	return all
}

// event returns the row as an event of package workday.
func (e ClockEvent) event() workday.Event {
	event := workday.Event{
		ID: e.EventID, Kind: workday.Kind(e.Kind), OccurredAt: e.OccurredAt, ReceivedAt: e.ReceivedAt, Offline: e.Offline,
		Platform: e.Platform, Proof: e.Proof,
		Mock: e.Mock, Outside: e.Outside, NewDevice: e.DeviceNew, Place: workday.Place{Name: e.Place},
	}
	if e.SentAt != nil {
		event.SentAt = *e.SentAt
	}
	if e.Lat != nil && e.Lng != nil {
		event.Place.Located, event.Place.Lat, event.Place.Lng = true, *e.Lat, *e.Lng
	}
	if e.AccuracyM != nil {
		event.Place.AccuracyM = float64(*e.AccuracyM)
	}
	return event
}
