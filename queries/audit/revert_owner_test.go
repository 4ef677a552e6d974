package audit_test

import (
	"fmt"
	"testing"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// The owner of a policy is among what a change shows, and what reverting it restores.
func TestRevertOwner(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	d := queriestest.PolicyDraft("메신저팀", queriestest.DepartmentTarget(queriestest.Messenger))
	d.Owner = policy.Owner{UserID: queriestest.Manager}
	p := queriestest.CreatePolicy(t, db, d)
	clock.Advance(time.Minute)
	d.Owner = policy.Owner{DepartmentID: queriestest.Research}
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[{owner {4 0 최유진} {0 5 연구소}}] 4", "[{owner {0 5 연구소} {4 0 최유진}}] 0"} {
		c := newestChange(t, db)
		_, differences, err := c.PolicyDifferences()
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
		if _, err := db.Audit.Revert(t.Context(), by, c.ID, false); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(differences.Fields, " ", queriestest.StoredPolicy(t, db, p.ID).Owner.UserID); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
