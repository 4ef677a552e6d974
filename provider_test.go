package main

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/seal"
)

func TestProviderCommands(t *testing.T) {
	url := queriestest.URL(t)
	db, err := areas.Open(t.Context(), url, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	provider := queriestest.NewSignOnProvider(t, db)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(queriestest.SignOnSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := writeKeys(t, 'a')
	of := []string{"--database-url=" + url, "--company=hanbit.example", "--issuer=" + provider.URL, "--data-dir=" + t.TempDir()}
	allow := "--webhook-allow=127.0.0.1/32"
	create := append([]string{"provider", "create", "--client-id=console", "--client-secret-file=" + secret, "--domain=hanbit.example"}, of...)
	if out, err := program(t, "", create...); err == nil || !strings.Contains(err.Error(), "must begin with https") {
		t.Errorf("without permission: %v, %s", err, out)
	}
	if out, err := program(t, "", append(create, allow)...); err == nil || !strings.Contains(err.Error(), "secret key") {
		t.Errorf("without the key: %v, %s", err, out)
	}
	must(t, "", append(create, allow, "--secret-key-file="+keys)...)
	loaded, err := seal.Load(keys)
	if err != nil {
		t.Fatal(err)
	}
	db.UseKeys(loaded)
	stored := queriestest.LookUp(t, db, "select client_secret from providers where name = $1", strings.TrimPrefix(provider.URL, "http://"))
	id, err := strconv.ParseInt(queriestest.LookUp(t, db, "select id::text from providers"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := db.OpenSecret(t.Context(), seal.Field{Table: "providers", Column: "client_secret", CompanyID: queriestest.Hanbit, RowID: id}, stored); err != nil || got != queriestest.SignOnSecret {
		t.Errorf("stored %q, %v", got, err)
	}
	if out := must(t, "", "provider", "list", of[0], of[1]); !strings.Contains(out, provider.URL) || strings.Contains(out, queriestest.SignOnSecret) {
		t.Errorf("list: %s", out)
	}
	test := append([]string{"provider", "test", allow}, of...)
	if out := must(t, "", test...); !strings.Contains(out, "ok       discovery") || !strings.Contains(out, "ok       keys 1") {
		t.Errorf("test: %s", out)
	}
	provider.Answer = http.NotFound
	if out, err := program(t, "", test...); !errors.Is(err, errTrial) || !strings.Contains(out, "failed   discovery") {
		t.Errorf("test of one that is down: %v, %s", err, out)
	}
	if out := must(t, "", "provider", "unlink", of[0], "employee@hanbit.example"); !strings.Contains(out, "0 identities") {
		t.Errorf("unlink: %s", out)
	}
	if _, err := program(t, "", "provider", "delete", of[0], of[1]); err == nil || !strings.Contains(err.Error(), "--issuer or --id") {
		t.Errorf("deleted without a name: %v", err)
	}
	// Where two have the issuer, the first one by name is not meant by it.
	must(t, "", append([]string{"provider", "create", "--client-id=second", "--client-secret-file=" + secret, "--domain=lab.example", "--name=a", allow, "--secret-key-file=" + keys}, of...)...)
	second := queriestest.LookUp(t, db, "select id::text from providers where client_id = 'second'")
	for _, command := range []string{"delete", "test"} {
		_, err := program(t, "", append([]string{"provider", command}, of...)...)
		if err == nil || !strings.Contains(err.Error(), "--id "+strconv.FormatInt(id, 10)+": ") || !strings.Contains(err.Error(), "--id "+second+": a, client second, domains lab.example") {
			t.Errorf("%s of two: %v", command, err)
		}
	}
	if _, err := program(t, "", append([]string{"provider", "delete", "--id=999"}, of...)...); err == nil || !strings.Contains(err.Error(), "no provider 999 with the issuer") {
		t.Errorf("deleted an unknown one: %v", err)
	}
	if out := must(t, "", append([]string{"provider", "delete", "--id=" + second}, of...)...); !strings.Contains(out, "Provider "+second+", a, was deleted") {
		t.Errorf("deleted by id: %s", out)
	}
	must(t, "", append([]string{"provider", "delete"}, of...)...)
	if _, err := program(t, "", append([]string{"provider", "delete"}, of...)...); err == nil {
		t.Error("deleted twice")
	}
}

func TestProviderCommandsOfSAML(t *testing.T) {
	url := queriestest.URL(t)
	db, err := areas.Open(t.Context(), url, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	provider := queriestest.NewSAMLProvider(t, db)
	file := filepath.Join(t.TempDir(), "metadata.xml")
	if err := os.WriteFile(file, []byte(provider.Metadata()), 0o600); err != nil {
		t.Fatal(err)
	}
	of := []string{"--database-url=" + url, "--company=hanbit.example"}
	create := append([]string{"provider", "create", "--domain=hanbit.example", "--webhook-allow=127.0.0.1/32"}, of...)
	if out, err := program(t, "", append(create, "--saml-metadata="+file, "--issuer=https://id.example")...); err == nil {
		t.Errorf("of both kinds: %s", out)
	}
	if out, err := program(t, "", append(create, "--issuer=https://id.example")...); err == nil || !strings.Contains(err.Error(), "Please enter the client") {
		t.Errorf("without a secret: %v, %s", err, out)
	}
	for _, metadata := range []string{file, provider.EntityID} {
		if out := must(t, "", append(create, "--saml-metadata="+metadata)...); !strings.Contains(out, "/sso/saml/metadata") {
			t.Errorf("created: %s", out)
		}
		if out := must(t, "", append([]string{"provider", "list"}, of...)...); !strings.Contains(out, "saml") || !strings.Contains(out, provider.EntityID) {
			t.Errorf("list: %s", out)
		}
		if out := must(t, "", append([]string{"provider", "test", "--webhook-allow=127.0.0.1/32", "--issuer=" + provider.EntityID}, of...)...); !strings.Contains(out, "ok       keys 1") {
			t.Errorf("test: %s", out)
		}
		must(t, "", append([]string{"provider", "delete", "--issuer=" + provider.EntityID}, of...)...)
	}
}
