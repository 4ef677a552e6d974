package handlers_test

import (
	"net/http"
	"strconv"
	"testing"

	"officeconsole/queries/queriestest"
)

// Whose attendance a reader may see is read from the database once a request,
// also where a page is shown under a dialog or a form is refused.
func TestScopeIsReadOnceARequest(t *testing.T) {
	s := lateSite(t)
	manager := s.as(queriestest.Manager)
	log := queriestest.LogStatements(t, s.db)
	once := func(name string, a answer, status int) {
		t.Helper()
		a.want(status)
		if n := log.TakeCount("visibleDepartments"); n != 1 {
			t.Errorf("%s: the scope was read %d times", name, n)
		}
	}
	for _, path := range []string{
		employeeHome, dayLog + "&status=late", dayLog + "&q=kim.cs", weekLog, weekLog + "?over=52", monthLog, monthLog + "?totals=1",
		employeeHome + "/export?format=csv", weekLog + "/export?format=csv", monthLog + "/export?format=csv",
		requests, kimFriday, above(kimFriday), above(kimFriday) + "&form=edit",
	} {
		once(path, manager.get(path), http.StatusOK)
	}
	lastEdit := func() string {
		id := s.count("select coalesce(max(id), 0) from attendance_edits")
		log.Take()
		return strconv.Itoa(id)
	}
	edit := func(pairs ...string) answer {
		return manager.post(kimFriday+"/edit", append([]string{"arrival", "09:00", "last_edit", "0", "back", dayLog}, pairs...)...)
	}
	once("a refused edit", edit(), http.StatusUnprocessableEntity)
	once("an edit", edit("reason", "외부 회의"), http.StatusSeeOther)
	once("a conflict", edit("arrival", "09:10", "reason", "외부 회의"), http.StatusConflict)
	once("a deletion", manager.post(kimFriday+"/delete", "reason", "중복", "last_edit", lastEdit(), "back", dayLog), http.StatusSeeOther)
	once("a restoration", manager.post(kimFriday+"/restore", "reason", "다시", "last_edit", lastEdit()), http.StatusSeeOther)
}
