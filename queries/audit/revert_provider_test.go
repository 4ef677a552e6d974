package audit_test

import (
	"errors"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestRevertProviderChanges(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	p := queriestest.NewSignOnProvider(t, db)
	id := p.Create(t, db, p.Draft())
	created := newestChange(t, db)
	provider := func() identity.Provider {
		t.Helper()
		found, err := db.Identity.Provider(ctx, identity.ProviderParams{CompanyID: queriestest.Hanbit, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	update := func(edit func(*identity.ProviderDraft)) audit.Change {
		t.Helper()
		clock.Advance(time.Second)
		d := provider().Draft()
		edit(&d)
		if err := db.Identity.UpdateProvider(ctx, by, id, 0, d); err != nil {
			t.Fatal(err)
		}
		return newestChange(t, db)
	}
	revert := func(c audit.Change, want error) {
		t.Helper()
		clock.Advance(time.Second)
		if _, err := db.Audit.Revert(ctx, by, c.ID, false); !errors.Is(err, want) {
			t.Fatalf("%s: %v, want %v", c.Action, err, want)
		}
	}

	first := update(func(d *identity.ProviderDraft) {
		d.Name, d.Enabled, d.RankClaim, d.Domains = "다른 이름", false, "title", []string{"lab.hanbit.example"}
	})
	revert(first, nil)
	if got := provider(); got.Name != "한빛 계정" || !got.Enabled || got.RankClaim != "" || got.Domains[0] != "hanbit.example" || !got.HasSecret {
		t.Errorf("reverted to %+v", got)
	}
	revert(first, queries.Conflict("change.revert.changed"))
	revert(created, queries.Conflict("change.revert.changed"))
	revert(newestChange(t, db), nil)
	if got := provider(); got.Name != "다른 이름" || got.Enabled {
		t.Errorf("the reversal is reverted to %+v", got)
	}
	revert(update(func(d *identity.ProviderDraft) { d.ClientSecret = "another" }), queries.Invalid("provider.revert.secret"))

	// A deleted provider is restored without its secret, and not enabled.
	update(func(d *identity.ProviderDraft) { d.Enabled = true })
	if err := db.Identity.DeleteProvider(ctx, by, id, 0); err != nil {
		t.Fatal(err)
	}
	deleted := newestChange(t, db)
	revert(deleted, nil)
	got := provider()
	if got.Name != "다른 이름" || got.Enabled || got.HasSecret || got.Domains[0] != "lab.hanbit.example" {
		t.Errorf("restored %+v", got)
	}
	revert(deleted, queries.Conflict("change.revert.changed"))
	d := got.Draft()
	d.Enabled = true
	if err := db.Identity.UpdateProvider(ctx, by, id, 0, d); err == nil || err.(queries.FieldErrors)["client_secret"] != "provider.client_secret.required" {
		t.Errorf("enabled without a secret: %v", err)
	}
	revert(newestChange(t, db), nil) // the restoration
	if _, err := db.Identity.Provider(ctx, identity.ProviderParams{CompanyID: queriestest.Hanbit, ID: id}); !errors.Is(err, queries.NotFound) {
		t.Errorf("the restoration was reverted: %v", err)
	}
	revert(newestChange(t, db), nil)

	// Its domain may be taken by then.
	if err := db.Identity.DeleteProvider(ctx, by, id, 0); err != nil {
		t.Fatal(err)
	}
	deleted = newestChange(t, db)
	other := p.Draft()
	other.Domains = []string{"lab.hanbit.example"}
	p.Create(t, db, other)
	revert(deleted, queries.Conflict("provider.domains.taken"))
	clock.Advance(audit.RestoreTime)
	revert(deleted, queries.Invalid("change.revert.late"))
}

func TestRevertSAMLProvider(t *testing.T) {
	db := queriestest.New(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	p := queriestest.NewSAMLProvider(t, db)
	d := p.Draft()
	d.MetadataURL, d.Metadata = "", p.Metadata()
	id := p.Create(t, db, d)
	provider := func() identity.Provider {
		t.Helper()
		found, err := db.Identity.Provider(ctx, identity.ProviderParams{CompanyID: queriestest.Hanbit, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	before := provider()
	if err := db.Identity.UpdateProvider(ctx, by, id, 0, p.Draft()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Audit.Revert(ctx, by, newestChange(t, db).ID, false); err != nil {
		t.Fatal(err)
	}
	if got := provider(); got.Metadata != before.Metadata || got.MetadataURL != "" || got.Issuer != before.Issuer {
		t.Errorf("reverted to %+v", got)
	}
	if err := db.Identity.DeleteProvider(ctx, by, id, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Audit.Revert(ctx, by, newestChange(t, db).ID, false); err != nil {
		t.Fatal(err)
	}
	if got := provider(); got.Kind != identity.SAML || got.Metadata != before.Metadata || got.Enabled {
		t.Errorf("restored %+v", got)
	}
}
