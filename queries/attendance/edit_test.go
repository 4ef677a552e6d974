package attendance_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// editor returns a user of 한빛테크 as the actor of an edit, and the records that
// the user may see and edit.
func editor(t *testing.T, db *areas.Areas, id int64) (queries.Actor, attendance.RecordScope) {
	t.Helper()
	p := someone(t, db, id)
	scope, err := db.Attendance.RecordScope(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return queries.Actor{CompanyID: p.CompanyID, UserID: p.ID, Name: p.Name}, scope
}

func someone(t *testing.T, db *areas.Areas, id int64) directory.Person {
	t.Helper()
	p, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func keyOf(user int64, date string) attendance.RecordKey {
	d, err := workday.ParseDate(date)
	if err != nil {
		panic(err)
	}
	return attendance.RecordKey{UserID: user, Date: d}
}

func set(when time.Time) workday.Change { return workday.Change{Edited: true, To: &when} }

var removedTime = workday.Change{Edited: true}

func ptr[T any](v T) *T { return &v }

// lateKim returns a database in which 김철수 arrived late on friday.
func lateKim(t *testing.T) (*areas.Areas, *queriestest.Clock) {
	db, c := queriestest.NewWithClock(t)
	begin(t, db)
	c.Advance(10 * time.Hour) // 20:00
	accepted(t, take(t, db, clock("in", queriestest.Kim, workday.In, at(t, "2026-11-20 09:34")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-11-20 18:02"))))
	return db, c
}

const friday = "2026-11-20"

func TestEditRecord(t *testing.T) {
	db, _ := lateKim(t)
	by, scope := editor(t, db, queriestest.Manager)
	key := keyOf(queriestest.Kim, friday)
	const clockEvents = "select string_agg(e::text, ' ' order by event_id) from clock_events e"
	events := queriestest.LookUp(t, db, clockEvents)
	before := len(queriestest.Messages(t, db, queriestest.Hanbit, 0))

	edit := attendance.RecordEdit{Key: key, Arrival: set(at(t, "2026-11-20 09:00")), Departure: set(at(t, "2026-11-20 19:20")), Reason: " 외부 회의 ", IfLastEdit: ptr(int64(0))}
	if err := db.Attendance.EditRecord(t.Context(), by, scope, edit); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Kim, friday); got != "[on_time 09:00 19:20 560]" {
		t.Errorf("after the edit: %s", got)
	}
	if queriestest.LookUp(t, db, clockEvents) != events {
		t.Error("the edit changed the clock events")
	}
	r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Kim), key)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Edits) != 2 || r.Edits[0].Field != "departure" || r.Edits[0].EditorName != "최유진" || r.Edits[0].Reason != "외부 회의" ||
		!r.Edits[0].OldAt.Equal(at(t, "2026-11-20 18:02")) || !r.Edits[0].NewAt.Equal(at(t, "2026-11-20 19:20")) {
		t.Errorf("edits: %+v", r.Edits)
	}
	if c := r.Computed; !c.Arrival.Edited || !c.Arrival.Original.Equal(at(t, "2026-11-20 09:34")) || !r.Edited() || len(r.Events) != 2 {
		t.Errorf("the arrival does not have the original time: %+v, %d events", c.Arrival, len(r.Events))
	}
	if len(r.Views) != 0 {
		t.Errorf("the edit was stored as a view: %+v", r.Views)
	}
	messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if last := messages[len(messages)-1]; len(messages) != before+1 || last.Type != "attendance.edited" || !strings.Contains(string(last.Payload), `"record_id": "6-2026-11-20"`) {
		t.Errorf("%d messages, the last one %s", len(messages)-before, last.Payload)
	}
	if got := queriestest.LookUp(t, db, "select action || ' ' || object_name || ' ' || actor_name || ' ' || (new->>'departure') from changes order by id desc limit 1"); got != "attendance.edited 김철수 2026-11-20 최유진 2026-11-20T19:20:00+09:00" {
		t.Errorf("change log: %s", got)
	}
	t.Run("two editors at once", func(t *testing.T) {
		other, all := editor(t, db, queriestest.Admin)
		edit.Departure = set(at(t, "2026-11-20 19:30"))
		err := db.Attendance.EditRecord(t.Context(), other, all, edit)
		var conflict *attendance.RecordConflict
		if !errors.As(err, &conflict) || conflict.ByName != "최유진" || !errors.Is(err, queries.Conflict("record.changed")) {
			t.Errorf("got %v", err)
		}
		edit.IfLastEdit = &r.LastEditID
		if err := db.Attendance.EditRecord(t.Context(), other, all, edit); err != nil {
			t.Errorf("with the last edit seen: %v", err)
		}
	})
	t.Run("emptied times are unknown", func(t *testing.T) {
		if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Departure: removedTime, Reason: "착오"}); err != nil {
			t.Fatal(err)
		}
		if got := dayOf(t, db, queriestest.Kim, friday); got != "[working 09:00 - -]" {
			t.Errorf("got %s", got)
		}
	})
}

func TestOneOfManyEditorsIsFirst(t *testing.T) {
	db, _ := lateKim(t)
	by, scope := editor(t, db, queriestest.Manager)
	failures := make(chan error, 8)
	for i := range cap(failures) {
		go func() {
			failures <- db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{
				Key: keyOf(queriestest.Kim, friday), Departure: set(at(t, "2026-11-20 19:00").Add(time.Duration(i) * time.Minute)), Reason: "x", IfLastEdit: ptr(int64(0)),
			})
		}()
	}
	saved := 0
	for range cap(failures) {
		err := <-failures
		var conflict *attendance.RecordConflict
		if err == nil {
			saved++
		} else if !errors.As(err, &conflict) {
			t.Error(err)
		}
	}
	if n := queriestest.LookUp(t, db, "select count(*) from attendance_edits"); saved != 1 || n != "1" {
		t.Errorf("%d of them were saved, with %s edits", saved, n)
	}
}

func TestRefusedEdits(t *testing.T) {
	db, c := lateKim(t)
	by, scope := editor(t, db, queriestest.Manager)
	for name, e := range map[string]struct {
		edit attendance.RecordEdit
		want queries.FieldErrors
	}{
		"without a reason":               {attendance.RecordEdit{Arrival: set(at(t, "2026-11-20 09:00"))}, queries.FieldErrors{"reason": "record.reason.required"}},
		"with a long reason":             {attendance.RecordEdit{Arrival: set(at(t, "2026-11-20 09:00")), Reason: strings.Repeat("가", 201)}, queries.FieldErrors{"reason": "record.reason.too_long"}},
		"to the day before":              {attendance.RecordEdit{Arrival: set(at(t, "2026-11-19 09:00")), Reason: "x"}, queries.FieldErrors{"arrival": "record.time.outside"}},
		"across days":                    {attendance.RecordEdit{Departure: set(at(t, "2026-11-21 18:00")), Reason: "x"}, queries.FieldErrors{"departure": "record.time.outside"}},
		"ahead of now":                   {attendance.RecordEdit{Departure: set(at(t, "2026-11-20 20:01")), Reason: "x"}, queries.FieldErrors{"departure": "record.time.future"}},
		"departure first":                {attendance.RecordEdit{Departure: set(at(t, "2026-11-20 09:30")), Reason: "x"}, queries.FieldErrors{"departure": "record.time.order"}},
		"arrival last":                   {attendance.RecordEdit{Arrival: set(at(t, "2026-11-20 18:30")), Reason: "x"}, queries.FieldErrors{"arrival": "record.time.order"}},
		"departure without arrival":      {attendance.RecordEdit{Arrival: removedTime, Reason: "x"}, queries.FieldErrors{"arrival": "record.arrival.required"}},
		"to what it is":                  {attendance.RecordEdit{Arrival: set(at(t, "2026-11-20 09:34")), Reason: "x"}, queries.FieldErrors{"record": "record.unchanged"}},
		"to a leave that nobody knows":   {attendance.RecordEdit{Leave: ptr(workday.DayType("holiday")), Reason: "x"}, queries.FieldErrors{"leave": "record.leave.unknown"}},
		"to more overtime than a day":    {attendance.RecordEdit{OvertimeMin: ptr(1441), Reason: "x"}, queries.FieldErrors{"overtime_min": "record.overtime.invalid"}},
		"several things at once":         {attendance.RecordEdit{Arrival: set(at(t, "2026-11-19 09:00")), OvertimeMin: ptr(-1)}, queries.FieldErrors{"arrival": "record.time.outside", "overtime_min": "record.overtime.invalid", "reason": "record.reason.required"}},
		"in the wrong order, unsaid why": {attendance.RecordEdit{Departure: set(at(t, "2026-11-20 09:30"))}, queries.FieldErrors{"departure": "record.time.order", "reason": "record.reason.required"}},
		"leave on a day that is free":    {attendance.RecordEdit{Key: keyOf(queriestest.Kim, "2026-11-21"), Leave: ptr(workday.Leave), Reason: "x"}, queries.FieldErrors{"leave": "record.leave.free"}},
		"deleting what is still to come": {attendance.RecordEdit{Key: keyOf(queriestest.Kim, "2026-11-21"), Deleted: ptr(true), Reason: "x"}, queries.FieldErrors{"record": "record.delete.future"}},
	} {
		t.Run(name, func(t *testing.T) {
			if e.edit.Key == (attendance.RecordKey{}) {
				e.edit.Key = keyOf(queriestest.Kim, friday)
			}
			var refused queries.FieldErrors
			if err := db.Attendance.EditRecord(t.Context(), by, scope, e.edit); !errors.As(err, &refused) || !reflect.DeepEqual(refused, e.want) {
				t.Errorf("got %v, not %v", err, e.want)
			}
		})
	}
	t.Run("of records that are not one's to edit", func(t *testing.T) {
		for _, who := range []int64{queriestest.Viewer, queriestest.Employee, queriestest.Kim} {
			by, scope := editor(t, db, who)
			if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: keyOf(queriestest.Kim, friday), Departure: removedTime, Reason: "x"}); !errors.Is(err, queries.NotFound) {
				t.Errorf("%d: %v", who, err)
			}
		}
		for _, key := range []attendance.RecordKey{keyOf(queriestest.Manager, friday), keyOf(queriestest.Employee, friday), keyOf(queriestest.OtherKim, friday), keyOf(queriestest.Bot, friday), keyOf(999, friday),
			keyOf(queriestest.Kim, "1999-01-04"), keyOf(queriestest.Kim, "2031-01-06"), {UserID: queriestest.Kim, Date: keyOf(0, friday).Date, Extra: true}} {
			if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Leave: ptr(workday.Leave), Reason: "x"}); !errors.Is(err, queries.NotFound) {
				t.Errorf("%s: %v", key, err)
			}
		}
	})
	t.Run("in a locked month", func(t *testing.T) {
		c.Advance(20 * 24 * time.Hour) // December
		begin(t, db)
		admin, all := editor(t, db, queriestest.Admin)
		if err := db.Attendance.LockMonth(t.Context(), admin, keyOf(0, "2026-11-10").Date); err != nil {
			t.Fatal(err)
		}
		edit := attendance.RecordEdit{Key: keyOf(queriestest.Kim, friday), Departure: set(at(t, "2026-11-20 19:00")), Reason: "x"}
		var refused queries.FieldErrors
		if err := db.Attendance.EditRecord(t.Context(), by, scope, edit); !errors.As(err, &refused) || refused["record"] != "record.locked" {
			t.Errorf("a manager: %v", err)
		}
		neighbour := dayOf(t, db, queriestest.Kim, "2026-11-19")
		if err := db.Attendance.EditRecord(t.Context(), admin, all, edit); err != nil {
			t.Fatal(err)
		}
		if got := dayOf(t, db, queriestest.Kim, friday); got != "[late 09:34 19:00 506]" {
			t.Errorf("an administrator's edit gave %s", got)
		}
		if got := dayOf(t, db, queriestest.Kim, "2026-11-19"); got != neighbour {
			t.Errorf("the day before became %s", got)
		}
	})
}

func TestEditRecords(t *testing.T) {
	db, _ := lateKim(t)
	by, scope := editor(t, db, queriestest.Admin)
	leave := func(user int64, date string) attendance.RecordEdit {
		return attendance.RecordEdit{Key: keyOf(user, date), Leave: ptr(workday.Leave), Reason: "연차"}
	}
	bad := attendance.RecordEdit{Key: keyOf(queriestest.Employee, friday), Departure: set(at(t, "2026-11-20 18:00")), Reason: "x"}
	var refused attendance.RecordErrors
	err := db.Attendance.EditRecords(t.Context(), by, scope, []attendance.RecordEdit{leave(queriestest.Foreigner, friday), bad})
	if !errors.As(err, &refused) || !reflect.DeepEqual(refused, attendance.RecordErrors{bad.Key: {"arrival": "record.arrival.required"}}) {
		t.Errorf("got %v", err)
	}
	if got := dayOf(t, db, queriestest.Foreigner, friday); got != "[before - - 0]" {
		t.Errorf("the other one was edited too: %s", got)
	}
	// Two dates have no row, one of them in the future, and one is leave already.
	all := []attendance.RecordEdit{leave(queriestest.Foreigner, friday), leave(queriestest.Foreigner, "2026-10-30"), leave(queriestest.Japanese, "2026-12-30"), leave(queriestest.Employee, "2025-03-04")}
	if err := db.Attendance.EditRecords(t.Context(), by, scope, all); err != nil {
		t.Fatal(err)
	}
	if err := db.Attendance.EditRecords(t.Context(), by, scope, append(all, leave(queriestest.Japanese, friday))); err != nil {
		t.Errorf("one more: %v", err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(work_date || ' ' || name || ' ' || status, ', ' order by work_date, name) from day_records where day_type = 'leave'"); got != "2025-03-04 이준호 leave, 2026-10-30 Olivia Martin leave, 2026-11-20 佐藤ひろし leave, 2026-11-20 Olivia Martin leave, 2026-12-30 佐藤ひろし leave" {
		t.Errorf("leave: %s", got)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from attendance_edits"); got != "5" {
		t.Errorf("%s edits", got)
	}
	// A date without a row, before the first records, becomes a day with work.
	if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: keyOf(queriestest.Kim, "2026-11-03"), Arrival: set(at(t, "2026-11-03 09:00")), Departure: set(at(t, "2026-11-03 18:00")), Reason: "이관 전 기록"}); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-11-03"); got != "[on_time 09:00 18:00 480]" {
		t.Errorf("got %s", got)
	}
}

func TestDeletedRecords(t *testing.T) {
	db, _ := lateKim(t)
	by, scope := editor(t, db, queriestest.Manager)
	key := keyOf(queriestest.Kim, friday)
	if err := db.Attendance.DeleteRecord(t.Context(), by, scope, key, "중복 기록", nil); err != nil {
		t.Fatal(err)
	}
	r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Manager), key)
	if err != nil || r.DeletedAt == nil || r.ArrivalAt == nil {
		t.Errorf("deleted: %+v, %v", r.Record, err)
	}
	var refused queries.FieldErrors
	if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Departure: removedTime, Reason: "x"}); !errors.As(err, &refused) || refused["record"] != "record.deleted" {
		t.Errorf("edited: %v", err)
	}
	accepted(t, take(t, db, clock("later", queriestest.Kim, workday.Out, at(t, "2026-11-20 19:00"))))
	if got := queriestest.LookUp(t, db, "select deleted_at is not null from day_records where user_id = 6 and work_date = '2026-11-20'"); got != "true" {
		t.Error("an event brought it back")
	}
	if err := db.Attendance.RestoreRecord(t.Context(), by, scope, key, "실행 취소", &r.LastEditID); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select (deleted_at is null) || ' ' || worked_min from day_records where user_id = 6 and work_date = '2026-11-20'"); got != "true 506" {
		t.Errorf("restored: %s", got)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action, ' ' order by id) from changes"); got != "attendance.deleted attendance.restored" {
		t.Errorf("change log: %s", got)
	}
}

func TestExtraRecordIsEdited(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	c.Advance(20 * time.Hour)
	accepted(t, take(t, db, clock("night in", queriestest.Kim, workday.In, at(t, "2026-11-20 04:10")), clock("night out", queriestest.Kim, workday.Out, at(t, "2026-11-20 04:40")),
		clock("in", queriestest.Kim, workday.In, at(t, "2026-11-20 09:00")), clock("out", queriestest.Kim, workday.Out, at(t, "2026-11-20 18:00"))))
	by, scope := editor(t, db, queriestest.Manager)
	key := keyOf(queriestest.Kim, friday)
	key.Extra = true
	if got := dayOf(t, db, queriestest.Kim, friday); got != "[on_time 09:00 18:00 480][day_off 04:10 04:40 30]" {
		t.Fatalf("records: %s", got)
	}
	if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Departure: set(at(t, "2026-11-20 04:55")), Reason: "점검"}); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Kim, friday); got != "[on_time 09:00 18:00 480][day_off 04:10 04:55 45]" {
		t.Errorf("records: %s", got)
	}
	if r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Manager), key); err != nil || len(r.Events) != 2 || r.Events[0].EventID != "night in" {
		t.Errorf("record: %+v, %v", r.Events, err)
	}
}

// No edit changes clock events, and deriving the records again after an edit
// changes nothing.
func TestEditsAreStable(t *testing.T) {
	db, c := lateKim(t)
	c.Advance(24 * time.Hour)
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	by, scope := editor(t, db, queriestest.Admin)
	const clockEvents = "select string_agg(e::text, ' ' order by event_id) from clock_events e"
	const records = "select string_agg(r::text, E'\n' order by user_id, work_date, extra) from day_records r where company_id = 1"
	events := queriestest.LookUp(t, db, clockEvents)
	some := rapid.Custom(func(t *rapid.T) workday.Change {
		if rapid.IntRange(0, 3).Draw(t, "which") == 0 {
			return workday.Change{Edited: rapid.Bool().Draw(t, "emptied")}
		}
		when := queriestest.Now.Add(time.Duration(rapid.IntRange(-40*60, 30*60).Draw(t, "minutes")) * time.Minute)
		return workday.Change{Edited: true, To: &when}
	})
	done := 0
	rapid.Check(t, func(rt *rapid.T) {
		edit := attendance.RecordEdit{
			Key:     keyOf(queriestest.Kim, rapid.SampledFrom([]string{"2026-11-19", friday, "2026-11-21"}).Draw(rt, "date")),
			Arrival: some.Draw(rt, "arrival"), Departure: some.Draw(rt, "departure"), Reason: "x",
			Leave: rapid.SampledFrom([]*workday.DayType{nil, ptr(workday.DayType("")), ptr(workday.HalfLeaveAM), ptr(workday.Leave)}).Draw(rt, "leave"),
		}
		before := queriestest.LookUp(t, db, records)
		err := db.Attendance.EditRecord(t.Context(), by, scope, edit)
		if queriestest.LookUp(t, db, clockEvents) != events {
			rt.Fatal("the clock events changed")
		}
		after := queriestest.LookUp(t, db, records)
		var refused queries.FieldErrors
		switch {
		case errors.As(err, &refused):
			if after != before {
				rt.Fatalf("refused, but\n%s\nbecame\n%s", before, after)
			}
			return
		case err != nil:
			rt.Fatal(err)
		}
		done++
		if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, edit.Key.Date-3, edit.Key.Date+3); err != nil {
			rt.Fatal(err)
		}
		if again := queriestest.LookUp(t, db, records); again != after {
			rt.Fatalf("before\n%s\nafter\n%s", after, again)
		}
	})
	if done == 0 {
		t.Error("nothing was edited")
	}
}

// Only an accepted edit of an early month creates its partitions.
func TestPartitionsOfAnEarlyEdit(t *testing.T) {
	db, _ := lateKim(t)
	by, scope := editor(t, db, queriestest.Manager)
	partitions := func() string {
		return queriestest.LookUp(t, db, "select count(*)::text from pg_class where relname = 'day_records_2024_05'")
	}
	edit := attendance.RecordEdit{Key: keyOf(queriestest.Kim, "2024-05-02"), Arrival: set(at(t, "2024-05-02 09:00")), Departure: set(at(t, "2024-05-02 18:00"))}
	if err := db.Attendance.EditRecord(t.Context(), by, scope, edit); err == nil || partitions() != "0" {
		t.Errorf("refused without a reason: %v, %s partitions", err, partitions())
	}
	edit.Reason = "이전 시스템의 기록"
	if err := db.Attendance.EditRecord(t.Context(), by, scope, edit); err != nil || partitions() != "1" {
		t.Errorf("accepted: %v, %s partitions", err, partitions())
	}
}

func TestNobodyEditsTheirOwnRecord(t *testing.T) {
	db := queriestest.New(t)
	key := keyOf(queriestest.Admin, friday)
	edit := func(leave workday.DayType) error {
		by, scope := editor(t, db, queriestest.Admin)
		return db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Leave: &leave, Reason: "x"})
	}
	mayEdit := func() bool {
		r, err := db.Attendance.Record(t.Context(), someone(t, db, queriestest.Admin), key)
		if err != nil {
			t.Fatal(err)
		}
		return r.MayEdit
	}
	if err := edit(workday.Leave); err != nil || !mayEdit() {
		t.Errorf("the only administrator: %v, %v", err, mayEdit())
	}
	if err := db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, db), someone(t, db, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	var refused queries.FieldErrors
	if err := edit(workday.HalfLeaveAM); !errors.As(err, &refused) || refused["record"] != "record.own" || mayEdit() {
		t.Errorf("one of two administrators: %v, %v", err, mayEdit())
	}
	by, scope := editor(t, db, queriestest.Admin)
	err := db.Attendance.EditRecords(t.Context(), by, scope, []attendance.RecordEdit{
		{Key: key, Leave: ptr(workday.HalfLeaveAM), Reason: "x"}, {Key: keyOf(queriestest.Kim, friday), Leave: ptr(workday.HalfLeaveAM), Reason: "x"},
	})
	var records attendance.RecordErrors
	if !errors.As(err, &records) || len(records) != 1 || records[key]["record"] != "record.own" {
		t.Errorf("among others: %v", err)
	}
	// Hiding the other one oneself is no way around, but somebody else may have done it.
	if _, err := db.Hidings.Hide(t.Context(), queriestest.AdminActor(t, db), hiding.Draft{UserIDs: []int64{queriestest.Manager}, Kind: "leave"}); err != nil {
		t.Fatal(err)
	}
	if err := edit(workday.HalfLeaveAM); !errors.As(err, &refused) || refused["record"] != "record.own" || mayEdit() {
		t.Errorf("after hiding the other administrator: %v, %v", err, mayEdit())
	}
	queriestest.Exec(t, db, "update hidings set hidden_by = $1 where user_id = $2", queriestest.Kim, queriestest.Manager)
	if err := edit(workday.HalfLeaveAM); err != nil || !mayEdit() {
		t.Errorf("after another one has hidden the other administrator: %v, %v", err, mayEdit())
	}
}
