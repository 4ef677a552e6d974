// Command chaos breaks what the console depends on while it is under load, and finds
// out whether everything that it acknowledged is there, once. It prints a table, and
// ends with status 1 if something was lost or doubled or did not recover. With -soak it
// drives a steady load for hours instead, and finds out whether anything grows.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// demoPassword is the password of all accounts of the demo company.
const demoPassword = "Console!2026"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

// errFailed is the error of a run whose report says what is wrong.
var errFailed = errors.New("the report above says what is wrong")

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	binary := flags.String("binary", "bin/officeconsole", "the program")
	only := flags.String("only", "", "only faults whose name contains this text")
	lasting := flags.Duration("soak", 0, "drive a steady load for this time instead, 2h")
	d := deploymentFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	program, err := filepath.Abs(*binary)
	if err != nil {
		return err
	}
	r := &report{out: os.Stdout, notes: os.Stderr}
	switch {
	case d.at != "":
		err = d.run(ctx, program, r)
	case *lasting > 0:
		err = soak(ctx, program, *lasting, r)
	default:
		err = breakAll(ctx, program, *only, r)
	}
	if err == nil && r.failed {
		err = errFailed
	}
	return err
}
