package audit_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

// recordChanges writes changes to the log, each in a transaction of its own.
func recordChanges(t *testing.T, db *areas.Areas, count int) {
	t.Helper()
	by := queriestest.AdminActor(t, db)
	for i := range count {
		err := db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
			return queries.New(tx).RecordChange(ctx, by, db.Now(), queries.Change{Action: "test.done", ObjectType: "test", ObjectID: int64(i), ObjectName: "시험", New: map[string]any{"값": i}})
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// tamper runs statements as somebody would who has the whole database.
func tamper(t *testing.T, db *areas.Areas, statements string) {
	t.Helper()
	if _, err := db.Pool().Exec(t.Context(), "begin; set local session_replication_role = replica; "+statements+"; commit"); err != nil {
		t.Fatal(err)
	}
}

func TestVerify(t *testing.T) {
	const nth = "select change_id from change_hashes where company_id = 1 and no = "
	tests := []struct {
		name, statements string
		want             audit.Damage
		no               int // of the change that is named; 0 for none
	}{
		{"nothing", "select 1", "", 0},
		{"a new name", "update changes set object_name = '다른 이름' where id = (" + nth + "3)", audit.Altered, 3},
		{"a new value", `update changes set new = '{"값": 9}' where id in (` + nth + "3 union " + nth + "5)", audit.Altered, 3},
		{"another time", "update changes set at = at + interval '1 microsecond' where id = (" + nth + "4)", audit.Removed, 4},
		{"another actor", "update changes set actor_user_id = null where id = (" + nth + "1)", audit.Altered, 1},
		{"a removed row", "delete from changes where id = (" + nth + "2)", audit.Removed, 2},
		{"a removed row and its hash", "delete from changes where id = (" + nth + "2); delete from change_hashes where company_id = 1 and no = 2", audit.Gap, 3},
		{"an altered hash", "update change_hashes set hash = sha256('x') where company_id = 1 and no = 2", audit.Altered, 2},
		{"a row without a hash", "insert into changes (company_id, id, at, actor_name, action, object_type, object_id, object_name) select 1, 99, at, '', 'x.y', 'x', 1, '' from changes limit 1", audit.Added, 0},
		{"the end", "delete from changes where id = (" + nth + "6); delete from change_hashes where company_id = 1 and no = 6", audit.Truncated, 0},
		{"the last one with its hash", "update changes set object_name = 'x' where id = (" + nth + "6); update change_hashes h set hash = hash_change((select hash from change_hashes where company_id = 1 and no = 5), c) from changes c where h.company_id = 1 and h.no = 6 and c.id = h.change_id", audit.Rewritten, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			db := queriestest.New(t)
			recordChanges(t, db, 6)
			sound, err := db.Audit.Verify(t.Context(), queriestest.Hanbit)
			if err != nil || sound.Damage != "" || sound.Checked != 6 || len(sound.LastHash) != 64 {
				t.Fatalf("before: %+v, %v", sound, err)
			}
			id := int64(0)
			if test.no > 0 {
				fmt.Sscan(queriestest.LookUp(t, db, fmt.Sprint(nth, test.no)), &id)
			} else if test.want == audit.Added {
				id = 99
			}
			tamper(t, db, test.statements)
			for range 2 { // the second finds it, too
				found, err := db.Audit.Verify(t.Context(), queriestest.Hanbit)
				if err != nil || found.Damage != test.want || found.ChangeID != id {
					t.Errorf("got %+v, %v; want %q of %d", found, err, test.want, id)
				}
				last, err := db.Audit.LastVerification(t.Context(), queriestest.Hanbit)
				if err != nil || last.Damage != test.want || last.ChangeID != id || last.LastHash != sound.LastHash {
					t.Errorf("stored: %+v, %v", last, err)
				}
			}
			if other, err := db.Audit.Verify(t.Context(), queriestest.Other); err != nil || other.Damage != "" || other.Checked != 0 {
				t.Errorf("another company: %+v, %v", other, err)
			}
			if err := db.Audit.VerifyAll(t.Context()); err != nil {
				t.Errorf("verified again within a day: %v", err)
			}
		})
	}
}

// The program cannot change or remove rows by mistake.
func TestChangesAreAppendOnly(t *testing.T) {
	db := queriestest.New(t)
	recordChanges(t, db, 1)
	for _, statement := range []string{"update changes set actor_name = ''", "delete from changes", "truncate changes", "update change_hashes set no = 2", "delete from change_hashes", "truncate change_hashes"} {
		if _, err := db.Pool().Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "never altered or removed") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// Transactions that change the log at the same time get a number each, and none
// waits for another one longer than for its commit.
func TestConcurrentChangesAreChained(t *testing.T) {
	db := queriestest.New(t)
	var group sync.WaitGroup
	for range 40 {
		group.Go(func() { recordChanges(t, db, 3) })
	}
	group.Wait()
	if found, err := db.Audit.Verify(t.Context(), queriestest.Hanbit); err != nil || found.Damage != "" || found.Checked != 120 {
		t.Errorf("got %+v, %v", found, err)
	}
}

// The pages before the current one are reached from every page.
func TestChangesBackwards(t *testing.T) {
	db := queriestest.New(t)
	recordChanges(t, db, 9)
	f := audit.ChangeFilter{CompanyID: queriestest.Hanbit, Limit: 2}
	read := func() (first int64, page lists.Page[audit.Change]) {
		page, err := db.Audit.Changes(t.Context(), f)
		if err != nil || len(page.Rows) == 0 {
			t.Fatalf("%+v: %v", f.Cursor, err)
		}
		return page.Rows[0].ID, page
	}
	var firsts []int64
	for range 4 {
		first, page := read()
		firsts, f.Cursor = append(firsts, first), page.Next
	}
	_, page := read()
	for i := len(firsts) - 1; i >= 0; i-- {
		f.Cursor = page.Previous
		var first int64
		if first, page = read(); first != firsts[i] {
			t.Errorf("page %d begins with %d instead of %d", i, first, firsts[i])
		}
	}
}
