package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"officeconsole/queries/queriestest"
)

// A server backs itself up, a command does beside it, and what is restored lets people
// sign in.
func TestBackupAndRestore(t *testing.T) {
	root := shortDir(t)
	dir, backups := filepath.Join(root, "data"), filepath.Join(root, "backups")
	if err := os.Mkdir(backups, 0o700); err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--data-dir", dir, "--backup-dir", backups, "--backup-keep", "3")
	for !strings.Contains(s.log.String(), `"msg":"backup written"`) {
		<-s.log.more
	}
	data := "--data-dir=" + dir
	must(t, "", "company", "create", data, "--name", "가나상사", "--host", "gana.example")
	must(t, "", "user", "create", "--admin", data, "--name", "나운영", "--email", "ops@gana.example")
	must(t, "Gana!2026x\n", "user", "set-password", data, "ops@gana.example")

	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(root, "identity")
	if err := os.WriteFile(key, []byte(identity.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out := must(t, "", "backup", data, "--to", root, "--backup-recipient", identity.Recipient().String(), "--with-secret-key")
	if !strings.Contains(out, "It contains the database") {
		t.Errorf("backup: %s", out)
	}
	made, err := filepath.Glob(filepath.Join(root, "officeconsole-*.tar.zst.age"))
	if err != nil || len(made) != 1 {
		t.Fatalf("archives: %v (%v)", made, err)
	}
	if out := must(t, "", "backup", "verify", made[0], "--identity", key, "--scratch", root); !strings.Contains(out, "The backup can be restored.") {
		t.Errorf("verify: %s", out)
	}
	scheduled, err := filepath.Glob(filepath.Join(backups, "officeconsole-*.tar.zst"))
	if err != nil || len(scheduled) != 1 {
		t.Fatalf("scheduled archives: %v (%v)", scheduled, err)
	}
	if err := s.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}

	restored := "--data-dir=" + filepath.Join(root, "restored")
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := run(interrupted, []string{"restore", restored, scheduled[0]}, strings.NewReader(""), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "the restore was interrupted: nothing of it is left in "+root) {
		t.Errorf("interrupted: %v", err)
	}
	must(t, "", "restore", restored, made[0], "--identity", key)
	if out, err := program(t, "", "restore", restored, scheduled[0]); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("restored over a database: %v\n%s", err, out)
	}
	again := serve(t, restored)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	answer, err := client.PostForm(again.url+"/login", url.Values{"email": {"ops@gana.example"}, "password": {"Gana!2026x"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Request.URL.Path != "/policies/communication/management" {
		t.Errorf("signing in led to %s with %d", answer.Request.URL, answer.StatusCode)
	}
}

// Neither the server nor a command takes what a killed restore has left for a new data
// directory.
func TestUnfinishedRestore(t *testing.T) {
	dir := filepath.Join(shortDir(t), "data")
	for _, part := range []string{"data.unfinished", "blobs", "restore.unfinished"} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"serve --listen 127.0.0.1:0", "verify", "migrate", "company create --name x --host x.example", "backup"} {
		out, err := program(t, "", append(strings.Fields(line), "--data-dir", dir)...)
		if exitCode(err) != 1 || err == nil || !strings.Contains(err.Error(), "was not finished: remove the directory and restore again") {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a cluster was created: %v", err)
	}
}

func TestBackupRefuses(t *testing.T) {
	root := shortDir(t)
	database := "--database-url=" + queriestest.EmptyURL(t)
	for line, says := range map[string]string{
		"backup --data-dir " + root:                                        "no built-in database in " + root,
		"backup --with-secret-key --data-dir " + root:                      "needs --backup-recipient",
		"backup --backup-recipient age1 --data-dir " + root:                "--backup-recipient",
		"backup " + database:                                               "pgBackRest",
		"restore main.go " + database:                                      "pgBackRest",
		"restore main.go --data-dir " + filepath.Join(root, "new"):         "no archive",
		"backup verify main.go":                                            "no archive",
		"serve --listen 127.0.0.1:0 --backup-dir " + root + " " + database: "pgBackRest",
		"serve --listen 127.0.0.1:0 --data-dir " + filepath.Join(root, "d") + " --backup-dir " + filepath.Join(root, "none"): "no such file",
	} {
		if out, err := program(t, "", strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 1 { // the data directory of serve
		t.Errorf("in the directory: %v (%v)", entries, err)
	}
}
