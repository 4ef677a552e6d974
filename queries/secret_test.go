package queries_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
	"officeconsole/seal"
)

// secretsOf gives the company a provider and a webhook whose secret was replaced, and
// returns their secrets.
func secretsOf(t *testing.T, db *areas.Areas) []string {
	t.Helper()
	by := queriestest.AdminActor(t, db)
	p := queriestest.NewSignOnProvider(t, db)
	p.Create(t, db, p.Draft())
	first, err := db.Webhooks.Create(t.Context(), by, webhook.Draft{URL: "https://hooks.example/console"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := db.Webhooks.RotateSecret(t.Context(), by, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return []string{queriestest.SignOnSecret, first, second}
}

// findText returns the tables that have one of some texts in any column.
func findText(t *testing.T, db *areas.Areas, texts []string) (found []string) {
	t.Helper()
	tables := queriestest.LookUp(t, db, `select string_agg(relname, ' ') from pg_class
		where relkind = 'r' and relnamespace = current_schema()::regnamespace`)
	for _, table := range strings.Fields(tables) {
		for _, text := range texts {
			// Columns of bytes are written in hexadecimal.
			if n := queriestest.LookUp(t, db, "select count(*)::text from "+table+" t where strpos(t::text, $1) > 0 or strpos(t::text, encode($1::text::bytea, 'hex')) > 0", text); n != "0" {
				found = append(found, table)
			}
		}
	}
	return found
}

func TestNoSecretIsStoredAsItIs(t *testing.T) {
	db := queriestest.New(t)
	secrets := secretsOf(t, db)
	if found := findText(t, db, secrets); len(found) > 0 {
		t.Errorf("secrets are in %v", found)
	}
	queriestest.Exec(t, db, "update webhooks set secret = $1", secrets[1])
	if found := findText(t, db, secrets); fmt.Sprint(found) != "[webhooks]" {
		t.Errorf("the search finds %v", found)
	}
}

// What was stored before there were keys is sealed, once and for the row it is in.
func TestSealPlain(t *testing.T) {
	db := queriestest.New(t)
	secrets := secretsOf(t, db)
	queriestest.Exec(t, db, "update webhooks set secret = $1, previous_secret = $2", secrets[2], secrets[1])
	queriestest.Exec(t, db, "update providers set client_secret = $1", secrets[0])
	for _, want := range []int{3, 0} {
		if n, err := db.SealPlain(t.Context()); n != want || err != nil {
			t.Errorf("sealed %d, %v, want %d", n, err, want)
		}
	}
	if found := findText(t, db, secrets); len(found) > 0 {
		t.Errorf("secrets are in %v", found)
	}
	e, err := db.Webhooks.Endpoint(t.Context(), queriestest.Hanbit)
	if err != nil || e.Secret != secrets[2] || *e.PreviousSecret != secrets[1] {
		t.Errorf("%+v, %v", e, err)
	}
}

// A sealed text that somebody copies to another row or column signs nothing.
func TestSecretsOfOtherRows(t *testing.T) {
	db := queriestest.New(t)
	secretsOf(t, db)
	queriestest.Exec(t, db, `insert into webhooks (company_id, url, types, enabled, secret, secret_at, updated_at, last_message_id)
		select 2, url, types, enabled, secret, secret_at, updated_at, 0 from webhooks where company_id = 1`)
	refused := func(company int64) {
		t.Helper()
		if e, err := db.Webhooks.Endpoint(t.Context(), company); !errors.Is(err, queries.Invalid("secret.unavailable")) || !errors.Is(err, seal.ErrAltered) || e.Secret != "" {
			t.Errorf("%+v, %v", e, err)
		}
	}
	refused(queriestest.Other)
	queriestest.Exec(t, db, "update webhooks set secret = previous_secret where company_id = 1")
	refused(queriestest.Hanbit)
}

func TestRotateSecrets(t *testing.T) {
	db := queriestest.New(t)
	secretsOf(t, db)
	keys := func(secrets ...byte) *seal.Keys {
		t.Helper()
		all := make([][]byte, len(secrets))
		for i, secret := range secrets {
			all[i] = bytes.Repeat([]byte{secret}, seal.KeyBytes)
		}
		k, err := seal.New(all...)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	admit := func(k *seal.Keys, refused bool) {
		t.Helper()
		if err := db.AdmitKeys(t.Context(), k); (err != nil) != refused {
			t.Errorf("admitted: %v", err)
		}
	}
	opens := func(k *seal.Keys, want error) {
		t.Helper()
		db.UseKeys(k)
		if _, err := db.Webhooks.Endpoint(t.Context(), queriestest.Hanbit); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	admit(queriestest.Keys(), false)
	admit(keys(8), true)
	admit(keys(8, 7), false)
	opens(keys(8), seal.ErrUnknownKey)
	if n, err := db.RotateSecrets(t.Context()); n != 0 || !errors.Is(err, seal.ErrUnknownKey) {
		t.Errorf("rotated %d without the earlier key: %v", n, err)
	}
	opens(keys(8, 7), nil)
	for _, want := range []int{3, 0} {
		if n, err := db.RotateSecrets(t.Context()); n != want || err != nil {
			t.Errorf("rotated %d, %v, want %d", n, err, want)
		}
	}
	opens(keys(8), nil)
	opens(queriestest.Keys(), seal.ErrUnknownKey)
	admit(queriestest.Keys(), true)
	admit(keys(8), false)

	// Nothing is sealed with the key any more, so a server with another one may start.
	queriestest.Exec(t, db, "delete from webhooks")
	queriestest.Exec(t, db, "delete from providers")
	admit(keys(9), false)
	if got := queriestest.LookUp(t, db, "select count(*) from secret_keys"); got != "1" {
		t.Errorf("%s keys may have sealed something", got)
	}
}
