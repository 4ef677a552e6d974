package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// object decodes a response.
func object(t *testing.T, a answer, status int) map[string]any {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	var read map[string]any
	if err := json.Unmarshal([]byte(a.body), &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestPolicyLifecycle(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"

	created := s.call(http.MethodPost, all, token, `{"name":"본사 사내망","description":"사내망에서만","targets":[{"type":"department","id":7}],"settings":{"session_time_sec":600},"effective_from":"now"}`)
	p := object(t, created, http.StatusCreated)
	one := all + "/" + jsonNumber(p["id"])
	equal(t, "version", p["version_no"], 1)
	equal(t, "every setting is answered", p["settings"].(map[string]any)["session_time_sec"], 600)
	equal(t, "also those with their default", p["settings"].(map[string]any)["read_receipt"], "sender")
	equal(t, "targets", p["targets"], []any{map[string]any{"type": "department", "id": 7, "include_children": true}})

	tag := created.header.Get("ETag")
	updated := s.call(http.MethodPut, one, token, `{"name":"본사 사내망","targets":[],"settings":{}}`, "If-Match: "+tag)
	equal(t, "updated", object(t, updated, http.StatusOK)["version_no"], 2)

	again := s.call(http.MethodPut, one, token, `{"name":"덮어쓰기"}`, "If-Match: "+tag)
	conflict := object(t, again, http.StatusConflict)
	equal(t, "code", conflict["code"], "policy.changed")
	equal(t, "who", conflict["changed_by"].(map[string]any)["user"].(map[string]any)["name"], "김서연")
	object(t, s.call(http.MethodPut, one, token, `{"name":"x"}`), http.StatusPreconditionRequired)
	for _, condition := range []string{"*", `"1", "2"`} {
		equal(t, condition, object(t, s.call(http.MethodPut, one, token, `{"name":"x"}`, "If-Match: "+condition), http.StatusBadRequest)["code"], "api.if_match.one")
	}

	restored := s.call(http.MethodPost, one+"/versions/1/restore", token, `{}`, "If-Match: "+updated.header.Get("ETag"))
	equal(t, "restored", object(t, restored, http.StatusOK)["settings"].(map[string]any)["session_time_sec"], 600)

	versions, _ := list(t, s.get(one+"/versions", token).body, "no")
	equal(t, "versions", versions, []any{3, 2, 1})
}

func jsonNumber(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

func TestPolicyPlan(t *testing.T) {
	s := newSite(t)
	token, one := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication/6"
	read := s.get(one, token)
	equal(t, "plan", object(t, read, http.StatusOK)["plan"], map[string]any{"version_no": 2, "effective_from": "2026-12-01T00:00:00Z"})

	moved := s.call(http.MethodPatch, one+"/plan", token, `{"effective_from":"2026-12-24T00:00:00Z"}`, "If-Match: "+read.header.Get("ETag"))
	equal(t, "moved", object(t, moved, http.StatusOK)["plan"].(map[string]any)["effective_from"], "2026-12-24T00:00:00Z")
	for _, when := range []string{"2026-11-20T01:00:00Z", "2026-11-20T01:02:00Z", "2028-01-01T00:00:00Z", "soon", "2026-13-01T00:00:00Z"} {
		refused := s.call(http.MethodPatch, one+"/plan", token, `{"effective_from":"`+when+`"}`, "If-Match: "+moved.header.Get("ETag"))
		fields := object(t, refused, http.StatusUnprocessableEntity)["errors"].([]any)
		equal(t, when, fields[0].(map[string]any)["field"], "effective_from")
	}
	cancelled := s.call(http.MethodDelete, one+"/plan", token, "", "If-Match: "+moved.header.Get("ETag"))
	equal(t, "cancelled", object(t, cancelled, http.StatusOK)["plan"], nil)
}

func TestPolicyRefusals(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	for _, test := range []struct {
		name, body  string
		status      int
		field, code string
	}{
		{"no name", `{"targets":[]}`, 422, "name", "policy.name.required"},
		{"a blank name", `{"name":" "}`, 422, "name", "policy.name.required"},
		{"51 characters", `{"name":"` + strings.Repeat("가", 51) + `"}`, 422, "name", "policy.name.too_long"},
		{"a name by width and case", `{"name":"감사 대응 정책"}`, 422, "name", "policy.name.taken"},
		{"an unknown setting", `{"name":"a","settings":{"sesion":1}}`, 422, "settings.sesion", "setting.error.unknown"},
		{"a setting out of bounds", `{"name":"a","settings":{"session_time_sec":299}}`, 422, "settings.session_time_sec", "setting.error.out_of_range"},
		{"a bad range", `{"name":"a","settings":{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"본사","range":"10.0.0.300"}]}}`, 422, "settings.allowed_ip_ranges.0.range", "setting.error.range"},
		{"an unknown department", `{"name":"a","targets":[{"type":"department","id":99}]}`, 422, "targets.0", "policy.targets.unknown"},
		{"another company's department", `{"name":"a","targets":[{"type":"department","id":9}]}`, 422, "targets.0", "policy.targets.unknown"},
		{"a past time", `{"name":"a","effective_from":"2020-01-01T00:00:00Z"}`, 422, "effective_from", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := object(t, s.call(http.MethodPost, all, token, test.body), test.status)
			first := p["errors"].([]any)[0].(map[string]any)
			equal(t, "field", first["field"], test.field)
			if test.code != "" {
				equal(t, "code", first["code"], test.code)
			}
			if message := first["message"].(string); message == "" || strings.Contains(message, "⟦") {
				t.Errorf("no words: %q", message)
			}
		})
	}

	for _, a := range []answer{
		s.call(http.MethodPost, all+"/preview", token, `{"targets":[]}`), s.call(http.MethodPut, all+"/7", token, `{"targets":[]}`, `If-Match: "1"`),
	} {
		equal(t, "a change without a name", []any{a.status, code(t, a)}, []any{http.StatusUnprocessableEntity, "policy.name.required"})
	}

	taken := object(t, s.call(http.MethodPost, all, token, `{"name":"a","targets":[{"type":"department","id":5}]}`), http.StatusConflict)
	equal(t, "taken", taken["taken"], []any{map[string]any{"type": "department", "id": 5, "name": "연구소", "policy": map[string]any{"id": 6, "name": "연구소 보안 정책"}}})
	moved := s.call(http.MethodPost, all, token, `{"name":"a","targets":[{"type":"department","id":4}],"move":true,"effective_from":"now"}`)
	object(t, moved, http.StatusCreated)
	left := object(t, s.get(all+"/5", token), http.StatusOK)["targets"].([]any)
	equal(t, "what the other policy keeps", len(left), 1)
}

func TestPoliciesAreForAdministrators(t *testing.T) {
	s := newSite(t)
	for user, status := range map[int64]int{queriestest.Admin: 200, queriestest.Employee: 403, queriestest.Manager: 403} {
		equal(t, queriestest.Email(user), s.get(own(user)+"/policies/communication", s.token(user)).status, status)
	}
	admin, other := s.token(queriestest.Admin), s.token(queriestest.OtherAdmin)
	for _, path := range []string{
		own(queriestest.Admin) + "/policies/communication/8",      // of the other company
		own(queriestest.Admin) + "/policies/communication/2",      // of the other kind
		own(queriestest.Admin) + "/policies/communication/manage", // no number
		own(queriestest.Admin) + "/policies/cleaning",             // no kind
		own(queriestest.Admin) + "/policies/communication/99999",
	} {
		equal(t, path, s.get(path, admin).status, http.StatusNotFound)
	}
	equal(t, "somebody else's address", s.get(own(queriestest.Admin)+"/policies/communication/5", other).status, http.StatusNotFound)
}

func TestPolicyPages(t *testing.T) {
	s := newSite(t)
	token, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication?limit=1"
	var names []any
	for next := "first"; next != ""; {
		query := path
		if next != "first" {
			query += "&cursor=" + next
		}
		var page []any
		page, next = list(t, s.get(query, token).body, "name")
		names = append(names, page...)
	}
	equal(t, "names", names, []any{"기본 정책", "감사 대응 정책", "연구소 보안 정책", "영업본부 외근 정책"})
	equal(t, "search", s.rows(own(queriestest.Admin)+"/policies/communication?q=해외", token, "name"), []any{"영업본부 외근 정책"})
	equal(t, "disabled", s.rows(own(queriestest.Admin)+"/policies/communication?status=disabled", token, "name"), []any{"감사 대응 정책"})
}

func TestRestoreDeletedPolicy(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	equal(t, "unseen", object(t, s.call(http.MethodDelete, all+"/5", token, ""), http.StatusPreconditionRequired)["code"], "api.if_match")
	equal(t, "an earlier version", s.call(http.MethodDelete, all+"/5", token, "", `If-Match: "1"`).status, http.StatusConflict)
	deleted := object(t, s.call(http.MethodDelete, all+"/5", token, "", `If-Match: "2"`), http.StatusOK)
	equal(t, "who falls where", deleted["data"], []any{
		map[string]any{"type": "department", "id": 3, "falls_to": 1},
		map[string]any{"type": "department", "id": 4, "falls_to": 1},
	})
	equal(t, "gone", s.get(all+"/5", token).status, http.StatusNotFound)
	gone := object(t, s.get(all+"?status=deleted", token), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "the deleted one", []any{gone["id"], gone["name"], gone["deleted_at"] != nil}, []any{5, "영업본부 외근 정책", true})
	equal(t, "deleted ones of another kind", len(s.rows(own(queriestest.Admin)+"/policies/workingattitude?status=deleted", token, "id")), 0)
	object(t, s.call(http.MethodPost, all, token, `{"name":"a","targets":[{"type":"department","id":4}],"effective_from":"now"}`), http.StatusCreated)
	back := object(t, s.call(http.MethodPost, all+"/5/restore", token, ""), http.StatusOK)
	equal(t, "restored", len(s.rows(all+"?status=deleted", token, "id")), 0)
	equal(t, "kept", back["policy"].(map[string]any)["targets"], []any{map[string]any{"type": "department", "id": 3, "include_children": true}})
	equal(t, "lost", back["lost"], []any{map[string]any{"type": "department", "id": 4, "include_children": true}})
	equal(t, "the default stays", s.call(http.MethodDelete, all+"/1", token, "", `If-Match: "1"`).status, http.StatusUnprocessableEntity)
	equal(t, "another company's", s.call(http.MethodDelete, all+"/8", token, "").status, http.StatusNotFound)
}

// A row of the list has the same shapes as the policy itself.
func TestPolicyRows(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	owned := s.call(http.MethodPost, all, token, `{"name":"소유","owner":{"type":"department","id":5},"targets":[{"type":"user","id":1},{"type":"department","id":7,"include_children":false}],"effective_from":"now"}`)
	object(t, owned, http.StatusCreated)
	rows := object(t, s.get(all, token), http.StatusOK)["data"].([]any)
	for _, row := range rows {
		row := row.(map[string]any)
		one := object(t, s.get(all+"/"+jsonNumber(row["id"]), token), http.StatusOK)
		for _, field := range []string{"name", "enabled", "owner", "version_no", "plan", "targets"} {
			equal(t, row["name"].(string)+": "+field, row[field], one[field])
		}
	}
	if len(rows) != 5 {
		t.Errorf("%d rows", len(rows))
	}
}

// A draft that changes nothing makes no version.
func TestUnchangedPolicy(t *testing.T) {
	s := newSite(t)
	token, one := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication/5"
	body := `{"name":"영업본부 외근 정책","description":"x","targets":[{"type":"department","id":3},{"type":"department","id":4}],"settings":{"session_time_sec":600}}`
	changed := s.call(http.MethodPut, one, token, body, `If-Match: "2"`)
	equal(t, "changed", object(t, changed, http.StatusOK)["version_no"], 3)
	for _, same := range []string{body, strings.Replace(body, "{", `{"effective_from":"now","reason":"그대로",`, 1), strings.Replace(body, "{", `{"effective_from":"next_work_date",`, 1)} {
		again := s.call(http.MethodPut, one, token, same, `If-Match: "3"`)
		equal(t, "unchanged", []any{object(t, again, http.StatusOK)["version_no"], again.header.Get("ETag")}, []any{3, `"3"`})
	}
	owned := s.call(http.MethodPut, one, token, strings.Replace(body, "{", `{"owner":{"type":"user","id":1},`, 1), `If-Match: "3"`)
	equal(t, "another owner", object(t, owned, http.StatusOK)["version_no"], 4)
	versions, _ := list(t, s.get(one+"/versions", token).body, "no")
	equal(t, "versions", versions, []any{4, 3, 2, 1})
	equal(t, "with an old ETag", s.call(http.MethodPut, one, token, body, `If-Match: "2"`).status, http.StatusConflict)
}

func TestUnknownParametersAreRefused(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	refused := object(t, s.get(all+"?stauts=disabled", token), http.StatusUnprocessableEntity)
	first := refused["errors"].([]any)[0].(map[string]any)
	equal(t, "by its name", []any{first["field"], first["code"]}, []any{"stauts", "api.field.unknown"})
	equal(t, "only by those who may call", s.get(all+"?stauts=disabled", "").status, http.StatusUnauthorized)
	equal(t, "the beginning of the addresses", s.get("", token).status, http.StatusNotFound)
}

func TestPreviewPolicy(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	p := object(t, s.call(http.MethodPost, all+"/preview", token, `{"name":"a","targets":[{"type":"department","id":2}],"settings":{"session_time_sec":900},"effective_from":"now"}`), http.StatusOK)
	equal(t, "people", p["people"], map[string]any{"gain": 2, "lose": 0, "change": 0})
	equal(t, "settings", p["settings"], []any{map[string]any{"key": "session_time_sec", "people": 2}})
	equal(t, "a date without records", p["work_date"], nil)
	attitude := own(queriestest.Admin) + "/policies/workingattitude/preview"
	p = object(t, s.call(http.MethodPost, attitude, token, `{"name":"a","settings":{"grace_in_min":5},"effective_from":"now"}`), http.StatusOK)
	equal(t, "the first work date", p["work_date"], "2026-11-21")
	risky := object(t, s.call(http.MethodPost, all+"/preview", token, `{"policy_id":1,"name":"기본 정책","settings":{"login_platforms":["pc"]},"effective_from":"now"}`), http.StatusOK)
	equal(t, "losses", []any{p["cannot_save"], risky["cannot_save"], risky["disconnected"], risky["exact"]}, []any{0, 0, 1, true})
	equal(t, "warnings", risky["warnings"], []any{map[string]any{"code": "policy.warning.platform", "user_ids": []any{1}}})
	taken, _ := list(t, s.get(all+"/taken-targets?except=6", token).body, "id")
	equal(t, "taken", taken, []any{3, 4})
}

// A save that would lock the administrator out needs a confirmation, and then a
// second one, without which it reverts.
func TestRiskyPolicy(t *testing.T) {
	s := newSite(t)
	token, one := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication/1"
	body := `{"name":"기본 정책","settings":{"login_platforms":["pc"]},"effective_from":"now"`
	refused := object(t, s.call(http.MethodPut, one, token, body+`}`, `If-Match: "1"`), http.StatusUnprocessableEntity)
	equal(t, "code", refused["code"], "policy.lock_out")
	object(t, s.call(http.MethodPut, one, token, body+`,"confirmed":true}`, `If-Match: "1"`), http.StatusOK)
	s.clock.Advance(policy.ConfirmTime)
	equal(t, "by itself", object(t, s.get(one, token), 200)["version_no"], 1)

	if err := s.db.Policies.RevertUnconfirmed(t.Context()); err != nil {
		t.Fatal(err)
	}
	reverted := s.get(one, token)
	equal(t, "a version of its own", []any{object(t, reverted, 200)["version_no"], reverted.header.Get("ETag")}, []any{3, `"3"`})
	newest := object(t, s.get(one+"/versions", token), 200)["data"].([]any)[0].(map[string]any)
	equal(t, "by nobody", []any{newest["created_by"], newest["reverts_no"]}, []any{nil, 2})

	object(t, s.call(http.MethodPut, one, token, body+`,"confirmed":true}`, `If-Match: "3"`), http.StatusOK)
	equal(t, "the administrator's own token, at once", s.get(one, token).status, 419)
	equal(t, "and so no confirmation", s.call(http.MethodPost, one+"/versions/4/confirmation", token, "").status, 419)
	s.clock.Advance(policy.ConfirmTime)
	equal(t, "reverted again", object(t, s.get(one, s.token(queriestest.Admin)), 200)["settings"].(map[string]any)["login_platforms"], []any{"pc", "web", "mobile", "mobile_web"})
}

// Whoever a risky version lets in confirms it.
func TestConfirmRiskyPolicy(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	if err := s.db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, s.db), queriestest.Person(t, s.db, queriestest.Hanbit, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	manager := s.token(queriestest.Manager)
	risky := s.call(http.MethodPut, all+"/5", token, `{"name":"영업본부 외근 정책","targets":[{"type":"user","id":4}],"settings":{"login_platforms":["pc"]},"effective_from":"now","confirmed":true}`, `If-Match: "2"`)
	if object(t, risky, http.StatusOK)["confirm_by"] == nil {
		t.Fatal("the version does not wait")
	}
	equal(t, "whom it does not let in", s.call(http.MethodPost, own(queriestest.Manager)+"/policies/communication/5/versions/3/confirmation", manager, "").status, 419)
	confirmed := object(t, s.call(http.MethodPost, all+"/5/versions/3/confirmation", token, ""), http.StatusOK)
	equal(t, "confirmed", []any{confirmed["version_no"], confirmed["confirm_by"]}, []any{3, nil})
	s.clock.Advance(policy.ConfirmTime)
	equal(t, "goes on", object(t, s.get(all+"/5", s.token(queriestest.Admin)), 200)["version_no"], 3)
}

// A setting of which several parts differ is named once.
func TestChangedFieldsAtADate(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	body := `{"name":"영업본부 외근 정책","targets":[{"type":"department","id":3},{"type":"department","id":4}],"settings":{"file_save":{"pc":"block","web":"block","mobile":"block"},"file_max_mb":7}}`
	object(t, s.call(http.MethodPut, all+"/5", token, body, `If-Match: "2"`), http.StatusOK)
	for _, row := range object(t, s.get(all+"?at=2026-11-19", token), http.StatusOK)["data"].([]any) {
		if p := row.(map[string]any); p["id"] == 5.0 {
			equal(t, "each key once", p["at"].(map[string]any)["changed_fields"], []any{"description", "settings.session_time_sec", "settings.file_save", "settings.file_max_mb"})
			return
		}
	}
	t.Error("the policy is missing")
}

// The list at a date has what applies then and now.
func TestPoliciesAtADate(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	rows := object(t, s.get(all+"?at=2026-12-02", token), http.StatusOK)["data"].([]any)
	first := rows[0].(map[string]any)
	at := first["at"].(map[string]any)
	equal(t, "those that differ first", []any{first["id"], first["version_no"], at["version_then"], at["version_now"], at["differs"]}, []any{6, 2, 2, 1, true})
	equal(t, "people", []any{at["people_then"], at["people_now"], at["moves"]}, []any{2, 2, []any{}})
	equal(t, "what differs", at["changed_fields"], []any{"settings.session_time_sec"})
	past := object(t, s.get(all+"?at=2026-05-01&q=%ED%95%B4%EC%99%B8", token), http.StatusOK)["data"].([]any)
	equal(t, "a search", len(past), 1)
	equal(t, "another version", past[0].(map[string]any)["at"].(map[string]any)["version_now"], 2)
	equal(t, "without a date", object(t, s.get(all, token), http.StatusOK)["data"].([]any)[0].(map[string]any)["at"], nil)
	equal(t, "no date", s.get(all+"?at=soon", token).status, http.StatusUnprocessableEntity)
	equal(t, "deleted then", len(object(t, s.get(all+"?at=2026-12-02&status=deleted", token), http.StatusOK)["data"].([]any)), 0)
	moved := object(t, s.get(all+"/status?at=2026-05-01&differing=true", token), http.StatusOK)["data"].([]any)
	equal(t, "people to whom something else applies now", len(moved) > 0 && moved[0].(map[string]any)["now"] != nil, true)
}

// The keys that a draft leaves out are those of the company (domain §5).
func TestAttendancePolicyOfATimeZone(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/workingattitude"
	for zone, calendar := range map[string]string{"America/Chicago": "none", "Asia/Tokyo": "JP", "Asia/Seoul": "KR"} {
		t.Run(zone, func(t *testing.T) {
			queriestest.Exec(t, s.db, "update companies set time_zone = $1 where id = 1", zone)
			created := s.call(http.MethodPost, all, token, `{"name":"`+zone+`"}`)
			p := object(t, created, http.StatusCreated)
			has := func(p map[string]any, zone, calendar string) {
				t.Helper()
				got := p["settings"].(map[string]any)
				equal(t, "time zone", got["timezone"], zone)
				equal(t, "holidays", got["holiday_calendar"], calendar)
			}
			has(p, zone, calendar)
			one := fmt.Sprint(all, "/", p["id"])
			etag := func(a answer) string { return "If-Match: " + a.header.Get("ETag") }
			updated := s.call(http.MethodPut, one, token, `{"name":"`+zone+`","settings":{"timezone":"Asia/Seoul","holiday_calendar":"KR"},"effective_from":"next_work_date"}`, etag(created))
			has(object(t, updated, http.StatusOK), "Asia/Seoul", "KR")
			has(object(t, s.call(http.MethodPost, all, token, `{"name":"`+zone+` 2","settings":{"timezone":"Asia/Kolkata"}}`), http.StatusCreated), "Asia/Kolkata", calendar)
		})
	}
	queriestest.Exec(t, s.db, "update companies set time_zone = 'America/Chicago' where id = 1")
	stored := object(t, s.get(all+"/2", token), http.StatusOK)["settings"].(map[string]any)
	equal(t, "of a stored version", stored["timezone"], "Asia/Seoul")
	refused := object(t, s.call(http.MethodPost, all, token, `{"name":"a","settings":[]}`), http.StatusUnprocessableEntity)
	equal(t, "field", refused["errors"].([]any)[0].(map[string]any)["field"], "settings")
}
