package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

func TestHiddenUsers(t *testing.T) {
	s := newSite(t)
	admin, employee := s.token(queriestest.Admin), s.token(queriestest.Employee)
	all := own(queriestest.Admin) + "/hidden-users"
	one := func(id int64) string { return fmt.Sprint(all, "/", id) }
	equal(t, "hidden", s.rows(all, admin, "id"), []any{queriestest.Hidden})

	got := object(t, s.call(http.MethodPost, all, admin, `{"user_ids": [2, 6], "kind": "leaver", "reason": "11월 퇴사"}`), http.StatusCreated)["data"]
	equal(t, "hidden now", got, []any{map[string]any{"id": 2, "name": "이준호"}, map[string]any{"id": 6, "name": "김철수"}})
	row := object(t, s.get(all+"?q=이준호", admin), http.StatusOK)["data"].([]any)[0].(map[string]any)
	equal(t, "row", []any{row["id"], row["kind"], row["reason"], row["hidden_by"], row["department"]},
		[]any{2, "leaver", "11월 퇴사", "김서연", map[string]any{"id": queriestest.Messenger, "name": "메신저팀"}})
	equal(t, "of a kind", len(s.rows(all+"?kind=leaver", admin, "id")), 2)
	equal(t, "a token of before", s.get("/profile", employee).status, 419)

	for name, test := range map[string]struct {
		method, path, token, body string
		status                    int
	}{
		"hidden already":         {http.MethodPost, all, admin, `{"user_ids": [2]}`, 422},
		"oneself":                {http.MethodPost, all, admin, `{"user_ids": [1]}`, 422},
		"nobody":                 {http.MethodPost, all, admin, `{"user_ids": []}`, 422},
		"a bot":                  {http.MethodPost, all, admin, `{"user_ids": [9]}`, 422},
		"of another company":     {http.MethodPost, all, admin, `{"user_ids": [11]}`, 422},
		"an unknown kind":        {http.MethodPost, all, admin, `{"user_ids": [3], "kind": "bored"}`, 422},
		"by a manager":           {http.MethodPost, own(queriestest.Manager) + "/hidden-users", s.token(queriestest.Manager), `{"user_ids": [3]}`, 403},
		"shown by a manager":     {http.MethodDelete, own(queriestest.Manager) + "/hidden-users/5", s.token(queriestest.Manager), "", 403},
		"shown who is not":       {http.MethodDelete, one(queriestest.Viewer), admin, "", 404},
		"shown of the other one": {http.MethodDelete, own(queriestest.OtherAdmin) + "/hidden-users/5", s.token(queriestest.OtherAdmin), "", 404},
	} {
		if a := s.call(test.method, test.path, test.token, test.body); a.status != test.status {
			t.Errorf("%s: %d, not %d: %s", name, a.status, test.status, a.body)
		}
	}
	until := s.call(http.MethodPost, all, admin, `{"user_ids": [3], "show_again_on": "2027-02-28"}`)
	equal(t, "until a day", until.status, http.StatusCreated)
	equal(t, "days", s.rows(all+"?kind=other", admin, "show_again_on"), []any{"2027-02-28"})
	equal(t, "until today", s.call(http.MethodPost, all, admin, `{"user_ids": [4], "show_again_on": "2026-11-20"}`).status, 422)
	equal(t, "until no day", s.call(http.MethodPost, all, admin, `{"user_ids": [4], "show_again_on": "soon"}`).status, 422)
	equal(t, "showing who would be", s.call(http.MethodDelete, one(3), admin, "").status, http.StatusNoContent)
	equal(t, "showing", s.call(http.MethodDelete, one(queriestest.Employee), admin, "").status, http.StatusNoContent)
	equal(t, "showing twice", s.call(http.MethodDelete, one(queriestest.Employee), admin, "").status, http.StatusNotFound)
	equal(t, "the token stays ended", s.get("/profile", employee).status, 419)
	equal(t, "the rest", len(s.rows(all, admin, "id")), 2)
}

// Hiding and showing are held against the checks of policies.
func TestHidingIsHeldAgainstChecks(t *testing.T) {
	s := newSite(t)
	admin := s.token(queriestest.Admin)
	check := policy.CheckDraft{
		Name: "세션", Targets: []policy.Target{queriestest.DepartmentTarget(queriestest.Domestic)}, Quantifier: policy.Some, Severity: policy.Stop,
		Expectation: settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: "600"},
	}
	save := func(id int64) int64 {
		saved, err := s.db.Policies.SaveCheck(t.Context(), queriestest.AdminActor(t, s.db), policy.CheckChange{ID: id, Kind: "communication", Draft: &check})
		if err != nil {
			t.Fatal(err)
		}
		return saved.ID
	}
	id := save(0)
	for _, path := range []string{"/hidden-users", "/deactivated-users"} {
		refused := object(t, s.call(http.MethodPost, own(queriestest.Admin)+path, admin, `{"user_ids": [6]}`), http.StatusUnprocessableEntity)
		equal(t, "code", refused["code"], "check.broken")
		equal(t, "check", refused["checks"].([]any)[0].(map[string]any)["id"], id)
	}
	check.Severity = policy.Warn
	save(id)
	hidden := object(t, s.call(http.MethodPost, own(queriestest.Admin)+"/hidden-users", admin, `{"user_ids": [6]}`), http.StatusCreated)
	equal(t, "warning", hidden["checks"].([]any)[0].(map[string]any)["severity"], "warn")
	check.Severity, check.Quantifier, check.Value = policy.Stop, policy.Every, "300"
	save(id)
	equal(t, "showing", s.call(http.MethodDelete, own(queriestest.Admin)+"/hidden-users/6", admin, "").status, http.StatusUnprocessableEntity)
}

// Somebody who is hidden is unknown to every call that chooses people, and stays where
// they were chosen before.
func TestHiddenUsersCannotBeChosen(t *testing.T) {
	s := newSite(t)
	admin, u := s.token(queriestest.Admin), own(queriestest.Admin)
	const user = `[{"type":"user","id":6}]`
	bodies := map[string]string{
		"policy": `{"name":"새 정책","move":true,"targets":` + user + `}`,
		"notice": `{"title":"점검","body":"본문","targets":{"users":[6]},"publish_at":"2026-11-24T09:00:00+09:00"}`,
	}
	made := object(t, s.call(http.MethodPost, u+"/policies/communication", admin, bodies["policy"]), http.StatusCreated)
	policyPath := u + "/policies/communication/" + jsonNumber(made["id"])
	noticePath := u + "/notices/" + jsonNumber(object(t, s.call(http.MethodPost, u+"/notices", admin, bodies["notice"]), http.StatusCreated)["id"])
	object(t, s.call(http.MethodPost, u+"/hidden-users", admin, `{"user_ids":[6]}`), http.StatusCreated)

	rules := object(t, s.get(u+"/installation-rules", admin), http.StatusOK)
	rules["clients"].([]any)[0].(map[string]any)["targets"] = map[string]any{"users": []int{6}}
	ruleBody, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	sales := s.get(fmt.Sprint(u, "/policies/communication/", queriestest.SalesPolicyID), admin).header.Get("ETag")
	for _, test := range []struct{ method, path, body, want string }{
		{http.MethodPost, "/policies/communication", strings.Replace(bodies["policy"], "새 정책", "다른 정책", 1), "targets.0 policy.targets.unknown"},
		{http.MethodPost, "/policies/communication", `{"name":"다른 정책","owner":{"type":"user","id":6}}`, "owner policy.owner.unknown"},
		{http.MethodPost, "/policies/communication", `{"name":"다른 정책","settings":{"ip_exempt_user_ids":[6]}}`, "settings.ip_exempt_user_ids.0 policy.targets.unknown"},
		{http.MethodPost, "/policies/communication/preview", strings.Replace(bodies["policy"], "새 정책", "다른 정책", 1), "targets.0 policy.targets.unknown"},
		{http.MethodPost, "/policies/communication/targets/bulk", fmt.Sprintf(`{"policy_id":%d,"move":true,"assign":%s}`, queriestest.SalesPolicyID, user), "assign.0 policy.targets.unknown"},
		{http.MethodPost, "/policies/communication/checks", `{"relation":"is","setting":"file_save","part":"pc","value":"allow","targets":` + user + `}`, "targets.0 policy.targets.unknown"},
		{http.MethodPost, "/notices", bodies["notice"], "targets notice.targets.unknown"},
		{http.MethodPut, "/installation-rules", string(ruleBody), "windows.targets installation.targets.unknown"},
	} {
		tag := sales
		if test.method == http.MethodPut {
			tag = `"0"` // of rules that nobody has saved
		}
		if a := s.call(test.method, u+test.path, admin, test.body, "If-Match: "+tag); a.status != 422 || fields(t, a) != test.want {
			t.Errorf("%s %s: %d %s", test.method, test.path, a.status, a.body)
		}
	}

	stored := s.get(policyPath, admin)
	tag := "If-Match: " + stored.header.Get("ETag")
	again := object(t, s.call(http.MethodPut, policyPath, admin, strings.Replace(bodies["policy"], "{", `{"description":"그대로",`, 1), tag), http.StatusOK)
	equal(t, "the policy", again["targets"], []any{map[string]any{"type": "user", "id": 6, "include_children": true}})
	notice := object(t, s.call(http.MethodPatch, noticePath, admin, `{"title":"점검 연기","targets":{"users":[6]}}`), http.StatusOK)
	equal(t, "the notice", notice["targets"], any(map[string]any{"users": []any{6.0}}))
}
