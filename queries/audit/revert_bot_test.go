package audit_test

import (
	"errors"
	"reflect"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/bot"
	"officeconsole/queries/queriestest"
)

func TestRevertBotChange(t *testing.T) {
	db := queriestest.New(t)
	by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
	draft := func() bot.Draft {
		t.Helper()
		b, err := db.Bots.Bot(t.Context(), queriestest.Hanbit)
		if err != nil {
			t.Fatal(err)
		}
		return b.Draft
	}
	before := draft()
	err := db.Bots.Update(t.Context(), by, 0, func(bot.Draft) bot.Draft {
		return bot.Draft{Name: "다른 이름", AllowedAddresses: []string{"203.0.113.0/24"}, HookReceivers: bot.Receivers{Users: []int64{queriestest.Kim}}}
	})
	if err != nil {
		t.Fatal(err)
	}
	changed := draft()
	first := newestChange(t, db)
	reverted, err := db.Audit.Revert(t.Context(), by, first.ID, false)
	if err != nil || !reflect.DeepEqual(draft(), before) {
		t.Errorf("reverted to %+v, not %+v: %v", draft(), before, err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, first.ID, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("again: %v", err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, reverted.Change.ID, false); err != nil || !reflect.DeepEqual(draft(), changed) {
		t.Errorf("the reversal is reverted to %+v: %v", draft(), err)
	}
	if _, err := db.Bots.Rotate(t.Context(), by, bot.KindMessage, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, newestChange(t, db).ID, false); !errors.Is(err, queries.Invalid("change.revert.never")) {
		t.Errorf("a token: %v", err)
	}
}

func newestChange(t *testing.T, db *areas.Areas) audit.Change {
	t.Helper()
	page, err := db.Audit.Changes(t.Context(), audit.ChangeFilter{CompanyID: queriestest.Hanbit, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return page.Rows[0]
}
