package audit_test

import (
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// Reverting the restoration of a policy says before whom it affects: those who have the
// policy because of it.
func TestPreviewOfRestoredPolicy(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	created := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("메신저팀", queriestest.DepartmentTarget(queriestest.Messenger)))
	clock.Advance(time.Minute)
	if _, err := db.Policies.Delete(t.Context(), by, created.ID, 0, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		action     string
		gain, lose int
	}{{"policy.deleted", 1, 0}, {"policy.restored", 0, 1}} {
		c := newestChange(t, db)
		preview, err := db.Audit.PreviewReversal(t.Context(), by, c)
		if err != nil || preview == nil || c.Action != want.action || preview.Gain != want.gain || preview.Lose != want.lose || preview.Change != 0 {
			t.Errorf("%s: %+v, %v, want %+v", c.Action, preview, err, want)
		}
		clock.Advance(time.Minute)
		if _, err := db.Audit.Revert(t.Context(), by, c.ID, false); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
	}
	if deleted := queriestest.LookUp(t, db, "select deleted_at is not null from policies where id = $1", created.ID); deleted != "true" {
		t.Error("the reverted restoration is not deleted")
	}
}
