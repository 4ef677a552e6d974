package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// readPassword reads a new password: from a terminal twice and without an echo, from
// elsewhere as one line.
func (c *commands) readPassword(ctx context.Context, email string) (string, error) {
	fmt.Fprintf(c.stderr, "New password for %s: ", email)
	terminal, ok := c.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		line, err := bufio.NewReader(c.stdin).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	password, err := readWithoutEcho(ctx, int(terminal.Fd()))
	fmt.Fprintln(c.stderr)
	if err != nil {
		return "", err
	}
	fmt.Fprint(c.stderr, "The same again: ")
	again, err := readWithoutEcho(ctx, int(terminal.Fd()))
	fmt.Fprintln(c.stderr)
	if err == nil && password != again {
		err = errors.New("the two passwords differ: nothing was changed")
	}
	return password, err
}

// readWithoutEcho reads a line from a terminal, which echoes again afterwards, also if
// a signal ends the program meanwhile.
func readWithoutEcho(ctx context.Context, terminal int) (string, error) {
	before, err := term.GetState(terminal)
	if err != nil {
		return "", err
	}
	type result struct {
		line []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		line, err := term.ReadPassword(terminal)
		read <- result{line, err}
	}()
	select {
	case r := <-read:
		return string(r.line), r.err
	case <-ctx.Done():
		return "", errors.Join(errors.New("interrupted: nothing was changed"), term.Restore(terminal, before))
	}
}
