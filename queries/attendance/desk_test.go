package attendance_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

const thursday = "2026-11-19"

// deskOf describes the items of somebody's desk: kind, name, date, and the suggestion.
func deskOf(t *testing.T, db *areas.Areas, id int64, change ...func(*attendance.DeskFilter)) string {
	t.Helper()
	_, scope := editor(t, db, id)
	last := workday.NewDate(2026, 11, 20)
	filter := attendance.DeskFilter{First: last - 6, Last: last}
	for _, set := range change {
		set(&filter)
	}
	desk, err := db.Attendance.Desk(t.Context(), someone(t, db, id), scope, filter)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, g := range desk.Groups {
		for _, item := range g.Items {
			text := fmt.Sprint(item.Kind, " ", item.Name, " ", item.Date)
			if s := item.Suggestion; s.Basis != "" {
				text += fmt.Sprint(" ", s.At.In(queriestest.Now.Location()).Format("15:04"), " ", s.Basis)
			}
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

func wantDesk(t *testing.T, db *areas.Areas, id int64, want string, change ...func(*attendance.DeskFilter)) {
	t.Helper()
	if got := deskOf(t, db, id, change...); got != want {
		t.Errorf("the desk of %d: got %q, want %q", id, got, want)
	}
}

func deskKey(kind attendance.DeskKind, user int64, date string) attendance.DeskKey {
	return attendance.DeskKey{Kind: kind, RecordKey: keyOf(user, date)}
}

// decide reviews items by a user and returns the result.
func decide(t *testing.T, db *areas.Areas, id int64, d attendance.ReviewDraft, keys ...attendance.DeskKey) attendance.ReviewResult {
	t.Helper()
	by, scope := editor(t, db, id)
	d.Reason = func(item attendance.DeskItem) string { return "suggested by " + string(item.Suggestion.Basis) }
	for _, key := range keys {
		d.Items = append(d.Items, attendance.ReviewItem{DeskKey: key})
	}
	result, err := db.Attendance.Review(t.Context(), by, scope, d)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func undo(t *testing.T, db *areas.Areas, id, set int64) error {
	t.Helper()
	by, scope := editor(t, db, id)
	_, err := db.Attendance.UndoReviews(t.Context(), by, scope, set, "undone")
	return err
}

// missing returns a database in which 김철수 did not clock out on Thursday, and Olivia
// did not clock in.
func missing(t *testing.T) (*areas.Areas, *queriestest.Clock) {
	t.Helper()
	db, c := queriestest.NewWithClock(t)
	begin(t, db)
	offline := func(e attendance.ClockInput) attendance.ClockInput { e.Offline = true; return e }
	accepted(t, take(t, db,
		offline(clock("kim-in", queriestest.Kim, workday.In, at(t, "2026-11-19 08:58"))),
		offline(clock("olivia-out", queriestest.Foreigner, workday.Out, at(t, "2026-11-19 18:20"))),
	))
	return db, c
}

func TestDeskSuggestsMissingTimes(t *testing.T) {
	db, _ := missing(t)
	const arrival = "missing_arrival Olivia Martin 2026-11-19 09:00 schedule"
	wantDesk(t, db, queriestest.Admin, "missing_departure 김철수 2026-11-19 18:00 schedule, "+arrival)
	wantDesk(t, db, queriestest.Manager, "missing_departure 김철수 2026-11-19 18:00 schedule, "+arrival)
	for _, id := range []int64{queriestest.Viewer, queriestest.Kim, queriestest.Employee} {
		wantDesk(t, db, id, "")
	}
	olivia := func(f *attendance.DeskFilter) { f.DepartmentID = queriestest.Overseas }
	wantDesk(t, db, queriestest.Manager, arrival, olivia)
	wantDesk(t, db, queriestest.Admin, arrival, func(f *attendance.DeskFilter) { f.Kind = attendance.DeskMissingArrival })
	wantDesk(t, db, queriestest.Manager, "", func(f *attendance.DeskFilter) { f.DepartmentID = queriestest.Japan })
	wantDesk(t, db, queriestest.Admin, "", func(f *attendance.DeskFilter) { f.First++; f.First += 5 })

	// The median departure of three colleagues is better than the schedule, and the last
	// use of the messenger better than that.
	queriestest.Exec(t, db, `insert into users (company_id, department_id, name, email, search_text, search_grams) select 1, 3, '동료' || i, 'c' || i || '@hanbit.example', '', '{}' from generate_series(1, 3) i`)
	for i := range 3 {
		id := queriestest.LookUp(t, db, fmt.Sprintf("select id from users where name = '동료%d'", i+1))
		var user int64
		fmt.Sscan(id, &user)
		for kind, clocked := range map[workday.Kind]string{workday.In: "08:55", workday.Out: fmt.Sprintf("18:%d0", i+1)} {
			e := clock(id+string(kind), user, kind, at(t, thursday+" "+clocked))
			e.Offline = true
			accepted(t, take(t, db, e))
		}
	}
	wantDesk(t, db, queriestest.Admin, "missing_departure 김철수 2026-11-19 18:20 team, "+arrival)
	for _, used := range [][2]string{{"09:10", "18:20 team"}, {"18:09", "18:09 activity"}} {
		when, want := used[0], used[1]
		queriestest.Exec(t, db, `insert into access_events (company_id, at, event_id, user_id, account, kind, result, reason, source, platform, user_agent, actor_name, received_at, new_address, new_device, failures, address_failures)
			values (1, $1, '', 6, '', 'login', 'ok', '', 'messenger', 'pc', '', '', now(), false, false, 0, 0)`, at(t, thursday+" "+when).Add(41*time.Second))
		wantDesk(t, db, queriestest.Admin, "missing_departure 김철수 2026-11-19 "+want+", "+arrival)
	}

	// What the person asks for is better than all.
	asked(t, db, queriestest.Kim, thursday, at(t, "2026-11-19 19:20"))
	wantDesk(t, db, queriestest.Admin, "missing_departure 김철수 2026-11-19 19:20 request", func(f *attendance.DeskFilter) { f.Kind = attendance.DeskMissingDeparture })
}

func TestApproveMissingTimes(t *testing.T) {
	db, _ := missing(t)
	departure, arrival := deskKey(attendance.DeskMissingDeparture, queriestest.Kim, thursday), deskKey(attendance.DeskMissingArrival, queriestest.Foreigner, thursday)
	own := deskKey(attendance.DeskMissingDeparture, queriestest.Manager, thursday)
	result := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve}, departure, arrival, own, departure)
	if len(result.Done) != 2 || len(result.Refused) != 1 || result.Refused[own]["item"] != "desk.gone" {
		t.Fatalf("got %+v", result)
	}
	if got := dayOf(t, db, queriestest.Kim, thursday); got != "[on_time 08:58 18:00 482]" {
		t.Errorf("approving gave %s", got)
	}
	if got := dayOf(t, db, queriestest.Foreigner, thursday); got != "[on_time 09:00 18:20 500]" {
		t.Errorf("approving gave %s", got)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(distinct reason, ',') from attendance_edits"); got != "suggested by schedule" {
		t.Errorf("the reason is %q", got)
	}
	wantDesk(t, db, queriestest.Admin, "")
	if again := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve}, departure); again.Set != 0 || again.Refused[departure]["item"] != "desk.gone" {
		t.Errorf("approving again: %+v", again)
	}

	if err := undo(t, db, queriestest.Viewer, result.Set); !errors.Is(err, queries.NotFound) {
		t.Errorf("a viewer undoes: %v", err)
	}
	if err := undo(t, db, queriestest.Admin, result.Set); err != nil {
		t.Fatal(err)
	}
	wantDesk(t, db, queriestest.Admin, "missing_departure 김철수 2026-11-19 18:00 schedule, missing_arrival Olivia Martin 2026-11-19 09:00 schedule")
	if err := undo(t, db, queriestest.Admin, result.Set); !errors.Is(err, queries.Conflict("desk.undo.nothing")) {
		t.Errorf("undoing twice: %v", err)
	}

	// What was edited since is not undone.
	second := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve}, departure)
	by, scope := editor(t, db, queriestest.Admin)
	if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: departure.RecordKey, Departure: set(at(t, "2026-11-19 19:00")), Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	var conflict *attendance.RecordConflict
	if err := undo(t, db, queriestest.Manager, second.Set); !errors.As(err, &conflict) {
		t.Errorf("undoing what was edited since: %v", err)
	}
}

func TestApproveWithATimeOfOnesOwn(t *testing.T) {
	db, _ := missing(t)
	key := deskKey(attendance.DeskMissingDeparture, queriestest.Kim, thursday)
	try := func(clock string) attendance.ReviewResult {
		when := at(t, clock)
		return decide(t, db, queriestest.Admin, attendance.ReviewDraft{Decision: attendance.Approve, Comment: "통화로 확인", Items: []attendance.ReviewItem{{DeskKey: key, At: &when}}})
	}
	for clock, want := range map[string]queries.Invalid{"2026-11-19 08:00": "record.time.order", "2026-11-20 23:00": "record.time.outside"} {
		if got := try(clock); got.Refused[key]["time"] != want {
			t.Errorf("%s: got %+v", clock, got.Refused)
		}
	}
	suggested := at(t, "2026-11-19 18:00")
	result := decide(t, db, queriestest.Admin, attendance.ReviewDraft{Decision: attendance.Approve, Items: []attendance.ReviewItem{{DeskKey: key, At: &suggested}}})
	if got := queriestest.LookUp(t, db, "select reason from attendance_edits"); got != "suggested by schedule" {
		t.Errorf("the reason of the suggested time is %q", got)
	}
	if err := undo(t, db, queriestest.Admin, result.Set); err != nil {
		t.Fatal(err)
	}
	if got := try("2026-11-19 20:30"); got.Set == 0 {
		t.Fatalf("refused: %+v", got.Refused)
	}
	if got := dayOf(t, db, queriestest.Kim, thursday) + queriestest.LookUp(t, db, "select reason from attendance_edits where undone_at is null"); got != "[on_time 08:58 20:30 632]통화로 확인" {
		t.Errorf("got %s", got)
	}
}

func TestRejectNeedsACommentAndComesBackWhenFactsChange(t *testing.T) {
	db, _ := missing(t)
	key := deskKey(attendance.DeskMissingDeparture, queriestest.Kim, thursday)
	by, scope := editor(t, db, queriestest.Admin)
	draft := attendance.ReviewDraft{Decision: attendance.Reject, Comment: "\u3164", Items: []attendance.ReviewItem{{DeskKey: key}}}
	var refused queries.FieldErrors
	if _, err := db.Attendance.Review(t.Context(), by, scope, draft); !errors.As(err, &refused) || refused["comment"] != "desk.comment.required" {
		t.Errorf("without a comment: %v", err)
	}
	before := len(queriestest.Messages(t, db, queriestest.Hanbit, 0))
	if got := decide(t, db, queriestest.Admin, attendance.ReviewDraft{Decision: attendance.Reject, Comment: "본인에게 확인"}, key); got.Set == 0 {
		t.Fatalf("refused: %+v", got)
	}
	messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if len(messages) != before+1 || messages[before].Type != "attendance.review_rejected" || !strings.Contains(string(messages[before].Payload), "본인에게 확인") {
		t.Errorf("messages: %v", messages[before:])
	}
	const arrival = "missing_arrival Olivia Martin 2026-11-19 09:00 schedule"
	wantDesk(t, db, queriestest.Admin, arrival)
	if got := dayOf(t, db, queriestest.Kim, thursday); got != "[missing_departure 08:58 - -]" {
		t.Errorf("rejecting changed the record: %s", got)
	}
	if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key.RecordKey, Arrival: set(at(t, "2026-11-19 08:30")), Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	wantDesk(t, db, queriestest.Admin, "missing_departure 김철수 2026-11-19 18:00 schedule, "+arrival)
}

// The evidence says what the day becomes, as it does become then.
func TestDeskEvidence(t *testing.T) {
	db, _ := missing(t)
	for date, out := range map[string]string{"2026-11-16": "23:00", "2026-11-17": "23:00", "2026-11-18": "18:00"} {
		for kind, clocked := range map[workday.Kind]string{workday.In: "09:00", workday.Out: out} {
			e := clock(date+string(kind), queriestest.Kim, kind, at(t, date+" "+clocked))
			e.Offline = true
			accepted(t, take(t, db, e))
		}
	}
	key := deskKey(attendance.DeskMissingDeparture, queriestest.Kim, thursday)
	_, scope := editor(t, db, queriestest.Manager)
	manager := someone(t, db, queriestest.Manager)
	for _, clocked := range []string{"18:00", "21:30"} {
		when := at(t, thursday+" "+clocked)
		e, err := db.Attendance.DeskEvidence(t.Context(), manager, scope, key, &when)
		if err != nil || e.After == nil || e.After.WorkedMin == nil || e.MissingDays != 1 {
			t.Fatalf("got %+v, %v", e, err)
		}
		result := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve, Items: []attendance.ReviewItem{{DeskKey: key, At: &when}}})
		r, err := db.Attendance.Record(t.Context(), manager, key.RecordKey)
		if err != nil || int(*r.WorkedMin) != *e.After.WorkedMin || int(r.OvertimeMin) != e.After.OvertimeMin {
			t.Errorf("%s: foresaw %d with overtime %d, became %+v, %v", clocked, *e.After.WorkedMin, e.After.OvertimeMin, r.Record, err)
		}
		if err := undo(t, db, queriestest.Manager, result.Set); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []int64{queriestest.Viewer, queriestest.Kim, queriestest.Employee} {
		_, scope := editor(t, db, id)
		if _, err := db.Attendance.DeskEvidence(t.Context(), someone(t, db, id), scope, key, nil); !errors.Is(err, queries.NotFound) {
			t.Errorf("%d reads the evidence: %v", id, err)
		}
	}
}

func TestReviewRequests(t *testing.T) {
	db, _ := missing(t)
	c := asked(t, db, queriestest.Kim, thursday, at(t, "2026-11-19 19:20"))
	key := deskKey(attendance.DeskCorrection, queriestest.Kim, thursday)
	onDesk := func(f *attendance.DeskFilter) { f.Kind = attendance.DeskCorrection }
	wantDesk(t, db, queriestest.Manager, "correction 김철수 2026-11-19", onDesk)
	wantDesk(t, db, queriestest.Manager, "correction 김철수 2026-11-19", onDesk, func(f *attendance.DeskFilter) { f.First = f.Last }) // a request waits until it is decided
	result := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve}, key)
	if got := dayOf(t, db, queriestest.Kim, thursday); result.Set == 0 || got != "[on_time 08:58 19:20 562]" {
		t.Errorf("approving gave %s: %+v", got, result)
	}
	wantDesk(t, db, queriestest.Manager, "", onDesk)
	if err := undo(t, db, queriestest.Manager, result.Set); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Kim, thursday); got != "[missing_departure 08:58 - -]" {
		t.Errorf("undoing gave %s", got)
	}
	wantDesk(t, db, queriestest.Manager, "correction 김철수 2026-11-19", onDesk)

	// Refusing is undone too, also where it was decided in the record's dialog.
	by, scope := editor(t, db, queriestest.Manager)
	refusal, err := db.Attendance.DecideCorrection(t.Context(), by, scope, c.ID, attendance.CorrectionDecision{Answer: "아니요"})
	if err != nil {
		t.Fatal(err)
	}
	if err := undo(t, db, queriestest.Manager, refusal); err != nil {
		t.Fatal(err)
	}
	// A request that cannot be granted any more is left out, and waits.
	edit := func(e attendance.RecordEdit) {
		t.Helper()
		e.Key, e.Reason = key.RecordKey, "x"
		if err := db.Attendance.EditRecord(t.Context(), by, scope, e); err != nil {
			t.Fatal(err)
		}
	}
	edit(attendance.RecordEdit{Arrival: set(at(t, "2026-11-19 19:30")), Departure: set(at(t, "2026-11-19 19:40"))})
	if got := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve}, key); got.Set != 0 || got.Refused[key]["time"] != "record.time.order" {
		t.Errorf("got %+v", got)
	}
	wantDesk(t, db, queriestest.Manager, "correction 김철수 2026-11-19", onDesk)

	// One whose time somebody has set already is granted, and the person is told.
	edit(attendance.RecordEdit{Arrival: set(at(t, "2026-11-19 08:58")), Departure: set(at(t, "2026-11-19 19:20"))})
	before := len(queriestest.Messages(t, db, queriestest.Hanbit, 0))
	result = decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve}, key)
	messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if len(result.Done) != 1 || len(messages) != before+1 || !strings.Contains(string(messages[before].Payload), fmt.Sprintf(`"correction_id": %d`, c.ID)) {
		t.Errorf("granted: %+v, %+v", result, messages[before:])
	}
	wantDesk(t, db, queriestest.Manager, "", onDesk)
	if err := undo(t, db, queriestest.Manager, result.Set); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, db, queriestest.Kim, thursday); got != "[on_time 08:58 19:20 562]" {
		t.Errorf("undoing gave %s", got)
	}
}

// Whoever sets the time that somebody asks for has granted the request.
func TestApproveTheRequestedTime(t *testing.T) {
	db, _ := missing(t)
	c := asked(t, db, queriestest.Kim, thursday, at(t, "2026-11-19 19:20"))
	key := deskKey(attendance.DeskMissingDeparture, queriestest.Kim, thursday)
	requests := func(f *attendance.DeskFilter) { f.Kind = attendance.DeskCorrection }
	const waiting = "correction 김철수 2026-11-19"
	before := len(queriestest.Messages(t, db, queriestest.Hanbit, 0))
	result := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve, Comment: "확인했습니다"}, key)
	if got := dayOf(t, db, queriestest.Kim, thursday); len(result.Done) != 1 || got != "[on_time 08:58 19:20 562]" {
		t.Fatalf("approving gave %s: %+v", got, result)
	}
	if got, want := queriestest.LookUp(t, db, "select concat_ws(' ', c.id, status, answer, e.reason) from attendance_corrections c join attendance_edits e on e.company_id = c.company_id and e.correction_id = c.id"),
		fmt.Sprintf("%d approved 확인했습니다 회의에 다시 참석했습니다.", c.ID); got != want {
		t.Errorf("the request and its edit: got %q, want %q", got, want)
	}
	messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if len(messages) != before+1 || !strings.Contains(string(messages[before].Payload), fmt.Sprintf(`"correction_id": %d`, c.ID)) {
		t.Errorf("messages: %+v", messages[before:])
	}
	wantDesk(t, db, queriestest.Manager, "", requests)
	if err := undo(t, db, queriestest.Manager, result.Set); err != nil {
		t.Fatal(err)
	}
	wantDesk(t, db, queriestest.Manager, waiting, requests)
	if got := dayOf(t, db, queriestest.Kim, thursday); got != "[missing_departure 08:58 - -]" {
		t.Errorf("undoing gave %s", got)
	}

	// One that asks for more, or for another time, waits.
	for _, arrival := range []string{"2026-11-19 08:30", ""} {
		when := at(t, "2026-11-19 19:20")
		if arrival == "" {
			when = at(t, "2026-11-19 19:00")
		} else {
			queriestest.Exec(t, db, "update attendance_corrections set arrival_at = $1", at(t, arrival))
		}
		result := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve, Items: []attendance.ReviewItem{{DeskKey: key, At: &when}}})
		wantDesk(t, db, queriestest.Manager, waiting, requests)
		if err := undo(t, db, queriestest.Manager, result.Set); err != nil {
			t.Fatal(err)
		}
		queriestest.Exec(t, db, "update attendance_corrections set arrival_at = null")
	}
}

// Two decisions about one record are undone as one change of it.
func TestUndoTwoDecisionsAboutARecord(t *testing.T) {
	db, _ := missing(t)
	asked(t, db, queriestest.Kim, thursday, at(t, "2026-11-19 19:20"))
	result := decide(t, db, queriestest.Manager, attendance.ReviewDraft{Decision: attendance.Approve},
		deskKey(attendance.DeskMissingDeparture, queriestest.Kim, thursday), deskKey(attendance.DeskCorrection, queriestest.Kim, thursday))
	if got := dayOf(t, db, queriestest.Kim, thursday); len(result.Done) != 2 || got != "[on_time 08:58 19:20 562]" {
		t.Fatalf("approving gave %s: %+v", got, result)
	}
	if err := undo(t, db, queriestest.Manager, result.Set); err != nil {
		t.Fatal(err)
	}
	const last = `select concat_ws(' ', old ->> 'departure', coalesce(new ->> 'departure', 'none')) from changes where action = 'attendance.edited' order by id desc limit 1`
	if got := queriestest.LookUp(t, db, last); got != "2026-11-19T10:20:00Z none" {
		t.Errorf("change log: %s", got)
	}
	messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if got := string(messages[len(messages)-1].Payload); strings.Count(got, `"field"`) != 1 {
		t.Errorf("message: %s", got)
	}
}

func TestReviewUnprovenAndRefused(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	setAttitude(t, db, `{"ip_mode": "listed", "ip_ranges": [{"location_name": "본사", "range": "203.0.113.0/24"}], "outside_work": "allow", "clock_platforms": ["pc", "mobile"]}`)
	begin(t, db)
	from := func(id string, user int64, platform, reason string) attendance.ClockInput {
		e := clock(id, user, workday.In, c.Now())
		e.Platform, e.Reason = platform, reason
		return e
	}
	accepted(t, take(t, db, from("a", queriestest.Kim, "mobile", ""), from("b", queriestest.Foreigner, "mobile", "고객사 방문")))
	for range 2 {
		refused := take(t, db, from("c", queriestest.Japanese, "web", ""))
		if refused[0].Code != "event.platform" {
			t.Fatalf("got %+v", refused)
		}
		c.Advance(time.Minute)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(f::text, ' ') from clock_refusals f"); !strings.Contains(got, "(1,2026-11-20,8,in,event.platform,2,") {
		t.Errorf("stored %s", got)
	}
	const refused, unproven = "refused 佐藤ひろし 2026-11-20", "unproven 김철수 2026-11-20"
	wantDesk(t, db, queriestest.Admin, unproven+", "+refused) // a reason explains work outside
	keys := []attendance.DeskKey{deskKey(attendance.DeskUnproven, queriestest.Kim, friday), deskKey(attendance.DeskRefused, queriestest.Japanese, friday)}
	result := decide(t, db, queriestest.Admin, attendance.ReviewDraft{Decision: attendance.KeepAsIs}, keys...)
	wantDesk(t, db, queriestest.Admin, "")
	if got := queriestest.LookUp(t, db, "select count(*) from attendance_edits"); got != "0" {
		t.Errorf("%s edits", got)
	}
	if err := undo(t, db, queriestest.Admin, result.Set); err != nil {
		t.Fatal(err)
	}
	wantDesk(t, db, queriestest.Admin, unproven+", "+refused)
	decide(t, db, queriestest.Admin, attendance.ReviewDraft{Decision: attendance.Approve}, keys...)
	wantDesk(t, db, queriestest.Admin, "")
	if got := queriestest.LookUp(t, db, "select string_agg(distinct decision, ' ') from attendance_reviews"); got != "as_is" {
		t.Errorf("approving is stored as %s", got)
	}
	take(t, db, from("d", queriestest.Japanese, "web", ""))
	wantDesk(t, db, queriestest.Admin, refused) // another attempt

	c.Advance(40 * 24 * time.Hour)
	if err := db.Attendance.DeleteNotices(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from clock_refusals"); got != "0" {
		t.Errorf("%s old refusals are there", got)
	}
}

func TestAddUncountedEvents(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	setAttitude(t, db, `{"count_mode": "pairs"}`)
	begin(t, db)
	for i, clocked := range []string{"in 09:00", "out 12:00", "in 13:00", "out 18:00", "out 19:30"} {
		kind, when, _ := strings.Cut(clocked, " ")
		e := clock(fmt.Sprint("e", i), queriestest.Kim, workday.Kind(kind), at(t, thursday+" "+when))
		e.Offline = true
		accepted(t, take(t, db, e))
	}
	wantDesk(t, db, queriestest.Admin, "uncounted 김철수 2026-11-19")
	if got := dayOf(t, db, queriestest.Kim, thursday); got != "[on_time 09:00 19:30 480]" {
		t.Fatalf("got %s", got)
	}
	key := deskKey(attendance.DeskUncounted, queriestest.Kim, thursday)
	result := decide(t, db, queriestest.Admin, attendance.ReviewDraft{Decision: attendance.Approve}, key)
	if got := dayOf(t, db, queriestest.Kim, thursday) + queriestest.LookUp(t, db, "select string_agg(reason, ',') from attendance_edits"); got != "[on_time 09:00 19:30 570]suggested by event" {
		t.Errorf("adding gave %s: %+v", got, result)
	}
	wantDesk(t, db, queriestest.Admin, "")
	if err := undo(t, db, queriestest.Admin, result.Set); err != nil {
		t.Fatal(err)
	}
	wantDesk(t, db, queriestest.Admin, "uncounted 김철수 2026-11-19")
	if got := dayOf(t, db, queriestest.Kim, thursday); got != "[on_time 09:00 19:30 480]" {
		t.Errorf("undoing gave %s", got)
	}
}
