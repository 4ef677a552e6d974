package attendance

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// LateEvent is a clock event that was received after the month of its work date was
// locked, so that it does not count until the month is unlocked.
type LateEvent struct {
	ID             int64
	UserID         int64
	Name           string // the current one
	EmployeeID     string
	Hidden         bool  // whether the user is hidden now
	DepartmentID   int64 // of the date
	DepartmentName string
	WorkDate       time.Time
	Extra          bool
	At             time.Time
	EventID        string
	Kind           string
	ReceivedAt     time.Time
}

// Key returns the record that shows the event.
func (e LateEvent) Key() RecordKey {
	return RecordKey{UserID: e.UserID, Date: workday.DateOf(e.WorkDate), Extra: e.Extra}
}

// LateEventFilter is the filter of the records with uncounted events of a month, by which
// reading its late events is noted.
func LateEventFilter(month workday.Date) Filter {
	return Filter{Unit: LogUnit, First: month, Last: lastOfMonth(month), Uncounted: true}
}

// LateEventList is the list name of the cursors of late events.
const LateEventList = "late_events"

// LateEvents returns the late events of the month of a date, the latest date first. A
// month that is not locked is NotFound.
func (s *Store) LateEvents(ctx context.Context, companyID int64, date workday.Date, at *lists.Cursor, limit int) (lists.Page[LateEvent], error) {
	page, month := lists.Page[LateEvent]{}, monthOf(date)
	if err := at.Check(LateEventList); err != nil {
		return page, err
	}
	if locked, err := s.isMonthLocked(ctx, isMonthLockedParams{companyID, month.Time()}); err != nil {
		return page, err
	} else if !locked {
		return page, fmt.Errorf("late events of %s: %w", month, queries.NotFound)
	}
	first, last := month, lastOfMonth(month)
	on, id := last+1, int64(0)
	if !at.IsStart() {
		var err error
		if on, err = workday.ParseDate(at.Value); err != nil {
			return page, fmt.Errorf("cursor at %q: %w", at.Value, lists.ErrCursor)
		}
		id = at.ID
	}
	var found []LateEvent
	if at.IsBackward() {
		rows, err := s.lateEventsAfter(ctx, lateEventsAfterParams{companyID, first.Time(), last.Time(), on.Time(), id, int32(limit + 1)})
		if err != nil {
			return page, err
		}
		for _, row := range rows {
			found = append(found, LateEvent(row))
		}
	} else {
		rows, err := s.lateEventsBefore(ctx, lateEventsBeforeParams{companyID, first.Time(), last.Time(), on.Time(), id, int32(limit + 1)})
		if err != nil {
			return page, err
		}
		for _, row := range rows {
			found = append(found, LateEvent(row))
		}
	}
	return lists.NewPage(found, at, limit, func(e LateEvent) lists.Cursor {
		return lists.Cursor{List: LateEventList, Value: e.Key().Date.String(), ID: e.ID}
	}), nil
}

// lockedRecord is the record of an event in a locked month.
type lockedRecord struct {
	event workday.Event
	key   RecordKey
}

// shownBy returns the record that shows the events of a record: in a locked month, those
// of an extra record that is not stored are with the main record of the date.
func (l *loadedDays) shownBy(p *personDays, key RecordKey) RecordKey {
	if key.Extra && l.isLockedMonth(key.Date) && p.stored(key) == nil {
		key.Extra = false
	}
	return key
}

// lockedRecords returns the records of a user's events that are in locked months, by the
// ids of the events.
func (l *loadedDays) lockedRecords(p *personDays, events []workday.Event) map[string]lockedRecord {
	records := map[string]lockedRecord{}
	for date, day := range workday.Assign(p.plans, events) {
		if !l.isLockedMonth(date) {
			continue
		}
		for _, extra := range []bool{false, true} {
			for _, e := range eventsOfRecord(day, extra) {
				records[e.ID] = lockedRecord{e, l.shownBy(p, RecordKey{p.userID, date, extra})}
			}
		}
	}
	return records
}

// lateChange is an event that does not count because of its record, or that counts now.
type lateChange struct {
	lockedRecord
	counts bool
}

// isLate reports whether an event of a date in a locked month does not count. The time at
// which it was received does not always tell: the clock of another server may be behind.
func (l *loadedDays) isLate(userID int64, e workday.Event, date workday.Date) bool {
	_, isStored := l.storedLate[knownEventsRow{userID, e.ID}]
	return isStored || l.isNew[userID][e.ID] || !e.ReceivedAt.Before(l.locked[monthOf(date)])
}

// readLate reads of which records the late events of the derived dates are.
func (l *loadedDays) readLate(ctx context.Context) error {
	userIDs := slices.DeleteFunc(slices.Clone(l.userIDs), func(id int64) bool { return !l.derivesLocked(l.days[id]) })
	if len(userIDs) == 0 {
		return nil
	}
	rows, err := l.lateEventsOf(ctx, lateEventsOfParams{l.CompanyID, userIDs, l.first.Time(), l.last.Time()})
	l.storedLate = make(map[knownEventsRow]RecordKey, len(rows))
	for _, row := range rows {
		l.storedLate[knownEventsRow{row.UserID, row.EventID}] = RecordKey{row.UserID, workday.DateOf(row.WorkDate), row.Extra}
	}
	return err
}

// findLate adds those of a user's new events whose record is in a locked month to locked,
// and collects how the late events change. A new arrival may take an earlier departure to
// another record, into or out of a locked month.
func (l *loadedDays) findLate(userID int64, isNew map[string]bool, locked map[knownEventsRow]bool) {
	p := l.days[userID]
	if len(l.locked) == 0 || !slices.ContainsFunc(p.days, func(day workday.Day) bool { return l.isLockedMonth(day.Date) }) {
		return
	}
	earlier := slices.DeleteFunc(slices.Clone(p.events), func(e workday.Event) bool { return isNew[e.ID] })
	before, after := l.lockedRecords(p, earlier), l.lockedRecords(p, p.events)
	for id, record := range after {
		was, wasLocked := before[id]
		if !wasLocked || l.isLate(userID, record.event, record.key.Date) && was.key != record.key {
			l.late[knownEventsRow{userID, id}] = lateChange{record, false}
		}
		if isNew[id] {
			locked[knownEventsRow{userID, id}] = true
		}
	}
	for id, record := range before {
		if _, isLocked := after[id]; !isLocked {
			l.late[knownEventsRow{userID, id}] = lateChange{record, true}
		}
	}
}

// moveLate stores again of which records the late events of the derived dates are: they move
// with the hours of a date, as by a leave or another policy.
func (l *loadedDays) moveLate(ctx context.Context) error {
	l.late = map[knownEventsRow]lateChange{}
	for _, id := range l.userIDs {
		if p := l.days[id]; l.derivesLocked(p) {
			l.moveLateOf(p)
		}
	}
	return l.writeLate(ctx)
}

// moveLateOf collects how the late events of a person change.
func (l *loadedDays) moveLateOf(p *personDays) {
	for date, day := range workday.Assign(p.plans, p.events) {
		lockedAt := l.locked[monthOf(date)]
		for _, extra := range []bool{false, true} {
			for _, e := range eventsOfRecord(day, extra) {
				id, key := knownEventsRow{p.userID, e.ID}, l.shownBy(p, RecordKey{p.userID, date, extra})
				old, isStored := l.storedLate[id]
				hasMoved := isStored && old != key && p.derives(old.Date) && (p.derives(date) || lockedAt.IsZero())
				hasCome := !isStored && p.derives(date) && !lockedAt.IsZero() && !e.ReceivedAt.Before(lockedAt)
				if hasMoved || hasCome {
					l.late[id] = lateChange{lockedRecord{e, key}, lockedAt.IsZero()}
				}
			}
		}
	}
}

// writeLate stores the changes of the late events.
func (d *derivation) writeLate(ctx context.Context) error {
	if len(d.late) == 0 {
		return nil
	}
	put, drop := putLateEventsParams{CompanyID: d.CompanyID}, dropLateEventsParams{CompanyID: d.CompanyID}
	changes := slices.SortedFunc(maps.Values(d.late), func(a, b lateChange) int {
		return cmp.Or(cmp.Compare(a.key.UserID, b.key.UserID), a.event.OccurredAt.Compare(b.event.OccurredAt), cmp.Compare(a.event.ID, b.event.ID))
	})
	for _, c := range changes {
		at, _ := c.event.At()
		if c.counts {
			drop.UserIds, drop.Ats, drop.EventIds = append(drop.UserIds, c.key.UserID), append(drop.Ats, at), append(drop.EventIds, c.event.ID)
			continue
		}
		put.UserIds, put.WorkDates, put.Extras = append(put.UserIds, c.key.UserID), append(put.WorkDates, c.key.Date.Time()), append(put.Extras, c.key.Extra)
		put.DepartmentIds, put.Ats = append(put.DepartmentIds, d.personOn(c.key.UserID, c.key.Date).DepartmentID), append(put.Ats, at)
		put.EventIds, put.Kinds, put.ReceivedAts = append(put.EventIds, c.event.ID), append(put.Kinds, string(c.event.Kind)), append(put.ReceivedAts, c.event.ReceivedAt)
	}
	if len(drop.UserIds) > 0 {
		if err := d.dropLateEvents(ctx, drop); err != nil {
			return err
		}
	}
	if len(put.UserIds) == 0 {
		return nil
	}
	return d.putLateEvents(ctx, put)
}
