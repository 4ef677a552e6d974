package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"officeconsole/queries/queriestest"
)

// openTerminal returns the two ends of a pseudo-terminal: what a person types into and
// reads from, and the terminal of a program.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if program, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// waitForEcho waits until a terminal echoes or does not.
func waitForEcho(t *testing.T, terminal *os.File, want bool) {
	t.Helper()
	eventually(t, fmt.Sprintf("an echo that is %t", want), func() bool {
		state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		return (state.Lflag&unix.ECHO != 0) == want
	})
}

func TestPasswordIsNotShown(t *testing.T) {
	url := queriestest.URL(t)
	setPassword := func(ctx context.Context, terminal *os.File) chan error {
		done := make(chan error, 1)
		go func() {
			done <- run(ctx, []string{"user", "set-password", "employee@hanbit.example", "--database-url=" + url}, terminal, terminal, terminal)
		}()
		return done
	}
	for second, want := range map[string]string{"Gana!2026x": "", "Gana!2026y": "the two passwords differ"} {
		person, terminal := openTerminal(t)
		shown := newOutput()
		go func() { _, _ = io.Copy(shown, person) }()
		done := setPassword(t.Context(), terminal)
		for _, step := range []struct{ prompt, answer string }{{"New password for employee@hanbit.example: ", "Gana!2026x"}, {"The same again: ", second}} {
			for !strings.Contains(shown.String(), step.prompt) {
				<-shown.more
			}
			waitForEcho(t, terminal, false)
			if _, err := person.WriteString(step.answer + "\n"); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-done; (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("then %s: %v", second, err)
		}
		waitForEcho(t, terminal, true)
		if text := shown.String(); strings.Contains(text, "Gana") {
			t.Errorf("the terminal shows %q", text)
		}
	}
	_, terminal := openTerminal(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := setPassword(ctx, terminal)
	waitForEcho(t, terminal, false)
	cancel()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("interrupted: %v", err)
	}
	waitForEcho(t, terminal, true)
}
