package api_test

import (
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// results returns the result for each target: "type id result from code".
func results(t *testing.T, answered map[string]any) []string {
	t.Helper()
	var all []string
	for _, row := range answered["data"].([]any) {
		row := row.(map[string]any)
		told := []string{row["type"].(string), jsonNumber(row["id"]), row["result"].(string)}
		if from, ok := row["from"].(map[string]any); ok {
			told = append(told, jsonNumber(from["id"]))
		}
		if code, ok := row["code"].(string); ok {
			told = append(told, code)
			if message := row["message"].(string); message == "" || strings.Contains(message, "⟦") {
				t.Errorf("%s has no words: %q", code, message)
			}
		}
		all = append(all, strings.Join(told, " "))
	}
	return all
}

// The cast's 감사 대응 정책 (7) is assigned targets that are free, targets of the
// sales policy (5) and of the research policy (6), which has a plan, and
// invalid ones.
const assignment = `"assign":[{"type":"department","id":7},{"type":"department","id":4},{"type":"user","id":6,"include_children":false}],"release":[{"type":"department","id":2}]`

func TestAssignTargets(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	bulk := all + "/targets/bulk"
	changes := func() int {
		return len(s.rows(all+"/7/versions", token, "no")) + len(s.rows(all+"/5/versions", token, "no"))
	}
	before := changes()

	dry := object(t, s.call(http.MethodPost, bulk, token, `{"policy_id":7,"dry_run":true,`+assignment+`}`), http.StatusOK)
	equal(t, "without move", results(t, dry), []string{"department 7 assigned", "department 4 refused 5 policy.targets.taken", "user 6 assigned", "department 2 unchanged"})
	moving := `{"policy_id":7,"move":true,` + assignment
	dry = object(t, s.call(http.MethodPost, bulk, token, moving+`,"dry_run":true}`), http.StatusOK)
	equal(t, "with move", results(t, dry), []string{"department 7 assigned", "department 4 moved 5", "user 6 assigned", "department 2 unchanged"})
	equal(t, "the version of a dry run", dry["version_no"], 1)
	equal(t, "versions after dry runs", changes(), before)

	taken := object(t, s.call(http.MethodPost, bulk, token, `{"policy_id":7,`+assignment+`}`, `If-Match: "1"`), http.StatusConflict)
	equal(t, "taken", taken["taken"], []any{map[string]any{"type": "department", "id": 4, "name": "해외영업팀", "policy": map[string]any{"id": 5, "name": "영업본부 외근 정책"}}})
	equal(t, "versions after a refusal", changes(), before)

	done := s.call(http.MethodPost, bulk, token, moving+`,"reason":"조직 개편"}`, `If-Match: "1"`)
	equal(t, "done", results(t, object(t, done, http.StatusOK)), results(t, dry))
	equal(t, "a version of each policy", changes(), before+2)
	equal(t, "etag", done.header.Get("ETag"), `"2"`)
	listed := func(policy string) any { return object(t, s.get(all+"/"+policy, token), http.StatusOK)["targets"] }
	equal(t, "listed", listed("7"), []any{
		map[string]any{"type": "department", "id": 4, "include_children": true}, map[string]any{"type": "department", "id": 7, "include_children": true},
		map[string]any{"type": "user", "id": 6, "include_children": true}})
	equal(t, "kept by the other", listed("5"), []any{map[string]any{"type": "department", "id": 3, "include_children": true}})

	stale := s.call(http.MethodPost, bulk, token, `{"policy_id":7,"release":[{"type":"user","id":6}]}`, `If-Match: "1"`)
	equal(t, "a stale version", object(t, stale, http.StatusConflict)["code"], "policy.changed")
	released := s.call(http.MethodPost, bulk, token, `{"policy_id":7,"assign":[{"type":"department","id":7,"include_children":false}],"release":[{"type":"user","id":6}]}`, `If-Match: "2"`)
	equal(t, "released", results(t, object(t, released, http.StatusOK)), []string{"department 7 assigned", "user 6 released"})
	equal(t, "without those below", listed("7").([]any)[1], map[string]any{"type": "department", "id": 7, "include_children": false})
	same := s.call(http.MethodPost, bulk, token, `{"policy_id":7,"assign":[{"type":"department","id":4}]}`, `If-Match: "3"`)
	equal(t, "unchanged", results(t, object(t, same, http.StatusOK)), []string{"department 4 unchanged"})
	equal(t, "no version of nothing", same.header.Get("ETag"), `"3"`)
}

func TestAssignTargetsRefuses(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	bulk := all + "/targets/bulk"
	wrong := `"assign":[{"type":"department","id":99},{"type":"department","id":9},{"type":"user","id":9},{"type":"department","id":5},{"type":"department","id":7},{"type":"department","id":7}],"release":[{"type":"department","id":7},{"type":"user","id":11}]`
	dry := object(t, s.call(http.MethodPost, bulk, token, `{"policy_id":7,"move":true,"dry_run":true,`+wrong+`}`), http.StatusOK)
	equal(t, "single targets", results(t, dry), []string{
		"department 99 refused policy.targets.unknown", "department 9 refused policy.targets.unknown", "user 9 refused policy.targets.unknown",
		"department 5 refused 6 policy.targets.planned", "department 7 assigned", "department 7 refused policy.targets.repeated",
		"department 7 refused policy.targets.repeated", "user 11 refused policy.targets.unknown"})
	refused := object(t, s.call(http.MethodPost, bulk, token, `{"policy_id":7,"move":true,`+wrong+`}`, `If-Match: "1"`), http.StatusUnprocessableEntity)
	var fields []any
	for _, e := range refused["errors"].([]any) {
		fields = append(fields, e.(map[string]any)["field"])
	}
	equal(t, "fields", fields, []any{"assign.0", "assign.1", "assign.2", "assign.3", "assign.5", "release.0", "release.1"})
	equal(t, "nothing is saved", s.get(all+"/7", token).header.Get("ETag"), `"1"`)

	of := func(policy, body string) string { return `{"policy_id":` + policy + `,` + body + `}` }
	free := `"assign":[{"type":"department","id":7}]`
	for _, test := range []struct {
		name, path, body, ifMatch string
		status                    int
		code                      string
	}{
		{"the default", bulk, of("1", free), `"1"`, 422, "policy.default.targets"},
		{"no version", bulk, of("7", free), ``, 428, "api.if_match"},
		{"another kind's policy", bulk, of("2", free), `"1"`, 404, "api.not_found"},
		{"another company's policy", bulk, of("8", free), `"1"`, 404, "api.not_found"},
		{"another company's policy tried out", bulk, of("8", free+`,"dry_run":true`), ``, 404, "api.not_found"},
		{"no policy", bulk, `{` + free + `}`, `"1"`, 422, "api.refused"},
		{"a kind of target", bulk, of("7", `"assign":[{"type":"team","id":7}]`), `"1"`, 422, "api.refused"},
		{"a past start", bulk, of("7", free+`,"effective_from":"2020-01-01T00:00:00Z"`), `"1"`, 422, "policy.effective_from.too_soon"},
		{"a past start tried out", bulk, of("7", free+`,"effective_from":"2020-01-01T00:00:00Z","dry_run":true`), ``, 422, "policy.effective_from.too_soon"},
		{"a second plan tried out", bulk, of("6", free+`,"effective_from":"2026-12-02T00:00:00Z","dry_run":true`), ``, 422, "policy.effective_from.planned_already"},
		{"an unreadable start", bulk, of("7", free+`,"effective_from":"soon"`), `"1"`, 422, "policy.effective_from.invalid"},
		{"a long reason", bulk, of("7", free+`,"reason":"`+strings.Repeat("가", 201)+`"`), `"1"`, 422, "policy.reason.too_long"},
	} {
		a := s.call(http.MethodPost, test.path, token, test.body, "If-Match: "+test.ifMatch)
		equal(t, test.name, a.status, test.status)
		equal(t, test.name, code(t, a), test.code)
	}
	dry = object(t, s.call(http.MethodPost, bulk, token, of("1", free+`,"dry_run":true`)), http.StatusOK)
	equal(t, "the default tried out", results(t, dry), []string{"department 7 refused policy.default.targets"})
	equal(t, "an employee", s.call(http.MethodPost, own(queriestest.Employee)+"/policies/communication/targets/bulk", s.token(queriestest.Employee), of("7", free+`,"dry_run":true`)).status, http.StatusForbidden)
}

// Assigning a policy that denies web access to the administrator's department
// warns, and needs a confirmation.
func TestRiskyAssignment(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication"
	p := object(t, s.call(http.MethodPost, all, token, `{"name":"웹 차단","settings":{"login_platforms":["pc"]},"effective_from":"now"}`), http.StatusCreated)
	body := `{"policy_id":` + jsonNumber(p["id"]) + `,"assign":[{"type":"department","id":1}]`
	dry := object(t, s.call(http.MethodPost, all+"/targets/bulk", token, body+`,"dry_run":true}`), http.StatusOK)
	equal(t, "warned", dry["warnings"], []any{map[string]any{"code": "policy.warning.platform", "user_ids": []any{1}}})
	refused := s.call(http.MethodPost, all+"/targets/bulk", token, body+`}`, `If-Match: "1"`)
	equal(t, "refused", object(t, refused, http.StatusUnprocessableEntity)["code"], "policy.lock_out")
	object(t, s.call(http.MethodPost, all+"/targets/bulk", token, body+`,"confirmed":true}`, `If-Match: "1"`), http.StatusOK)
}
