package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// keys returns the keys of an object, in order.
func keys(object any) string {
	fields, _ := object.(map[string]any)
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestAttendanceOfDay(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, day := s.token(queriestest.Admin), own(queriestest.Admin)+logs+"?unit=day"
	rows := object(t, s.get(day+"&q=김철수", token), http.StatusOK)["data"].([]any)
	equal(t, "a row", rows, []any{map[string]any{
		"record_id": "6-2026-11-20", "user": map[string]any{"id": 6, "name": "김철수", "employee_id": "H0006"}, "department": map[string]any{"id": 3, "name": "국내영업팀"},
		"work_date": "2026-11-20", "arrival_at": "2026-11-20T00:34:00Z", "departure_at": "2026-11-20T09:02:00Z", "worked_min": 448, "break_min": 60, "overtime_min": 0, "holiday_min": 0, "holiday_over_min": 0, "night_min": 0, "balance_min": nil, "uncounted_events": 0,
		"late_min": 34, "early_min": 0, "day_type": "workday", "presence": "left", "flags": []any{"late"}, "status": "late", "device": "pc", "place": "", "edited": false,
	}})
	absent := object(t, s.get(day+"&q=Olivia", token), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "who has not come", []any{absent["arrival_at"], absent["worked_min"], absent["flags"], absent["status"]}, []any{nil, 0, []any{}, "before"})

	ids := s.rows(day, token, "record_id")
	equal(t, "everybody", len(ids), 7)
	equal(t, "page by page", s.pagesOf(day+"&limit=2", token, "record_id"), ids)
	equal(t, "tomorrow", s.rows(day+"&date=2026-11-21&q=김철수", token, "status"), []any{"day_off"})
	equal(t, "a day without records", len(s.rows(day+"&date=2026-03-01", token, "status")), 0)
	equal(t, "an empty list", object(t, s.get(day+"&date=2026-03-01", token), http.StatusOK), map[string]any{"data": []any{}, "meta": map[string]any{"next_cursor": nil}})
	s.clock.Advance(5 * time.Hour)
	equal(t, "today is the company's", s.rows(day+"&q=김철수", s.token(queriestest.Admin), "work_date"), []any{"2026-11-21"})
}

// The list has the same filters and orders as the pages.
func TestAttendanceIsFiltered(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+logs
	edit := func(record, body string) {
		object(t, s.call(http.MethodPatch, all+"/"+record, token, body), http.StatusOK)
	}
	if _, err := s.db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{
		{EventID: "in7", UserID: queriestest.Foreigner, Kind: workday.In, OccurredAt: onFriday(8, 30), Offline: true, Platform: "mobile"},
	}); err != nil {
		t.Fatal(err)
	}
	edit("7-2026-11-20", `{"departure_at":"2026-11-20T12:00:00+09:00","reason":"병원 진료"}`)
	ids := func(query string) []any { return s.rows(all+query, token, "record_id") }
	equal(t, "by device", ids("?device=mobile"), []any{"7-2026-11-20"})
	equal(t, "by another device", ids("?device=pc"), []any{"6-2026-11-20", "2-2026-11-20"})
	equal(t, "edited", ids("?edited=true"), []any{"7-2026-11-20"})
	equal(t, "not only edited", len(ids("?edited=false")), 7)
	equal(t, "by arrival", ids("?sort=arrival")[:3], []any{"7-2026-11-20", "2-2026-11-20", "6-2026-11-20"})
	equal(t, "the latest arrival first", ids("?sort=-arrival")[:3], []any{"6-2026-11-20", "2-2026-11-20", "7-2026-11-20"})
	equal(t, "by worked time", ids("?sort=-worked")[:3], []any{"6-2026-11-20", "2-2026-11-20", "7-2026-11-20"})
	equal(t, "page by page", s.pagesOf(all+"?sort=-arrival&limit=2", token, "record_id"), ids("?sort=-arrival"))
	names := ids("?sort=name")
	slices.Reverse(names)
	equal(t, "by name, reversed", ids("?sort=-name"), names)
	user := func(query string) (ids []any) {
		for _, u := range s.rows(all+query, token, "user") {
			ids = append(ids, u.(map[string]any)["id"])
		}
		return ids
	}
	equal(t, "edited in the week", user("?unit=week&edited=true"), []any{7})
	equal(t, "edited in the month", user("?unit=month&edited=true"), []any{7})
	for _, date := range []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"} {
		edit("6-"+date, `{"arrival_at":"`+date+`T08:00:00+09:00","departure_at":"`+date+`T19:00:00+09:00","reason":"결산"}`)
	}
	equal(t, "over 40 and 48 hours", []any{user("?unit=week&over=40"), user("?unit=week&over=48")}, []any{[]any{6}, []any{6}})
	equal(t, "over 52 hours", user("?unit=week&over=52"), []any(nil))
}

func TestAttendanceOfPeriod(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+logs
	row := object(t, s.get(all+"?unit=week&q=김철수", token), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "fields", keys(row), "days department totals user")
	equal(t, "user", row["user"], map[string]any{"id": 6, "name": "김철수", "employee_id": "H0006"})
	equal(t, "department", row["department"], map[string]any{"id": 3, "name": "국내영업팀"})
	equal(t, "totals", row["totals"], map[string]any{"days": 1, "late": 1, "absent": 0, "missing_departure": 0, "missing_arrival": 0, "worked_min": 448, "overtime_min": 0, "holiday_min": 0, "holiday_over_min": 0, "night_min": 0, "balance_min": nil})
	days := row["days"].([]any)
	equal(t, "days", []any{len(days), days[0], days[4]}, []any{7,
		map[string]any{"work_date": "2026-11-16", "status": nil, "worked_min": nil}, map[string]any{"work_date": "2026-11-20", "status": "late", "worked_min": 448}})
	row = object(t, s.get(all+"?unit=month&q=김철수&date=2026-11-01", token), http.StatusOK)["data"].([]any)[0].(map[string]any)
	days = row["days"].([]any)
	equal(t, "month", []any{len(days), days[0].(map[string]any)["work_date"], days[29].(map[string]any)["work_date"], row["totals"].(map[string]any)["late"]}, []any{30, "2026-11-01", "2026-11-30", 1})
	equal(t, "the latest first", s.rows(all+"?unit=month&sort=-late", token, "user")[0].(map[string]any)["id"], 6)
	equal(t, "page by page in an order", s.pagesOf(all+"?unit=month&sort=-worked&limit=2", token, "user"), s.rows(all+"?unit=month&sort=-worked", token, "user"))
	equal(t, "another month", len(s.rows(all+"?unit=month&date=2026-10-31", token, "user")), 0)
	equal(t, "page by page", s.pagesOf(all+"?unit=week&limit=2", token, "user"), s.rows(all+"?unit=week", token, "user"))
}

// A list takes every filter of its own together; one of another list is refused
// by its name.
func TestEveryFilterAtOnce(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+logs
	const shared = "?q=김철수&department_id=2&edited=true&limit=10&"
	for own, foreign := range map[string]string{
		"unit=day&date=2026-11-20&status=late&device=pc&sort=-worked": "over=52",
		"unit=week&date=2026-11-20&status=late&over=52":               "device=pc",
		"unit=month&date=2026-11-20&status=late&sort=-late":           "device=pc",
	} {
		object(t, s.get(all+shared+own, token), http.StatusOK)
		a := s.get(all+shared+own+"&"+foreign, token)
		fields := object(t, a, http.StatusUnprocessableEntity)["errors"].([]any)
		if name, _, _ := strings.Cut(foreign, "="); len(fields) != 1 || fields[0].(map[string]any)["field"] != name {
			t.Errorf("%s and %s: %s", own, foreign, a.body)
		}
	}
}

func TestAttendanceRefuses(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+logs
	for query, want := range map[string]string{
		"unit=year": "unit", "date=2026-02-29": "date", "date=20261120": "date", "date=1899-12-31": "date", "date=9999-12-31": "date", "limit=0": "limit", "limit=501": "limit",
		"q=x": "q", "status=happy": "status", "unit=week&status=on_time": "status",
		"device=fax": "device", "unit=week&device=pc": "device", "edited=perhaps": "edited", "unit=week&over=47": "over", "unit=week&over=0x": "over", "over=52": "over", "unit=month&over=52": "over",
		"sort=status": "sort", "sort=--name": "sort", "unit=month&sort=-name": "sort", "unit=week&sort=arrival": "sort", "sort=late": "sort", "department_id=x": "department_id", "department_id=0": "department_id",
		"cursor=x": "cursor", "cursor=bm9uZQ": "cursor", "cursor=eyJUZXh0IjoiNi0yMDI2LTExLTE5IiwiTnVtYmVyIjowfQ": "cursor", "cursor=eyJUZXh0Ijoi6rmA7LKg7IiYIiwiTnVtYmVyIjo2fQ": "cursor",
	} {
		a := s.get(all+"?"+query, token)
		fields, _ := object(t, a, http.StatusUnprocessableEntity)["errors"].([]any)
		if code(t, a); len(fields) != 1 || fields[0].(map[string]any)["field"] != want {
			t.Errorf("%s: %s", query, a.body)
		}
	}
	for _, path := range []string{"?department_id=99", "/6", "/x", "/6-2026-02-30", "/06-2026-11-20", "/6-1900-01-01", "/6-2026-11-20-y", "/0-2026-11-20", "/6-2026-11-20-x", "/99999999999999999999-2026-11-20"} {
		if a := s.get(all+path, token); a.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	nul := s.get(all+"?unit=week&cursor="+(&lists.Cursor{List: "week", Value: "\x00", ID: 6}).String(), token)
	equal(t, "NUL", []any{nul.status, code(t, nul)}, []any{422, "api.refused"})
}

func TestAttendanceRecord(t *testing.T) {
	s := newSite(t)
	worked(s)
	s.exec("update clock_events set lat = 37.5, lng = 127.1, accuracy_m = 12, proof = 'gps', place = '본사' where event_id = 'in6'")
	manager, mine := s.token(queriestest.Manager), own(queriestest.Manager)+logs+"/6-2026-11-20"
	read := s.get(mine, manager)
	equal(t, "ETag", read.header.Get("ETag"), `"0"`)
	r := object(t, read, http.StatusOK)
	for name, want := range map[string]any{
		"record_id": "6-2026-11-20", "user": map[string]any{"id": 6, "name": "김철수"}, "department": map[string]any{"id": 3, "name": "국내영업팀"},
		"late_min": 34, "worked_min": 448, "required_min": 480, "time_zone": "Asia/Seoul", "policy": map[string]any{"id": 2, "name": "기본 근태 정책", "version_no": 1},
		"starts_at": "2026-11-20T00:00:00Z", "ends_at": "2026-11-20T09:00:00Z", "opens_at": "2026-11-19T20:00:00Z", "closes_at": "2026-11-20T19:00:00Z",
		"arrival": map[string]any{"at": "2026-11-20T00:34:00Z", "edited": false, "auto": false, "original_at": "2026-11-20T00:34:00Z", "event_id": "in6"},
		"work":    []any{map[string]any{"from": "2026-11-20T00:34:00Z", "to": "2026-11-20T09:02:00Z"}},
		"breaks":  []any{map[string]any{"from": "2026-11-20T03:00:00Z", "to": "2026-11-20T04:00:00Z"}},
		"leave":   "", "edits": []any{}, "corrections": []any{}, "views": []any{}, "may_edit": true, "may_request": false, "locked": false, "deleted_at": nil, "last_edit_id": 0,
	} {
		equal(t, name, r[name], want)
	}
	first := r["events"].([]any)[0].(map[string]any)
	for name, want := range map[string]any{"event_id": "in6", "kind": "in", "at": "2026-11-20T00:34:00Z", "platform": "pc", "proof": "gps", "place": "본사", "gps": map[string]any{"lat": 37.5, "lng": 127.1, "accuracy_m": 12}} {
		equal(t, "event "+name, first[name], want)
	}
	events := object(t, s.get(mine+"/events", manager), http.StatusOK)
	equal(t, "events", []any{keys(events), events["data"], events["edits"]}, []any{"data edits meta", r["events"], []any{}})

	viewed := object(t, s.get(own(queriestest.Viewer)+logs+"/6-2026-11-20", s.token(queriestest.Viewer)), http.StatusOK)
	equal(t, "a viewer may not edit", []any{viewed["may_edit"], viewed["views"]}, []any{false, []any{}})
	object(t, s.get(own(queriestest.Admin)+logs+"/2-2026-11-20", s.token(queriestest.Admin)), http.StatusOK)
	theirs := object(t, s.get(own(queriestest.Employee)+logs+"/2-2026-11-20", s.token(queriestest.Employee)), http.StatusOK)
	equal(t, "who opened it", theirs["views"].([]any)[0].(map[string]any)["user"], map[string]any{"id": 1, "name": "김서연"})
	equal(t, "one's own", []any{theirs["may_edit"], theirs["may_request"]}, []any{false, true})
}

// Responses match the OpenAPI document.
func TestAttendanceMatchesTheDocument(t *testing.T) {
	s := newSite(t)
	worked(s)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+logs
	one := all + "/2-2026-11-20"
	employee := s.token(queriestest.Employee)
	asked := object(t, s.call(http.MethodPost, own(queriestest.Employee)+logs+"/corrections", employee,
		`{"record_id":"2-2026-11-20","arrival_at":"2026-11-20T09:00:00+09:00","reason":"출입증 고장"}`), http.StatusCreated)
	var document struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal([]byte(s.get("/openapi.json", "").body), &document); err != nil {
		t.Fatal(err)
	}
	var check func(place string, described schema, value any)
	check = func(place string, described schema, value any) {
		if len(described.AnyOf) > 0 {
			described = described.AnyOf[0]
		}
		if described.Ref != "" {
			described = document.Components.Schemas[strings.TrimPrefix(described.Ref, "#/components/schemas/")]
		}
		switch value := value.(type) {
		case map[string]any:
			for name, field := range value {
				if _, ok := described.Properties[name]; !ok {
					t.Errorf("%s.%s is not described", place, name)
				}
				check(place+"."+name, described.Properties[name], field)
			}
		case []any:
			for _, row := range value {
				check(place+"[]", *described.Items, row)
			}
		}
	}
	first := func(a answer) any { return object(t, a, http.StatusOK)["data"].([]any)[0] }
	check("request", schema{Ref: "Correction"}, asked)
	check("waiting", schema{Ref: "PendingCorrection"}, first(s.get(all+"/corrections", token)))
	object(t, s.call(http.MethodPatch, one, token, `{"arrival_at":"2026-11-20T09:00:00+09:00","reason":"출입증 고장"}`), http.StatusOK)
	check("record", schema{Ref: "AttendanceRecord"}, object(t, s.get(own(queriestest.Employee)+logs+"/2-2026-11-20", employee), http.StatusOK))
	check("day", schema{Ref: "AttendanceDay"}, first(s.get(all+"?unit=day", token)))
	check("week", schema{Ref: "AttendancePeriod"}, first(s.get(all+"?unit=week", token)))
	check("export", schema{Ref: "Export"}, object(t, s.call(http.MethodPost, own(queriestest.Admin)+"/exports", token, `{"list":"attendance","unit":"day","format":"xlsx"}`), http.StatusAccepted))
}

// pagesOf reads all pages of a list.
func (s *site) pagesOf(path, token, field string) (all []any) {
	s.t.Helper()
	for cursor := ""; ; {
		a := s.get(path+"&cursor="+cursor, token)
		if a.status != http.StatusOK {
			s.t.Fatalf("%s: %d %s", path, a.status, a.body)
		}
		var values []any
		values, cursor = list(s.t, a.body, field)
		all = append(all, values...)
		if cursor == "" {
			return all
		}
	}
}
