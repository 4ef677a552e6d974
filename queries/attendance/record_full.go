package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/settings"
	"officeconsole/workday"
)

// FullRecord is a record with everything that it was computed from.
type FullRecord struct {
	Record      // as of now, see Record.AsOf
	Stored bool // whether the date has a row; if not, it is what the row would be
	Zone   *time.Location
	Person string // the current name
	Hidden bool   // whether the person is hidden now

	Department string
	PolicyName string
	Policy     *workday.Policy // the version that the record was computed by
	Places     []settings.Workplace

	// Computed is the record that the events and edits give. In a locked month
	// the stored record may differ, because events that arrived later do not
	// count.
	Computed workday.Record
	Premium  workday.Premium // with its daily and weekly parts, which are not stored
	Plan     workday.Plan    // the planned hours and the window
	Events   []ClockEvent    // by time, also those of the date that belong to no record; old ones without coordinates

	// NotCounted says by event id why an event has no part in the figures.
	NotCounted map[string]NotCounted

	Located bool // whether the coordinates of the day are still stored

	Grant       Grant
	Edits       []Edit       // the latest first
	Corrections []Correction // the latest first
	Views       []RecordView // the latest first; only in the reader's own record

	HasOther   bool // whether the date has another record that the reader may see
	Own        bool // whether it is the reader's own record
	MayEdit    bool // by the reader's scope and the lock of the month
	Locked     bool
	MayRequest bool // whether the reader may request a correction
	LastEditID int64

	premiumDays []workday.PremiumDay // of its week and settlement period
	today       workday.Date         // in the company's time zone
}

// Pending returns the pending request for a correction, or nil.
func (r FullRecord) Pending() *Correction { return pending(r.Corrections) }

// Record returns a record that the reader may see, else NotFound. Reading
// another user's record is stored, for that user to see.
func (store *Store) Record(ctx context.Context, reader directory.Person, key RecordKey) (FullRecord, error) {
	if err := store.checkDate(key); err != nil {
		return FullRecord{}, err
	}
	scope, err := store.RecordScope(ctx, reader)
	if err != nil {
		return FullRecord{}, err
	}
	d, err := store.unlockedDerivation(ctx, store.Queries, reader.CompanyID, []int64{key.UserID})
	if err != nil {
		return FullRecord{}, err
	}
	loaded, err := d.loadFacts(ctx, spanOf(key))
	if err != nil {
		return FullRecord{}, err
	}
	s, err := loaded.recordState(key)
	if err != nil {
		return FullRecord{}, err
	}
	if !scope.Sees(key.UserID, s.row.DepartmentID) {
		return FullRecord{}, fmt.Errorf("record %s: %w", key, queries.NotFound)
	}
	r := s.fullRecord(d.Now)
	r.Person, r.Hidden = d.people[key.UserID].Name, d.people[key.UserID].HiddenAt != nil
	other := loaded.days[key.UserID].stored(RecordKey{UserID: key.UserID, Date: key.Date, Extra: !key.Extra})
	r.HasOther = other != nil && other.DeletedAt == nil && scope.Sees(key.UserID, other.DepartmentID)
	r.Own = key.UserID == scope.UserID
	r.Locked = loaded.isLockedMonth(key.Date)
	mayEdit := scope.Edits(key.UserID, s.row.DepartmentID)
	if r.Own {
		if mayEdit, err = store.editsOwn(ctx, reader.CompanyID, scope); err != nil {
			return FullRecord{}, err
		}
	}
	r.MayEdit = mayEdit && (!r.Locked || scope.Everybody)
	if r.Events, err = store.eventsOf(ctx, d, s, r.Located); err != nil {
		return FullRecord{}, err
	}
	r.Premium, r.premiumDays = loaded.premiumOf(key, s)
	r.today = loaded.today()
	if r.NotCounted, err = d.notCounted(ctx, s, r.Events, loaded.locked[monthOf(key.Date)]); err != nil {
		return FullRecord{}, err
	}
	if err := store.hideClients(ctx, reader, &r); err != nil {
		return FullRecord{}, err
	}
	if err := store.readAround(ctx, &r); err != nil {
		return FullRecord{}, fmt.Errorf("record %s: %w", key, err)
	}
	r.MayRequest = r.Own && !r.Locked && r.DeletedAt == nil && s.correctable(d.Now) && r.Pending() == nil
	if !r.Own {
		err = store.noteView(ctx, noteViewParams{reader.CompanyID, key.UserID, key.Date.Time(), reader.ID, reader.Name, d.Now})
	}
	return r, err
}

// NotCounted is why an event has no part in the figures of a record.
type NotCounted string

const (
	Uncounted   NotCounted = "uncounted" // it lacks its other half, or lies outside of arrival and departure
	Unmatched   NotCounted = "unmatched" // it belongs to no arrival and to no day's window
	AfterLocked NotCounted = "locked"    // it was received after the month was locked, or has been of this month since
)

// notCounted returns why events of the record or its date do not count.
// lockedAt is zero for a month that is not locked.
func (d *derivation) notCounted(ctx context.Context, s recordState, events []ClockEvent, lockedAt time.Time) (map[string]NotCounted, error) {
	reasons := map[string]NotCounted{}
	for _, e := range s.computed.Uncounted {
		reasons[e.ID] = Uncounted
	}
	for _, e := range s.computed.Unmatched {
		reasons[e.ID] = Unmatched
	}
	if lockedAt.IsZero() || len(events) == 0 {
		return reasons, nil
	}
	for _, e := range events {
		if !e.ReceivedAt.Before(lockedAt) {
			reasons[e.EventID] = AfterLocked
		}
	}
	late, err := d.lateEventIDs(ctx, lateEventIDsParams{d.CompanyID, s.key.UserID, events[0].At, events[len(events)-1].At})
	for _, id := range late {
		if slices.ContainsFunc(events, func(e ClockEvent) bool { return e.EventID == id }) {
			reasons[id] = AfterLocked
		}
	}
	return reasons, err
}

// premiumOf returns the premium time of a record among the others of its week and
// settlement period, and these.
func (l *loadedDays) premiumOf(key RecordKey, s recordState) (workday.Premium, []workday.PremiumDay) {
	pass := premiumPass{months: l.months, policies: l.versions, approved: l.approved, today: l.today(), isPaid: l.isPaid}
	pass.collect(key.UserID, key.Date-1, lastDependent(key.Date))
	workday.AddPremiums(pass.days, pass.today)
	for _, day := range pass.days {
		if day.Date == key.Date && day.Extra == key.Extra {
			return day.Premium, pass.days
		}
	}
	return s.computed.Premium, pass.days
}

// hideClients removes the ids of devices and the IP addresses of another person from
// the events if the reader may not see them.
func (s *Store) hideClients(ctx context.Context, reader directory.Person, r *FullRecord) error {
	if r.Own || len(r.Events) == 0 {
		return nil
	}
	disclosure, err := s.directory.DisclosureTo(ctx, reader)
	if err != nil {
		return err
	}
	for i := range r.Events {
		if !disclosure.DeviceIDs {
			r.Events[i].DeviceID = ""
		}
		if !disclosure.IPAddresses {
			r.Events[i].Ip = nil
		}
	}
	return nil
}

// fullRecord returns the record without names, events, edits, requests and
// readers.
func (s *recordState) fullRecord(now time.Time) FullRecord {
	r := FullRecord{
		Record: s.row.AsOf(now), Stored: s.there, Zone: s.policy.Zone, Policy: s.policy.Policy, Places: s.policy.Places,
		Computed: s.computed, Plan: s.plan(workday.DayType(s.grant.Leave)), Grant: s.grant, LastEditID: s.lastEdit,
	}
	r.Located = workday.DateOf(now.In(r.Zone)) <= s.key.Date+workday.Date(s.policy.locationDays)
	c := &r.Computed
	for _, clockTime := range []*workday.ClockTime{c.Arrival, c.Departure, c.Removed.Arrival, c.Removed.Departure} {
		if clockTime != nil && !r.Located {
			clockTime.Event.Place = workday.Place{Name: clockTime.Event.Place.Name}
		}
	}
	return r
}

// eventsOf returns the events that the record was computed from, and with the
// date's main record those that belong to none.
func (store *Store) eventsOf(ctx context.Context, d *derivation, s recordState, located bool) ([]ClockEvent, error) {
	rows, err := d.eventsBetween(ctx, eventsBetweenParams{d.CompanyID, []int64{s.key.UserID}, (s.key.Date - daysBefore).Time(), (s.key.Date + daysBehind + 1).Time()})
	if err != nil {
		return nil, err
	}
	day := workday.Assign(workday.NewPlans(s.days), eventsOfRows(rows))[s.key.Date]
	mine := eventsOfRecord(day, s.key.Extra)
	if s.showsExtra {
		mine = slices.Concat(mine, day.ExtraEvents)
	}
	ids := make(map[string]bool, len(mine))
	for _, e := range mine {
		ids[e.ID] = true
	}
	rows = slices.DeleteFunc(rows, func(e ClockEvent) bool { return !ids[e.EventID] })
	if !located {
		for i := range rows {
			rows[i].Lat, rows[i].Lng, rows[i].AccuracyM = nil, nil, nil
		}
	}
	return rows, nil
}

// readAround reads the names, the edits, the requests and who opened the
// record.
func (s *Store) readAround(ctx context.Context, r *FullRecord) error {
	names, err := s.recordNames(ctx, recordNamesParams{r.CompanyID, r.DepartmentID, r.PolicyID, r.VersionNo})
	if err != nil {
		return err
	}
	r.Department, r.PolicyName = names.Department, names.PolicyName
	if r.Edits, err = s.editsOf(ctx, editsOfParams{r.CompanyID, r.UserID, r.WorkDate, r.Extra}); err != nil {
		return err
	}
	if r.Corrections, err = s.correctionsOf(ctx, correctionsOfParams{r.CompanyID, r.UserID, r.WorkDate, r.Extra}); err != nil {
		return err
	}
	if r.Own {
		r.Views, err = s.viewsOf(ctx, viewsOfParams{r.CompanyID, r.UserID, r.WorkDate})
	}
	return err
}
