package audit_test

import (
	"errors"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/hiding"
	"officeconsole/queries/queriestest"
)

// Hiding somebody is reverted by showing them, and showing them by hiding them
// for the former reason; each reversal can itself be reverted, but nothing that
// something later replaced.
func TestRevertHiding(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	state := func() string {
		t.Helper()
		return queriestest.LookUp(t, db, `select case when u.hidden_at is null then 'shown' else h.kind || ' ' || h.reason end
			from users u left join hidings h on h.company_id = u.company_id and h.user_id = u.id and h.shown_at is null
			where u.company_id = $1 and u.id = $2`, queriestest.Hanbit, queriestest.Employee)
	}
	if _, err := db.Hidings.Hide(t.Context(), by, hiding.Draft{UserIDs: []int64{queriestest.Employee}, Kind: hiding.Leave, Reason: "육아 휴직"}); err != nil {
		t.Fatal(err)
	}
	hidden := newestChange(t, db)
	if hidden.Action != "user.hidden" || !hidden.Revertible() {
		t.Fatalf("the newest change is %s", hidden.Action)
	}
	shown, err := db.Audit.Revert(t.Context(), by, hidden.ID, false)
	if err != nil || shown.Change.Action != "user.shown" || state() != "shown" {
		t.Fatalf("the reverted hiding is %s: %+v, %v", state(), shown.Change, err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, hidden.ID, false); !errors.As(err, new(queries.Conflict)) {
		t.Errorf("a hiding that has ended: %v", err)
	}
	again, err := db.Audit.Revert(t.Context(), by, shown.Change.ID, false)
	if err != nil || again.Change.Action != "user.hidden" || state() != "leave 육아 휴직" {
		t.Fatalf("the reverted showing is %s: %+v, %v", state(), again.Change, err)
	}
	for name, id := range map[string]int64{"the first hiding": hidden.ID, "the showing": shown.Change.ID} {
		if _, err := db.Audit.Revert(t.Context(), by, id, false); !errors.As(err, new(queries.Conflict)) {
			t.Errorf("%s, which a later one followed: %v", name, err)
		}
	}
	if _, err := db.Audit.Revert(t.Context(), by, again.Change.ID, false); err != nil || state() != "shown" {
		t.Errorf("the second hiding is %s: %v", state(), err)
	}
}
