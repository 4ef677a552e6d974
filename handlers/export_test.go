package handlers_test

import (
	"context"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/export"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// names returns the second column of a file, without its heading.
func names(t *testing.T, a answer) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.body, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatalf("not a file: %v: %.200s", err, a.body)
	}
	var all []string
	for _, row := range rows[1:] {
		all = append(all, row[1])
	}
	return strings.Join(all, " ")
}

// A department that the reader may not see does not exist for an export either.
func TestExportOfAForeignDepartment(t *testing.T) {
	s := newSite(t)
	for _, unit := range []string{"day", "week", "month"} {
		for _, id := range []string{"1", "5", "8", "9999"} {
			s.as(queriestest.Viewer).get("/logs/workingattitude/" + unit + "/export?format=csv&department_id=" + id).want(http.StatusNotFound)
		}
	}
}

func TestExportOfADay(t *testing.T) {
	s := newSite(t)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	const csvOfToday = "/logs/workingattitude/day/export?format=csv"
	for name, c := range map[string]struct {
		who  int64
		path string
		want string
	}{
		"an administrator, everybody":     {queriestest.Admin, csvOfToday, "김서연 김철수 박지민 이준호 佐藤ひろし 최유진 Olivia Martin"},
		"a viewer, their departments":     {queriestest.Viewer, csvOfToday, "김철수 박지민 최유진 Olivia Martin"},
		"an employee, themselves":         {queriestest.Employee, csvOfToday, "이준호"},
		"what was filtered":               {queriestest.Admin, csvOfToday + "&department_id=3", "김철수"},
		"what was searched":               {queriestest.Admin, csvOfToday + "&q=olivia", "Olivia Martin"},
		"what was sorted":                 {queriestest.Viewer, csvOfToday + "&sort=-name", "Olivia Martin 최유진 박지민 김철수"},
		"a day that has no records":       {queriestest.Admin, csvOfToday + "&date=2026-11-01", ""},
		"the other company, only its own": {queriestest.OtherAdmin, csvOfToday, "김철수 한도윤"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.as(c.who).get(c.path).want(http.StatusOK)
			if got := names(t, a); got != c.want {
				t.Errorf("exported %q, not %q", got, c.want)
			}
			if got := a.header.Get("Content-Disposition"); !strings.HasPrefix(got, `attachment; filename="attendance-day-202611`) {
				t.Errorf("called %q", got)
			}
		})
	}
	if got := s.count("select count(*) from changes where action = 'export.downloaded'"); got != 8 {
		t.Errorf("%d downloads are noted", got)
	}
	for path, status := range map[string]int{
		"/logs/workingattitude/day/export":                                http.StatusNotFound,
		"/logs/workingattitude/day/export?format=pdf":                     http.StatusNotFound,
		"/logs/workingattitude/day/export?format=csv&status=sleepy":       http.StatusNotFound,
		"/logs/workingattitude/day/export?format=csv&sort=shoe":           http.StatusNotFound,
		"/logs/workingattitude/day/export?format=csv&q=a":                 http.StatusUnprocessableEntity,
		"/logs/workingattitude/month/export?format=xlsx&month=2026-11":    http.StatusOK,
		"/logs/workingattitude/month/export?format=csv&sort=-late":        http.StatusOK,
		"/logs/workingattitude/week/export?format=csv&sort=-late":         http.StatusNotFound,
		"/logs/workingattitude/week/export?format=xlsx&date=2026-11-18":   http.StatusOK,
		"/logs/workingattitude/week/export?format=csv&over=40":            http.StatusOK,
		"/logs/workingattitude/month/export?format=csv&over=40":           http.StatusNotFound,
		"/logs/workingattitude/day/export?format=csv&over=40":             http.StatusNotFound,
		"/logs/workingattitude/week/export?format=csv&device=pc":          http.StatusNotFound,
		"/logs/workingattitude/day/export?format=csv&deleted=1":           http.StatusNotFound,
		"/en/logs/workingattitude/week/export?format=csv&date=2026-11-18": http.StatusOK,
		"/logs/workingattitude/management/export?format=csv":              http.StatusOK,
		"/logs/workingattitude/year/export?format=csv":                    http.StatusNotFound,
	} {
		s.as(queriestest.Admin).get(path).want(status)
	}
	s.as(queriestest.Viewer).get("/logs/workingattitude/management/export?format=csv").leads("/logs/workingattitude/day")
}

func TestExportInTheBackground(t *testing.T) {
	s := newSite(t)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	p, err := s.db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: queriestest.Viewer})
	if err != nil {
		t.Fatal(err)
	}
	today := workday.DateOf(s.clock.Now())
	request := exports.Request{Filter: attendance.Filter{Unit: attendance.DayUnit, First: today, Last: today}, Format: exports.CSV, Locale: locales.Korean}
	id, err := s.db.Exports.Request(t.Context(), directory.ActorFrom(p, queries.Actor{}.Address), request.FileName(), request)
	if err != nil {
		t.Fatal(err)
	}
	page := "/logs/workingattitude/day/exports/" + strconv.FormatInt(id, 10)
	viewer := s.as(queriestest.Viewer)
	if waiting := viewer.get(page).want(http.StatusOK); waiting.header.Get("Refresh") != "2" || !strings.Contains(waiting.body, "차례를 기다리고 있습니다") {
		t.Error("the page does not wait")
	}
	viewer.get(page + "/file").want(http.StatusNotFound)
	s.exec(`update exports set state = 'running', rows = 5000, request = request || '{"total": 20000}'`)
	viewer.get(page).want(http.StatusOK).shows("20,000행 가운데 5,000행을 썼습니다(25%)", `<progress max="20000" value="5000"`)
	s.exec("update exports set rows = 30000") // more rows were added in the meantime
	viewer.get("/en"+page).shows("20,000 of 20,000 rows are written (99%)", `value="20000"`)
	s.exec("update exports set request = request - 'total'")
	viewer.get("/ja" + page).shows("30,000行").hides("<progress")
	s.exec("update exports set state = 'waiting', rows = 0")
	if err := exports.Run(t.Context(), s.db); err != nil {
		t.Fatal(err)
	}
	if done := viewer.get(page).want(http.StatusOK); done.header.Get("Refresh") != "" || !strings.Contains(done.body, page+"/file") || !strings.Contains(done.body, "4행") {
		t.Error("the page does not offer the file")
	}
	if got := names(t, viewer.get(page+"/file").want(http.StatusOK)); got != "김철수 박지민 최유진 Olivia Martin" {
		t.Errorf("the file holds %q", got)
	}
	if n := s.count("select (request->>'total')::int from exports"); n != 4 {
		t.Errorf("%d rows were expected", n)
	}
	s.as(queriestest.Admin).get(page).want(http.StatusNotFound)
	s.as(queriestest.OtherAdmin).get(page + "/file").want(http.StatusNotFound)
	s.clock.Advance(export.Age)
	s.as(queriestest.Viewer).get(page).want(http.StatusNotFound)
}

// A person has a file at a time written twice at most. The files wait for a lock here.
func TestExportsAtTheSameTime(t *testing.T) {
	s := newSite(t)
	admin := s.nobody()
	admin.signIn(queriestest.Admin)
	const path = "/logs/workingattitude/day/export?format=csv"
	tx, err := s.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	if _, err := tx.Exec(t.Context(), "lock table day_records in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	statuses := make(chan int)
	const clients = 3
	for range clients {
		go func() { statuses <- admin.get(path).status }()
	}
	if got := <-statuses; got != http.StatusTooManyRequests {
		t.Errorf("beside two others: %d", got)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range clients - 1 {
		if got := <-statuses; got != http.StatusOK {
			t.Errorf("the others: %d", got)
		}
	}
	a := admin.get(path).want(http.StatusOK)
	if a.header.Get("Retry-After") != "" {
		t.Error("a file says when to try again")
	}
}
