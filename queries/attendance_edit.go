package queries

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"officeconsole/workday"
)

// RecordEdit is a change of a record by somebody who may edit it. What it does
// not name stays as it is.
type RecordEdit struct {
	Key                RecordKey
	Arrival, Departure workday.Change
	Leave              *workday.DayType // "" takes it back
	OvertimeMin        *int             // approved overtime, see workday.OvertimeApproved
	Deleted            *bool            // hides the record, or brings it back
	Reason             string           // 1-200 characters

	// IfLastEdit is the id of the last edit that the one who edits has seen, 0
	// for none; nil edits whatever there is.
	IfLastEdit *int64
}

// EditBatch is how many records are edited at once.
const EditBatch = 500

// Records are edited as long as they are kept (Labour Standards Act, Article
// 42), and leave is entered so far ahead.
const (
	editDaysBehind = 3 * 366
	editDaysAhead  = 366
)

// The refusals of an edit.
const (
	refusedEditLocked    = Invalid("record.locked")
	refusedEditDeleted   = Invalid("record.deleted")
	refusedEditUnchanged = Invalid("record.unchanged")
	refusedEditExtra     = Invalid("record.extra")
	refusedEditFuture    = Invalid("record.time.future")
	refusedEditOutside   = Invalid("record.time.outside")
	refusedEditOrder     = Invalid("record.time.order")
	refusedEditArrival   = Invalid("record.arrival.required")
	refusedEditLeave     = Invalid("record.leave.unknown")
	refusedEditFree      = Invalid("record.leave.free")
	refusedEditOvertime  = Invalid("record.overtime.invalid")
	refusedEditAhead     = Invalid("record.delete.future")
)

// RecordErrors are the refusals of an edit of many, by the record.
type RecordErrors map[RecordKey]FieldErrors

func (e RecordErrors) Error() string { return fmt.Sprintf("%d edits are refused", len(e)) }

// RecordConflict refuses an edit over somebody else's. It is a Conflict.
type RecordConflict struct {
	Key    RecordKey
	ByName string
	At     time.Time
}

func (e *RecordConflict) Error() string { return fmt.Sprintf("record %s was edited", e.Key) }

// Unwrap is the Conflict that the refusal is.
func (e *RecordConflict) Unwrap() error { return Conflict("record.changed") }

// EditRecord edits one record, as EditRecords does; it refuses with FieldErrors
// of arrival, departure, leave, overtime_min, reason and record, the last of
// which is about the record as a whole.
func (db *DB) EditRecord(ctx context.Context, by Actor, scope AttendanceScope, edit RecordEdit) error {
	return ofOne(db.EditRecords(ctx, by, scope, []RecordEdit{edit}))
}

// DeleteRecord hides a record from lists and sums; RestoreRecord brings it back.
func (db *DB) DeleteRecord(ctx context.Context, by Actor, scope AttendanceScope, key RecordKey, reason string, ifLastEdit *int64) error {
	deleted := true
	return db.EditRecord(ctx, by, scope, RecordEdit{Key: key, Deleted: &deleted, Reason: reason, IfLastEdit: ifLastEdit})
}

// RestoreRecord brings a deleted record back.
func (db *DB) RestoreRecord(ctx context.Context, by Actor, scope AttendanceScope, key RecordKey, reason string, ifLastEdit *int64) error {
	deleted := false
	return db.EditRecord(ctx, by, scope, RecordEdit{Key: key, Deleted: &deleted, Reason: reason, IfLastEdit: ifLastEdit})
}

// EditRecords lays edits over the facts, which stay, and derives the records
// again: all of them or none. A date without a record gets one. Each is noted
// in the change log and told to the person by the message attendance.edited.
// scope is that of the one who edits: a record that it does not let edit is
// NotFound; with it an administrator may also edit locked months. It refuses
// with RecordErrors, in which a record that stays as it is counts only if all
// of them do, and with a RecordConflict.
func (db *DB) EditRecords(ctx context.Context, by Actor, scope AttendanceScope, edits []RecordEdit) error {
	if len(edits) > EditBatch {
		return Invalid("record.too_many")
	}
	if err := db.makeRoom(ctx, edits); err != nil {
		return err
	}
	return db.inTx(ctx, func(q *Queries) error { return db.editRecords(ctx, q, by, scope, edits, nil) })
}

// ofOne are the refusals of the only edit.
func ofOne(err error) error {
	var refused RecordErrors
	if errors.As(err, &refused) {
		for _, fields := range refused {
			return fields
		}
	}
	return err
}

// makeRoom makes the partitions of months that EnsurePartitions does not make.
func (db *DB) makeRoom(ctx context.Context, edits []RecordEdit) error {
	for _, e := range edits {
		if err := db.checkDate(e.Key); err != nil {
			return err
		}
		month := e.Key.Date.Time()
		if !month.Before(addMonths(db.now(), -partitionsBehind)) && month.Before(addMonths(db.now(), partitionsAhead)) {
			continue
		}
		if err := db.inTx(ctx, func(q *Queries) error { return q.ensurePartitions(ctx, month, addMonths(month, -partitionsAhead)) }); err != nil {
			return err
		}
	}
	return nil
}

// checkDate is NotFound where nobody keeps a record.
func (db *DB) checkDate(key RecordKey) error {
	today := workday.DateOf(db.now())
	if !between(key.Date, today-editDaysBehind, today+editDaysAhead) {
		return fmt.Errorf("record %s: %w", key, NotFound)
	}
	return nil
}

// editRecords is EditRecords in a transaction, also of what a request for a
// correction asked.
func (db *DB) editRecords(ctx context.Context, q *Queries, by Actor, scope AttendanceScope, edits []RecordEdit, correctionID *int64) error {
	byDate := map[workday.Date][]RecordEdit{}
	ids := map[int64]bool{}
	for _, e := range edits {
		byDate[e.Key.Date], ids[e.Key.UserID] = append(byDate[e.Key.Date], e), true
	}
	d, err := db.derivation(ctx, q, by.CompanyID, slices.Sorted(maps.Keys(ids)))
	if err != nil {
		return err
	}
	w := &editing{derivation: d, by: by, scope: scope, correctionID: correctionID}
	refused, unchanged := RecordErrors{}, 0
	for _, date := range slices.Sorted(maps.Keys(byDate)) {
		known, err := d.read(ctx, usersOf(byDate[date]), date-1, date+1)
		if err != nil {
			return err
		}
		for _, e := range byDate[date] {
			fields, err := w.take(ctx, known, e)
			if err != nil {
				return err
			}
			if fields["record"] == refusedEditUnchanged {
				unchanged++
			} else if len(fields) > 0 {
				refused[e.Key] = fields
			}
		}
	}
	switch {
	case len(refused) > 0:
		return refused
	case unchanged == len(edits):
		for _, e := range edits {
			refused[e.Key] = FieldErrors{"record": refusedEditUnchanged}
		}
		return refused
	}
	return w.write(ctx)
}

func usersOf(edits []RecordEdit) []int64 {
	ids := map[int64]bool{}
	for _, e := range edits {
		ids[e.Key.UserID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// editing is edits on their way in.
type editing struct {
	*derivation
	by           Actor
	scope        AttendanceScope
	correctionID *int64
	done         []recordChanges
}

// recordChanges are what an edit changes.
type recordChanges struct {
	key    RecordKey
	name   string // of the person
	reason string
	grant  *AttendanceGrant
	hide   *bool
	fields []fieldChange
}

// fieldChange is a field of attendance_edits with its old and new value: a
// time, or else a text.
type fieldChange struct {
	field            string
	oldAt, newAt     *time.Time
	oldText, newText string
}

// take finds what an edit changes, or what is wrong with it.
func (w *editing) take(ctx context.Context, k *known, e RecordEdit) (FieldErrors, error) {
	s, err := k.standing(ctx, w.derivation, e.Key)
	if err != nil {
		return nil, err
	}
	if !w.scope.Edits(e.Key.UserID, s.row.DepartmentID) || e.Deleted != nil && !s.there {
		return nil, fmt.Errorf("record %s: %w", e.Key, NotFound)
	}
	if e.IfLastEdit != nil && *e.IfLastEdit != s.lastEdit {
		return nil, w.conflict(ctx, e.Key)
	}
	refused := FieldErrors{}
	if refusal := checkReason(&e.Reason); refusal != "" {
		refused["reason"] = refusal
	}
	restoring := e.Deleted != nil && !*e.Deleted
	switch {
	case k.locked[monthOf(e.Key.Date)] && !w.scope.Everybody:
		refused["record"] = refusedEditLocked
	case s.row.DeletedAt != nil && !restoring:
		refused["record"] = refusedEditDeleted
	case e.Deleted != nil && w.now.Before(s.row.OpensAt):
		refused["record"] = refusedEditAhead
	case e.Key.Extra && (e.Leave != nil || e.OvertimeMin != nil):
		refused["record"] = refusedEditExtra
	}
	c := recordChanges{key: e.Key, name: s.row.Name, reason: e.Reason}
	s.changes(e, &c)
	s.check(e, w.now, refused)
	if len(refused) == 0 && len(c.fields) == 0 {
		refused["record"] = refusedEditUnchanged
	}
	if len(refused) == 0 {
		w.done = append(w.done, c)
	}
	return refused, nil
}

// conflict says who was quicker.
func (w *editing) conflict(ctx context.Context, key RecordKey) error {
	edits, err := w.editsOf(ctx, editsOfParams{w.companyID, key.UserID, key.Date.Time(), key.Extra})
	if err != nil {
		return err
	}
	conflict := &RecordConflict{Key: key}
	if len(edits) > 0 {
		conflict.ByName, conflict.At = edits[0].EditorName, edits[0].At
	}
	return conflict
}

// standing is a record as it stands before an edit.
type standing struct {
	key      RecordKey
	days     []workday.Day // around the date
	policy   *attendancePolicy
	computed workday.Record
	row      DayRecord
	there    bool // row is stored; else it is what would be
	grant    AttendanceGrant
	lastEdit int64
}

// standing finds a record; NotFound where there can be none.
func (k *known) standing(ctx context.Context, d *derivation, key RecordKey) (standing, error) {
	s := standing{key: key, grant: k.grants[RecordKey{UserID: key.UserID, Date: key.Date}]}
	missing := fmt.Errorf("record %s: %w", key, NotFound)
	person, known := d.people[key.UserID]
	if !known {
		return s, missing
	}
	stored := map[RecordKey]DayRecord{}
	for _, row := range k.records[key.UserID] {
		stored[row.Key()] = row
	}
	for on := key.Date - 2; on <= key.Date+3; on++ {
		row, there := stored[RecordKey{UserID: key.UserID, Date: on}]
		day, p, err := k.day(ctx, d, key.UserID, on, pointer(row, there))
		if err != nil {
			return s, err
		}
		if on == key.Date {
			s.policy = p
		}
		s.days = append(s.days, day)
	}
	found := false
	for _, r := range records(s.days, k.events[key.UserID], d.now) {
		if r.Date == key.Date && r.Extra == key.Extra {
			s.computed, found = r.Record, true
		}
	}
	if s.row, s.there = stored[key]; !s.there {
		if !found || key.Extra || person.HiddenAt != nil {
			return s, missing
		}
		s.row = stampRow(s.computed, d.companyID, key, s.policy)
		s.row.Name, s.row.DepartmentID = person.Name, person.DepartmentID
	}
	if edits := k.edits[key]; len(edits) > 0 {
		s.lastEdit = edits[len(edits)-1].ID
	}
	return s, nil
}

// plan lays the day out with a leave.
func (s *standing) plan(leave workday.DayType) workday.Plan {
	days := slices.Clone(s.days)
	for i := range days {
		if days[i].Date == s.key.Date {
			days[i].Leave = leave
		}
	}
	plans := workday.Lay(days)
	plan := plans[slices.IndexFunc(plans, func(p workday.Plan) bool { return p.Date == s.key.Date })]
	if s.key.Extra {
		return plan.Beside()
	}
	return plan
}

// changes notes what an edit changes. A time within the same minute is none:
// nobody enters seconds.
func (s *standing) changes(e RecordEdit, c *recordChanges) {
	note := func(field workday.Field, change workday.Change, old *time.Time) {
		if change.Edited && !sameMinute(old, change.To) {
			c.fields = append(c.fields, fieldChange{field: string(field), oldAt: old, newAt: change.To})
		}
	}
	note(workday.FieldArrival, e.Arrival, s.row.ArrivalAt)
	note(workday.FieldDeparture, e.Departure, s.row.DepartureAt)
	grant := AttendanceGrant{UserID: s.key.UserID, WorkDate: s.key.Date.Time(), Leave: s.grant.Leave, OvertimeMin: s.grant.OvertimeMin}
	if e.Leave != nil && string(*e.Leave) != grant.Leave {
		c.fields = append(c.fields, fieldChange{field: "leave", oldText: grant.Leave, newText: string(*e.Leave)})
		grant.Leave, c.grant = string(*e.Leave), &grant
	}
	if e.OvertimeMin != nil && *e.OvertimeMin != int(grant.OvertimeMin) {
		c.fields = append(c.fields, fieldChange{field: "overtime", oldText: strconv.Itoa(int(grant.OvertimeMin)), newText: strconv.Itoa(*e.OvertimeMin)})
		grant.OvertimeMin, c.grant = int32(min(*e.OvertimeMin, 24*60)), &grant
	}
	if e.Deleted != nil && *e.Deleted != (s.row.DeletedAt != nil) {
		c.fields = append(c.fields, fieldChange{field: "deleted", oldText: strconv.FormatBool(!*e.Deleted), newText: strconv.FormatBool(*e.Deleted)})
		c.hide = e.Deleted
	}
}

func sameMinute(a, b *time.Time) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Truncate(time.Minute).Equal(b.Truncate(time.Minute)))
}

// check notes what the day cannot be.
func (s *standing) check(e RecordEdit, now time.Time, refused FieldErrors) {
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

func (s *standing) checkTimes(e RecordEdit, plan workday.Plan, now time.Time, refused FieldErrors) {
	changed := func(field string, change workday.Change, old *time.Time) (*time.Time, bool) {
		if !change.Edited || sameMinute(old, change.To) {
			return old, false
		}
		switch {
		case change.To == nil:
		case plan.Check(change.To, nil) != nil:
			refused[field] = refusedEditOutside
		case change.To.After(now):
			refused[field] = refusedEditFuture
		}
		return change.To, true
	}
	arrival, moved := changed("arrival", e.Arrival, s.row.ArrivalAt)
	departure, left := changed("departure", e.Departure, s.row.DepartureAt)
	switch {
	case refused["arrival"] != "" || refused["departure"] != "" || !moved && !left:
	case arrival == nil && departure != nil:
		refused["arrival"] = refusedEditArrival
	case !errors.Is(plan.Check(arrival, departure), workday.ErrOrder):
	case left:
		refused["departure"] = refusedEditOrder
	default:
		refused["arrival"] = refusedEditOrder
	}
}

// write stores the edits, derives the records and tells of it.
func (w *editing) write(ctx context.Context) error {
	for _, c := range w.done {
		if err := w.store(ctx, c); err != nil {
			return fmt.Errorf("edit %s: %w", c.key, err)
		}
	}
	byDate := map[workday.Date]map[RecordKey]bool{}
	for _, c := range w.done {
		if byDate[c.key.Date] == nil {
			byDate[c.key.Date] = map[RecordKey]bool{}
		}
		byDate[c.key.Date][c.key] = true
	}
	for _, date := range slices.Sorted(maps.Keys(byDate)) {
		ids := map[int64]bool{}
		for key := range byDate[date] {
			ids[key.UserID] = true
		}
		w.reopened = byDate[date]
		if err := w.deriveBetween(ctx, slices.Sorted(maps.Keys(ids)), date-1, date+1, byDate[date]); err != nil {
			return fmt.Errorf("derive %s: %w", date, err)
		}
	}
	for _, c := range w.done {
		if err := w.publish(ctx, w.companyID, w.now, "attendance.edited", w.message(c)); err != nil {
			return err
		}
	}
	return nil
}

func (w *editing) store(ctx context.Context, c recordChanges) error {
	for _, f := range c.fields {
		err := w.insertEdit(ctx, insertEditParams{
			CompanyID: w.companyID, UserID: c.key.UserID, WorkDate: c.key.Date.Time(), Extra: c.key.Extra, At: w.now,
			EditorID: orNil(w.by.UserID), EditorName: w.by.Name, Field: f.field, OldAt: f.oldAt, NewAt: f.newAt,
			OldText: f.oldText, NewText: f.newText, Reason: c.reason, CorrectionID: w.correctionID,
		})
		if err != nil {
			return err
		}
	}
	if c.grant != nil {
		if err := w.putGrant(ctx, putGrantParams{w.companyID, c.key.UserID, c.key.Date.Time(), c.grant.Leave, c.grant.OvertimeMin}); err != nil {
			return err
		}
	}
	if c.hide != nil {
		var at *time.Time
		if *c.hide {
			at = &w.now
		}
		if err := w.hideRecord(ctx, hideRecordParams{DeletedAt: at, CompanyID: w.companyID, UserID: c.key.UserID, WorkDate: c.key.Date.Time(), Extra: c.key.Extra}); err != nil {
			return err
		}
	}
	note := change{Action: c.action(), ObjectType: "attendance", ObjectID: c.key.UserID, ObjectName: c.name + " " + c.key.Date.String()}
	before, after := map[string]any{"record_id": c.key.String()}, map[string]any{"record_id": c.key.String(), "reason": c.reason}
	for _, f := range c.fields {
		before[f.field], after[f.field] = f.values()
	}
	note.Old, note.New = before, after
	return w.recordChange(ctx, w.by, w.now, note)
}

// action is what the change log calls it.
func (c recordChanges) action() string {
	switch {
	case c.hide == nil:
		return "attendance.edited"
	case *c.hide:
		return "attendance.deleted"
	}
	return "attendance.restored"
}

func (f fieldChange) values() (old, new any) {
	if f.oldAt != nil || f.newAt != nil {
		return f.oldAt, f.newAt
	}
	return f.oldText, f.newText
}

// recordMessage tells that a record was edited.
type recordMessage struct {
	UserID       int64         `json:"user_id"`
	RecordID     string        `json:"record_id"`
	WorkDate     workday.Date  `json:"work_date"`
	Editor       string        `json:"editor_name"`
	EditorID     int64         `json:"editor_id,omitempty"`
	Reason       string        `json:"reason"`
	CorrectionID *int64        `json:"correction_id,omitempty"`
	Changes      []fieldValues `json:"changes"`
}

type fieldValues struct {
	Field string `json:"field"`
	Old   any    `json:"old"`
	New   any    `json:"new"`
}

func (w *editing) message(c recordChanges) recordMessage {
	m := recordMessage{
		UserID: c.key.UserID, RecordID: c.key.String(), WorkDate: c.key.Date, Editor: w.by.Name, EditorID: w.by.UserID,
		Reason: c.reason, CorrectionID: w.correctionID,
	}
	for _, f := range c.fields {
		old, new := f.values()
		m.Changes = append(m.Changes, fieldValues{f.field, old, new})
	}
	slices.SortFunc(m.Changes, func(a, b fieldValues) int { return cmp.Compare(a.Field, b.Field) })
	return m
}
