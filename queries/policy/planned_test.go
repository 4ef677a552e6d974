package policy_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

func TestTargetsAreTaken(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft("새 정책", queriestest.DepartmentTarget(queriestest.Overseas), queriestest.DepartmentTarget(queriestest.Sales), queriestest.UserTarget(queriestest.Kim))
	_, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), d)
	var conflict *policy.TargetConflict
	if !errors.As(err, &conflict) || !errors.Is(err, queries.Conflict("policy.targets.taken")) {
		t.Fatalf("got %v", err)
	}
	want := policy.TakenTarget{Target: policy.Target{Type: policy.DepartmentTarget, ID: queriestest.Overseas, IncludeChildren: true, Name: "해외영업팀"}, PolicyID: queriestest.SalesPolicyID, PolicyName: queriestest.SalesPolicyName}
	if !slices.Equal(conflict.Taken, []policy.TakenTarget{want}) {
		t.Errorf("got %+v", conflict.Taken)
	}
	d.Kind = "workingattitude"
	d.Settings = nil
	if _, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), d); err != nil {
		t.Errorf("the other kind: %v", err)
	}
}

func TestTargetsOfDisabledPoliciesAreTaken(t *testing.T) {
	db := queriestest.New(t)
	if err := enableAll(t.Context(), db, queriestest.AdminActor(t, db), "communication", []int64{queriestest.SalesPolicyID}, false, false); err != nil {
		t.Fatal(err)
	}
	var conflict *policy.TargetConflict
	if _, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), queriestest.PolicyDraft("a", queriestest.DepartmentTarget(queriestest.Overseas))); !errors.As(err, &conflict) {
		t.Errorf("got %v", err)
	}
}

func TestMovingTargets(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft("새 정책", queriestest.DepartmentTarget(queriestest.Overseas))
	d.Move = true
	p := queriestest.CreatePolicy(t, db, d)
	old := queriestest.StoredPolicy(t, db, queriestest.SalesPolicyID)
	if old.Version.No != 3 || !slices.Equal(nodes(old.Version.Targets), []int64{queriestest.Domestic}) || !old.Version.EffectiveFrom.Equal(p.Version.EffectiveFrom) {
		t.Errorf("got %+v", old.Version)
	}
	if old.Version.CreatedByName != "김서연" || old.Version.Description != "모바일 중심 · 로그인 유지 60일" {
		t.Errorf("got %+v", old.Version)
	}
	if e := queriestest.Effective(t, db, queriestest.Foreigner, queriestest.Now); e.PolicyID != p.ID {
		t.Errorf("got %+v", e)
	}
	d = queriestest.PolicyDraft("더 새로운 정책", queriestest.DepartmentTarget(queriestest.Research))
	d.Move = true
	var fields queries.FieldErrors
	if _, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), d); !errors.As(err, &fields) || fields["targets"] != "policy.targets.planned" {
		t.Errorf("from a policy with a plan: %v", err)
	}
}

// A planned version that takes targets, and the planned version of the policy
// that loses them, are cancelled together.
func TestPlannedMoves(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	d := queriestest.PolicyDraft("새 정책")
	p := queriestest.CreatePolicy(t, db, d)
	d.Targets, d.Move, d.EffectiveFrom = []policy.Target{queriestest.DepartmentTarget(queriestest.Overseas)}, true, queriestest.StartIn(time.Hour)
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	at := func(after time.Duration) int64 {
		return queriestest.Effective(t, db, queriestest.Foreigner, queriestest.Now.Add(after)).PolicyID
	}
	if at(59*time.Minute) != queriestest.SalesPolicyID || at(time.Hour) != p.ID {
		t.Errorf("got %d, then %d", at(59*time.Minute), at(time.Hour))
	}
	moved, err := db.Policies.MovePlannedVersion(t.Context(), by, p.ID, 2, queriestest.StartIn(2*time.Hour))
	if err != nil || moved.Planned == nil || moved.Planned.No != 3 || !moved.Planned.EffectiveFrom.Equal(queriestest.Now.Add(2*time.Hour)) {
		t.Fatalf("got %+v, %v", moved.Planned, err)
	}
	if at(119*time.Minute) != queriestest.SalesPolicyID || at(2*time.Hour) != p.ID {
		t.Errorf("moved: got %d, then %d", at(119*time.Minute), at(2*time.Hour))
	}
	other := queriestest.StoredPolicy(t, db, queriestest.SalesPolicyID)
	if other.Planned == nil || !other.Planned.EffectiveFrom.Equal(queriestest.Now.Add(2*time.Hour)) {
		t.Errorf("the other plan stayed behind: %+v", other.Planned)
	}
	if _, err := db.Policies.MovePlannedVersion(t.Context(), by, p.ID, 3, queriestest.StartIn(time.Minute)); !isField(err, "effective_from", "policy.effective_from.too_soon") {
		t.Errorf("got %v", err)
	}
	// Cancelling either version cancels both.
	if _, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.SalesPolicyID, other.LastNo); err != nil {
		t.Fatal(err)
	}
	if at(3*time.Hour) != queriestest.SalesPolicyID || queriestest.StoredPolicy(t, db, p.ID).Planned != nil || queriestest.StoredPolicy(t, db, queriestest.SalesPolicyID).Planned != nil {
		t.Error("a plan is left")
	}
	if _, err := db.Policies.CancelPlannedVersion(t.Context(), by, p.ID, 0); !errors.Is(err, queries.Conflict("policy.plan.none")) {
		t.Errorf("twice: %v", err)
	}
	if _, err := db.Policies.MovePlannedVersion(t.Context(), by, p.ID, 0, queriestest.StartIn(time.Hour)); !errors.Is(err, queries.Conflict("policy.plan.none")) {
		t.Errorf("moving nothing: %v", err)
	}
	clock.Advance(3 * time.Hour)
	if at(3*time.Hour) != queriestest.SalesPolicyID {
		t.Error("a cancelled version took effect")
	}
}

func isField(err error, field string, want queries.Invalid) bool {
	var fields queries.FieldErrors
	return errors.As(err, &fields) && fields[field] == want
}

func TestOnePlanAtATime(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft(queriestest.ResearchPolicyName, queriestest.DepartmentTarget(queriestest.Research))
	d.EffectiveFrom = queriestest.StartIn(time.Hour)
	if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.ResearchPolicyID, 2, d); !isField(err, "effective_from", "policy.effective_from.planned_already") {
		t.Errorf("got %v", err)
	}
}

// A planned version that gives up targets cannot be cancelled or moved after
// another policy has planned to take them.
func TestCancellingAPlanThatOthersNeed(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	d := queriestest.PolicyDraft(queriestest.SalesPolicyName, queriestest.DepartmentTarget(queriestest.Domestic))
	d.EffectiveFrom = queriestest.StartIn(time.Hour)
	if _, err := db.Policies.Update(t.Context(), by, queriestest.SalesPolicyID, 2, d); err != nil {
		t.Fatal(err)
	}
	d = queriestest.PolicyDraft("해외", queriestest.DepartmentTarget(queriestest.Overseas))
	var conflict *policy.TargetConflict
	d.EffectiveFrom = queriestest.StartIn(time.Hour - time.Microsecond)
	if _, err := db.Policies.Create(t.Context(), by, d); !errors.As(err, &conflict) {
		t.Errorf("a moment too early: %v", err)
	}
	d.EffectiveFrom = queriestest.StartIn(time.Hour)
	queriestest.CreatePolicy(t, db, d)
	if _, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.SalesPolicyID, 3); !errors.As(err, &conflict) || len(conflict.Taken) != 1 || conflict.Taken[0].PolicyName != "해외" {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := db.Policies.MovePlannedVersion(t.Context(), by, queriestest.SalesPolicyID, 3, queriestest.StartIn(2*time.Hour)); !errors.As(err, &conflict) {
		t.Errorf("moved: %v", err)
	}
	if p := queriestest.StoredPolicy(t, db, queriestest.SalesPolicyID); p.Planned == nil || p.Planned.No != 3 {
		t.Errorf("got %+v", p.Planned)
	}
}

func TestAPolicyThatHasNotBegunIsDeleted(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft("나중", queriestest.DepartmentTarget(queriestest.Sales))
	d.EffectiveFrom = queriestest.StartIn(time.Hour)
	p := queriestest.CreatePolicy(t, db, d)
	if _, err := db.Policies.CancelPlannedVersion(t.Context(), queriestest.AdminActor(t, db), p.ID, 1); !errors.Is(err, queries.Invalid("policy.plan.first")) {
		t.Errorf("got %v", err)
	}
	if _, err := db.Policies.Delete(t.Context(), queriestest.AdminActor(t, db), p.ID, 1, false); err != nil {
		t.Fatal(err)
	}
	if e := queriestest.Effective(t, db, queriestest.Viewer, queriestest.Now.Add(2*time.Hour)); e.PolicyID != queriestest.DefaultPolicyID {
		t.Errorf("got %+v", e)
	}
}

func TestDeleteAndRestore(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	if _, err := db.Policies.Delete(t.Context(), by, queriestest.ResearchPolicyID, 1, false); err == nil {
		t.Error("deleted over somebody's change")
	}
	if _, err := db.Policies.Delete(t.Context(), by, queriestest.ResearchPolicyID, 2, false); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Policies.Policy(t.Context(), queriestest.Hanbit, queriestest.ResearchPolicyID); !errors.Is(err, queries.NotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := db.Policies.Delete(t.Context(), by, queriestest.ResearchPolicyID, 0, false); !errors.Is(err, queries.NotFound) {
		t.Errorf("twice: %v", err)
	}
	clock.Advance(time.Minute)
	taking := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft(queriestest.ResearchPolicyName, queriestest.DepartmentTarget(queriestest.Research)))
	clock.Advance(30*24*time.Hour - 2*time.Minute)
	p, lost, err := db.Policies.Restore(t.Context(), by, queriestest.ResearchPolicyID, false)
	if err != nil {
		t.Fatal(err)
	}
	if p.Version.Name != "연구소 보안 정책 (2)" || p.Planned != nil || !slices.Equal(nodes(p.Version.Targets), []int64{queriestest.Japanese}) || !slices.Equal(nodes(lost), []int64{queriestest.Research}) {
		t.Errorf("got %+v, lost %+v", p.Version, lost)
	}
	if e := queriestest.Effective(t, db, queriestest.Employee, clock.Now()); e.PolicyID != taking.ID {
		t.Errorf("got %+v", e)
	}
	if e := queriestest.Effective(t, db, queriestest.Japanese, clock.Now()); e.PolicyID != queriestest.ResearchPolicyID {
		t.Errorf("got %+v", e)
	}
	if _, _, err := db.Policies.Restore(t.Context(), by, queriestest.ResearchPolicyID, false); !errors.Is(err, queries.NotFound) {
		t.Errorf("twice: %v", err)
	}
}

func TestRestoreEnds(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	if _, err := db.Policies.Delete(t.Context(), queriestest.AdminActor(t, db), queriestest.AuditPolicyID, 1, false); err != nil {
		t.Fatal(err)
	}
	clock.Advance(policy.RestoreTime + time.Second)
	if _, _, err := db.Policies.Restore(t.Context(), queriestest.AdminActor(t, db), queriestest.AuditPolicyID, false); !errors.Is(err, queries.NotFound) {
		t.Errorf("got %v", err)
	}
}

func TestStarts(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	for i, test := range []struct{ zone, now, text, want string }{
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "next_work_date", "2026-11-20T15:00:00Z"},
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "now", "2026-11-20T01:00:00Z"},
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "2026-11-23T09:00:00+09:00", "2026-11-23T00:00:00Z"},
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "2026-11-23T09:00", "2026-11-23T00:00:00Z"},
		{"Asia/Kolkata", "2026-11-20T01:00:00Z", "next_work_date", "2026-11-20T18:30:00Z"},
		{"Europe/Berlin", "2026-03-01T00:00:00Z", "2026-03-29T02:30", "policy.effective_from.skipped"},
		{"Europe/Berlin", "2026-03-01T00:00:00Z", "2026-03-29T03:30", "2026-03-29T01:30:00Z"},
		{"Europe/Berlin", "2026-10-01T00:00:00Z", "2026-10-25T02:30", "2026-10-25T00:30:00Z"},
		{"Europe/Berlin", "2026-10-01T00:00:00Z", "2026-10-25T02:30:00+01:00", "2026-10-25T01:30:00Z"},
		{"Africa/Cairo", "2026-04-23T12:00:00Z", "next_work_date", "2026-04-23T22:00:00Z"},   // 00:00 is skipped
		{"America/Havana", "2026-10-31T12:00:00Z", "next_work_date", "2026-11-01T04:00:00Z"}, // 00:00 occurs twice
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "2026-11-20T10:05", "2026-11-20T01:05:00Z"},
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "2026-11-20T10:04", "policy.effective_from.too_soon"},
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "2027-11-20T10:00", "2027-11-20T01:00:00Z"},
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "2027-11-20T10:01", "policy.effective_from.too_late"},
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "2026-13-01T10:01", "policy.effective_from.invalid"},
		{"Asia/Seoul", "2026-11-20T01:00:00Z", "tomorrow", "policy.effective_from.invalid"},
	} {
		t.Run(test.zone+" "+test.text, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, test.now)
			if err != nil {
				t.Fatal(err)
			}
			clock.Advance(now.Sub(clock.Now()))
			if err := db.EnsurePartitions(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Pool().Exec(t.Context(), "update companies set time_zone = $1", test.zone); err != nil {
				t.Fatal(err)
			}
			d := queriestest.PolicyDraft(fmt.Sprint("새 정책 ", i))
			if d.EffectiveFrom, err = policy.ParseStart(test.text); err != nil {
				if err.Error() != test.want {
					t.Errorf("got %v", err)
				}
				return
			}
			p, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), d)
			var fields queries.FieldErrors
			got := p.Version.EffectiveFrom.UTC().Format(time.RFC3339)
			if errors.As(err, &fields) {
				got = string(fields["effective_from"])
			} else if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// Several policies are deleted or restored together: all of them or none.
func TestDeleteAndRestoreTogether(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	stored := func(id int64) policy.Policy {
		p, err := db.Policies.Policy(t.Context(), queriestest.Hanbit, id)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	both := []policy.Policy{stored(queriestest.AuditPolicyID), stored(queriestest.ResearchPolicyID)}
	old := both[1]
	old.LastNo--
	var conflict *policy.EditConflict
	if _, err := db.Policies.DeleteAll(t.Context(), by, "communication", []policy.Policy{both[0], old}, false); !errors.As(err, &conflict) {
		t.Errorf("over somebody's change: %v", err)
	}
	if _, err := db.Policies.DeleteAll(t.Context(), by, "workingattitude", both, false); !errors.Is(err, queries.NotFound) {
		t.Errorf("of another kind: %v", err)
	}
	stored(queriestest.AuditPolicyID)
	if _, err := db.Policies.DeleteAll(t.Context(), by, "communication", both, false); err != nil {
		t.Fatal(err)
	}
	ids := []int64{queriestest.AuditPolicyID, queriestest.ResearchPolicyID}
	for name, ids := range map[string][]int64{"one that is not deleted": {queriestest.AuditPolicyID, queriestest.SalesPolicyID}, "one of another kind": {queriestest.AuditPolicyID, 2}} {
		if _, _, err := db.Policies.RestoreAll(t.Context(), by, "communication", ids, false); !errors.Is(err, queries.NotFound) {
			t.Errorf("with %s: %v", name, err)
		}
	}
	if _, err := db.Policies.Policy(t.Context(), queriestest.Hanbit, queriestest.AuditPolicyID); !errors.Is(err, queries.NotFound) {
		t.Errorf("one of them is back: %v", err)
	}
	restored, lost, err := db.Policies.RestoreAll(t.Context(), by, "communication", ids, false)
	if err != nil || len(restored) != 2 || restored[0].ID != queriestest.AuditPolicyID || len(lost) > 0 {
		t.Errorf("restored %+v, lost %+v (%v)", restored, lost, err)
	}
	stored(queriestest.ResearchPolicyID)
}

// The change log compares a save with the version in force until then: not with a plan that
// was cancelled, nor with one that begins later.
func TestChangeAfterACancelledPlan(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	p := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("정책", queriestest.UserTarget(queriestest.Kim)))
	d := queriestest.PolicyDraft("계획", queriestest.UserTarget(queriestest.Kim))
	d.EffectiveFrom = queriestest.StartIn(72 * time.Hour)
	update(t, db, p.ID, d)
	if _, err := db.Policies.CancelPlannedVersion(t.Context(), by, p.ID, 0); err != nil {
		t.Fatal(err)
	}
	update(t, db, p.ID, queriestest.PolicyDraft("계획", queriestest.UserTarget(queriestest.Kim)))
	if got := queriestest.LookUp(t, db, "select concat_ws(' ', old->>'name', new->>'name') from changes where object_id = $1 and action = 'policy.updated' order by id desc limit 1", p.ID); got != "정책 계획" {
		t.Errorf("the change log says %q", got)
	}
	later := queriestest.PolicyDraft("나중", queriestest.UserTarget(queriestest.Kim))
	later.EffectiveFrom = queriestest.StartIn(72 * time.Hour)
	update(t, db, p.ID, later)
	update(t, db, p.ID, queriestest.PolicyDraft("지금", queriestest.UserTarget(queriestest.Kim)))
	if got := queriestest.LookUp(t, db, "select concat_ws(' ', old->>'name', new->>'name') from changes where object_id = $1 and action = 'policy.updated' order by id desc limit 1", p.ID); got != "계획 지금" {
		t.Errorf("beside a later plan, the change log says %q", got)
	}
}
