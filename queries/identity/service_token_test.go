package identity_test

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestServiceToken(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	ctx, admin := t.Context(), queriestest.AdminActor(t, db)
	end := clock.Now().Add(48 * time.Hour)
	issued, err := db.Identity.IssueServiceToken(ctx, admin, identity.ServiceTokenDraft{
		Name: "  전자  결재 ", Scopes: []string{"events"}, Addresses: []string{" 203.0.113.0/24", "198.51.100.5"}, ExpiresAt: &end,
	})
	if err != nil || !strings.HasPrefix(issued.Token, "ocs_") {
		t.Fatalf("%+v (%v)", issued, err)
	}
	use := func(token, from string) error {
		_, err := db.Identity.Bearer(ctx, identity.PresentedToken{Token: token, Address: netip.MustParseAddr(from)})
		return err
	}
	expect := func(step string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", step, got, want)
		}
	}
	status := func(id int64) identity.TokenStatus {
		t.Helper()
		token, err := db.Identity.ServiceToken(ctx, identity.ServiceTokenParams{CompanyID: queriestest.Hanbit, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"203.0.113.0/24", "198.51.100.5"}; token.Name != "전자 결재" || !slices.Equal(token.AllowedAddresses, want) || !token.ExpiresAt.Before(end.Add(time.Second)) {
			t.Errorf("%+v", token)
		}
		return token.Status(clock.Now())
	}
	expect("from an allowed address", use(issued.Token, "203.0.113.77"), nil)
	for range 2 {
		expect("from another address", use(issued.Token, "203.0.114.1"), identity.ForeignAddress)
	}
	if got := queriestest.LookUp(t, db, "select host(used_from) from tokens"); got != "203.0.113.77" {
		t.Errorf("used from %s", got)
	}

	for _, overlap := range []time.Duration{-time.Second, identity.MaxTokenOverlap + time.Second} {
		if _, err := db.Identity.RotateServiceToken(ctx, admin, issued.ID, overlap); err == nil || err.Error() != (queries.FieldErrors{"overlap": "token.overlap.invalid"}).Error() {
			t.Errorf("an overlap of %s: %v", overlap, err)
		}
	}
	second, err := db.Identity.RotateServiceToken(ctx, admin, issued.ID, time.Hour)
	if err != nil || status(issued.ID) != identity.TokenRotated || status(second.ID) != identity.TokenActive {
		t.Fatalf("rotated: %v", err)
	}
	_, err = db.Identity.RotateServiceToken(ctx, admin, issued.ID, time.Hour)
	expect("rotating twice", err, queries.Conflict("token.rotation.ended"))
	clock.Advance(59 * time.Minute)
	expect("the token before", use(issued.Token, "203.0.113.77"), nil)
	expect("the new token", use(second.Token, "198.51.100.5"), nil)
	clock.Advance(time.Minute)
	expect("the token before, after the overlap", use(issued.Token, "203.0.113.77"), queries.NotFound)
	third, err := db.Identity.RotateServiceToken(ctx, admin, second.ID, 0)
	if err != nil || status(second.ID) != identity.TokenExpired {
		t.Fatalf("rotated at once: %v", err)
	}
	expect("the token before, without an overlap", use(second.Token, "198.51.100.5"), queries.NotFound)
	clock.Advance(47 * time.Hour)
	expect("after its last day", use(third.Token, "198.51.100.5"), queries.NotFound)

	stranger := queries.Actor{CompanyID: queriestest.Other}
	_, err = db.Identity.RotateServiceToken(ctx, stranger, third.ID, 0)
	expect("another company rotates", err, queries.NotFound)
	_, err = db.Identity.EndServiceToken(ctx, stranger, third.ID)
	expect("another company ends", err, queries.NotFound)
	if ended, err := db.Identity.EndServiceToken(ctx, admin, third.ID); err != nil || ended {
		t.Errorf("ended what has expired: %t, %v", ended, err)
	}
	const changes = "select string_agg(action || ' ' || object_name || coalesce(' ' || (old::jsonb ->> 'expires_at'), ''), '; ' order by id) from changes where object_type = 'token'"
	if got := queriestest.LookUp(t, db, changes); got != "token.created 전자 결재; token.rotated 전자 결재 2026-11-20T11:00:00+09:00; token.rotated 전자 결재 2026-11-20T11:00:00+09:00" {
		t.Errorf("change log: %s", got)
	}
	const events = "select string_agg(concat_ws(' ', kind, reason, host(ip)), '; ' order by id) from access_events where reason <> 'expired'"
	if got := queriestest.LookUp(t, db, events); got != "token_created events 203.0.113.9; token_refused foreign_address 203.0.114.1; token_created events 203.0.113.9; token_created events 203.0.113.9" {
		t.Errorf("access history: %s", got)
	}
}

func TestRefusedServiceTokens(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	past, far := clock.Now(), clock.Now().AddDate(11, 0, 0)
	for name, test := range map[string]struct {
		draft identity.ServiceTokenDraft
		want  queries.FieldErrors
	}{
		"nothing":            {identity.ServiceTokenDraft{Name: " \t\u3164"}, queries.FieldErrors{"name": "token.name.required", "scopes": "token.scope.invalid"}},
		"a long name":        {identity.ServiceTokenDraft{Name: strings.Repeat("가", 51), Scopes: []string{"read"}}, queries.FieldErrors{"name": "token.name.long"}},
		"an unknown scope":   {identity.ServiceTokenDraft{Name: "a", Scopes: []string{"read", "write"}}, queries.FieldErrors{"scopes": "token.scope.invalid"}},
		"the past":           {identity.ServiceTokenDraft{Name: "a", Scopes: []string{"read"}, ExpiresAt: &past}, queries.FieldErrors{"expires_at": "token.expiry.invalid"}},
		"after eleven years": {identity.ServiceTokenDraft{Name: "a", Scopes: []string{"read"}, ExpiresAt: &far}, queries.FieldErrors{"expires_at": "token.expiry.invalid"}},
		"not an address":     {identity.ServiceTokenDraft{Name: "a", Scopes: []string{"read"}, Addresses: []string{"본사"}}, queries.FieldErrors{"allowed_addresses": "token.addresses.invalid"}},
		"a blank address":    {identity.ServiceTokenDraft{Name: "a", Scopes: []string{"read"}, Addresses: []string{""}}, queries.FieldErrors{"allowed_addresses": "token.addresses.invalid"}},
		"too many":           {identity.ServiceTokenDraft{Name: "a", Scopes: []string{"read"}, Addresses: slices.Repeat([]string{"203.0.113.1"}, 51)}, queries.FieldErrors{"allowed_addresses": "token.addresses.many"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, test.draft)
			var got queries.FieldErrors
			if !errors.As(err, &got) || got.Error() != test.want.Error() {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}
