package main

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// A company grows out of the built-in database, and comes back.
func TestMoveThereAndBack(t *testing.T) {
	root := shortDir(t)
	builtIn, target := "--data-dir="+filepath.Join(root, "data"), queriestest.EmptyURL(t)
	s := serve(t, builtIn)
	must(t, "", "company", "create", builtIn, "--name", "가나상사", "--host", "gana.example")
	must(t, "", "user", "create", "--admin", builtIn, "--name", "나운영", "--email", "ops@gana.example")
	must(t, "Gana!2026x\n", "user", "set-password", builtIn, "ops@gana.example")
	if out, err := program(t, "", "move", builtIn, "--to", target); err == nil || !strings.Contains(err.Error(), "stop the console") {
		t.Errorf("moved while the console serves: %v\n%s", err, out)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}

	out := must(t, "", "move", builtIn, "--to", target)
	for _, says := range []string{"rows of", "Set OFFICECONSOLE_DATABASE_URL", "is as it was", "they stay where they are"} {
		if !strings.Contains(out, says) {
			t.Errorf("%q is not in:\n%s", says, out)
		}
	}
	if out, err := program(t, "", "move", builtIn, "--to", target); err == nil || !strings.Contains(err.Error(), "it is not empty") {
		t.Errorf("moved over a database: %v\n%s", err, out)
	}
	external := "--database-url=" + target
	if out := must(t, "", "verify", external); !strings.Contains(out, "gana.example: ") || !strings.Contains(out, "all as they were written") {
		t.Errorf("verify: %s", out)
	}
	moved := serve(t, external, builtIn)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&http.Client{Jar: jar}).PostForm(moved.url+"/login", url.Values{"email": {"ops@gana.example"}, "password": {"Gana!2026x"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Request.URL.Path != "/policies/communication/management" {
		t.Errorf("signing in led to %s with %d", answer.Request.URL, answer.StatusCode)
	}
	if err := moved.stop(); err != nil {
		t.Error(err)
	}

	again := "--data-dir=" + filepath.Join(root, "again")
	if out := must(t, "", "move", again, "--from", target); !strings.Contains(out, "Unset OFFICECONSOLE_DATABASE_URL") {
		t.Errorf("move back: %s", out)
	}
	if out := must(t, "", "company", "list", again); !strings.Contains(out, "gana.example") {
		t.Errorf("after the way back: %s", out)
	}
}

func TestMoveRefuses(t *testing.T) {
	root := shortDir(t)
	target := queriestest.EmptyURL(t)
	missing := strings.Replace(target, "/test_", "/none_", 1)
	for line, says := range map[string]string{
		"move --data-dir " + root: "--to",
		"move --data-dir " + root + " --to " + target + " --from " + target:                "can't be used together",
		"move --data-dir " + root + " --to " + target:                                      "no built-in database in " + root,
		"move --data-dir " + root + " --to " + missing:                                     "does not exist",
		"move --data-dir " + root + " --from " + missing:                                   "does not exist",
		"move --data-dir " + root + " --to postgres://%zz":                                 "database url",
		"move --data-dir " + root + " --to " + target + " --database-url postgres://other": "leave out --database-url",
		"database confirm-upgrade --data-dir " + root:                                      "no built-in database in " + root,
	} {
		if out, err := program(t, "", strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("in the directory: %v (%v)", entries, err)
	}
}
