package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

const hide = "update users set hidden_at = now() where id = $1"

// A hidden user is unknown to whoever chooses people for a policy, and stays with the
// policies that had them before.
func TestHiddenUsersOfPolicies(t *testing.T) {
	db := queriestest.New(t)
	admin, kim := queriestest.AdminActor(t, db), queriestest.UserTarget(queriestest.Kim)
	draft := queriestest.PolicyDraft("김철수", kim)
	draft.Owner, draft.Settings = policy.Owner{UserID: queriestest.Kim}, json.RawMessage(fmt.Sprintf(`{"ip_exempt_user_ids":[%d]}`, queriestest.Kim))
	p := queriestest.CreatePolicy(t, db, draft)
	queriestest.Exec(t, db, hide, queriestest.Kim)

	draft.Description = "숨긴 뒤"
	p, err := db.Policies.Update(t.Context(), admin, p.ID, p.LastNo, draft)
	if err != nil || len(p.Version.Targets) != 1 || p.Owner.UserID != queriestest.Kim {
		t.Fatalf("a policy that had them: %+v, %v", p, err)
	}
	if _, err := db.Policies.Duplicate(t.Context(), admin, p.ID); err != nil {
		t.Errorf("a duplicate: %v", err)
	}
	if p, err = db.Policies.Update(t.Context(), admin, p.ID, p.LastNo, queriestest.PolicyDraft("김철수")); err != nil {
		t.Fatal(err)
	}
	if p, err = db.Policies.RestoreVersion(t.Context(), admin, p.ID, p.LastNo, policy.VersionRestoration{No: 1}); err != nil || len(p.Version.Targets) != 1 {
		t.Errorf("an earlier version: %+v, %v", p.Version.Targets, err)
	}

	for name, change := range map[string]func(*policy.Draft){
		"targets.0":                     func(d *policy.Draft) { d.Targets = []policy.Target{kim} },
		"owner":                         func(d *policy.Draft) { d.Owner.UserID = queriestest.Kim },
		"settings.ip_exempt_user_ids.0": func(d *policy.Draft) { d.Settings = draft.Settings },
	} {
		d := queriestest.PolicyDraft("새 정책")
		d.Move = true
		change(&d)
		_, err := db.Policies.Create(t.Context(), admin, d)
		want := queries.Invalid("policy.targets.unknown")
		if name == "owner" {
			want = "policy.owner.unknown"
		}
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || refused[name] != want {
			t.Errorf("%s of a new policy: %v", name, err)
		}
		other := queriestest.StoredPolicy(t, db, queriestest.SalesPolicyID)
		d = other.Version.Draft(other)
		d.Move = true
		change(&d)
		if _, err := db.Policies.Update(t.Context(), admin, other.ID, other.LastNo, d); !errors.As(err, &refused) || refused[name] != want {
			t.Errorf("%s of another policy: %v", name, err)
		}
	}

	a := policy.Assignment{Assign: []policy.Target{kim}, Move: true}
	outcome, err := db.Policies.PreviewAssignment(t.Context(), admin, queriestest.SalesPolicyID, a)
	if err != nil || outcome.Targets[0].Refusal != "policy.targets.unknown" || outcome.Targets[0].Name != "" {
		t.Errorf("assigned to another policy: %+v, %v", outcome.Targets, err)
	}
	if outcome, err = db.Policies.PreviewAssignment(t.Context(), admin, p.ID, a); err != nil || outcome.Targets[0].Result != policy.TargetUnchanged {
		t.Errorf("assigned to the policy that has them: %+v, %v", outcome.Targets, err)
	}
}

func TestHiddenUsersOfChecks(t *testing.T) {
	db := queriestest.New(t)
	admin, subject := queriestest.AdminActor(t, db), []policy.Target{queriestest.UserTarget(queriestest.Kim)}
	draft := policy.CheckDraft{
		Name: "세션", Targets: subject, Quantifier: policy.Every, Severity: policy.Warn,
		Expectation: settings.Expectation{Relation: settings.AtLeast, Key: "session_time_sec", Value: "300"},
	}
	check := saveCheck(t, db, policy.CheckChange{Kind: "communication", Draft: &draft})
	queriestest.Exec(t, db, hide, queriestest.Kim)
	_, err := db.Policies.SaveCheck(t.Context(), admin, policy.CheckChange{Kind: "communication", Draft: &draft})
	var refused queries.FieldErrors
	if !errors.As(err, &refused) || refused["targets.0"] != "policy.targets.unknown" {
		t.Errorf("a new check: %v", err)
	}
	draft.Name = "세션 시간"
	check = saveCheck(t, db, policy.CheckChange{ID: check.ID, Kind: check.Kind, Draft: &draft})
	draft.Targets = nil
	saveCheck(t, db, policy.CheckChange{ID: check.ID, Kind: check.Kind, Draft: &draft})
	draft.Targets = subject
	if _, err := db.Policies.SaveCheck(t.Context(), admin, policy.CheckChange{ID: check.ID, Kind: check.Kind, Draft: &draft}); !errors.As(err, &refused) {
		t.Errorf("chosen again: %v", err)
	}
	if check = saveCheck(t, db, policy.CheckChange{ID: check.ID, Kind: check.Kind, Draft: &draft, Reverts: true}); len(check.Targets) != 1 {
		t.Errorf("reverted: %+v", check.Targets)
	}
}
