package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// arriveYesterday has somebody clock in at 08:58 of the day before, and not out.
func arriveYesterday(t *testing.T, s *site, userID int64) {
	t.Helper()
	when := time.Date(2026, 11, 18, 23, 58, 0, 0, time.UTC)
	if _, err := s.db.Attendance.TakeClockEvents(t.Context(), queriestest.Hanbit, []attendance.ClockInput{{EventID: "1", UserID: userID, Kind: workday.In, OccurredAt: when, Offline: true, Platform: "pc"}}); err != nil {
		t.Fatal(err)
	}
}

func TestDesk(t *testing.T) {
	s := newSite(t)
	arriveYesterday(t, s, queriestest.Kim)
	admin, viewer := s.token(queriestest.Admin), s.token(queriestest.Viewer)
	const ours, theirs, item = "/companies/1/users/1/logs/workingattitude/desk", "/companies/1/users/3/logs/workingattitude/desk", "missing_departure:6-2026-11-19"
	equal(t, "a viewer has none", len(s.rows(theirs, viewer, "item")), 0)
	row := object(t, s.get(ours, admin), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "the item", []any{row["item"], row["record_id"], row["user"], row["suggestion"]}, []any{item, "6-2026-11-19", map[string]any{"id": 6, "name": "김철수"}, map[string]any{"at": "2026-11-19T09:00:00Z", "basis": "schedule"}})
	equal(t, "another kind", len(s.rows(ours+"?kind=correction", admin, "item")), 0)
	equal(t, "too early", s.get(ours+"?from=2026-01-01", admin).status, 422)

	decide := func(body string, status int) map[string]any {
		t.Helper()
		return object(t, s.call(http.MethodPost, ours+"/reviews", admin, body), status)
	}
	equal(t, "no comment", decide(`{"items":["`+item+`"],"decision":"rejected"}`, 422)["code"], "desk.comment.required")
	equal(t, "one time", decide(`{"items":["`+item+`","missing_departure:7-2026-11-19"],"decision":"approved","time":"2026-11-19T09:00:00Z"}`, 422)["code"], "desk.time.one")
	done := decide(`{"items":["`+item+`","missing_departure:7-2026-11-19"],"decision":"approved"}`, 200)
	edit := func() map[string]any {
		t.Helper()
		return object(t, s.get(strings.TrimSuffix(ours, "desk")+"6-2026-11-19", admin), http.StatusOK)["edits"].([]any)[0].(map[string]any)
	}
	made := edit()
	equal(t, "in force", made["undone_at"], nil)
	first, second := done["data"].([]any)[0].(map[string]any), done["data"].([]any)[1].(map[string]any)
	equal(t, "each item", []any{first["status"], second["status"], second["code"]}, []any{"done", "refused", "desk.gone"})
	equal(t, "nothing is left", len(s.rows(ours, admin, "item")), 0)
	undo := ours + "/reviews/" + jsonNumber(done["set"]) + "/reversal"
	equal(t, "a viewer undoes", s.call(http.MethodPost, theirs+"/reviews/"+jsonNumber(done["set"])+"/reversal", viewer, "").status, 404)
	equal(t, "undone", s.call(http.MethodPost, undo, admin, "").status, 204)
	equal(t, "the edit", []any{edit()["id"], edit()["undone_at"]}, []any{made["id"], "2026-11-20T01:00:00Z"})
	equal(t, "undone twice", s.call(http.MethodPost, undo, admin, "").status, 409)
	equal(t, "back", len(s.rows(ours, admin, "item")), 1)
}

// A request that changed since the caller read it is refused; without what they have seen
// it is decided.
func TestDecideRequestsAsSeen(t *testing.T) {
	s := newSite(t)
	arriveYesterday(t, s, queriestest.Employee)
	admin, employee := s.token(queriestest.Admin), s.token(queriestest.Employee)
	const ours, record = "/companies/1/users/1/logs/workingattitude", "2-2026-11-19"
	object(t, s.call(http.MethodPost, "/companies/1/users/2/logs/workingattitude/corrections", employee, `{"record_id":"`+record+`","departure_at":"2026-11-19T10:20:00Z","reason":"고객사 회의"}`), http.StatusCreated)
	item := object(t, s.get(ours+"/desk?kind=correction", admin), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "what was asked", []any{item["asked_arrival_at"], item["asked_departure_at"], item["reason"]}, []any{nil, "2026-11-19T10:20:00Z", "고객사 회의"})
	id := jsonNumber(item["correction_id"])
	decide := func(seen string) []any {
		t.Helper()
		body := `{"items":["correction:` + record + `"],"decision":"approved"` + seen + `}`
		one := object(t, s.call(http.MethodPost, ours+"/desk/reviews", admin, body), http.StatusOK)["data"].([]any)[0].(map[string]any)
		return []any{one["status"], one["code"]}
	}
	seen := func(correction, edit string) string {
		return `,"seen":[{"item":"correction:` + record + `","correction_id":` + correction + `,"last_edit_id":` + edit + `}]`
	}
	equal(t, "another request", decide(seen("999", "0")), []any{"refused", "desk.changed"})
	equal(t, "an edited record", decide(seen(id, "999")), []any{"refused", "desk.changed"})
	equal(t, "as it was seen", decide(seen(id, "0")), []any{"done", nil})
}
