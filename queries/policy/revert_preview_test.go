package policy_test

import (
	"errors"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// The preview of a reversal counts whom it affects: those of the earlier targets and
// settings, and nobody after it.
func TestPreviewReversal(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	created := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("판교", queriestest.DepartmentTarget(queriestest.Japan)))
	preview := func(no int32) policy.Preview {
		t.Helper()
		p, err := db.Policies.PreviewReversal(t.Context(), by, policy.VersionReversal{PolicyID: created.ID, No: no})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// 佐藤 is a target of another policy, so that nobody of 일본지사 has this one.
	if p := preview(1); p.Gain+p.Lose+p.Change != 0 {
		t.Errorf("nobody has the policy: %+v", p)
	}
	clock.Advance(time.Minute)
	draft := queriestest.PolicyDraft("판교", queriestest.DepartmentTarget(queriestest.Messenger))
	draft.Settings = []byte(`{"session_time_sec": 900}`)
	if _, err := db.Policies.Update(t.Context(), by, created.ID, 1, draft); err != nil {
		t.Fatal(err)
	}
	if p := preview(2); p.Lose != 1 || p.Gain+p.Change != 0 || len(p.Departments) != 1 || p.Departments[0].Name != "메신저팀" {
		t.Errorf("이준호 leaves the policy: %+v", p)
	}
	if _, err := db.Policies.PreviewReversal(t.Context(), by, policy.VersionReversal{PolicyID: created.ID, No: 1}); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("an older version: %v", err)
	}
	before := queriestest.LookUp(t, db, "select count(*) from policy_versions")
	if _, err := db.Policies.RevertVersion(t.Context(), by, policy.VersionReversal{PolicyID: created.ID, No: 2}); err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, "select count(*) from policy_versions"); before == after {
		t.Error("nothing was reverted")
	}
	clock.Advance(time.Minute)
	if p := preview(3); p.Gain != 1 || p.Lose+p.Change != 0 {
		t.Errorf("reverting the reversal: %+v", p)
	}
	if _, err := db.Policies.PreviewReversal(t.Context(), queries.Actor{CompanyID: queriestest.Other}, policy.VersionReversal{PolicyID: created.ID, No: 3}); !errors.Is(err, queries.NotFound) {
		t.Errorf("of another company: %v", err)
	}
}

// So do the previews of restoring a deleted policy, of moving a plan back, and of
// planning a cancelled version again.
func TestPreviewReversalOfPlansAndDeletions(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	created := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("판교", queriestest.DepartmentTarget(queriestest.Messenger)))
	clock.Advance(time.Minute)
	draft := queriestest.PolicyDraft("판교", queriestest.DepartmentTarget(queriestest.Japan))
	draft.EffectiveFrom = queriestest.StartIn(48 * time.Hour)
	planned, err := db.Policies.Update(t.Context(), by, created.ID, 1, draft)
	if err != nil {
		t.Fatal(err)
	}
	first := planned.Planned.EffectiveFrom
	clock.Advance(time.Minute)
	if _, err := db.Policies.MovePlannedVersion(t.Context(), by, created.ID, 2, queriestest.StartIn(72*time.Hour)); err != nil {
		t.Fatal(err)
	}
	key := policy.VersionKey{PolicyID: created.ID, No: 3}
	p, err := db.Policies.PreviewPlannedStart(t.Context(), by, key, first)
	if err != nil || !p.At.Equal(first) || p.Lose != 1 || p.Gain+p.Change != 0 {
		t.Errorf("이준호 leaves the policy a day earlier: %+v, %v", p, err)
	}
	if _, err := db.Policies.PreviewPlannedStart(t.Context(), by, policy.VersionKey{PolicyID: created.ID, No: 2}, first); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("the version before the move: %v", err)
	}
	if _, err := db.Policies.PreviewPlannedStart(t.Context(), by, key, clock.Now()); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("a start that has passed: %v", err)
	}

	if _, err := db.Policies.PreviewCancellationReversal(t.Context(), by, key); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("a plan that stands: %v", err)
	}
	if _, err := db.Policies.CancelPlannedVersion(t.Context(), by, created.ID, 3); err != nil {
		t.Fatal(err)
	}
	if p, err := db.Policies.PreviewCancellationReversal(t.Context(), by, key); err != nil || p.Lose != 1 || p.Gain+p.Change != 0 {
		t.Errorf("planned again: %+v, %v", p, err)
	}

	clock.Advance(time.Minute)
	if _, err := db.Policies.Delete(t.Context(), by, created.ID, 0, false); err != nil {
		t.Fatal(err)
	}
	deletion := policy.DeletionReversal{PolicyID: created.ID, DeletedAt: clock.Now()}
	if p, err := db.Policies.PreviewDeletionReversal(t.Context(), by, deletion); err != nil || p.Gain != 1 || p.Lose+p.Change != 0 {
		t.Errorf("restored: %+v, %v", p, err)
	}
	if deleted := queriestest.LookUp(t, db, "select deleted_at is not null from policies where id = $1", created.ID); deleted != "true" {
		t.Error("the preview restored the policy")
	}
	deletion.DeletedAt = clock.Now().Add(-time.Second)
	if _, err := db.Policies.PreviewDeletionReversal(t.Context(), by, deletion); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("another deletion: %v", err)
	}
}
