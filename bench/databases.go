package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/demo"
	"officeconsole/postgres"
	"officeconsole/queries/areas"
	"officeconsole/queries/migrations"
)

// departments is the number of departments of every company, whatever its size,
// so that all have the same two hundred policies and only the number of users
// differs. The part that measures policies uses more departments.
const departments = 8_000

// databases are companies of several sizes on a built-in server, each in a
// database of its own. They are reused by the next run, because filling takes
// longer than measuring.
type databases struct {
	server *postgres.Server
	pid    int // of the server's first process
}

func defaultDir() string {
	return filepath.Join(os.TempDir(), "officeconsole-bench-"+strconv.Itoa(os.Geteuid()))
}

func startDatabases(ctx context.Context, dir string) (*databases, error) {
	server, err := postgres.Start(ctx, dir, postgres.WithoutSync(), postgres.AsSuperuser(), postgres.WithSetting("shared_buffers", "512MB"))
	if errors.Is(err, postgres.ErrInUse) {
		return nil, fmt.Errorf("another benchmark is using this directory: wait for it, or choose another -dir: %w", err)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(string(file), "\n")
	pid, err := strconv.Atoi(first)
	return &databases{server, pid}, err
}

// processorTime returns the processor time of the server and its connections so
// far.
func (d *databases) processorTime() (time.Duration, error) {
	total, err := processorTimeOf(d.pid, true)
	if err != nil {
		return 0, err
	}
	path := fmt.Sprintf("/proc/%d/task/%d/children", d.pid, d.pid)
	children, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for child := range strings.FieldsSeq(string(children)) {
		pid, err := strconv.Atoi(child)
		if err != nil {
			return 0, err
		}
		used, err := processorTimeOf(pid, false)
		if err == nil { // it has not ended in the meantime
			total += used
		}
	}
	return total, nil
}

func (d *databases) stop() {
	if err := d.server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

// url returns the database URL of a company with a number of users.
func (d *databases) url(ctx context.Context, people int) (string, error) {
	return d.companyDatabase(ctx, demo.Options{Employees: people, Departments: departments})
}

// withAttendance returns the database URL of a company with a number of users
// and days of attendance.
func (d *databases) withAttendance(ctx context.Context, people, days int) (string, error) {
	return d.companyDatabase(ctx, demo.Options{Employees: people, Departments: departments, Days: days})
}

// companyDatabase returns the database URL of a company, which it creates if it
// does not exist.
func (d *databases) companyDatabase(ctx context.Context, o demo.Options) (string, error) {
	name := databasePrefix() + strconv.Itoa(o.Employees)
	if o.Days > 0 {
		name += "_" + strconv.Itoa(o.Days)
	}
	if o.Departments != departments {
		name += "_of_" + strconv.Itoa(o.Departments)
	}
	return d.database(ctx, name, func(at string) error { return fill(ctx, at, o) })
}

// database returns the URL of a database, which it creates and fills if it does not
// exist.
func (d *databases) database(ctx context.Context, name string, fill func(at string) error) (string, error) {
	conn, err := pgx.Connect(ctx, d.server.URL())
	if err != nil {
		return "", err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var made bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&made); err != nil || made {
		return inDatabase(d.server.URL(), name), err
	}
	if err := dropOutdated(ctx, conn); err != nil {
		return "", err
	}
	unfinished := name + "_unfinished"
	for _, statement := range []string{"drop database if exists " + unfinished + " with (force)", "create database " + unfinished} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return "", err
		}
	}
	if err := fill(inDatabase(d.server.URL(), unfinished)); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "alter database "+unfinished+" rename to "+name)
	return inDatabase(d.server.URL(), name), err
}

// dropOutdated drops the companies that have another schema.
func dropOutdated(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, "select datname from pg_database where datname like 'bench%' and not starts_with(datname, $1)", databasePrefix())
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, name := range names {
		if _, err := conn.Exec(ctx, "drop database "+pgx.Identifier{name}.Sanitize()); err != nil {
			return err
		}
	}
	return err
}

// databasePrefix returns the prefix of the databases that have the current
// schema.
func databasePrefix() string { return "bench_" + migrations.Hash()[:8] + "_" }

// openEmpty migrates an empty database and opens it.
func openEmpty(ctx context.Context, at string) (*areas.Areas, error) {
	if err := migrations.Run(ctx, at); err != nil {
		return nil, err
	}
	return areas.Open(ctx, at, time.Now)
}

func fill(ctx context.Context, at string, o demo.Options) error {
	db, err := openEmpty(ctx, at)
	if err != nil {
		return err
	}
	defer db.Close()
	began := time.Now()
	o.Seed, o.Today = 1, began
	err = demo.Fill(ctx, db.DB, o, nil)
	if err == nil {
		fmt.Fprintf(os.Stderr, "bench: created a company of %d people and %d days in %s\n", o.Employees, o.Days, time.Since(began).Round(time.Millisecond))
	}
	return err
}

func inDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		panic(err) // the server gave the address itself
	}
	u.Path = "/" + name
	return u.String()
}
