package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"officeconsole/queries/queriestest"
)

// An empty path is none: it does not name the current directory.
func TestEmptyPathIsNone(t *testing.T) {
	url := queriestest.EmptyURL(t)
	for _, name := range []string{"OFFICECONSOLE_SECRET_KEY_FILE", "OFFICECONSOLE_BACKUP_DIR", "OFFICECONSOLE_TLS_CERT", "OFFICECONSOLE_TLS_KEY"} {
		t.Setenv(name, "")
	}
	for _, empty := range [][]string{nil, {"--secret-key-file=", "--backup-dir=", "--tls-cert", "", "--tls-key", ""}} {
		s := serve(t, append(empty, "--database-url="+url)...)
		if got := status(t, http.DefaultClient, s.url+"/readyz"); got != http.StatusOK {
			t.Errorf("%q: status %d", empty, got)
		}
	}
	var options struct {
		Dir string `env:"OFFICECONSOLE_DATA_DIR" type:"path"`
		To  string `default:"." type:"path"`
	}
	parser, err := kong.New(&options, paths)
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for variable, want := range map[string]string{"": "", "data": filepath.Join(here, "data"), "/srv/data": "/srv/data"} {
		t.Setenv("OFFICECONSOLE_DATA_DIR", variable)
		if _, err := parser.Parse(nil); err != nil || options.Dir != want || options.To != here {
			t.Errorf("%q: %+v (%v)", variable, options, err)
		}
	}
}

// A command that waits for its input does not hear the first signal.
func TestSecondSignalEndsACommand(t *testing.T) {
	command := exec.Command(os.Args[0], "user", "set-password", "employee@hanbit.example", "--database-url="+queriestest.URL(t))
	command.Env = append(os.Environ(), asProgram+"=1")
	log := newOutput()
	command.Stderr = log
	input, err := command.StdinPipe()
	if err := errors.Join(err, command.Start()); err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	for !strings.Contains(log.String(), "New password for ") {
		<-log.more
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for range 50 {
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-ended:
			if err == nil {
				t.Error("it succeeded")
			}
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	_ = command.Process.Kill()
	t.Error("no signal ends the command")
}

// fullDevice is where nothing can be written.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// What is shown only once, and could not be shown, says what to do about it.
func TestSecretThatCannotBeShown(t *testing.T) {
	database := "--database-url=" + queriestest.EmptyURL(t)
	must(t, "", "company", "create", database, "--name", "가나상사", "--host", "gana.example")
	must(t, "", "user", "create", database, "--name", "이하나", "--email", "hana@gana.example")
	for _, step := range []struct{ line, want string }{
		{"token create --scope read", "officeconsole token revoke 1"},
		{"token rotate 1", "officeconsole token revoke 2"},
		{"user password-link hana@gana.example", "again"},
	} {
		err := run(t.Context(), append(strings.Fields(step.line), database), strings.NewReader(""), fullDevice{}, io.Discard)
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), step.want) {
			t.Errorf("%s: %v", step.line, err)
		}
	}
	if _, err := program(t, "", "token", "rotate", "2", database, "--overlap=-5h"); err == nil || !strings.Contains(err.Error(), "negative") {
		t.Errorf("a negative overlap: %v", err)
	}
}

// Accounts that do not exist are not announced.
func TestDemoBesideAnotherCompany(t *testing.T) {
	database := "--database-url=" + queriestest.EmptyURL(t)
	must(t, "", "company", "create", database, "--name", "가나상사", "--host", "gana.example")
	s := serve(t, "--demo", database)
	status(t, http.DefaultClient, s.url+"/readyz") // it has announced everything
	if out := s.out.String(); strings.Contains(out, "hanbit") || !strings.Contains(out, "There is no demo company") {
		t.Errorf("it announces\n%s", out)
	}
}

func TestInterruptionNamesItsCause(t *testing.T) {
	cause := errors.New("no such socket")
	for _, test := range []struct {
		err  error
		want string
	}{
		{context.Canceled, "interrupted"},
		{fmt.Errorf("query: %w", context.Canceled), "interrupted"},
		{fmt.Errorf("start: %w", errors.Join(context.Canceled, cause)), "interrupted: no such socket"},
		{errors.Join(fmt.Errorf("wait: %w", errors.Join(context.Canceled, cause)), nil), "interrupted: no such socket"},
	} {
		if got := explainInterrupt(test.err).Error(); got != test.want {
			t.Errorf("%v becomes %q, want %q", test.err, got, test.want)
		}
	}
}
