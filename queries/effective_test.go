package queries_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

func effective(t *testing.T, db *queries.DB, userID int64, at time.Time) queries.Effective {
	t.Helper()
	e, err := db.EffectivePolicy(t.Context(), queriestest.Hanbit, userID, "communication", at)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

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
		{"their own", queriestest.Japanese, queriestest.Now, "6.1 own 0", research},
		{"of the department above", queriestest.Employee, queriestest.Now, "6.1 inherited 5", research},
		{"of their department", queriestest.Foreigner, queriestest.Now, "5.2 inherited 4", sales},
		{"not of a further department", queriestest.Kim, queriestest.Now, "5.2 inherited 3", sales},
		{"of nobody", queriestest.Admin, queriestest.Now, "1.1 default 0", byDefault},
		{"of a hidden person", queriestest.Hidden, queriestest.Now, "6.1 inherited 5", research},
		{"after a planned change", queriestest.Employee, planned, "6.2 inherited 5", research},
		{"before a change", queriestest.Foreigner, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), "1.1 default 0", byDefault},
		{"an earlier version", queriestest.Kim, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), "5.1 inherited 3", sales},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := effective(t, db, test.user, test.at)
			if got := fmt.Sprintf("%d.%d %s %d", e.PolicyID, e.VersionNo, e.Source, e.SourceDepartmentID); got != test.want || e.PolicyName != test.policy {
				t.Errorf("got %s of %s, want %s", got, e.PolicyName, test.want)
			}
		})
	}
	for _, id := range []int64{queriestest.Bot, queriestest.OtherKim, 999} {
		if _, err := db.EffectivePolicy(t.Context(), queriestest.Hanbit, id, "communication", queriestest.Now); !errors.Is(err, queries.NotFound) {
			t.Errorf("%d: %v", id, err)
		}
	}
	if e := effective(t, db, queriestest.Employee, queriestest.Now); e.Settings.SessionTime() != 30*time.Minute {
		t.Errorf("the session lasts %s", e.Settings.SessionTime())
	}
}

func TestEffectiveChain(t *testing.T) {
	db := queriestest.New(t)
	own := create(t, db, draft("개인", user(queriestest.Employee)))
	if err := db.EnablePolicies(t.Context(), admin(t, db), "communication", []int64{own.ID}, false, false); err != nil {
		t.Fatal(err)
	}
	later := draft("나중", department(queriestest.Messenger))
	later.EffectiveFrom = in(time.Hour)
	planned := create(t, db, later)
	d := draft(research, queries.Target{Type: queries.DepartmentTarget, ID: queriestest.Research}, user(queriestest.Japanese))
	if _, err := db.UpdatePolicy(t.Context(), admin(t, db), researchID, 0, d); err != nil {
		t.Fatal(err)
	}
	e := effective(t, db, queriestest.Employee, queriestest.Now)
	want := []string{
		fmt.Sprint("user 2 이준호: disabled ", own.ID, " 개인 from ", queriestest.Now.Unix()),
		fmt.Sprint("department 6 메신저팀: not_yet ", planned.ID, " 나중 from ", queriestest.Now.Add(time.Hour).Unix()),
		fmt.Sprint("department 5 연구소: excluded_children 6 ", research, " from ", queriestest.Now.Unix()),
		"department 1 한빛테크: none 0",
		fmt.Sprint("default 0 : applied 1 기본 정책 from ", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix()),
	}
	var chain []string
	for _, step := range e.Chain {
		told := fmt.Sprint(step.Type, " ", step.ID, " ", step.Name, ": ", step.Reason, " ", step.PolicyID)
		if step.PolicyName != "" {
			told += fmt.Sprint(" ", step.PolicyName, " from ", step.From.Unix())
		}
		chain = append(chain, told)
	}
	if !slices.Equal(chain, want) {
		t.Errorf("got %q", chain)
	}
	if hidden := effective(t, db, queriestest.Hidden, queriestest.Now); hidden.PolicyID != researchID || len(hidden.Chain) != 2 {
		t.Errorf("a member of the very department: %+v", hidden)
	}
	if after := effective(t, db, queriestest.Employee, queriestest.Now.Add(time.Hour)); after.PolicyID != planned.ID || after.ETag() == e.ETag() {
		t.Errorf("later: %+v", after)
	}
	if again := effective(t, db, queriestest.Employee, queriestest.Now); again.ETag() != e.ETag() {
		t.Error("the same answer has another tag")
	}
}

// Whoever asks again after a change, by any rule, gets the new answer.
func TestEffectivePolicyFollowsEveryChange(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	now := func() string {
		t.Helper()
		e := effective(t, db, queriestest.Employee, clock.Now())
		return fmt.Sprintf("%d.%d", e.PolicyID, e.VersionNo)
	}
	by := admin(t, db)
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
	check("disabled", "6.1", db.EnablePolicies(t.Context(), by, "workingattitude", nil, false, false))
	_, err := db.CancelPlannedVersion(t.Context(), by, researchID, 0)
	check("cancelled", "6.1", err)
	check("disabled", "1.1", db.EnablePolicies(t.Context(), by, "communication", []int64{researchID}, false, false))
	check("enabled", "6.4", db.EnablePolicies(t.Context(), by, "communication", []int64{researchID}, true, false))
	mine := create(t, db, draft("개인", user(queriestest.Employee)))
	check("created", fmt.Sprintf("%d.1", mine.ID), nil)
	clock.Advance(time.Minute)
	_, err = db.DeletePolicy(t.Context(), by, mine.ID, 0, false)
	check("deleted", "6.4", err)
	if e := effective(t, db, queriestest.Employee, clock.Now().Add(-time.Second)); e.PolicyID != mine.ID {
		t.Errorf("before the deletion: %+v", e)
	}
	clock.Advance(time.Minute)
	_, _, err = db.RestorePolicy(t.Context(), by, mine.ID, false)
	check("restored", fmt.Sprintf("%d.2", mine.ID), err)
	if e := effective(t, db, queriestest.Employee, clock.Now().Add(-time.Second)); e.PolicyID != researchID {
		t.Errorf("while it was deleted: %+v", e)
	}
}

func TestSessionTimeFollowsThePolicy(t *testing.T) {
	db := queriestest.New(t)
	d := draft("짧은 세션", user(queriestest.Employee))
	d.Settings = json.RawMessage(`{"session_time_sec":301}`)
	create(t, db, d)
	s, err := db.SignIn(t.Context(), credentials(queriestest.Email(queriestest.Employee), queriestest.Password))
	if err != nil || s.IdleSeconds != 301 {
		t.Errorf("got %d, %v", s.IdleSeconds, err)
	}
}
