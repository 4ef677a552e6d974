package audit_test

import (
	"testing"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
)

// A reversal sets a whole object back until a later change replaces its version.
func TestSetsObjectBack(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
	}
	setsBack := func(id int64, want bool) {
		t.Helper()
		c, err := db.Audit.Change(ctx, audit.ChangeParams{CompanyID: queriestest.Hanbit, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := db.Audit.SetsObjectBack(ctx, c); err != nil || got != want {
			t.Errorf("%s sets the object back: %v, %v", c.Action, got, err)
		}
	}

	_, err := db.Webhooks.Create(ctx, by, webhook.Draft{URL: "https://a.example/", Enabled: true})
	do(err)
	setsBack(lastChange(t, db), false) // of a new webhook nothing is reverted
	update := func(url string) int64 {
		t.Helper()
		do(db.Webhooks.Update(ctx, by, 0, webhook.Draft{URL: url, Enabled: true}))
		return lastChange(t, db)
	}
	first := update("https://b.example/")
	setsBack(first, true)
	_, err = db.Webhooks.RotateSecret(ctx, by, time.Hour)
	do(err)
	do(db.Webhooks.EndPreviousSecret(ctx, by))
	setsBack(first, true) // the secret is no part of it
	second := update("https://c.example/")
	setsBack(first, false)
	setsBack(second, true)
	do(db.Webhooks.Delete(ctx, by, 0))
	setsBack(second, false)

	v := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, true, queriestest.Kim))
	registered := lastChange(t, db)
	setsBack(registered, true)
	clock.Advance(time.Minute)
	do(db.Attendance.DeleteViewer(ctx, by, v.ID, 0))
	deleted := lastChange(t, db)
	setsBack(registered, false)
	setsBack(deleted, true)
	clock.Advance(policy.RestoreTime)
	setsBack(deleted, false) // it is too late to restore it
}
