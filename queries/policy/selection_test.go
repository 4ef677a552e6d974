package policy_test

import (
	"errors"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

func TestSelected(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ids := queriestest.AdminActor(t, db), []int64{queriestest.SalesPolicyID, queriestest.AuditPolicyID, queriestest.SalesPolicyID}
	if _, err := db.Policies.Delete(t.Context(), by, queriestest.SalesPolicyID, 0, false); err != nil {
		t.Fatal(err)
	}
	deletedAt := clock.Now()
	clock.Advance(policy.RestoreTime + time.Hour) // who deleted it is known although it cannot be restored
	got, err := db.Policies.Selected(t.Context(), by.CompanyID, "communication", ids)
	if err != nil || len(got.Policies) != 1 || got.Policies[0].ID != queriestest.AuditPolicyID || len(got.Gone) != 1 {
		t.Fatalf("got %+v, %v", got, err)
	}
	if d := got.Gone[0]; d.ID != queriestest.SalesPolicyID || d.Version.Name != "영업본부 외근 정책" || d.By != "김서연" || !d.At.Equal(deletedAt) {
		t.Errorf("gone is %+v", d)
	}
	for _, wrong := range []int64{2, queriestest.OtherPolicyID, 99} {
		if _, err := db.Policies.Selected(t.Context(), by.CompanyID, "communication", []int64{queriestest.AuditPolicyID, wrong}); !errors.Is(err, queries.NotFound) {
			t.Errorf("policy %d: %v", wrong, err)
		}
	}
}

// A preview counts the policies that change, and EnableAll changes all that it is given, or
// none.
func TestEnablingWhatIsSoAlready(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	alone, err := db.Policies.PreviewEnabling(t.Context(), by, "communication", []int64{queriestest.SalesPolicyID}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Policies.Delete(t.Context(), by, queriestest.ResearchPolicyID, 0, false); err != nil {
		t.Fatal(err)
	}
	ids := []int64{queriestest.SalesPolicyID, queriestest.ResearchPolicyID, queriestest.AuditPolicyID, queriestest.SalesPolicyID}
	got, err := db.Policies.PreviewEnabling(t.Context(), by, "communication", ids, false)
	if err != nil || len(got.Policies) != 1 || len(got.Already) != 1 || len(got.Gone) != 1 {
		t.Fatalf("got %+v, %v", got, err)
	}
	if got.Lose+got.Gain+got.Change == 0 || got.Lose != alone.Lose || got.Change != alone.Change {
		t.Errorf("with policies that do not change it affects %+v, and without them %+v", got.Preview, alone.Preview)
	}
	if err := enableAll(t.Context(), db, by, "communication", []int64{queriestest.SalesPolicyID, queriestest.AuditPolicyID}, false, false); !errors.Is(err, queries.Conflict("policy.changed")) {
		t.Errorf("with one that is disabled already: %v", err)
	}
	if err := enableAll(t.Context(), db, by, "communication", []int64{queriestest.SalesPolicyID, queriestest.ResearchPolicyID}, false, false); !errors.Is(err, queries.NotFound) {
		t.Errorf("with a deleted one: %v", err)
	}
	if !queriestest.StoredPolicy(t, db, queriestest.SalesPolicyID).Version.Enabled {
		t.Error("a refused bulk disabled a policy")
	}
}
