// Command bench measures the cost of the console, where possible as ratios
// within one run: against a bare floor or a small company. It prints a table
// and never fails because something is slow.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"officeconsole/bench/growth"
	"officeconsole/handlers"
	"officeconsole/queries"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(queries.WithStatementTimeout(ctx, queries.BulkTimeout), os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one run: its options, database server and table.
type bench struct {
	full       bool
	pastPeople int
	importDays int
	costs      string
	binary     string
	before     string
	profile    string
	files      int
	accesses   int
	server     *databases
	table      table
}

// part is a group of figures that can be measured alone.
type part struct {
	name string
	do   func(context.Context, *bench) error
}

var parts = []part{{"render", render}, {"list", list}, {"directory", searchTimes}, {"policies", policies}, {"events", events}, {"senders", manySenders}, {"signin", signIns}, {"bot", bots}, {"notices", notices}, {"files", files}, {"access", access}, {"clients", clients}, {"command", command}, {"attendance", attendanceLoad}, {"past", past}, {"import", imports}, {"process", process}, {"costs", costs}, {"page", pages}}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	full := flags.Bool("full", false, "also a company of 1,000,000 people (a few minutes the first time)")
	only := flags.String("only", "", "parts to measure, by comma: render, list, directory, policies, events, senders, signin, bot, notices, files, access, clients, command, attendance, past, import, process, costs, page")
	fileCount := flags.Int("files", manyRows, "saved files of the large company of the part files")
	accessCount := flags.Int("accesses", manyRows, "rows of the large company of the part access, without -full")
	pastPeople := flags.Int("past-people", 10_000, "people of the company of the part past")
	importDays := flags.Int("import-days", 200_000, "days of the file of the part import, 2,000,000 at most")
	binary := flags.String("binary", "bin/officeconsole", "the program, for the parts render, process and page")
	before := flags.String("before", "", "another program, which the part render compares with")
	costsFile := flags.String("costs", "", "file for the figures of the part costs, which bench/growth reads: bench/growth/costs.json")
	grow := flags.Bool("growth", false, "print what the console needs for 1,000 to 1,000,000 companies, and measure nothing")
	profile := flags.String("profile", "", "file for a CPU profile of the parts render or list")
	dir := flags.String("dir", defaultDir(), "directory of the companies, which the next run reuses")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *grow {
		return printGrowth(os.Stdout)
	}
	quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer quiet.Close()
	slog.SetDefault(slog.New(handlers.WithRequestID(slog.NewJSONHandler(quiet, nil)))) // requests are logged as in production
	// The programs that are measured find the keys and files of the companies that the
	// next run reuses, and leave those of an installed console alone.
	if err := os.Setenv("OFFICECONSOLE_DATA_DIR", filepath.Join(*dir, "console")); err != nil {
		return err
	}
	server, err := startDatabases(ctx, *dir)
	if err != nil {
		return err
	}
	defer server.stop()
	b := &bench{full: *full, costs: *costsFile, binary: *binary, before: *before, profile: *profile, files: *fileCount, accesses: *accessCount, pastPeople: *pastPeople, importDays: *importDays, server: server, table: table{out: os.Stdout}}
	for _, p := range parts {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), p.name) {
			continue
		}
		if err := p.do(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// printGrowth prints the tables of docs/scaling.md.
func printGrowth(out io.Writer) error {
	measured, err := growth.Measured()
	if err != nil {
		return err
	}
	text, err := growth.Print(measured)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}

// size is the number of users of the usual company.
const size = 100_000

// sizes returns the numbers of users of the companies to compare, the reference
// first.
func (b *bench) sizes() []int {
	if b.full {
		return []int{1_000, 100_000, 1_000_000}
	}
	return []int{1_000, 100_000}
}
