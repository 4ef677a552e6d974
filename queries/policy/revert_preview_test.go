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
		p, err := db.Policies.PreviewReversal(t.Context(), by, policy.VersionKey{PolicyID: created.ID, No: no})
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
	if _, err := db.Policies.PreviewReversal(t.Context(), by, policy.VersionKey{PolicyID: created.ID, No: 1}); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("an older version: %v", err)
	}
	before := queriestest.LookUp(t, db, "select count(*) from policy_versions")
	if err := db.Policies.RevertVersion(t.Context(), by, policy.VersionReversal{PolicyID: created.ID, No: 2}); err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, "select count(*) from policy_versions"); before == after {
		t.Error("nothing was reverted")
	}
	clock.Advance(time.Minute)
	if p := preview(3); p.Gain != 1 || p.Lose+p.Change != 0 {
		t.Errorf("reverting the reversal: %+v", p)
	}
	if _, err := db.Policies.PreviewReversal(t.Context(), queries.Actor{CompanyID: queriestest.Other}, policy.VersionKey{PolicyID: created.ID, No: 3}); !errors.Is(err, queries.NotFound) {
		t.Errorf("of another company: %v", err)
	}
}
