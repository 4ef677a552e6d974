package attendance

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// recordState is a record before an edit.
type recordState struct {
	key      RecordKey
	days     []workday.Day // around the date
	policy   *recordPolicy
	computed workday.Record
	row      Record
	there    bool // whether row is stored; if not, it is what would be stored
	grant    Grant
	lastEdit int64

	showsExtra bool // whether the events of the date's extra record are shown, too; see shownBy
}

// recordState returns the state of a record, or NotFound where there can be no
// record.
func (l *loadedDays) recordState(key RecordKey) (recordState, error) {
	s := recordState{key: key}
	missing := fmt.Errorf("record %s: %w", key, queries.NotFound)
	person, known := l.people[key.UserID]
	if !known {
		return s, missing
	}
	p := l.days[key.UserID]
	day := p.day(key.Date)
	s.grant = Grant{CompanyID: l.CompanyID, UserID: key.UserID, WorkDate: key.Date.Time(), Leave: string(day.Leave), OvertimeMin: int32(day.ApprovedMin)}
	s.days, s.policy = p.days[key.Date-daysBefore-p.first:key.Date+daysBehind+1-p.first], p.policyOn(key.Date)
	events, late := p.events, map[RecordKey]int32{}
	if l.isLockedMonth(key.Date) {
		events, late = l.withoutLate(p)
	}
	found := false
	for _, r := range computeRecords(p.plans, events, l.Now, func(on workday.Date) bool { return on == key.Date }) {
		if r.Extra == key.Extra {
			s.computed, found = r.Record, true
		}
	}
	s.showsExtra = !key.Extra && l.shownBy(p, RecordKey{key.UserID, key.Date, true}) == key
	switch stored := p.stored(key); {
	case stored != nil:
		s.row, s.there = *stored, true
	case !found || key.Extra || person.HiddenAt != nil && late[key] == 0:
		return s, missing
	default:
		s.row = newRecord(s.computed, l.CompanyID, key, s.policy)
		s.row.Uncounted += late[key]
		then := l.personOn(key.UserID, key.Date)
		s.row.Name, s.row.DepartmentID = then.Name, then.DepartmentID
	}
	edits := day.Edits
	if key.Extra {
		edits = day.ExtraEdits
	}
	if len(edits) > 0 {
		s.lastEdit = edits[len(edits)-1].ID
	}
	return s, nil
}

// plan computes the window of the day with a leave.
func (s *recordState) plan(leave workday.DayType) workday.Plan {
	days := slices.Clone(s.days)
	for i := range days {
		if days[i].Date == s.key.Date {
			days[i].Leave = leave
		}
	}
	plans := workday.NewPlans(days)
	plan := plans[slices.IndexFunc(plans, func(p workday.Plan) bool { return p.Date == s.key.Date })]
	if s.key.Extra {
		return plan.ExtraPlan()
	}
	return plan
}

// changes adds to c what an edit changes. A time within the same minute is no
// change, because forms have no seconds.
func (s *recordState) changes(e RecordEdit, c *recordChanges) {
	note := func(field workday.Field, change workday.Change, old *time.Time) {
		if change.Edited && (e.storesSame || !sameMinute(old, change.To)) {
			c.fields = append(c.fields, fieldChange{Field: string(field), OldAt: old, NewAt: change.To})
		}
	}
	note(workday.FieldArrival, e.Arrival, s.row.ArrivalAt)
	note(workday.FieldDeparture, e.Departure, s.row.DepartureAt)
	grant := Grant{UserID: s.key.UserID, WorkDate: s.key.Date.Time(), Leave: s.grant.Leave, OvertimeMin: s.grant.OvertimeMin}
	if e.Leave != nil && string(*e.Leave) != grant.Leave {
		c.fields = append(c.fields, fieldChange{Field: "leave", OldText: grant.Leave, NewText: string(*e.Leave)})
		grant.Leave, c.grant = string(*e.Leave), &grant
	}
	if e.OvertimeMin != nil && *e.OvertimeMin != int(grant.OvertimeMin) {
		c.fields = append(c.fields, fieldChange{Field: "overtime", OldText: strconv.Itoa(int(grant.OvertimeMin)), NewText: strconv.Itoa(*e.OvertimeMin)})
		grant.OvertimeMin, c.grant = int32(min(*e.OvertimeMin, 24*60)), &grant
	}
	if e.Deleted != nil && *e.Deleted != (s.row.DeletedAt != nil) {
		c.fields = append(c.fields, fieldChange{Field: "deleted", OldText: strconv.FormatBool(!*e.Deleted), NewText: strconv.FormatBool(*e.Deleted)})
		c.hide = e.Deleted
	}
}

func sameMinute(a, b *time.Time) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Truncate(time.Minute).Equal(b.Truncate(time.Minute)))
}

// check adds to refused what is impossible about the edited day.
func (s *recordState) check(e RecordEdit, now time.Time, refused queries.FieldErrors) {
	leave := workday.DayType(s.grant.Leave)
	if e.Leave != nil {
		leave = *e.Leave
		switch {
		case !slices.Contains([]workday.DayType{"", workday.Leave, workday.HalfLeaveAM, workday.HalfLeavePM}, leave):
			refused["leave"] = refusedEditLeave
			leave = ""
		case leave != "" && leave != workday.DayType(s.grant.Leave) && s.plan("").Type != workday.Workday:
			refused["leave"] = refusedEditFree
		}
	}
	if n := e.OvertimeMin; n != nil && (*n < 0 || *n > 24*60) {
		refused["overtime_min"] = refusedEditOvertime
	}
	s.checkTimes(e, s.plan(leave), now, refused)
}

func (s *recordState) checkTimes(e RecordEdit, plan workday.Plan, now time.Time, refused queries.FieldErrors) {
	changed := func(field string, change workday.Change, old *time.Time, isHeld func(time.Time) bool) (*time.Time, bool) {
		if !change.Edited || sameMinute(old, change.To) {
			return old, false
		}
		switch {
		case change.To == nil:
		case !isHeld(*change.To):
			refused[field] = refusedEditOutside
		case change.To.After(now):
			refused[field] = refusedEditFuture
		}
		return change.To, true
	}
	arrival, moved := changed("arrival", e.Arrival, s.row.ArrivalAt, plan.HoldsArrival)
	departure, left := changed("departure", e.Departure, s.row.DepartureAt, func(t time.Time) bool { return plan.HoldsDeparture(arrival, t) })
	switch {
	case refused["arrival"] != "" || refused["departure"] != "" || !moved && !left:
	case arrival == nil && departure != nil:
		refused["arrival"] = refusedEditArrival
	case arrival == nil || departure == nil || departure.After(*arrival):
	case left:
		refused["departure"] = refusedEditOrder
	default:
		refused["arrival"] = refusedEditOrder
	}
}
