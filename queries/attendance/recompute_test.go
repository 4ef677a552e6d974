package attendance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// defaultAttendance is the default working attitude policy of Hanbit.
const defaultAttendance = int64(2)

// hoursDraft is a draft of the default policy with working hours from Monday to
// Friday, which starts with a date.
func hoursDraft(start, end, from string) policy.Draft {
	week := map[string]any{}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri"} {
		week[day] = map[string]any{"work": true, "start": start, "end": end, "end_next_day": false}
	}
	for _, day := range []string{"sat", "sun"} {
		week[day] = map[string]any{"work": false}
	}
	text, err := json.Marshal(map[string]any{"week": week})
	if err != nil {
		panic(err)
	}
	return policy.Draft{
		Kind: "workingattitude", Name: "기본 근태 정책", Enabled: true, Settings: text,
		EffectiveFrom: policy.Start{When: policy.StartAt, Local: from + "T00:00"}, Confirmed: true,
	}
}

// saveHours saves hoursDraft as the next version of the default policy.
func saveHours(t *testing.T, db *areas.Areas, start, end, from string) policy.Policy {
	t.Helper()
	p, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), defaultAttendance, 0, hoursDraft(start, end, from))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func recompute(t *testing.T, db *areas.Areas) {
	t.Helper()
	if err := db.Attendance.RecomputePast(t.Context()); err != nil {
		t.Fatal(err)
	}
}

const storedRecords = "select coalesce(string_agg(r::text, E'\n' order by user_id, work_date, extra), '') from day_records r where company_id = 1"

// A company that worked from ten until March and from nine since gets the same
// records whether it first imports its attendance or first saves its policies.
func TestPastPoliciesAndImport(t *testing.T) {
	var rows []string
	for _, date := range []string{"2026-01-05", "2026-02-26", "2026-02-27", "2026-03-03", "2026-03-04", "2026-06-01"} {
		rows = append(rows, "H0006,"+date+",09:50,19:10,pc,", "H0002,"+date+",10:05,18:30,pc,")
	}
	policies := func(t *testing.T, db *areas.Areas) {
		saveHours(t, db, "09:00", "18:00", "2026-03-01")
		saveHours(t, db, "10:00", "19:00", "2026-01-02") // saved later, but earlier in time
	}
	first := queriestest.New(t)
	policies(t, first)
	recompute(t, first)
	importLong(t, first, attendance.ImportOptions{}, rows...)

	second := queriestest.New(t)
	importLong(t, second, attendance.ImportOptions{}, rows...)
	if got := dayOf(t, second, queriestest.Kim, "2026-02-27"); got != "[late 09:50 19:10 500]" {
		t.Errorf("before the policies of the past: %s", got)
	}
	policies(t, second)
	recompute(t, second)

	for date, want := range map[string]string{
		"2026-01-05": "[on_time 09:50 19:10 500]", "2026-02-27": "[on_time 09:50 19:10 500]", "2026-03-03": "[late 09:50 19:10 500]", "2026-06-01": "[late 09:50 19:10 500]",
	} {
		if got := dayOf(t, second, queriestest.Kim, date); got != want {
			t.Errorf("%s is %s, not %s", date, got, want)
		}
	}
	if a, b := queriestest.LookUp(t, first, storedRecords), queriestest.LookUp(t, second, storedRecords); a != b || a == "" {
		t.Errorf("policies first\n%s\nimport first\n%s", a, b)
	}
	const months = "select string_agg(m::text, E'\n' order by user_id, month) from attendance_months m where company_id = 1"
	if a, b := queriestest.LookUp(t, first, months), queriestest.LookUp(t, second, months); a != b || a == "" {
		t.Errorf("months: policies first\n%s\nimport first\n%s", a, b)
	}
}

// monthOfRecords imports records of Kim and Employee from 2 to 19 November: Kim comes
// at 09:50, Employee at 08:50.
func monthOfRecords(t *testing.T) (*areas.Areas, *queriestest.Clock) {
	t.Helper()
	db, c := queriestest.NewWithClock(t)
	var rows []string
	for day := 2; day < 20; day++ {
		rows = append(rows, fmt.Sprintf("H0006,2026-11-%02d,09:50,19:10,pc,", day), fmt.Sprintf("H0002,2026-11-%02d,08:50,18:00,pc,", day))
	}
	importLong(t, db, attendance.ImportOptions{}, rows...)
	return db, c
}

const lastRecomputation = `select concat_ws(' ', first_date, done || '/' || people, records_changed, people_changed, worked_min, late_min, finished_at is not null, error <> '')
	from attendance_recomputations where company_id = 1 order by id desc limit 1`

func TestRecomputePast(t *testing.T) {
	db, _ := monthOfRecords(t)
	before := queriestest.LookUp(t, db, storedRecords)
	p, err := db.Policies.PreviewDraft(t.Context(), queriestest.AdminActor(t, db), hoursDraft("10:00", "19:00", "2026-11-09"), defaultAttendance)
	if err != nil || p.Past == nil {
		t.Fatalf("preview %+v, %v", p.Past, err)
	}
	preview, err := db.Attendance.PreviewPast(t.Context(), queriestest.Hanbit, *p.Past)
	if err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, storedRecords); after != before {
		t.Error("a preview wrote records")
	}
	saveHours(t, db, "10:00", "19:00", "2026-11-09")
	if got := queriestest.LookUp(t, db, lastRecomputation); got != "2026-11-09 0/0 0 0 0 0 f f" {
		t.Errorf("requested: %s", got)
	}
	recompute(t, db)
	for user, want := range map[int64]map[string]string{
		queriestest.Kim:      {"2026-11-06": "[late 09:50 19:10 500]", "2026-11-09": "[on_time 09:50 19:10 500]", "2026-11-19": "[on_time 09:50 19:10 500]"},
		queriestest.Employee: {"2026-11-06": "[on_time 08:50 18:00 490]", "2026-11-09": "[early_leave 08:50 18:00 490]", "2026-11-19": "[early_leave 08:50 18:00 490]"},
	} {
		for date, line := range want {
			if got := dayOf(t, db, user, date); got != line {
				t.Errorf("%s of %d is %s, not %s", date, user, got, line)
			}
		}
	}
	// Nine workdays of two people, of whom one was 50 minutes late each day.
	if got := queriestest.LookUp(t, db, lastRecomputation); got != "2026-11-09 8/8 18 2 0 -450 t f" {
		t.Errorf("result: %s", got)
	}
	if preview.Records != 18 || preview.People != 2 || preview.LateMin != -450 || preview.EarlyMin != 540 || !preview.IsExact {
		t.Errorf("preview: %+v", preview)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from day_records where work_date >= '2026-11-09' and version_no <> 2 or work_date < '2026-11-09' and version_no <> 1"); n != "0" {
		t.Errorf("%s records follow another version", n)
	}
	changed := queriestest.LookUp(t, db, storedRecords)
	if err := db.Attendance.RecomputeDays(t.Context(), queriestest.Hanbit, workday.NewDate(2026, 11, 2), workday.NewDate(2026, 11, 19)); err != nil {
		t.Fatal(err)
	}
	if again := queriestest.LookUp(t, db, storedRecords); again != changed {
		t.Error("computing the records once more changes them")
	}
	for _, step := range []struct{ revert, want string }{{"policy.updated", before}, {"policy.past_withdrawn", ""}, {"policy.past_restored", before}} {
		id := queriestest.LookUp(t, db, "select max(id) from changes where company_id = 1 and action = $1", step.revert)
		if _, err := db.Audit.Revert(t.Context(), queriestest.AdminActor(t, db), number(t, id), false); err != nil {
			t.Fatalf("revert %s: %v", step.revert, err)
		}
		recompute(t, db)
		if got := queriestest.LookUp(t, db, storedRecords); step.want != "" && got != step.want {
			t.Errorf("%s was reverted, but the records are\n%s\nnot\n%s", step.revert, got, step.want)
		}
		if got := dayOf(t, db, queriestest.Kim, "2026-11-09"); step.want == "" && got != "[on_time 09:50 19:10 500]" {
			t.Errorf("restored: %s", got)
		}
	}
	page, err := db.Audit.Changes(t.Context(), audit.ChangeFilter{CompanyID: queriestest.Hanbit, ObjectType: "recomputation", Limit: 9})
	if err != nil || len(page.Rows) != 4 || page.Rows[3].ActorName != "김서연" {
		t.Fatalf("results in the change log: %+v, %v", page.Rows, err)
	}
	if fields, err := page.Rows[3].Differences(); err != nil || len(fields) != 10 || string(fields[1].New) != "18" {
		t.Errorf("fields of the result: %+v, %v", fields, err)
	}
}

// A date that becomes a holiday turns its work into holiday work in all sums.
func TestRecomputeHolidayMinutes(t *testing.T) {
	db, _ := monthOfRecords(t)
	draft := hoursDraft("09:00", "18:00", "2026-11-09")
	var values map[string]any
	if err := json.Unmarshal(draft.Settings, &values); err != nil {
		t.Fatal(err)
	}
	values["holiday_dates"] = []any{map[string]any{"date": "2026-11-10", "name": "창립기념일"}}
	values["overtime"] = "automatic"
	draft.Settings, _ = json.Marshal(values)
	by := queriestest.AdminActor(t, db)
	p, err := db.Policies.PreviewDraft(t.Context(), by, draft, defaultAttendance)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := db.Attendance.PreviewPast(t.Context(), queriestest.Hanbit, *p.Past)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Policies.Update(t.Context(), by, defaultAttendance, 0, draft); err != nil {
		t.Fatal(err)
	}
	recompute(t, db)
	const changed = `select concat_ws(' ', holiday_min, holiday_over_min) from %s`
	want := queriestest.LookUp(t, db, fmt.Sprintf(changed, "(select sum(holiday_min) as holiday_min, sum(holiday_over_min) as holiday_over_min from day_records where work_date = '2026-11-10') r"))
	if want == "0 0" {
		t.Fatal("nobody worked on the holiday")
	}
	if got := queriestest.LookUp(t, db, fmt.Sprintf(changed, "attendance_recomputations")); got != want {
		t.Errorf("holiday minutes of the recomputation: %s, not %s", got, want)
	}
	if got := fmt.Sprint(preview.HolidayMin, preview.HolidayOverMin); got != want {
		t.Errorf("holiday minutes of the preview: %s, not %s", got, want)
	}
	if got := queriestest.LookUp(t, db, "select concat_ws(' ', new->>'holiday_min', new->>'holiday_over_min') from changes where action = 'attendance.recomputed'"); got != want {
		t.Errorf("holiday minutes in the change log: %s, not %s", got, want)
	}
}

// The sums of a preview, of its recomputation and of the one that takes it back are those
// of the records, also of those of which only the overtime of the week changes, and of weeks
// of two months.
func TestSumsOfOvertimeOfAWeek(t *testing.T) {
	db, _ := monthOfRecords(t)
	var rows []string
	for date := workday.NewDate(2026, 9, 21); date <= workday.NewDate(2026, 10, 10); date++ {
		if date.Weekday() != time.Sunday {
			rows = append(rows, fmt.Sprintf("H0006,%s,09:00,17:57,,", date))
		}
	}
	importLong(t, db, attendance.ImportOptions{}, rows...)
	const records = "select string_agg(concat_ws(' ', user_id, work_date, extra, overtime_min, balance_min), ', ' order by user_id, work_date, extra) from day_records"
	const overtime = "select sum(overtime_min) from day_records"
	sum := func() int64 { return number(t, queriestest.LookUp(t, db, overtime)) }
	before, recordsBefore := sum(), queriestest.LookUp(t, db, records)
	draft := hoursDraft("09:00", "18:00", "2026-09-21")
	var values map[string]any
	if err := json.Unmarshal(draft.Settings, &values); err != nil {
		t.Fatal(err)
	}
	values["weekly_overtime_after_min"], values["rounding_min"] = 2100, 10
	draft.Settings, _ = json.Marshal(values)
	by := queriestest.AdminActor(t, db)
	p, err := db.Policies.PreviewDraft(t.Context(), by, draft, defaultAttendance)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := db.Attendance.PreviewPast(t.Context(), queriestest.Hanbit, *p.Past)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Policies.Update(t.Context(), by, defaultAttendance, 0, draft); err != nil {
		t.Fatal(err)
	}
	recompute(t, db)
	const result = "select overtime_min || ' ' || records_changed from attendance_recomputations order by id desc limit 1"
	want := sum() - before
	if want <= 0 {
		t.Fatal("no overtime has changed")
	}
	if got := fmt.Sprint(preview.OvertimeMin, preview.Records); got != queriestest.LookUp(t, db, result) || preview.OvertimeMin != want {
		t.Errorf("preview %s, recomputation %s, records %d", got, queriestest.LookUp(t, db, result), want)
	}
	id := queriestest.LookUp(t, db, "select max(id) from changes where company_id = 1 and action = 'policy.updated'")
	if _, err := db.Audit.Revert(t.Context(), by, number(t, id), false); err != nil {
		t.Fatal(err)
	}
	recompute(t, db)
	if got := queriestest.LookUp(t, db, result); got != fmt.Sprint(-want, " ", preview.Records) {
		t.Errorf("taken back: %s, not %d", got, -want)
	}
	if got := queriestest.LookUp(t, db, records); got != recordsBefore {
		t.Errorf("records are\n%s\nnot\n%s", got, recordsBefore)
	}
}

func number(t *testing.T, text string) (n int64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A recomputation that is interrupted goes on behind the last people who are stored.
// Events that arrive meanwhile count by the new version, whoever they are of, and the
// month cannot be locked.
func TestRecomputationInterrupted(t *testing.T) {
	db, c := monthOfRecords(t)
	c.Advance(12 * 24 * time.Hour)
	if err := db.Attendance.SettleDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	db.Attendance.RecomputeAtMost(1)
	db.Attendance.RecomputeAtOnce(1) // in the order of the people
	saveHours(t, db, "10:00", "19:00", "2026-11-09")
	queriestest.Exec(t, db, "create function end_connection() returns trigger language plpgsql as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'")
	queriestest.Exec(t, db, "create trigger goes_away after update on attendance_recomputations for each row when (new.done = 4) execute function end_connection()")
	if err := db.Attendance.RecomputePast(t.Context()); err == nil {
		t.Fatal("nothing interrupted it")
	}
	queriestest.Exec(t, db, "drop trigger goes_away on attendance_recomputations")
	if got := queriestest.LookUp(t, db, lastRecomputation); got != "2026-11-09 3/8 9 1 0 0 f t" {
		t.Errorf("interrupted: %s", got)
	}
	recompute(t, db)
	if got := queriestest.LookUp(t, db, "select done from attendance_recomputations"); got != "3" {
		t.Errorf("it went on at once, with %s people", got)
	}
	if err := db.Attendance.LockMonth(t.Context(), queriestest.AdminActor(t, db), workday.NewDate(2026, 11, 1)); !errors.Is(err, queries.Invalid("record.lock.recomputing")) {
		t.Errorf("locked meanwhile: %v", err)
	}
	accepted(t, take(t, db, // of one who is done, and of one who is not
		clock("done", queriestest.Employee, workday.Out, at(t, "2026-11-10 19:30")), clock("later", queriestest.Kim, workday.Out, at(t, "2026-11-10 20:30")),
		clock("other day", queriestest.Kim, workday.In, at(t, "2026-11-20 09:55"))))
	c.Advance(time.Minute)
	recompute(t, db)
	for user, want := range map[int64]string{queriestest.Employee: "[on_time 08:50 19:30 580]", queriestest.Kim: "[on_time 09:50 20:30 580]"} {
		if got := dayOf(t, db, user, "2026-11-10"); got != want {
			t.Errorf("%d: %s, not %s", user, got, want)
		}
	}
	if got := dayOf(t, db, queriestest.Kim, "2026-11-20"); got != "[missing_departure 09:55 - -]" {
		t.Errorf("another day: %s", got)
	}
	if got := queriestest.LookUp(t, db, lastRecomputation); got != "2026-11-09 8/8 18 2 0 -450 t f" {
		t.Errorf("result: %s", got)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from day_records where (version_no = 2) <> (work_date >= '2026-11-09')"); n != "0" {
		t.Errorf("%s records follow another version", n)
	}
	if err := db.Attendance.LockMonth(t.Context(), queriestest.AdminActor(t, db), workday.NewDate(2026, 11, 1)); err != nil {
		t.Errorf("locked afterwards: %v", err)
	}
}

// Locked months keep their records, and a change of the past cannot reach into them.
func TestPastStopsAtLockedMonths(t *testing.T) {
	db, _ := monthOfRecords(t)
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2026-10-01', now(), 1)")
	by := queriestest.AdminActor(t, db)
	for from, want := range map[string]queries.Invalid{
		"2026-10-31": "policy.effective_from.locked", "2026-03-01": "policy.effective_from.locked", "2009-12-31": "policy.effective_from.too_early",
		"9999-01-01": "policy.effective_from.too_late", "0001-01-01": "policy.effective_from.too_early",
	} {
		_, err := db.Policies.Update(t.Context(), by, defaultAttendance, 0, hoursDraft("10:00", "19:00", from))
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || refused["effective_from"] != want {
			t.Errorf("%s: %v", from, err)
		}
	}
	saveHours(t, db, "10:00", "19:00", "2026-11-01")
	recompute(t, db)
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2026-11-01', now(), 1)")
	before := queriestest.LookUp(t, db, storedRecords)
	id := queriestest.LookUp(t, db, "select max(id) from changes where action = 'policy.updated'")
	if _, err := db.Audit.Revert(t.Context(), by, number(t, id), false); !errors.Is(err, queries.Conflict("change.revert.locked")) {
		t.Errorf("reverted in a locked month: %v", err)
	}
	recompute(t, db)
	if after := queriestest.LookUp(t, db, storedRecords); after != before {
		t.Error("records of a locked month have changed")
	}
}

// A preview of more days than the limit says that it is not exact.
func TestPreviewPastHasALimit(t *testing.T) {
	db, _ := monthOfRecords(t)
	db.Attendance.RecomputeAtMost(2)
	p, err := db.Policies.PreviewDraft(t.Context(), queriestest.AdminActor(t, db), hoursDraft("10:00", "19:00", "2026-11-09"), defaultAttendance)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := db.Attendance.PreviewPastOf(t.Context(), queriestest.Hanbit, *p.Past, 10)
	if err != nil || preview.IsExact || preview.Records != 9 || preview.People != 1 {
		t.Errorf("got %+v, %v", preview, err)
	}
}

// A person whose records of several months change counts once.
func TestRecomputeCountsPeopleOnce(t *testing.T) {
	db, _ := monthOfRecords(t)
	importLong(t, db, attendance.ImportOptions{}, "H0006,2026-10-29,09:50,19:10,pc,", "H0006,2026-10-30,09:50,19:10,pc,")
	by := queriestest.AdminActor(t, db)
	p, err := db.Policies.PreviewDraft(t.Context(), by, hoursDraft("10:00", "19:00", "2026-10-26"), defaultAttendance)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := db.Attendance.PreviewPast(t.Context(), queriestest.Hanbit, *p.Past)
	if err != nil || preview.People != 2 {
		t.Errorf("preview: %+v, %v", preview, err)
	}
	saveHours(t, db, "10:00", "19:00", "2026-10-26")
	recompute(t, db)
	if n := queriestest.LookUp(t, db, "select people_changed from attendance_recomputations"); n != "2" {
		t.Errorf("%s people", n)
	}
}
