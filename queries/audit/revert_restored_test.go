package audit_test

import (
	"errors"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
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

// Only the latest deletion of a holiday is reverted: an earlier one would bring back what was
// changed since.
func TestRevertEarlierDeletion(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	day := workday.NewDate(2026, 12, 24)
	save := func(c policy.HolidayChange) policy.Holiday {
		t.Helper()
		clock.Advance(time.Minute)
		h, err := db.Policies.SaveHoliday(t.Context(), by, c)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	draft := func(name string) *policy.HolidayDraft { return &policy.HolidayDraft{First: day, Last: day, Name: name} }
	h := save(policy.HolidayChange{Draft: draft("창립일")})
	save(policy.HolidayChange{ID: h.ID, Confirmed: true})
	first := newestChange(t, db)
	if _, err := db.Audit.Revert(t.Context(), by, first.ID, false); err != nil {
		t.Fatal(err)
	}
	save(policy.HolidayChange{ID: h.ID, Draft: draft("창립 기념일")})
	save(policy.HolidayChange{ID: h.ID, Confirmed: true})
	if _, err := db.Audit.Revert(t.Context(), by, first.ID, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("the earlier deletion: %v", err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, newestChange(t, db).ID, false); err != nil {
		t.Errorf("the latest deletion: %v", err)
	}
	if all, err := db.Policies.Holidays(t.Context(), queriestest.Hanbit); err != nil || len(all) != 1 || all[0].Name != "창립 기념일" {
		t.Errorf("restored %+v, %v", all, err)
	}
}
