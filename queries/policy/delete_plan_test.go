package policy_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// plansTaking plans that a policy takes a target from another one in three days.
func plansTaking(t *testing.T, db *areas.Areas, name string, target policy.Target) policy.Policy {
	t.Helper()
	d := queriestest.PolicyDraft(name, target, queriestest.UserTarget(queriestest.Employee))
	d.Move, d.EffectiveFrom = true, queriestest.StartIn(72*time.Hour)
	return queriestest.CreatePolicy(t, db, d)
}

// actionsOf returns the actions in the change log about a policy, the oldest first.
func actionsOf(t *testing.T, db *areas.Areas, id int64) []string {
	t.Helper()
	page, err := db.Audit.Changes(t.Context(), audit.ChangeFilter{CompanyID: queriestest.Hanbit, ObjectType: "policy", ObjectID: id, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	var actions []string
	for _, c := range page.Rows {
		actions = append(actions, c.Action)
	}
	slices.Reverse(actions)
	return actions
}

// Whoever was to get targets of a deleted policy gets them as planned.
func TestDeletionLeavesPlansOfOthers(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	giver := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("주는 정책", queriestest.UserTarget(queriestest.Kim)))
	taker := plansTaking(t, db, "받을 정책", queriestest.UserTarget(queriestest.Kim))
	start := taker.Version.EffectiveFrom
	if _, err := db.Policies.Delete(t.Context(), by, giver.ID, 0, false); err != nil {
		t.Fatal(err)
	}
	p := queriestest.StoredPolicy(t, db, taker.ID)
	if p.Planned == nil || len(p.Planned.Targets) != 2 {
		t.Errorf("the plan of the other policy: %+v", p.Planned)
	}
	if e := queriestest.Effective(t, db, queriestest.Kim, start.Add(time.Hour)); e.PolicyID != taker.ID {
		t.Errorf("policy %d applies when the plan has begun", e.PolicyID)
	}
	list, err := db.Policies.List(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", policy.Filter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(queriestest.PolicyNames(list), "받을 정책") {
		t.Errorf("listed are %q", queriestest.PolicyNames(list))
	}
}

// Whoever was to give targets to a deleted policy goes on with them, and the change log
// has it.
func TestDeletionCancelsWhatOthersRelease(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	giver := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("주는 정책", queriestest.UserTarget(queriestest.Kim)))
	taker := plansTaking(t, db, "받을 정책", queriestest.UserTarget(queriestest.Kim))
	start := taker.Version.EffectiveFrom
	if _, err := db.Policies.Delete(t.Context(), by, taker.ID, 0, false); err != nil {
		t.Fatal(err)
	}
	if e := queriestest.Effective(t, db, queriestest.Kim, start.Add(time.Hour)); e.PolicyID != giver.ID {
		t.Errorf("policy %d applies after the time of the plan", e.PolicyID)
	}
	if got := actionsOf(t, db, giver.ID); !slices.Equal(got, []string{"policy.created", "policy.targets_moved", "policy.plan_cancelled"}) {
		t.Errorf("the change log of the other policy: %q", got)
	}
}

// A plan is not cancelled from the side of the policy that gives targets if the other
// policy would be left without any version.
func TestPlanOfAFirstVersionIsNotCancelledByOthers(t *testing.T) {
	db := queriestest.New(t)
	giver := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("주는 정책", queriestest.UserTarget(queriestest.Kim)))
	taker := plansTaking(t, db, "받을 정책", queriestest.UserTarget(queriestest.Kim))
	_, err := db.Policies.CancelPlannedVersion(t.Context(), queriestest.AdminActor(t, db), giver.ID, 0)
	var conflict *policy.TargetConflict
	if !errors.As(err, &conflict) || len(conflict.Taken) != 1 || conflict.Taken[0].PolicyID != taker.ID {
		t.Errorf("got %v", err)
	}
}

// The versions of a change set are moved and cancelled together, although one of their
// policies has another pending version that begins earlier.
func TestChangeSetWithANearerVersion(t *testing.T) {
	for _, test := range []struct {
		name string
		act  func(db *areas.Areas, by queries.Actor, id int64) error
		want []int64 // the policies that apply 11 and 21 days later: 0 is the one that gives, 1 the one that takes
	}{
		{"deleted", func(db *areas.Areas, by queries.Actor, id int64) error {
			_, err := db.Policies.Delete(t.Context(), by, id, 0, false)
			return err
		}, []int64{0, 0}},
		{"moved", func(db *areas.Areas, by queries.Actor, id int64) error {
			_, err := db.Policies.MovePlannedVersion(t.Context(), by, id, 0, queriestest.StartIn(20*24*time.Hour))
			return err
		}, []int64{0, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			by := queriestest.AdminActor(t, db)
			d := policy.Draft{Kind: "workingattitude", Name: "주는 정책", Enabled: true, Targets: []policy.Target{queriestest.UserTarget(queriestest.Kim)}, EffectiveFrom: policy.Start{When: policy.StartNow}}
			giver := queriestest.CreatePolicy(t, db, d)
			clock.Advance(24 * time.Hour)
			taking := d
			taking.Name, taking.Move, taking.EffectiveFrom = "받을 정책", true, queriestest.StartIn(10*24*time.Hour)
			taker := queriestest.CreatePolicy(t, db, taking)
			d.Description = "더 가까운 판"
			if _, err := db.Policies.Update(t.Context(), by, giver.ID, 0, d); err != nil {
				t.Fatal(err)
			}
			if err := test.act(db, by, taker.ID); err != nil {
				t.Fatal(err)
			}
			for i, days := range []int{11, 21} {
				want := []int64{giver.ID, taker.ID}[test.want[i]]
				at := queriestest.Now.AddDate(0, 0, days)
				e, err := db.Policies.Effective(t.Context(), queriestest.Hanbit, queriestest.Kim, "workingattitude", at)
				if err != nil || e.PolicyID != want {
					t.Errorf("%d days later policy %d applies, not %d: %v", days, e.PolicyID, want, err)
				}
			}
		})
	}
}

// Restoring a deleted policy brings back what it had planned.
func TestRestoredPolicyHasItsPlan(t *testing.T) {
	for name, first := range map[string]policy.Start{"in force": {}, "not begun": queriestest.StartIn(24 * time.Hour)} {
		t.Run(name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			by := queriestest.AdminActor(t, db)
			d := queriestest.PolicyDraft("돌아올 정책", queriestest.UserTarget(queriestest.Kim))
			d.EffectiveFrom = first
			p := queriestest.CreatePolicy(t, db, d)
			if name == "in force" {
				d.Description, d.EffectiveFrom = "예정된 설명", queriestest.StartIn(72*time.Hour)
				var err error
				if p, err = db.Policies.Update(t.Context(), by, p.ID, 0, d); err != nil {
					t.Fatal(err)
				}
			}
			start := p.Planned.EffectiveFrom
			clock.Advance(time.Hour)
			if _, err := db.Policies.Delete(t.Context(), by, p.ID, 0, false); err != nil {
				t.Fatal(err)
			}
			clock.Advance(time.Hour)
			if _, lost, err := db.Policies.Restore(t.Context(), by, p.ID, false); err != nil || len(lost) > 0 {
				t.Fatal(lost, err)
			}
			restored := queriestest.StoredPolicy(t, db, p.ID)
			if restored.Planned == nil || !restored.Planned.EffectiveFrom.Equal(start) || restored.Planned.Description != d.Description || len(restored.Planned.Targets) != 1 {
				t.Fatalf("planned again: %+v", restored.Planned)
			}
			if _, err := db.Policies.MovePlannedVersion(t.Context(), by, p.ID, 0, queriestest.StartIn(96*time.Hour)); err != nil {
				t.Fatal(err)
			}
			if p := queriestest.StoredPolicy(t, db, p.ID); p.Planned == nil || !p.Planned.EffectiveFrom.Equal(queriestest.Now.Add(96*time.Hour)) {
				t.Errorf("moved: %+v", p.Planned)
			}
		})
	}
}

// A deleted policy that had not begun comes back as it was to begin first, also if a later
// start was saved before.
func TestRestoredPolicyWithTwoPlans(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	d := policy.Draft{Kind: "workingattitude", Name: "근태 정책", Description: "나중", Enabled: true, Targets: []policy.Target{queriestest.UserTarget(queriestest.Kim)}, EffectiveFrom: queriestest.StartIn(10 * 24 * time.Hour)}
	p := queriestest.CreatePolicy(t, db, d)
	d.Description, d.EffectiveFrom = "먼저", policy.Start{When: policy.StartNow}
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 0, d); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	if _, err := db.Policies.Delete(t.Context(), by, p.ID, 0, false); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	if _, _, err := db.Policies.Restore(t.Context(), by, p.ID, false); err != nil {
		t.Fatal(err)
	}
	p = queriestest.StoredPolicy(t, db, p.ID)
	if p.Version.Description != "먼저" || p.Planned == nil || p.Planned.No != p.Version.No {
		t.Errorf("restored as %+v", p)
	}
	clock.Advance(24 * time.Hour)
	if p := queriestest.StoredPolicy(t, db, p.ID); !p.InForce || p.Planned == nil || p.Planned.Description != "나중" {
		t.Errorf("once it has begun: %+v", p)
	}
}
