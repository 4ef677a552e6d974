package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"officeconsole/handlers/api"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

const clockPath = "/companies/1/events/clock"

func TestClockEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	event := func(id string, more string) string {
		return fmt.Sprintf(`{"event_id": %q, "user_id": 6, "kind": "in", "occurred_at": "2026-11-20T08:58:00+09:00", "sent_at": "2026-11-20T10:00:00+09:00", "platform": "pc"%s}`, id, more)
	}
	body := `{"events": [` + event("a", "") + "," + event("a", "") + "," + event("b", `, "user_id": 11`) + `, {"event_id": "c", "occurred_at": "yesterday"}, 7, ` +
		event("d", `, "gps": {"lat": 137.4, "lng": 127, "accuracy_m": 10}`) + "," + event("e", `, "ip": "not an address"`) + "," +
		event("f", `, "gps": {"lat": 37.4, "accuracy_m": 10}`) + "," + event("g", `, "gps": {"lat": null, "lng": 127, "accuracy_m": 10}`) + `]}`
	got := object(t, s.call(http.MethodPost, clockPath, token, body), http.StatusAccepted)["data"]
	equal(t, "results", got, []any{
		map[string]any{"event_id": "a", "status": "accepted"},
		map[string]any{"event_id": "a", "status": "duplicate"},
		map[string]any{"event_id": "b", "status": "refused", "code": "event.user"},
		map[string]any{"event_id": "c", "status": "refused", "code": "event.unreadable"},
		map[string]any{"event_id": "", "status": "refused", "code": "event.unreadable"},
		map[string]any{"event_id": "d", "status": "refused", "code": "event.position"},
		map[string]any{"event_id": "e", "status": "refused", "code": "event.unreadable"},
		map[string]any{"event_id": "f", "status": "refused", "code": "event.position"},
		map[string]any{"event_id": "g", "status": "refused", "code": "event.position"},
	})
	again := object(t, s.call(http.MethodPost, clockPath, token, `{"events": [`+event("a", "")+`]}`), http.StatusAccepted)["data"]
	equal(t, "a replay", again, []any{map[string]any{"event_id": "a", "status": "duplicate"}})

	var status string
	if err := s.db.Pool().QueryRow(t.Context(), "select status from day_records where user_id = 6 and work_date = '2026-11-20'").Scan(&status); err != nil || status != "working" {
		t.Errorf("the day is %q (%v)", status, err)
	}
	for name, test := range map[string]struct {
		path, token, body string
		status            int
	}{
		"a token without the scope": {clockPath, serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), `{"events": []}`, http.StatusForbidden},
		"a person's token":          {clockPath, s.token(queriestest.Admin), `{"events": []}`, http.StatusForbidden},
		"another company's token":   {clockPath, serviceToken(t, s, queriestest.Other, identity.ScopeEvents), `{"events": []}`, http.StatusNotFound},
		"no events at all":          {clockPath, token, `{}`, http.StatusUnprocessableEntity},
		"more than a batch":         {clockPath, token, `{"events": [` + repeated("{}", 501) + `]}`, http.StatusUnprocessableEntity},
		"what is not JSON":          {clockPath, token, `{"events": [`, http.StatusBadRequest},
		"an empty batch":            {clockPath, token, `{"events": []}`, http.StatusAccepted},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "status", s.call(http.MethodPost, test.path, test.token, test.body).status, test.status)
		})
	}
}

func repeated(text string, n int) string {
	all := text
	for range n - 1 {
		all += "," + text
	}
	return all
}

func TestClock(t *testing.T) {
	s := newSite(t)
	path, in := own(queriestest.Employee)+"/logs/workingattitude/clock", `{"event_id": "mine", "kind": "in"}`
	token := s.token(queriestest.Employee)
	refused := object(t, s.call(http.MethodPost, path, token, in, "Accept-Language: en"), http.StatusUnprocessableEntity)
	equal(t, "refused", refused["code"], "event.platform")
	equal(t, "message", refused["message"], "Clocking is not allowed on this device.")

	s = newSite(t)
	s.setAttendance(`{"clock_platforms": ["web"]}`)
	token = s.token(queriestest.Employee)
	equal(t, "clocked", object(t, s.call(http.MethodPost, path, token, in), http.StatusCreated)["data"], map[string]any{"event_id": "mine", "status": "accepted"})
	equal(t, "again", object(t, s.call(http.MethodPost, path, token, in), http.StatusCreated)["data"], map[string]any{"event_id": "mine", "status": "duplicate"})
	equal(t, "somebody else's", s.call(http.MethodPost, own(queriestest.Kim)+"/logs/workingattitude/clock", token, in).status, http.StatusNotFound)
}

// setAttendance replaces the settings of the default attendance policy, before they
// are first read.
func (s *site) setAttendance(settings string) {
	s.t.Helper()
	s.exec("update policy_versions set settings = $1 where company_id = 1 and policy_id = 2", settings)
}

// Whatever field of the messenger's event a person sends along, the answer and the
// stored event are the same as without it, under every policy.
func TestPeopleCannotInventProof(t *testing.T) {
	const office, listed = `"places": [{"name": "본사", "lat": 37.4, "lng": 127, "radius_m": 100}]`, `"ip_mode": "listed", "ip_ranges": [{"location_name": "본사", "range": "203.0.113.0/24"}]`
	for _, policy := range []string{
		`"clock_platforms": ["pc", "mobile"]`,
		`"clock_platforms": ["web"]`,
		`"clock_platforms": ["web"], "device_binding": "registered"`,
		`"clock_platforms": ["web"], "gps_mode": "record", ` + office,
		`"clock_platforms": ["web"], "gps_mode": "require", "outside_work": "block", ` + office,
		`"clock_platforms": ["web"], "gps_mode": "require", "outside_work": "allow", "mock_location": "block", ` + office,
		`"clock_platforms": ["web"], "outside_work": "block", ` + listed,
		`"clock_platforms": ["web"], "outside_work": "allow", "proof_rule": "ip_and_gps", "gps_mode": "require", ` + office + ", " + listed,
	} {
		t.Run(policy, func(t *testing.T) {
			s := newSite(t)
			s.setAttendance("{" + policy + "}")
			s.exec("update users set location_consent_at = '2026-01-01' where id = $1", queriestest.Employee)
			token, clocked := s.token(queriestest.Employee), 0
			clock := func(invented string) string {
				clocked++
				id := fmt.Sprint("event ", clocked)
				a := s.call(http.MethodPost, own(queriestest.Employee)+"/logs/workingattitude/clock", token, fmt.Sprintf(`{"event_id": %q, "kind": "in"%s}`, id, invented))
				stored := queriestest.LookUp(t, s.db, "select coalesce(max((to_jsonb(e) - 'event_id')::text), 'nothing') from clock_events e where user_id = 2 and event_id = '"+id+"'")
				return fmt.Sprint(a.status, " ", stored)
			}
			honest := clock("")
			for _, invented := range inventedFields(t) {
				if got := clock(", " + invented); got != honest {
					t.Errorf("with %s: %s, without %s", invented, got, honest)
				}
			}
		})
	}
}

// inventedFields returns every field of the messenger's event that people do not
// have, with each kind of value that the API describes for it.
func inventedFields(t *testing.T) (fields []string) {
	t.Helper()
	document, err := api.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Ref  string `json:"$ref"`
					Enum []any
					Type any
				}
			}
		}
	}
	if err := json.Unmarshal(document, &described); err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{
		"[string]": {`"2026-11-20T08:00:00+09:00"`, `"203.0.113.5"`, `"phone"`}, "[integer]": {"6"}, "[boolean]": {"true"},
		"#/components/schemas/ClockPosition": {`{"lat": 37.4, "lng": 127, "accuracy_m": 5}`, `{"lat": 37.4, "lng": 127, "accuracy_m": 5, "mock": true}`},
	}
	for name, field := range described.Components.Schemas["ClockEvent"].Properties {
		if slices.Contains([]string{"event_id", "kind", "reason"}, name) {
			continue
		}
		tried := values[strings.ReplaceAll(fmt.Sprint("[", field.Type, "]"), " null", "")]
		if field.Ref != "" {
			tried = values[field.Ref]
		}
		for _, word := range field.Enum {
			tried = append(tried, fmt.Sprintf("%q", word))
		}
		if len(tried) == 0 {
			t.Fatalf("no value to try for %s of %v", name, field)
		}
		for _, value := range tried {
			fields = append(fields, fmt.Sprintf("%q: %s", name, value))
		}
	}
	if len(fields) < 10 {
		t.Fatalf("only %q", fields)
	}
	return fields
}
