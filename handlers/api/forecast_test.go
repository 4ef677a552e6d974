package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// 김철수 works eleven hours a day.
func TestWeekForecast(t *testing.T) {
	s := newSite(t)
	for day := 16; day <= 19; day++ {
		s.exec(`insert into day_records (company_id, user_id, work_date, name, department_id, policy_id, version_no, day_type, opens_at, closes_at, presence, status, arrival_at, worked_min, required_min)
			select 1, id, $1::date, name, department_id, 2, 1, 'workday', $1::date, $1::date, 'left', 'on_time', $1::date, 660, 480 from users where id = $2`, time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC), queriestest.Kim)
	}
	queriestest.MustComputeMonths(t, s.db, queriestest.Hanbit)
	path := func(caller int64) string {
		return fmt.Sprintf("/companies/1/users/%d/logs/workingattitude/forecast", caller)
	}
	admin := s.token(queriestest.Admin)
	got := object(t, s.call(http.MethodGet, path(queriestest.Admin), admin, ""), http.StatusOK)
	row := got["data"].([]any)[0].(map[string]any)
	for field, want := range map[string]any{"level": "expected", "worked_min": 2640., "projected_min": 3240., "habit_min": 180., "limit_min": 3120., "passes_on": "2026-11-20", "passes_at": "2026-11-20T10:00:00Z", "last_departure": "2026-11-20T10:00:00Z", "told_at": nil} {
		if row[field] != want {
			t.Errorf("%s is %v, not %v", field, row[field], want)
		}
	}
	if counts := got["counts"].(map[string]any); counts["expected"] != 1. || counts["near"] != 0. {
		t.Errorf("counts %v", counts)
	}
	for query, status := range map[string]int{"?date=2026-11-30": 422, "?date=x": 422, "?department_id=9": 404, "?level=x": 422, "?date=2026-11-10": 200, "?department_id=2&level=near": 200} {
		if got := s.call(http.MethodGet, path(queriestest.Admin)+query, admin, "").status; got != status {
			t.Errorf("%s: %d, not %d", query, got, status)
		}
	}
	desk := "/companies/1/users/1/logs/workingattitude/desk"
	onDesk := object(t, s.get(desk, admin), http.StatusOK)
	if weeks := onDesk["weeks"].([]any); len(weeks) != 1 || fmt.Sprint(weeks[0]) != fmt.Sprint(row) || onDesk["weeks_total"] != 1. {
		t.Errorf("on the desk %v of %v", weeks, onDesk["weeks_total"])
	}
	for _, query := range []string{"?kind=correction", "?q=kim", "?department_id=5"} {
		if got := object(t, s.get(desk+query, admin), http.StatusOK); len(got["weeks"].([]any)) != 0 || got["weeks_total"] != 0. {
			t.Errorf("%s: %v", query, got["weeks"])
		}
	}
	if weeks := object(t, s.get("/companies/1/users/3/logs/workingattitude/desk", s.token(queriestest.Viewer)), http.StatusOK)["weeks"]; len(weeks.([]any)) != 0 {
		t.Errorf("a viewer: %v", weeks)
	}
	told := object(t, s.call(http.MethodPost, path(queriestest.Admin)+"/notices", admin, `{"user_ids":[6]}`), http.StatusOK)
	if fmt.Sprint(told["told"]) != "[map[managers:[최유진] name:김철수 user_id:6]]" {
		t.Errorf("told %v", told)
	}
	if again := object(t, s.call(http.MethodPost, path(queriestest.Admin)+"/notices", admin, `{"user_ids":[6]}`), http.StatusOK); again["already"] != 1. {
		t.Errorf("told again: %v", again)
	}
	if got := s.call(http.MethodPost, path(queriestest.Viewer)+"/notices", s.token(queriestest.Viewer), `{"user_ids":[6]}`, "Accept-Language: en"); got.status != http.StatusForbidden || code(t, got) != "api.forecast.read_only" {
		t.Errorf("a viewer tells: %d %s", got.status, got.body)
	}
	if got := s.call(http.MethodPost, path(queriestest.Employee)+"/notices", s.token(queriestest.Employee), `{"user_ids":[6]}`).status; got != http.StatusNotFound {
		t.Errorf("an employee tells: %d", got)
	}
}
