package audit_test

import (
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
)

func webhookDraft(t *testing.T, db *areas.Areas) webhook.Draft {
	t.Helper()
	e, err := db.Webhooks.Endpoint(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	return e.Draft()
}

func lastChange(t *testing.T, db *areas.Areas) int64 {
	t.Helper()
	var id int64
	if err := db.Pool().QueryRow(t.Context(), "select max(id) from changes").Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestRevertWebhookChange(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	if _, err := db.Webhooks.Create(t.Context(), by, webhook.Draft{URL: "https://a.example/", Types: []string{"link.changed"}, Enabled: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, lastChange(t, db), false); err != queries.Invalid("change.revert.never") {
		t.Errorf("a new webhook: %v", err)
	}
	if err := db.Webhooks.Update(t.Context(), by, 0, webhook.Draft{URL: "https://b.example/"}); err != nil {
		t.Fatal(err)
	}
	update := lastChange(t, db)
	if _, err := db.Audit.Revert(t.Context(), by, update, false); err != nil {
		t.Fatal(err)
	}
	if d := webhookDraft(t, db); d.URL != "https://a.example/" || !d.Enabled || len(d.Types) != 1 {
		t.Errorf("reverted: %+v", d)
	}
	if _, err := db.Audit.Revert(t.Context(), by, update, false); err != queries.Conflict("change.revert.changed") {
		t.Errorf("an earlier change: %v", err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, lastChange(t, db), false); err != nil {
		t.Fatal(err)
	}
	if d := webhookDraft(t, db); d.URL != "https://b.example/" || d.Enabled || d.Types != nil {
		t.Errorf("the reversal is reverted: %+v", d)
	}
}

// A webhook that follows a deleted one is not changed by what was done to that one.
func TestRevertChangeOfDeletedWebhook(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	create := func(url string) {
		if _, err := db.Webhooks.Create(t.Context(), by, webhook.Draft{URL: url, Enabled: true}); err != nil {
			t.Fatal(err)
		}
	}
	update := func(url string) {
		if err := db.Webhooks.Update(t.Context(), by, 0, webhook.Draft{URL: url, Enabled: true}); err != nil {
			t.Fatal(err)
		}
	}
	create("https://a.example/")
	update("https://b.example/")
	first := lastChange(t, db)
	if err := db.Webhooks.Delete(t.Context(), by, 0); err != nil {
		t.Fatal(err)
	}
	create("https://c.example/")
	update("https://d.example/")
	if _, err := db.Audit.Revert(t.Context(), by, first, false); err != queries.Conflict("change.revert.changed") {
		t.Errorf("got %v", err)
	}
	if d := webhookDraft(t, db); d.URL != "https://d.example/" {
		t.Errorf("the next webhook sends to %s", d.URL)
	}
}
