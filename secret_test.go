package main

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
	"officeconsole/seal"
)

// writeKeys writes a secret key file.
func writeKeys(t *testing.T, keys ...byte) string {
	t.Helper()
	path, content := filepath.Join(t.TempDir(), "keys"), ""
	for _, key := range keys {
		content += base64.StdEncoding.EncodeToString([]byte(strings.Repeat(string(rune(key)), seal.KeyBytes))) + "\n"
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// serveOnce starts the server, and stops it when it has answered.
func serveOnce(t *testing.T, args ...string) {
	t.Helper()
	s := serve(t, args...)
	if got := status(t, http.DefaultClient, s.url+"/readyz"); got != http.StatusOK {
		t.Errorf("the server answers %d", got)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
}

// A server seals what was stored as it is, and refuses to start with another key,
// which changes nothing. Commands need the same key, and rotate it.
func TestSecretKeyFile(t *testing.T) {
	url := queriestest.URL(t)
	db, err := areas.Open(t.Context(), url, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.UseKeys(queriestest.Keys())
	if _, err := db.Webhooks.Create(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, webhook.Draft{URL: "https://hooks.example/console"}); err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "update webhooks set secret = 'whsec_plain', previous_secret = 'whsec_before', previous_until = now() + interval '1 hour'")
	stored := func() string {
		t.Helper()
		return queriestest.LookUp(t, db, "select secret || ' ' || previous_secret from webhooks")
	}
	of := func(keys string) []string {
		return []string{"--database-url=" + url, "--data-dir=" + t.TempDir(), "--secret-key-file=" + keys}
	}
	first, other, both := writeKeys(t, 'a'), writeKeys(t, 'b'), writeKeys(t, 'b', 'a')

	blobs := "--blob-url=" + t.TempDir()
	serveOnce(t, append(of(first), blobs)...)
	sealed := stored()
	if strings.Contains(sealed, "whsec") || strings.Count(sealed, seal.Mark) != 2 {
		t.Fatalf("stored: %s", sealed)
	}
	for _, wrong := range [][]string{of(other), of(filepath.Join(t.TempDir(), "missing")), of(first)[:2]} {
		if out, err := program(t, "", append([]string{"serve", "--listen=127.0.0.1:0"}, wrong...)...); err == nil || !strings.Contains(err.Error(), "secret key") {
			t.Errorf("serve %v: %v\n%s", wrong[2:], err, out)
		}
		if out, err := program(t, "", append([]string{"secrets", "rotate"}, wrong...)...); err == nil || !strings.Contains(err.Error(), "secret key") {
			t.Errorf("rotate %v: %v\n%s", wrong[2:], err, out)
		}
		must(t, "", append([]string{"company", "list"}, wrong...)...) // needs no secret
	}
	if stored() != sealed {
		t.Error("a wrong key changed the secrets")
	}

	if out := must(t, "", append([]string{"secrets", "rotate"}, of(both)...)...); !strings.Contains(out, "2 secrets") {
		t.Errorf("rotate: %s", out)
	}
	if stored() == sealed {
		t.Error("the secrets are sealed with the earlier key")
	}
	keys, err := seal.Load(other)
	if err != nil {
		t.Fatal(err)
	}
	db.UseKeys(keys)
	e, err := db.Webhooks.Endpoint(t.Context(), queriestest.Hanbit)
	if err != nil || e.Secret != "whsec_plain" || *e.PreviousSecret != "whsec_before" {
		t.Errorf("%+v, %v", e, err)
	}
	serveOnce(t, append(of(other), blobs)...)
	if out, err := program(t, "", append([]string{"serve", "--listen=127.0.0.1:0"}, of(first)...)...); err == nil {
		t.Errorf("serves with the earlier key: %s", out)
	}
}

// The first start of a server creates the file, which only its owner can read; a
// command on a database of others never does.
func TestSecretKeyFileIsCreated(t *testing.T) {
	url, dir := queriestest.URL(t), t.TempDir()
	path := filepath.Join(dir, keyFile)
	of := []string{"--database-url=" + url, "--data-dir=" + dir}
	must(t, "", append([]string{"company", "list"}, of...)...)
	if _, err := os.Stat(path); err == nil {
		t.Fatal("a command created the file")
	}
	serveOnce(t, of...)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	serveOnce(t, of...) // with the file
}
