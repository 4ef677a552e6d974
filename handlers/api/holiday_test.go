package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestHolidays(t *testing.T) {
	s := newSite(t)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/holidays"
	public := object(t, s.get(path+"?year=2027", admin, "Accept-Language: en"), http.StatusOK)["data"].([]any)
	equal(t, "the first of 2027", public[0], map[string]any{
		"id": nil, "first_date": "2027-01-01", "last_date": "2027-01-01", "name": "New Year's Day (Korea)", "source": "kr", "key": "kr.new_year", "substitute": false, "version_no": nil,
	})
	equal(t, "a year without calendars", s.get(path+"?year=2051", admin).status, 422)
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/holidays", s.token(queriestest.Employee)).status, 403)

	for body, field := range map[string]string{
		`{}`:                                     "name",
		`{"name":"a"}`:                           "first_date",
		`{"name":"a","first_date":"2027-02-30"}`: "first_date",
		`{"name":"a","first_date":"2027-02-01","last_date":"2027-01-01"}`:      "last_date",
		`{"name":"` + strings.Repeat("가", 51) + `","first_date":"2027-02-01"}`: "name",
	} {
		if a := s.call(http.MethodPost, path, admin, body); a.status != 422 || !strings.Contains(a.body, `"`+field+`"`) {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}

	// What the messenger has changes with a holiday.
	messenger := serviceToken(t, s, queriestest.Hanbit, "read")
	policies := fmt.Sprintf("/companies/%d/effective/%d", queriestest.Hanbit, queriestest.Kim)
	before := s.get(policies, messenger)
	made := s.call(http.MethodPost, path, admin, `{"name":"여름휴가","first_date":"2027-08-02","last_date":"2027-08-03"}`)
	row := object(t, made, http.StatusCreated)
	equal(t, "made", []any{row["name"], row["source"], row["first_date"], row["last_date"], row["version_no"], made.header.Get("ETag")}, []any{"여름휴가", "company", "2027-08-02", "2027-08-03", 1, `"1"`})
	after := s.get(policies, messenger, "If-None-Match: "+before.header.Get("ETag"))
	settings := object(t, after, http.StatusOK)["workingattitude"].(map[string]any)["settings"].(map[string]any)
	equal(t, "dates of the messenger", settings["holiday_dates"], []any{map[string]any{"date": "2027-08-02", "name": "여름휴가"}, map[string]any{"date": "2027-08-03", "name": "여름휴가"}})
	if n := queriestest.LookUp(t, s.db, "select count(*) from outbox where company_id = 1 and type = 'policy.changed' and payload->>'kind' = 'workingattitude'"); n == "0" {
		t.Error("nothing tells the messenger")
	}

	one := path + "/" + jsonNumber(row["id"])
	equal(t, "a date twice", s.call(http.MethodPost, path, admin, `{"name":"x","first_date":"2027-08-03"}`).status, 422)
	equal(t, "changed", object(t, s.call(http.MethodPatch, one, admin, `{"last_date":"2027-08-04"}`, `If-Match: "1"`), 200)["version_no"], 2)
	equal(t, "an outdated version", s.call(http.MethodPatch, one, admin, `{"name":"x"}`, `If-Match: "1"`).status, 409)
	equal(t, "of another company", s.call(http.MethodPatch, own(queriestest.OtherAdmin)+"/holidays/"+jsonNumber(row["id"]), s.token(queriestest.OtherAdmin), `{"name":"x"}`).status, 404)
	equal(t, "an outdated deletion", s.call(http.MethodDelete, one, admin, "", `If-Match: "1"`).status, 409)
	equal(t, "deleted", s.call(http.MethodDelete, one, admin, "").status, 204)
	equal(t, "deleted again", s.call(http.MethodDelete, one, admin, "").status, 404)
	equal(t, "as before", s.get(policies, messenger, "If-None-Match: "+before.header.Get("ETag")).status, 304)

	// Records that would change are named first.
	worked(s)
	admin = s.token(queriestest.Admin) // the clock has moved on
	refused := object(t, s.call(http.MethodPost, path, admin, `{"name":"임시 휴일","first_date":"2026-11-20"}`), 422)
	equal(t, "unconfirmed", refused["code"], "holiday.unconfirmed")
	if records := refused["records"].(map[string]any); records["people_changed"] == 0 || records["exact"] != true || records["holiday_min"] == nil {
		t.Errorf("records: %v", records)
	}
	row = object(t, s.call(http.MethodPost, path, admin, `{"name":"임시 휴일","first_date":"2026-11-20","confirmed":true}`), 201)
	equal(t, "an unconfirmed deletion", code(t, s.call(http.MethodDelete, path+"/"+jsonNumber(row["id"]), admin, "")), "holiday.unconfirmed")
	equal(t, "a confirmed deletion", s.call(http.MethodDelete, path+"/"+jsonNumber(row["id"])+"?confirmed=true", admin, "").status, 204)
}

// The messenger reads the holidays of the company of its token.
func TestHolidaysOfMessenger(t *testing.T) {
	s := newSite(t)
	admin := s.token(queriestest.Admin)
	object(t, s.call(http.MethodPost, own(queriestest.Admin)+"/holidays", admin, `{"first_date":"2026-12-24","name":"창립 기념일"}`), http.StatusCreated)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	const path = "/companies/1/holidays"
	sameJSON(t, s.get(path, token).body, s.get(own(queriestest.Admin)+"/holidays", admin).body)
	names := rowsOf(t, s.get(path+"?year=2026", token), "name")
	if !slices.Contains(names, any("창립 기념일")) || len(names) < 10 {
		t.Errorf("holidays %v", names)
	}
	equal(t, "no year", s.get(path+"?year=1900", token).status, http.StatusUnprocessableEntity)
	equal(t, "without the scope", s.get(path, serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)).status, http.StatusForbidden)
	equal(t, "elsewhere", s.get(path, serviceToken(t, s, queriestest.Other, identity.ScopeRead)).status, http.StatusNotFound)
}
