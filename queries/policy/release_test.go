package policy_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// planToTake creates a policy with Kim, and plans a change of an older and of a newer
// policy: one takes Kim, the other one takes Foreigner, whom no policy holds.
func planToTake(t *testing.T, db *areas.Areas) (older, holder, newer policy.Policy) {
	t.Helper()
	older = queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("먼저 만든 정책"))
	holder = queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("현재 정책", queriestest.UserTarget(queriestest.Kim)))
	newer = queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("나중에 만든 정책"))
	for p, target := range map[*policy.Policy]int64{&older: queriestest.Kim, &newer: queriestest.Foreigner} {
		d := queriestest.PolicyDraft(p.Version.Name, queriestest.UserTarget(target))
		d.Move, d.EffectiveFrom = true, queriestest.StartIn(time.Hour)
		if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), p.ID, 1, d); err != nil {
			t.Fatal(err)
		}
	}
	return older, holder, newer
}

// What TakenTargets says of a person agrees with what saving the person as a target
// answers.
func TestTakenTargetsAreWhatASaveRefuses(t *testing.T) {
	db := queriestest.New(t)
	older, holder, newer := planToTake(t, db)
	start := queriestest.Now.Add(time.Hour)
	now := policy.TakenTarget{Target: queriestest.UserTarget(queriestest.Kim), PolicyID: holder.ID, PolicyName: "현재 정책", HasPlan: true}
	planned := policy.TakenTarget{Target: queriestest.UserTarget(queriestest.Foreigner), PolicyID: newer.ID, PolicyName: "나중에 만든 정책", From: start, HasPlan: true}
	for _, test := range []struct {
		name   string
		except int64
		want   []policy.TakenTarget
	}{
		{"a new policy", 0, []policy.TakenTarget{now, planned}},
		{"the policy that holds the person, and changes before the other plan begins", holder.ID, nil},
		{"the policy that plans to take the person", older.ID, []policy.TakenTarget{now}},
		{"a policy with the other plan", newer.ID, []policy.TakenTarget{now}},
		{"any other policy", queriestest.SalesPolicyID, []policy.TakenTarget{now, planned}},
	} {
		all, err := db.Policies.TakenTargets(t.Context(), queriestest.Hanbit, "communication", test.except)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(all, func(taken policy.TakenTarget) bool {
			return taken.ID != queriestest.Kim && taken.ID != queriestest.Foreigner || taken.Type != policy.UserTarget
		})
		if !slices.EqualFunc(got, test.want, sameTaken) {
			t.Errorf("%s: got %+v", test.name, got)
		}
		for _, id := range []int64{queriestest.Kim, queriestest.Foreigner} {
			d := queriestest.PolicyDraft("미리 보기", queriestest.UserTarget(id))
			d.Move, d.EffectiveFrom = true, policy.Start{When: policy.StartNow}
			_, err := db.Policies.PreviewDraft(t.Context(), queriestest.AdminActor(t, db), d, test.except)
			isTaken := slices.ContainsFunc(got, func(taken policy.TakenTarget) bool { return taken.ID == id })
			if isField(err, "targets", "policy.targets.planned") != isTaken || !isTaken && err != nil {
				t.Errorf("%s: saving with %d: %v", test.name, id, err)
			}
		}
	}
}

func sameTaken(a, b policy.TakenTarget) bool {
	isSameTime := a.From.Equal(b.From)
	a.From, b.From = time.Time{}, time.Time{}
	return isSameTime && a == b
}

// A policy holds what a provisional version has taken, although it may go back.
func TestTargetsOfAProvisionalVersionAreItsOwn(t *testing.T) {
	db := queriestest.New(t)
	queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("현재 정책", queriestest.UserTarget(queriestest.Admin)))
	d := queriestest.LockingDraft(queriestest.UserTarget(queriestest.Admin))
	d.Move, d.Confirmed = true, true
	risky := queriestest.CreatePolicy(t, db, d)
	if !risky.Version.IsProvisional() {
		t.Fatal("the version does not wait for its confirmation")
	}
	for except, want := range map[int64]bool{risky.ID: false, 0: true} {
		taken, err := db.Policies.TakenTargets(t.Context(), queriestest.Hanbit, "communication", except)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(taken, func(taken policy.TakenTarget) bool {
			return taken.Type == policy.UserTarget && taken.ID == queriestest.Admin
		})
		if (at >= 0) != want || want && (taken[at].PolicyID != risky.ID || taken[at].HasPlan) {
			t.Errorf("except %d: got %+v", except, taken)
		}
	}
}

// A refusal names the policy that holds a target now, not one that plans to take it.
func TestTheRefusalNamesWhoHoldsATarget(t *testing.T) {
	db := queriestest.New(t)
	_, holder, _ := planToTake(t, db)
	_, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), queriestest.PolicyDraft("새 정책", queriestest.UserTarget(queriestest.Kim)))
	var conflict *policy.TargetConflict
	if !errors.As(err, &conflict) || len(conflict.Taken) != 1 || conflict.Taken[0].PolicyID != holder.ID || !conflict.Taken[0].From.IsZero() {
		t.Errorf("got %v, %+v", err, conflict)
	}
}

func TestHolder(t *testing.T) {
	db := queriestest.New(t)
	_, holder, _ := planToTake(t, db)
	got, err := db.Policies.Holder(t.Context(), queriestest.Hanbit, "communication", queriestest.UserTarget(queriestest.Kim))
	if err != nil || got != holder.ID {
		t.Errorf("got %d, %v", got, err)
	}
	for _, id := range []int64{queriestest.Foreigner, queriestest.OtherKim} {
		if got, err := db.Policies.Holder(t.Context(), queriestest.Hanbit, "communication", queriestest.UserTarget(id)); !errors.Is(err, queries.NotFound) {
			t.Errorf("%d: got %d, %v", id, got, err)
		}
	}
}
