package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestPolicyChecks(t *testing.T) {
	s := newSite(t)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication/checks"
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/policies/communication/checks", s.token(queriestest.Employee)).status, 403)
	equal(t, "none", object(t, s.get(path, admin), 200)["data"], []any{})
	for body, field := range map[string]string{
		`{}`: "setting",
		`{"relation":"is","setting":"file_save","part":"pc","value":"x"}`:                                             "value",
		`{"relation":"sign_in","value":"203.0.113"}`:                                                                  "value",
		`{"relation":"is","setting":"file_save","value":"allow","targets":[{"type":"department","id":9}],"name":"x"}`: "targets.0",
	} {
		if a := s.call(http.MethodPost, path, admin, body); a.status != 422 || !strings.Contains(a.body, `"`+field+`"`) {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	unnamed := object(t, s.call(http.MethodPost, path, admin, `{"relation":"at_most","setting":"file_max_mb","value":"many"}`), 422)
	equal(t, "the code without a name", unnamed["code"], "setting.error.integer")
	equal(t, "only that", len(unnamed["errors"].([]any)), 1)
	equal(t, "an empty name", object(t, s.call(http.MethodPost, path, admin, `{"name":" ","relation":"at_most","setting":"file_max_mb","value":"5"}`), 422)["code"], "check.name.required")
	made := s.call(http.MethodPost, path, admin, `{"relation":"is","setting":"file_save","part":"pc","value":"allow","targets":[{"type":"department","id":2}]}`, "Accept-Language: en")
	row := object(t, made, 201)
	equal(t, "made", []any{row["sentence"], row["name"] == row["sentence"], row["severity"], row["quantifier"], row["holds"], made.header.Get("ETag")},
		[]any{"Saving files on PC must be possible for everyone in 영업본부.", true, "stop", "every", true, `"1"`})

	// A save that breaks it is refused with the sentence.
	policies := own(queriestest.Admin) + "/policies/communication"
	one := fmt.Sprintf("%s/%d", policies, queriestest.SalesPolicyID)
	stored := s.get(one, admin)
	before, tag := object(t, stored, 200), "If-Match: "+stored.header.Get("ETag")
	body := fmt.Sprintf(`{"name":%q,"description":"","enabled":true,"targets":[{"type":"department","id":2,"include_children":true}],"settings":{"file_save":{"pc":"block"}},"move":true}`, before["name"])
	refused := object(t, s.call(http.MethodPut, one, admin, body, "Accept-Language: en", tag), 422)
	equal(t, "code", refused["code"], "check.broken")
	equal(t, "message", refused["message"], "Nothing was saved, because it would break a policy check: Saving files on PC must be possible for everyone in 영업본부.")
	if check := refused["checks"].([]any)[0].(map[string]any); check["people"] == 0 || len(check["users"].([]any)) == 0 {
		t.Errorf("checks: %v", check)
	}

	severities := func(answer map[string]any) (all []any) {
		checks, _ := answer["checks"].([]any)
		for _, c := range checks {
			all = append(all, c.(map[string]any)["id"] == row["id"], c.(map[string]any)["severity"])
		}
		return all
	}
	draft := strings.Replace(body, "{", fmt.Sprintf(`{"policy_id":%d,`, queriestest.SalesPolicyID), 1)
	equal(t, "preview of a stop", severities(object(t, s.call(http.MethodPost, policies+"/preview", admin, draft), 200)), []any{true, "stop"})

	check := path + "/" + jsonNumber(row["id"])
	equal(t, "changed", object(t, s.call(http.MethodPatch, check, admin, `{"severity":"warn"}`, `If-Match: "1"`), 200)["version_no"], 2)
	equal(t, "an outdated version", s.call(http.MethodPatch, check, admin, `{"name":"x"}`, `If-Match: "1"`).status, 409)
	equal(t, "of another kind", s.call(http.MethodDelete, own(queriestest.Admin)+"/policies/workingattitude/checks/"+jsonNumber(row["id"]), admin, "").status, 404)
	equal(t, "of another company", s.call(http.MethodDelete, own(queriestest.OtherAdmin)+"/policies/communication/checks/"+jsonNumber(row["id"]), s.token(queriestest.OtherAdmin), "").status, 404)
	equal(t, "preview of a warning", severities(object(t, s.call(http.MethodPost, policies+"/preview", admin, draft), 200)), []any{true, "warn"})
	equal(t, "saved with a warning", severities(object(t, s.call(http.MethodPut, one, admin, body, tag), 200)), []any{true, "warn"})
	equal(t, "read afterwards", severities(object(t, s.get(one, admin), 200)), []any(nil))
	listed := object(t, s.get(path, admin), 200)["data"].([]any)[0].(map[string]any)
	equal(t, "broken now", []any{listed["holds"], listed["people"] == listed["of"]}, []any{false, true})

	// A new policy breaks it for some, and deleting one that lets them save does.
	create := func(saving string) (string, map[string]any) {
		created := object(t, s.call(http.MethodPost, policies, admin, fmt.Sprintf(`{"name":%q,"targets":[{"type":"department","id":3}],"settings":{"file_save":{"pc":%q}}}`, saving, saving)), 201)
		return policies + "/" + jsonNumber(created["id"]), created
	}
	ofDomestic, created := create("allow")
	equal(t, "created with what it expects", severities(created), []any(nil))
	equal(t, "deleted with a warning", severities(object(t, s.call(http.MethodDelete, ofDomestic, admin, "", `If-Match: "1"`), 200)), []any{true, "warn"})
	object(t, s.call(http.MethodPut, one, admin, strings.Replace(body, "block", "allow", 1), "If-Match: "+s.get(one, admin).header.Get("ETag")), 200)
	audit := own(queriestest.Admin) + "/audit"
	reverted := object(t, s.call(http.MethodPost, audit+"/"+jsonNumber(s.rows(audit+"?limit=1", admin, "id")[0])+"/revert", admin, ""), 200)
	equal(t, "reverted with a warning", severities(reverted), []any{true, "warn"})
	again := jsonNumber(reverted["change"].(map[string]any)["id"])
	equal(t, "and back", severities(object(t, s.call(http.MethodPost, audit+"/"+again+"/revert", admin, ""), 200)), []any(nil))
	ofDomestic, created = create("block")
	equal(t, "created with a warning", severities(created), []any{true, "warn"})
	equal(t, "deleted", severities(object(t, s.call(http.MethodDelete, ofDomestic, admin, "", `If-Match: "1"`), 200)), []any(nil))
	equal(t, "restored with a warning", severities(object(t, s.call(http.MethodPost, ofDomestic+"/restore", admin, ""), 200)), []any{true, "warn"})
	assign := fmt.Sprintf(`{"policy_id":%s,"assign":[{"type":"department","id":4}],"dry_run":%%t}`, jsonNumber(created["id"]))
	equal(t, "previewed assignment", severities(object(t, s.call(http.MethodPost, policies+"/targets/bulk", admin, fmt.Sprintf(assign, true)), 200)), []any{true, "warn"})
	equal(t, "assigned", severities(object(t, s.call(http.MethodPost, policies+"/targets/bulk", admin, fmt.Sprintf(assign, false), "If-Match: "+s.get(ofDomestic, admin).header.Get("ETag")), 200)), []any{true, "warn"})
	equal(t, "deleted", s.call(http.MethodDelete, check, admin, "").status, 204)
}

// A name that is the sentence of a check follows what a change says, in its language; one
// that somebody has given stays.
func TestNamesOfPolicyChecksFollow(t *testing.T) {
	s := newSite(t)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/policies/communication/checks"
	row := object(t, s.call(http.MethodPost, path, admin, `{"relation":"is","setting":"file_save","part":"pc","value":"allow","targets":[{"type":"department","id":2}]}`, "Accept-Language: en"), 201)
	check := path + "/" + jsonNumber(row["id"])
	for _, step := range []struct{ body, name string }{
		{`{"targets":[{"type":"department","id":3}]}`, "Saving files on PC must be possible for everyone in 국내영업팀."},
		{`{"quantifier":"some"}`, "Saving files on PC must be possible for at least one person in 국내영업팀."},
		{`{"severity":"warn"}`, "Saving files on PC must be possible for at least one person in 국내영업팀."},
		{`{"name":"Sales files"}`, "Sales files"},
		{`{"targets":[]}`, "Sales files"},
	} {
		equal(t, step.body, object(t, s.call(http.MethodPatch, check, admin, step.body, "Accept-Language: ja"), 200)["name"], step.name)
	}
}
