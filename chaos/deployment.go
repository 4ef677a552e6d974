package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// deployment is an installation that others started, and what to do to it.
type deployment struct {
	at, database  string
	host, email   string
	runs          int
	events, batch int
	fault, heal   string
	patience      time.Duration
	company       company
	consoles      []string
	oracle        oracle
}

func deploymentFlags(flags *flag.FlagSet) *deployment {
	d := &deployment{}
	flags.StringVar(&d.at, "at", "", "addresses of consoles of an existing deployment, by comma: http://10.0.0.1:8080,http://10.0.0.2:8080")
	flags.StringVar(&d.database, "database", "", "with -at: URL of its database, which must lead to the server that takes writes")
	flags.StringVar(&d.host, "token-company", "hanbit.example", "with -at: host of the company, whose administrator is admin@HOST unless -email says otherwise")
	flags.StringVar(&d.email, "email", "", "with -at: an administrator, whose password is in CHAOS_PASSWORD unless it is the demo's")
	flags.IntVar(&d.runs, "runs", 1, "with -at: how many times")
	flags.IntVar(&d.events, "events", 50_000, "with -at: events that each run has acknowledged, at least")
	flags.IntVar(&d.batch, "batch", 50, "with -at: events of a call")
	flags.StringVar(&d.fault, "fault", "none: true", "with -at: name and command of what happens in the middle of each run, 'kill the leader: COMMAND'")
	flags.StringVar(&d.heal, "heal", "", "with -at: command at the end of each run")
	flags.DurationVar(&d.patience, "patience", 3*time.Minute, "with -at: how long each part of a run may take")
	return d
}

// splitFault reads "NAME: COMMAND".
func splitFault(text string) (name, command string, err error) {
	name, command, found := strings.Cut(text, ": ")
	if !found || name == "" || command == "" {
		return "", "", fmt.Errorf("-fault %q is not like 'kill the leader: COMMAND'", text)
	}
	return name, command, nil
}

// run puts a load on the deployment several times, each time with the fault in the
// middle.
func (d *deployment) run(ctx context.Context, binary string, r *report) error {
	name, command, err := splitFault(d.fault)
	if err != nil {
		return err
	}
	if d.database == "" {
		return errors.New("-at needs -database, in which to look for what was acknowledged")
	}
	d.consoles, d.fault = strings.Split(d.at, ","), command
	d.company = company{email: cmp.Or(d.email, "admin@"+d.host), password: cmp.Or(os.Getenv("CHAOS_PASSWORD"), demoPassword)}
	d.oracle = oracle{database: d.database, verify: []string{binary, "verify"}, settings: append(os.Environ(), "OFFICECONSOLE_DATABASE_URL="+d.database)}
	if err := d.company.setUp(ctx, d.consoles, d.database); err != nil {
		return err
	}
	r.head()
	for n := range d.runs {
		w, err := d.once(ctx)
		if err != nil {
			return err
		}
		w.fault = fmt.Sprintf("%s, run %d", name, n+1)
		r.row(w)
	}
	return nil
}

func (d *deployment) once(ctx context.Context) (w row, err error) {
	l := startLoad(ctx, d.consoles, &d.company, pace{eventWriters: 6, batch: d.batch, savePause: 200 * time.Millisecond, readers: 3, pagePause: 100 * time.Millisecond})
	acknowledged := func(n int) func() bool { return func() bool { return l.ledger.count(events) >= n } }
	if !l.waitUntil(ctx, d.patience, acknowledged(d.events/2)) || !l.waitUntil(ctx, d.patience, func() bool { return l.tally.allSince(l.began) }) {
		l.end()
		return w, errors.Join(ctx.Err(), fmt.Errorf("the consoles acknowledged %d events in %v before the fault", l.ledger.count(events), d.patience))
	}
	w.load, w.faultAt = l, time.Now()
	failures := shell(ctx, d.fault)
	if !l.waitUntil(ctx, d.patience, acknowledged(d.events)) {
		failures = errors.Join(failures, fmt.Errorf("%d events after %v", l.ledger.count(events), d.patience))
	}
	w.healed = time.Now()
	if d.heal != "" {
		failures = errors.Join(failures, shell(ctx, d.heal))
	}
	w.again = l.waitUntil(ctx, d.patience, func() bool { return l.tally.allSince(w.healed) })
	l.end()
	w.took = time.Since(l.began)
	if failures != nil {
		w.failures = strings.ReplaceAll(failures.Error(), "\n", "; ")
	}
	w.found, err = d.oracle.judge(ctx, l)
	return w, err
}

// shell runs commands, whose output goes where the notes go.
func shell(ctx context.Context, commands string) error {
	command := exec.CommandContext(ctx, "sh", "-c", commands)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s: %w", commands, err)
	}
	return nil
}
