package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

func TestEffectivePolicy(t *testing.T) {
	db := queriestest.New(t)
	planned := time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name   string
		user   int64
		at     time.Time
		want   string
		policy string
	}{
		{"their own", queriestest.Japanese, queriestest.Now, "6.1 own 0", queriestest.ResearchPolicyName},
		{"of the department above", queriestest.Employee, queriestest.Now, "6.1 inherited 5", queriestest.ResearchPolicyName},
		{"of their department", queriestest.Foreigner, queriestest.Now, "5.2 inherited 4", queriestest.SalesPolicyName},
		{"not of a further department", queriestest.Kim, queriestest.Now, "5.2 inherited 3", queriestest.SalesPolicyName},
		{"of nobody", queriestest.Admin, queriestest.Now, "1.1 default 0", queriestest.DefaultPolicyName},
		{"of a hidden person", queriestest.Hidden, queriestest.Now, "6.1 inherited 5", queriestest.ResearchPolicyName},
		{"after a planned change", queriestest.Employee, planned, "6.2 inherited 5", queriestest.ResearchPolicyName},
		{"before a change", queriestest.Foreigner, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), "1.1 default 0", queriestest.DefaultPolicyName},
		{"an earlier version", queriestest.Kim, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), "5.1 inherited 3", queriestest.SalesPolicyName},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := queriestest.Effective(t, db, test.user, test.at)
			if got := fmt.Sprintf("%d.%d %s %d", e.PolicyID, e.VersionNo, e.Source, e.SourceDepartmentID); got != test.want || e.PolicyName != test.policy {
				t.Errorf("got %s of %s, want %s", got, e.PolicyName, test.want)
			}
		})
	}
	for _, id := range []int64{queriestest.Bot, queriestest.OtherKim, 999} {
		if _, err := db.Policies.Effective(t.Context(), queriestest.Hanbit, id, "communication", queriestest.Now); !errors.Is(err, queries.NotFound) {
			t.Errorf("%d: %v", id, err)
		}
	}
	if e := queriestest.Effective(t, db, queriestest.Employee, queriestest.Now); e.Settings.SessionTime() != 30*time.Minute {
		t.Errorf("the session lasts %s", e.Settings.SessionTime())
	}
}

func TestEffectiveChain(t *testing.T) {
	db := queriestest.New(t)
	own := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("개인", queriestest.UserTarget(queriestest.Employee)))
	if err := enableAll(t.Context(), db, queriestest.AdminActor(t, db), "communication", []int64{own.ID}, false, false); err != nil {
		t.Fatal(err)
	}
	later := queriestest.PolicyDraft("나중", queriestest.DepartmentTarget(queriestest.Messenger))
	later.EffectiveFrom = queriestest.StartIn(time.Hour)
	planned := queriestest.CreatePolicy(t, db, later)
	d := queriestest.PolicyDraft(queriestest.ResearchPolicyName, policy.Target{Type: policy.DepartmentTarget, ID: queriestest.Research}, queriestest.UserTarget(queriestest.Japanese))
	if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.ResearchPolicyID, 0, d); err != nil {
		t.Fatal(err)
	}
	e := queriestest.Effective(t, db, queriestest.Employee, queriestest.Now)
	want := []string{
		fmt.Sprint("user 2 이준호: disabled ", own.ID, " 개인 from ", queriestest.Now.Unix()),
		fmt.Sprint("department 6 메신저팀: not_yet ", planned.ID, " 나중 from ", queriestest.Now.Add(time.Hour).Unix()),
		fmt.Sprint("department 5 연구소: excluded_children 6 ", queriestest.ResearchPolicyName, " from ", queriestest.Now.Unix()),
		"department 1 한빛테크: none 0",
		fmt.Sprint("default 0 : applied 1 기본 정책 from ", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix()),
	}
	var chain []string
	for _, step := range e.Chain {
		line := fmt.Sprint(step.Type, " ", step.ID, " ", step.Name, ": ", step.Reason, " ", step.PolicyID)
		if step.PolicyName != "" {
			line += fmt.Sprint(" ", step.PolicyName, " from ", step.From.Unix())
		}
		chain = append(chain, line)
	}
	if !slices.Equal(chain, want) {
		t.Errorf("got %q", chain)
	}
	if hidden := queriestest.Effective(t, db, queriestest.Hidden, queriestest.Now); hidden.PolicyID != queriestest.ResearchPolicyID || len(hidden.Chain) != 2 {
		t.Errorf("a member of the very department: %+v", hidden)
	}
	if after := queriestest.Effective(t, db, queriestest.Employee, queriestest.Now.Add(time.Hour)); after.PolicyID != planned.ID || after.ETag() == e.ETag() {
		t.Errorf("later: %+v", after)
	}
	if again := queriestest.Effective(t, db, queriestest.Employee, queriestest.Now); again.ETag() != e.ETag() {
		t.Error("the same answer has another tag")
	}
}

// After every kind of change, the next read returns the new effective policy.
func TestEffectivePolicyFollowsEveryChange(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	now := func() string {
		t.Helper()
		e := queriestest.Effective(t, db, queriestest.Employee, clock.Now())
		return fmt.Sprintf("%d.%d", e.PolicyID, e.VersionNo)
	}
	by := queriestest.AdminActor(t, db)
	check := func(what, want string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := now(); got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
	check("at first", "6.1", nil)
	check("disabled", "6.1", enableAll(t.Context(), db, by, "workingattitude", nil, false, false))
	_, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.ResearchPolicyID, 0)
	check("cancelled", "6.1", err)
	check("disabled", "1.1", enableAll(t.Context(), db, by, "communication", []int64{queriestest.ResearchPolicyID}, false, false))
	check("enabled", "6.4", enableAll(t.Context(), db, by, "communication", []int64{queriestest.ResearchPolicyID}, true, false))
	mine := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("개인", queriestest.UserTarget(queriestest.Employee)))
	check("created", fmt.Sprintf("%d.1", mine.ID), nil)
	clock.Advance(time.Minute)
	_, err = db.Policies.Delete(t.Context(), by, mine.ID, 0, false)
	check("deleted", "6.4", err)
	if e := queriestest.Effective(t, db, queriestest.Employee, clock.Now().Add(-time.Second)); e.PolicyID != mine.ID {
		t.Errorf("before the deletion: %+v", e)
	}
	clock.Advance(time.Minute)
	_, _, err = db.Policies.Restore(t.Context(), by, mine.ID, false)
	check("restored", fmt.Sprintf("%d.2", mine.ID), err)
	if e := queriestest.Effective(t, db, queriestest.Employee, clock.Now().Add(-time.Second)); e.PolicyID != queriestest.ResearchPolicyID {
		t.Errorf("while it was deleted: %+v", e)
	}
}

func TestSessionTimeFollowsThePolicy(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft("짧은 세션", queriestest.UserTarget(queriestest.Employee))
	d.Settings = json.RawMessage(`{"session_time_sec":301}`)
	queriestest.CreatePolicy(t, db, d)
	s, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password))
	if err != nil || s.IdleSeconds != 301 {
		t.Errorf("got %d, %v", s.IdleSeconds, err)
	}
}
