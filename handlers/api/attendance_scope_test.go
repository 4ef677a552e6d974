package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

const logs = "/logs/workingattitude"

// worked clocks events of a Friday in 한빛테크 and in the other company; 김철수 and
// 이준호 are late. The time is then 20:00.
func worked(s *site) {
	s.t.Helper()
	if err := s.db.Attendance.BeginDays(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	s.clock.Advance(10 * time.Hour)
	var events []attendance.ClockInput
	for _, user := range []int64{queriestest.Kim, queriestest.Employee} {
		for kind, at := range map[workday.Kind]time.Time{workday.In: onFriday(9, 34), workday.Out: onFriday(18, 2)} {
			events = append(events, attendance.ClockInput{EventID: fmt.Sprint(kind, user), UserID: user, Kind: kind, OccurredAt: at, Offline: true, Platform: "pc"})
		}
	}
	results, err := s.db.Attendance.TakeClockEvents(s.t.Context(), queriestest.Hanbit, events)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range results {
		if r.Status != attendance.ClockAccepted {
			s.t.Fatalf("%+v", r)
		}
	}
}

func onFriday(hour, minute int) time.Time {
	year, month, day := queriestest.Now.Date()
	return time.Date(year, month, day, hour, minute, 0, 0, queriestest.Now.Location())
}

// asked restores what the calls of the matrix change: two requests for
// corrections, a locked month, and an export of the administrator.
func asked(s *site) {
	s.t.Helper()
	s.exec("update day_records set deleted_at = null")
	s.exec("delete from attendance_corrections")
	s.exec(`insert into attendance_corrections (company_id, id, user_id, work_date, extra, department_id, arrival_at, reason, created_at) overriding system value values
		(1, 901, 6, '2026-11-20', false, 3, '2026-11-20 09:00+09', '외부 회의', now()), (1, 902, 2, '2026-11-20', false, 6, '2026-11-20 09:00+09', '외부 회의', now())`)
	s.exec("delete from attendance_locks")
	s.exec("insert into attendance_locks (company_id, month, locked_at) values (1, '2026-09-01', now()), (2, '2026-09-01', now())")
	s.exec("delete from exports")
	s.exec(`insert into exports (company_id, id, user_id, request, file_name, state, bytes, created_at, expires_at) overriding system value
		values (1, 901, 1, '{}', 'attendance.csv', 'done', 3, $1, $1::timestamptz + interval '1 hour')`, s.clock.Now())
	s.exec("insert into export_pieces (company_id, export_id, no, content) values (1, 901, 0, 'abc')")
}

// Who may make which call of attendance, and whose records it returns
// (specification §6).
func TestAttendanceScope(t *testing.T) {
	s := newSite(t)
	worked(s)
	s.exec("update users set hidden_at = null where id = $1", queriestest.Hidden)
	hidden := s.token(queriestest.Hidden)
	s.exec("update users set hidden_at = now() where id = $1", queriestest.Hidden)
	roles := []struct {
		name  string
		user  int64
		token string
	}{
		{"administrator", queriestest.Admin, s.token(queriestest.Admin)},
		{"manager", queriestest.Manager, s.token(queriestest.Manager)},
		{"viewer", queriestest.Viewer, s.token(queriestest.Viewer)},
		{"employee", queriestest.Employee, s.token(queriestest.Employee)},
		{"other company's administrator", queriestest.OtherAdmin, s.token(queriestest.OtherAdmin)},
	}
	// Callers to whom every call answers alike.
	strangers := []struct {
		name   string
		user   int64 // whose URLs are requested
		token  string
		status int
	}{
		{"hidden", queriestest.Hidden, hidden, 419},
		{"nobody", queriestest.Admin, "", 401},
		{"forged", queriestest.Admin, "forged", 419},
		{"service", queriestest.Admin, serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), 403},
		{"employee as the administrator", queriestest.Admin, roles[3].token, 404},
		{"administrator as an employee", queriestest.Employee, roles[0].token, 404},
		{"other company's administrator as ours", queriestest.Admin, roles[4].token, 404},
	}
	type statuses [5]int
	everybody, administrators := statuses{200, 200, 200, 200, 200}, statuses{200, 403, 403, 403, 200}
	kims, employees := statuses{200, 200, 200, 404, 404}, statuses{200, 404, 404, 200, 404}
	onlyAdmin, none := statuses{200, 404, 404, 404, 404}, statuses{404, 404, 404, 404, 404}
	// Who sees a record and may not edit it is refused; others do not find it.
	kimsEdits, employeesEdits, managersEdits := statuses{200, 200, 403, 404, 404}, statuses{200, 404, 404, 403, 404}, statuses{200, 403, 403, 404, 404}
	people := []string{"1 2 3 4 6 7 8", "3 4 6 7", "3 4 6 7", "2", "10 11"}
	for _, c := range []struct {
		method, path, body string
		want               statuses // 200 stands for the status of a success
		people             []string // whose records are returned, ascending
	}{
		{"GET", logs + "?unit=day", "", everybody, people},
		{"GET", logs + "?unit=day&date=2026-11-20&status=late", "", everybody, []string{"2 6", "6", "6", "2", ""}},
		{"GET", logs + "?unit=day&q=김철수", "", everybody, []string{"6", "6", "6", "", "11"}},
		{"GET", logs + "?unit=day&department_id=3", "", kims, []string{"6", "6", "6"}},
		{"GET", logs + "?unit=day&department_id=6", "", onlyAdmin, []string{"2"}},
		{"GET", logs + "?unit=day&department_id=9", "", statuses{404, 404, 404, 404, 200}, []string{"", "", "", "", "11"}},
		{"GET", logs + "?unit=week", "", everybody, people},
		{"GET", logs + "?unit=week&q=김철수", "", everybody, []string{"6", "6", "6", "", "11"}},
		{"GET", logs + "?unit=week&department_id=3", "", kims, []string{"6", "6", "6"}},
		{"GET", logs + "?unit=month", "", everybody, people},
		{"GET", logs + "?unit=month&status=late", "", everybody, []string{"2 6", "6", "6", "2", ""}},
		{"GET", logs + "?unit=month&department_id=9", "", statuses{404, 404, 404, 404, 200}, []string{"", "", "", "", "11"}},

		{"GET", logs + "/6-2026-11-20", "", kims, nil},
		{"GET", logs + "/2-2026-11-20", "", employees, nil},
		{"GET", logs + "/8-2026-11-20", "", onlyAdmin, nil},
		{"GET", logs + "/4-2026-11-20", "", kims, nil},
		{"GET", logs + "/10-2026-11-20", "", statuses{404, 404, 404, 404, 200}, nil},
		{"GET", logs + "/5-2026-11-20", "", none, nil},
		{"GET", logs + "/6-2026-11-20/events", "", kims, nil},
		{"GET", logs + "/2-2026-11-20/events", "", employees, nil},
		{"GET", logs + "/8-2026-11-20/events", "", onlyAdmin, nil},

		{"PATCH", logs + "/6-2026-11-20", `{"arrival_at":"2026-11-20T08:0%d:00+09:00","reason":"외부 회의"}`, kimsEdits, nil},
		{"PATCH", logs + "/2-2026-11-20", `{"arrival_at":"2026-11-20T08:0%d:00+09:00","reason":"외부 회의"}`, employeesEdits, nil},
		{"PATCH", logs + "/4-2026-11-20", `{"arrival_at":"2026-11-20T08:0%d:00+09:00","reason":"외부 회의"}`, managersEdits, nil},
		{"PATCH", logs + "/11-2026-11-20", `{"arrival_at":"2026-11-20T08:0%d:00+09:00","reason":"외부 회의"}`, statuses{404, 404, 404, 404, 200}, nil},
		{"DELETE", logs + "/6-2026-11-20", `{"reason":"잘못된 기록"}`, kimsEdits, nil},
		{"DELETE", logs + "/2-2026-11-20", `{"reason":"잘못된 기록"}`, employeesEdits, nil},
		{"POST", logs + "/6-2026-11-20/restore", `{"reason":"되돌림"}`, kimsEdits, nil},
		{"POST", logs + "/2-2026-11-20/restore", `{"reason":"되돌림"}`, employeesEdits, nil},

		{"GET", logs + "/corrections", "", everybody, []string{"2 6", "6", "", "", ""}},
		{"POST", logs + "/corrections", `{"record_id":"2-2026-11-20","departure_at":"2026-11-20T19:0%d:00+09:00","reason":"외부 회의"}`, statuses{403, 404, 404, 200, 404}, nil},
		{"PATCH", logs + "/corrections/901", `{"approve":false,"answer":"%d"}`, kimsEdits, nil},
		{"PATCH", logs + "/corrections/902", `{"approve":false,"answer":"%d"}`, employeesEdits, nil},
		{"DELETE", logs + "/corrections/902", "", statuses{403, 404, 404, 200, 404}, nil},
		{"DELETE", logs + "/corrections/901", "", statuses{403, 403, 403, 404, 404}, nil},

		{"GET", logs + "/locks", "", administrators, nil},
		{"POST", logs + "/locks", `{"month":"2026-10"}`, administrators, nil},
		{"DELETE", logs + "/locks", `{"month":"2026-09","reason":"재정산"}`, administrators, nil},

		{"POST", "/exports", `{"list":"attendance","unit":"day","format":"csv"}`, everybody, nil},
		{"POST", "/exports", `{"list":"attendance","unit":"month","format":"csv","department_id":3}`, kims, nil},
		{"POST", "/exports", `{"list":"attendance","unit":"management","format":"csv","first":"2026-11-01","last":"2026-11-20"}`, administrators, nil},
		{"GET", "/exports/901", "", onlyAdmin, nil},
		{"GET", "/exports/901/file", "", onlyAdmin, nil},
	} {
		call := func(user int64, token string, n int) answer {
			asked(s)
			if strings.HasSuffix(c.path, "/restore") {
				s.exec("update day_records set deleted_at = now()")
			}
			if strings.HasSuffix(c.path, "/corrections") && c.method == http.MethodPost {
				s.exec("delete from attendance_corrections")
			}
			body := c.body
			if strings.Contains(body, "%d") {
				body = fmt.Sprintf(body, n+1)
			}
			return s.call(c.method, own(user)+c.path, token, body)
		}
		for i, role := range roles {
			a := call(role.user, role.token, i)
			name := fmt.Sprintf("%s %s %s %s", role.name, c.method, c.path, c.body)
			if got := a.status; got != c.want[i] && (c.want[i] != 200 || got < 200 || got > 204) {
				t.Errorf("%s: %d, want %d: %s", name, got, c.want[i], a.body)
				continue
			}
			if a.status >= 400 {
				code(t, a)
			} else if c.people != nil {
				equal(t, name, peopleIn(t, a.body), c.people[i])
			}
		}
		for _, stranger := range strangers {
			if a := call(stranger.user, stranger.token, 9); a.status != stranger.status {
				t.Errorf("%s %s %s: %d, want %d: %s", stranger.name, c.method, c.path, a.status, stranger.status, a.body)
			}
		}
	}
}

// peopleIn returns the ids of the people in a list, ascending.
func peopleIn(t *testing.T, body string) string {
	t.Helper()
	var list struct {
		Data []struct{ User struct{ ID int } }
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatal(err)
	}
	var ids []int
	for _, row := range list.Data {
		ids = append(ids, row.User.ID)
	}
	slices.Sort(ids)
	return strings.Trim(fmt.Sprint(ids), "[]")
}
