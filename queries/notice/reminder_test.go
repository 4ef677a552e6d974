package notice_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// reminded returns the messages about reminders of a notice.
func reminded(t *testing.T, db *areas.Areas) string {
	t.Helper()
	rows, err := db.Pool().Query(t.Context(), "select payload from outbox where type = 'notice.reminded' order by id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	text := ""
	for rows.Next() {
		var payload []byte
		var message notice.Reminded
		if err := rows.Scan(&payload); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(payload, &message); err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprint(message.UserIDs)
	}
	return text
}

func send(t *testing.T, db *areas.Areas) string {
	t.Helper()
	if err := db.Notices.SendReminders(t.Context()); err != nil {
		t.Fatal(err)
	}
	return reminded(t, db)
}

// lateShift lets 국내영업팀 and 해외영업팀 begin at 13:00.
func lateShift(t *testing.T, db *areas.Areas) {
	t.Helper()
	week := map[string]any{}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri"} {
		week[day] = map[string]any{"work": true, "start": "13:00", "end": "22:00", "end_next_day": false}
	}
	for _, day := range []string{"sat", "sun"} {
		week[day] = map[string]any{"work": false, "start": "09:00", "end": "18:00", "end_next_day": false}
	}
	values, err := json.Marshal(map[string]any{"week": week})
	if err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "insert into policies (company_id, id, kind, is_default, owner_user_id) overriding system value values (1, 900, 'workingattitude', false, 1)")
	queriestest.Exec(t, db, `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, created_by, created_at)
		values (1, 900, 1, '2026-01-01', true, '오후 근무', '', $1, '오후 근무', 1, '2026-01-01')`, string(values))
	queriestest.Exec(t, db, "insert into policy_targets (company_id, policy_id, no, department_id) values (1, 900, 1, 3), (1, 900, 1, 4)")
	queriestest.Exec(t, db, "update companies set policy_version = policy_version + 1 where id = 1")
}

func TestRemind(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	lateShift(t, db)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "영업", PublishAt: published, Departments: map[int64]bool{queriestest.Sales: true}})
	read(t, db, id, time.Minute, queriestest.Viewer)

	plan, err := db.Notices.Remind(t.Context(), admin, id)
	if err != nil || plan.Now != 1 || plan.Later != 2 || plan.Next.Format("15:04") != "13:00" {
		t.Fatalf("%+v %v", plan, err)
	}
	if got := queriestest.LookUp(t, db, "select action || ' ' || object_name || ' ' || (new ->> 'people') from changes order by id desc limit 1"); got != "notice.reminded 영업 3" {
		t.Errorf("change log: %s", got)
	}
	if got := send(t, db); got != "[4]" {
		t.Errorf("at once: %s", got)
	}
	if got := send(t, db); got != "[4]" {
		t.Errorf("again at once: %s", got)
	}
	if _, err := db.Notices.Remind(t.Context(), admin, id); err == nil {
		t.Error("again at once")
	}
	if again, err := db.Notices.PlanReminder(t.Context(), queriestest.Hanbit, id); err != nil || again.People() != 1 || again.Waiting != 2 {
		t.Errorf("those who wait are reminded twice: %+v, %v", again, err)
	}
	tooSoon := notice.ReminderTooSoon{}
	clock.Advance(notice.ReminderPause - time.Second)
	if _, err := db.Notices.Remind(t.Context(), admin, id); !errors.As(err, &tooSoon) || !tooSoon.Until.Equal(queriestest.Now.Add(notice.ReminderPause)) {
		t.Errorf("within the hour: %v", err)
	}
	clock.Advance(2 * time.Hour)
	read(t, db, id, 0, queriestest.Kim)
	if got := send(t, db); got != "[4]" {
		t.Errorf("before one o'clock: %s", got)
	}
	clock.Advance(time.Second)
	if got := send(t, db); got != "[4][7]" {
		t.Errorf("at one o'clock, to who has not read it by then: %s", got)
	}
	page, err := db.Notices.People(t.Context(), queriestest.Hanbit, id, notice.ReaderFilter{Limit: 10})
	if err != nil || len(page.Rows) != 2 || page.Rows[0].RemindedAt == nil || !page.Rows[1].RemindedAt.Equal(clock.Now()) {
		t.Errorf("last reminders: %+v %v", page.Rows, err)
	}
	read(t, db, id, 0, queriestest.Manager, queriestest.Foreigner)
	if _, err := db.Notices.Remind(t.Context(), admin, id); err != queries.Invalid("reader.remind.nobody") {
		t.Errorf("everybody has read it: %v", err)
	}
	reserved := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "예약", PublishAt: clock.Now().Add(time.Hour)})
	if _, err := db.Notices.Remind(t.Context(), admin, reserved); err != queries.Invalid("reader.remind.unpublished") {
		t.Errorf("not published: %v", err)
	}
	for _, by := range []queries.Actor{admin, {CompanyID: queriestest.Other, UserID: queriestest.OtherAdmin}} {
		if _, err := db.Notices.Remind(t.Context(), by, id+1000); !errors.Is(err, queries.NotFound) {
			t.Errorf("unknown: %v", err)
		}
	}
	if _, err := db.Notices.Remind(t.Context(), queries.Actor{CompanyID: queriestest.Other, UserID: queriestest.OtherAdmin}, id); !errors.Is(err, queries.NotFound) {
		t.Errorf("of another company: %v", err)
	}
}

// Nobody is told at night, and not of what is deleted by then.
func TestReminderAtNight(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "모두", PublishAt: published})
	clock.Advance(13 * time.Hour) // Friday, 23:00
	plan, err := db.Notices.Remind(t.Context(), admin, id)
	if err != nil || plan.Now != 0 || plan.Later != 7 || plan.Next.Format("Mon 15:04") != "Mon 09:00" {
		t.Fatalf("%+v %v", plan, err)
	}
	clock.Advance(50 * time.Hour)
	if got := send(t, db); got != "" {
		t.Errorf("on Sunday night: %s", got)
	}
	queriestest.Exec(t, db, "update notices set deleted_at = now() where id = $1", id)
	clock.Advance(12 * time.Hour)
	if got := send(t, db); got != "" {
		t.Errorf("of a deleted notice: %s", got)
	}
	if left := queriestest.LookUp(t, db, "select count(*) from notice_reminder_people"); left != "0" {
		t.Errorf("%s wait for ever", left)
	}
}

// Nobody is told on a holiday of the company.
func TestReminderOnCompanyHoliday(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "모두", PublishAt: published})
	monday := workday.NewDate(2026, 11, 23)
	_, err := db.Policies.SaveHoliday(t.Context(), queriestest.AdminActor(t, db), policy.HolidayChange{Draft: &policy.HolidayDraft{First: monday, Last: monday, Name: "창립기념일"}})
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(13 * time.Hour) // Friday, 23:00
	if plan, err := db.Notices.Remind(t.Context(), admin, id); err != nil || plan.Now != 0 || plan.Later != 7 || plan.Next.Format("Mon 15:04") != "Tue 09:00" {
		t.Errorf("%+v %v", plan, err)
	}
}

// Several servers tell everybody once, in messages of at most 500.
func TestManyReminders(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, 6, 'n' || i, 'n' || i || '@hanbit.example', '', '{}' from generate_series(1, 1200) i`)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "메신저팀", PublishAt: published, Departments: map[int64]bool{queriestest.Messenger: true}})
	if plan, err := db.Notices.Remind(t.Context(), admin, id); err != nil || plan.Now != 1201 {
		t.Fatalf("%+v %v", plan, err)
	}
	done := make(chan error)
	for range 3 {
		go func() { done <- db.Notices.SendReminders(t.Context()) }()
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	var sizes []int
	rows, err := db.Pool().Query(t.Context(), "select jsonb_array_length(payload::jsonb -> 'user_ids') from outbox where type = 'notice.reminded'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	sum := 0
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		sizes, sum = append(sizes, n), sum+n
	}
	if sum != 1201 || slices.Max(sizes) > 500 {
		t.Errorf("messages of %v", sizes)
	}
}

// Nobody is told on leave, whenever it was entered.
func TestReminderOnLeave(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "휴가", PublishAt: published, Users: []int64{queriestest.Kim, queriestest.Employee, queriestest.Viewer, queriestest.Manager}})
	leave := func(user int64, date, kind string) {
		t.Helper()
		queriestest.Exec(t, db, "insert into attendance_grants (company_id, user_id, work_date, leave) values (1, $1, $2, $3)", user, date, kind)
	}
	for _, date := range []string{"2026-11-20", "2026-11-23", "2026-11-24"} { // Friday to Tuesday
		leave(queriestest.Kim, date, "leave")
	}
	leave(queriestest.Employee, "2026-11-20", "half_leave_am")
	plan, err := db.Notices.Remind(t.Context(), admin, id)
	if err != nil || plan.Now != 2 || plan.Later != 2 || !plan.Next.Equal(queriestest.Now.Add(4*time.Hour)) {
		t.Fatalf("%+v %v", plan, err)
	}
	queriestest.Exec(t, db, `insert into day_records (company_id, user_id, work_date, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status)
		values (1, $1, '2026-11-20', '최유진', 2, 1, 1, 'holiday', '2026-11-19 19:00Z', '2026-11-20 19:00Z', 'before', 'holiday')`, queriestest.Manager)
	if got, want := send(t, db), fmt.Sprintf("[%d]", queriestest.Viewer); got != want {
		t.Errorf("on Friday at ten: %s, not %s", got, want)
	}
	clock.Advance(4 * time.Hour)
	if got, want := send(t, db), fmt.Sprintf("[%d][%d]", queriestest.Viewer, queriestest.Employee); got != want {
		t.Errorf("on Friday after the half day: %s, not %s", got, want)
	}
	clock.Advance(67 * time.Hour) // Monday at nine
	if got, want := send(t, db), fmt.Sprintf("[%d][%d][%d]", queriestest.Viewer, queriestest.Employee, queriestest.Manager); got != want {
		t.Errorf("on Monday: %s, not %s", got, want)
	}
	clock.Advance(47 * time.Hour)
	leave(queriestest.Kim, "2026-11-25", "leave") // entered after the reminder
	clock.Advance(time.Hour)
	if got := send(t, db); strings.Count(got, "[") != 3 {
		t.Errorf("on Wednesday, of which leave was entered late: %s", got)
	}
	clock.Advance(24 * time.Hour)
	if got := send(t, db); !strings.HasSuffix(got, fmt.Sprintf("[%d]", queriestest.Kim)) {
		t.Errorf("on Thursday, back at work: %s", got)
	}
}
