package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// attitude returns a company with a policy of working attitude for Kim, in force since
// today, and a draft that changes its description and a setting.
func attitude(t *testing.T) (*areas.Areas, *queriestest.Clock, policy.Policy, func(description string) policy.Draft) {
	t.Helper()
	db, clock := queriestest.NewWithClock(t)
	d := policy.Draft{Kind: "workingattitude", Name: "교대", Enabled: true, Targets: []policy.Target{queriestest.UserTarget(queriestest.Kim)}}
	p := queriestest.CreatePolicy(t, db, d)
	clock.Advance(24 * time.Hour)
	return db, clock, p, func(description string) policy.Draft {
		d.Description, d.Settings = description, json.RawMessage(fmt.Sprintf(`{"grace_in_min":%d}`, len(description)))
		return d
	}
}

// pending describes the planned versions of a policy that are not cancelled.
func pending(t *testing.T, db *areas.Areas, id int64) string {
	t.Helper()
	versions, err := db.Policies.Versions(t.Context(), queriestest.Hanbit, id)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, v := range slices.Backward(versions) {
		if v.EffectiveFrom.After(db.Now()) && v.CancelledAt == nil {
			text += fmt.Sprintf("%d %s;", v.No, v.Description)
		}
	}
	return text
}

// Every save of a day begins with the next one, so the second one takes the place of the
// first, whichever start it names; reverting it plans the first one again.
func TestSecondSaveOfADay(t *testing.T) {
	for _, start := range []policy.StartKind{"", policy.StartNow, policy.StartNextWorkDate} {
		db, clock, p, draft := attitude(t)
		by := queriestest.AdminActor(t, db)
		for i, description := range []string{"하나", "둘"} {
			clock.Advance(time.Minute)
			d := draft(description)
			d.EffectiveFrom.When = start
			preview, err := db.Policies.PreviewDraft(t.Context(), by, d, p.ID)
			if err != nil || preview.Change != 1 || len(preview.Taken) != 0 {
				t.Fatalf("%s: preview %+v, %v", start, preview, err)
			}
			if _, err := db.Policies.Update(t.Context(), by, p.ID, int32(i+1), d); err != nil {
				t.Fatalf("%s: %v", start, err)
			}
		}
		if got := pending(t, db, p.ID); got != "3 둘;" {
			t.Errorf("%s: planned %s", start, got)
		}
		clock.Advance(time.Minute)
		reversal := policy.VersionReversal{PolicyID: p.ID, No: 3}
		if preview, err := db.Policies.PreviewReversal(t.Context(), by, reversal); err != nil || preview.People() != 1 {
			t.Errorf("%s: preview of reverting %+v, %v", start, preview, err)
		}
		if _, err := db.Policies.RevertVersion(t.Context(), by, reversal); err != nil {
			t.Fatalf("%s: %v", start, err)
		}
		if got := pending(t, db, p.ID); got != "4 하나;" {
			t.Errorf("%s: planned after reverting %s", start, got)
		}
		if _, err := db.Policies.CancelPlannedVersion(t.Context(), by, p.ID, 4); err != nil {
			t.Fatal(err)
		}
		if stored := queriestest.StoredPolicy(t, db, p.ID); stored.Planned != nil || stored.Version.No != 1 {
			t.Errorf("%s: %+v", start, stored)
		}
	}
}

// Before a policy has begun, too, there is one version to wait for.
func TestSecondSaveBeforeTheFirstDay(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	d := policy.Draft{Kind: "workingattitude", Name: "교대", Description: "하나", Enabled: true, Targets: []policy.Target{queriestest.UserTarget(queriestest.Kim)}}
	p := queriestest.CreatePolicy(t, db, d)
	clock.Advance(time.Minute)
	d.Description = "둘"
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	if got := pending(t, db, p.ID); got != "2 둘;" {
		t.Errorf("planned %s", got)
	}
	clock.Advance(time.Minute)
	if _, err := db.Policies.RevertVersion(t.Context(), by, policy.VersionReversal{PolicyID: p.ID, No: 2}); err != nil {
		t.Fatal(err)
	}
	if got := pending(t, db, p.ID); got != "3 하나;" {
		t.Errorf("planned after reverting %s", got)
	}
}

// A plan for another day stays: "now" comes before it, and anything else is a second plan.
func TestSaveBesideALaterPlan(t *testing.T) {
	db, clock, p, draft := attitude(t)
	by := queriestest.AdminActor(t, db)
	d := draft("나중")
	d.EffectiveFrom = queriestest.StartIn(10 * 24 * time.Hour)
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	for _, start := range []policy.Start{{}, {When: policy.StartNextWorkDate}, queriestest.StartIn(9 * 24 * time.Hour)} {
		d := draft("지금")
		d.EffectiveFrom = start
		const refused = queries.Invalid("policy.effective_from.planned_already")
		if _, err := db.Policies.Update(t.Context(), by, p.ID, 2, d); !isField(err, "effective_from", refused) {
			t.Errorf("%v: %v", start, err)
		}
		if _, err := db.Policies.PreviewDraft(t.Context(), by, d, p.ID); !isField(err, "effective_from", refused) {
			t.Errorf("preview of %v: %v", start, err)
		}
	}
	// Switching off is no new content that could take the place of the plan.
	if err := enableAll(t.Context(), db, by, "workingattitude", []int64{p.ID}, false, true); !isField(err, "effective_from", "policy.effective_from.planned_already") {
		t.Errorf("switching off: %v", err)
	}
	for i, description := range []string{"지금", "다시"} {
		clock.Advance(time.Minute)
		d := draft(description)
		d.EffectiveFrom.When = policy.StartNow
		if _, err := db.Policies.Update(t.Context(), by, p.ID, int32(i+2), d); err != nil {
			t.Fatal(err)
		}
	}
	if got := pending(t, db, p.ID); got != "2 나중;4 다시;" {
		t.Errorf("planned %s", got)
	}
	stored := queriestest.StoredPolicy(t, db, p.ID)
	if stored.Planned == nil || stored.Planned.No != 4 || stored.PlannedNext == nil || stored.PlannedNext.No != 2 {
		t.Errorf("%+v", stored)
	}
	if _, err := db.Policies.RevertVersion(t.Context(), by, policy.VersionReversal{PolicyID: p.ID, No: 4}); err != nil {
		t.Fatal(err)
	}
	if got := pending(t, db, p.ID); got != "2 나중;5 지금;" {
		t.Errorf("planned after reverting %s", got)
	}
}

// What a replaced plan was to take from another policy stays there, unless the new version
// takes it, too.
func TestReplacedPlanGivesItsTargetsBack(t *testing.T) {
	db, clock, p, draft := attitude(t)
	by := queriestest.AdminActor(t, db)
	other := queriestest.CreatePolicy(t, db, policy.Draft{Kind: "workingattitude", Name: "다른", Enabled: true, Targets: []policy.Target{queriestest.UserTarget(queriestest.Foreigner)}})
	clock.Advance(24 * time.Hour)
	taking := draft("받는다")
	taking.Targets, taking.Move = append(taking.Targets, queriestest.UserTarget(queriestest.Foreigner)), true
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 1, taking); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 2, draft("그만둔다")); err != nil {
		t.Fatal(err)
	}
	holder := func() int64 {
		t.Helper()
		e, err := db.Policies.Effective(t.Context(), queriestest.Hanbit, queriestest.Foreigner, "workingattitude", db.Now().Add(48*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		return e.PolicyID
	}
	if got := pending(t, db, other.ID); got != "" || holder() != other.ID {
		t.Errorf("planned %s, and %d holds the target", got, holder())
	}
	clock.Advance(time.Minute)
	if _, err := db.Policies.RevertVersion(t.Context(), by, policy.VersionReversal{PolicyID: p.ID, No: 3}); err != nil {
		t.Fatal(err)
	}
	if holder() != p.ID || pending(t, db, p.ID) != "4 받는다;" {
		t.Errorf("after reverting %d holds the target, planned %s", holder(), pending(t, db, p.ID))
	}
}

// A plan can be cancelled, and planned again, after the version in force was saved again.
func TestCancelAPlanBehindALaterSave(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	p := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("판교", queriestest.DepartmentTarget(queriestest.Messenger)))
	d := queriestest.PolicyDraft("판교", queriestest.DepartmentTarget(queriestest.Japan))
	d.EffectiveFrom = queriestest.StartIn(48 * time.Hour)
	clock.Advance(time.Minute)
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	now := queriestest.PolicyDraft("판교", queriestest.DepartmentTarget(queriestest.Messenger))
	now.Description = "지금"
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 2, now); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	preview, err := db.Policies.PreviewCancellation(t.Context(), by, policy.VersionKey{PolicyID: p.ID, No: 2})
	if err != nil || preview.Gain != 1 || preview.Lose+preview.Change != 0 {
		t.Errorf("preview %+v, %v", preview, err)
	}
	if _, err := db.Policies.CancelPlannedVersion(t.Context(), by, p.ID, 3); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	undo := policy.VersionReversal{PolicyID: p.ID, No: 2}
	if _, err := db.Policies.RevertCancellation(t.Context(), by, undo); err != nil {
		t.Fatal(err)
	}
	if stored := queriestest.StoredPolicy(t, db, p.ID); stored.Planned == nil || stored.Planned.No != 4 || stored.Version.Description != "지금" {
		t.Errorf("%+v", stored)
	}
	if _, err := db.Policies.RevertCancellation(t.Context(), by, undo); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("planning it twice: %v", err)
	}
}

// What is done to a policy before it begins is reverted without deleting it.
func TestRevertBeforeAPolicyBegins(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	d := queriestest.PolicyDraft("판교", queriestest.DepartmentTarget(queriestest.Messenger))
	d.EffectiveFrom = queriestest.StartIn(48 * time.Hour)
	p := queriestest.CreatePolicy(t, db, d)
	clock.Advance(time.Minute)
	if err := enableAll(t.Context(), db, by, "communication", []int64{p.ID}, false, true); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	if _, err := db.Policies.RevertVersion(t.Context(), by, policy.VersionReversal{PolicyID: p.ID, No: 2}); err != nil {
		t.Fatal(err)
	}
	stored := queriestest.StoredPolicy(t, db, p.ID)
	if stored.InForce || stored.Planned == nil || stored.Planned.No != 1 || !stored.Version.Enabled {
		t.Errorf("%+v", stored)
	}
	for after, want := range map[time.Duration]int64{time.Hour: queriestest.ResearchPolicyID, 49 * time.Hour: p.ID} {
		e, err := db.Policies.Effective(t.Context(), queriestest.Hanbit, queriestest.Employee, "communication", db.Now().Add(after))
		if err != nil || e.PolicyID != want {
			t.Errorf("after %s %d applies, %v", after, e.PolicyID, err)
		}
	}
}
