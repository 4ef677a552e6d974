package scim_test

import (
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

// A request that breaks a check of policies is refused as a whole with its sentence; a
// check that only warns is in the change log.
func TestChecksOfProvisioning(t *testing.T) {
	s := newSite(t)
	save := func(c policy.CheckChange, severity policy.Severity, targets ...policy.Target) policy.Check {
		c.Kind = "communication"
		c.Draft = &policy.CheckDraft{
			Name: "세션", Targets: targets, Quantifier: policy.Some, Severity: severity,
			Expectation: settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: "600"},
		}
		saved, err := s.db.Policies.SaveCheck(t.Context(), queriestest.AdminActor(t, s.db), c)
		if err != nil {
			t.Fatal(err)
		}
		return saved
	}
	check := save(policy.CheckChange{}, policy.Stop, queriestest.DepartmentTarget(queriestest.Domestic))
	const state = "select concat_ws(' ', department_id, hidden_at, (select string_agg(concat(d.id, '<', d.parent_id), ',' order by d.id) from departments d where d.company_id = 1)) from users where id = 6"
	before := s.lookUp(state)
	for name, call := range map[string]func() answer{
		"another department": func() answer {
			return s.call(http.MethodPut, "/Users/6", `{"`+enterprise+`":{"department":"영업본부"}}`, "Accept-Language: en")
		},
		"inactive": func() answer {
			return s.call(http.MethodPatch, "/Users/6", `{"Operations":[{"op":"replace","value":{"active":false}}]}`, "Accept-Language: en")
		},
		"deleted": func() answer { return s.call(http.MethodDelete, "/Users/6", "", "Accept-Language: en") },
		"removed from the group": func() answer {
			return s.call(http.MethodPatch, "/Groups/3", `{"Operations":[{"op":"remove","path":"members"}]}`, "Accept-Language: en")
		},
		"deleted group": func() answer { return s.call(http.MethodDelete, "/Groups/3", "", "Accept-Language: en") },
	} {
		a := call()
		a.refused(http.StatusForbidden, "")
		if !strings.Contains(a.body, "must be at most 10 min for at least one person in 국내영업팀. Nobody would meet the condition any longer.") || s.lookUp(state) != before {
			t.Errorf("%s: %s, %s", name, a.body, s.lookUp(state))
		}
	}
	save(policy.CheckChange{ID: check.ID}, policy.Stop, queriestest.UserTarget(queriestest.Kim))
	one := s.call(http.MethodPatch, "/Users/6", `{"Operations":[{"op":"replace","value":{"active":false}}]}`, "Accept-Language: en")
	one.refused(http.StatusForbidden, "")
	if !strings.Contains(one.body, "must be at most 10 min for 김철수. Nobody") {
		t.Errorf("of one person: %s", one.body)
	}
	check = save(policy.CheckChange{ID: check.ID}, policy.Stop, queriestest.DepartmentTarget(queriestest.Domestic))

	// What concerns nobody of the check is not stopped, nor is what was broken before.
	s.call(http.MethodPut, "/Users/6", `{"title":"차장"}`).want(http.StatusOK)
	s.call(http.MethodPut, "/Users/7", `{"`+enterprise+`":{"department":"영업본부"}}`).want(http.StatusOK)
	check = save(policy.CheckChange{ID: check.ID}, policy.Stop, queriestest.UserTarget(queriestest.Viewer))
	s.call(http.MethodDelete, "/Users/3", "").want(http.StatusNoContent)

	// A department that moves takes its people along.
	check = save(policy.CheckChange{ID: check.ID}, policy.Stop, queriestest.DepartmentTarget(queriestest.Sales))
	const move = `{"urn:officeconsole:params:scim:schemas:extension:1.0:Group":{"parent":{"value":"5"}}}`
	s.call(http.MethodPut, "/Groups/3", move).refused(http.StatusForbidden, "")
	save(policy.CheckChange{ID: check.ID}, policy.Warn, queriestest.DepartmentTarget(queriestest.Sales))
	s.call(http.MethodPut, "/Groups/3", move).want(http.StatusOK)
	equal(t, "warned", s.lookUp("select concat_ws(' ', actor_name, object_name, new->>'broken_people') from changes where action = 'check.broken'"), "인사 시스템 (provisioning) 세션 0")

	// Somebody new is held against checks of everyone.
	c := policy.CheckDraft{Name: "모두", Targets: []policy.Target{queriestest.DepartmentTarget(queriestest.Japan)}, Quantifier: policy.Every, Severity: policy.Stop,
		Expectation: settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: "1800"}}
	if _, err := s.db.Policies.SaveCheck(t.Context(), queriestest.AdminActor(t, s.db), policy.CheckChange{Kind: "communication", Draft: &c}); err != nil {
		t.Fatal(err)
	}
	s.call(http.MethodPost, "/Users", `{"userName":"new@hanbit.example","displayName":"신입","`+enterprise+`":{"department":"일본지사"}}`, "Accept-Language: ko").refused(http.StatusForbidden, "")
	equal(t, "created", s.lookUp("select count(*)::text from users where email = 'new@hanbit.example'"), "0")
}
