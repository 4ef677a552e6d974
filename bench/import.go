package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/demo"
	"officeconsole/queries/areas"
)

// importedDays is the number of days of each person in the file of the part import.
const importedDays = 300

// imports measures the command that imports attendance, with its memory, and
// compares it with a bare COPY of the rows that it leaves.
func imports(ctx context.Context, b *bench) error {
	people := max(1, b.importDays/importedDays)
	database, err := b.server.companyDatabase(ctx, demo.Options{Employees: people, Departments: max(1, people/20)})
	if err != nil {
		return err
	}
	db, err := areas.Open(ctx, database, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	i := &importBench{db: db, b: b, database: database}
	if err := i.writeFile(ctx); err != nil {
		return err
	}
	defer os.Remove(i.file)
	if err := i.clear(ctx); err != nil {
		return err
	}
	b.table.head(fmt.Sprintf("Import of attendance: %s days of %s people", thousands(i.days), thousands(people)))
	ours, err := i.run(ctx)
	if err != nil {
		return err
	}
	bare, err := i.copyRows(ctx)
	if err != nil {
		return err
	}
	b.table.row("time of the command", "", ours.took.Round(100*time.Millisecond).String())
	b.table.row("days per second", "≥ 8,400", fmt.Sprintf("%.0f", float64(i.days)/ours.took.Seconds()))
	b.table.row("relative to a bare COPY", "", fmt.Sprintf("%.2f", bare.Seconds()/ours.took.Seconds()))
	b.table.row("most memory of the program, MiB", "≤ 300", fmt.Sprintf("%.0f", ours.memory))
	b.table.row("processor time of the program, of the database", "", fmt.Sprintf("%.1f s, %.1f s", ours.program.Seconds(), ours.server.Seconds()))
	return i.clear(ctx)
}

type importBench struct {
	db       *areas.Areas
	b        *bench
	database string
	file     string
	days     int
}

// writeFile writes the clock times of the company's people on working days up to yesterday.
func (i *importBench) writeFile(ctx context.Context) error {
	rows, err := i.db.Pool().Query(ctx, "select employee_id from users where company_id = 1 and employee_id <> '' and not bot and hidden_at is null order by id")
	if err != nil {
		return err
	}
	people, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	file, err := os.CreateTemp("", "attendance-*.csv")
	if err != nil {
		return err
	}
	defer file.Close()
	i.file = file.Name()
	if err := os.Chmod(i.file, 0o644); err != nil { // the program may run as another account
		return err
	}
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "employee_id,work_date,arrival,departure")
	date := time.Now().UTC().Truncate(24 * time.Hour)
	for count := 0; count < importedDays; {
		date = date.AddDate(0, 0, -1)
		if date.Weekday() == time.Saturday || date.Weekday() == time.Sunday {
			continue
		}
		count++
		for n, id := range people {
			late := (n*7 + count*13) % 40
			fmt.Fprintf(out, "%s,%s,08:%02d,18:%02d\n", id, date.Format(time.DateOnly), 20+late, late)
			i.days++
		}
	}
	return out.Flush()
}

// clear removes what an import has left.
func (i *importBench) clear(ctx context.Context) error {
	for _, table := range []string{"attendance_import_people", "clock_events", "day_records", "attendance_months", "attendance_imports"} {
		if _, err := i.db.Pool().Exec(ctx, "delete from "+table+" where company_id = 1"); err != nil {
			return err
		}
		if _, err := i.db.Pool().Exec(ctx, "vacuum "+table); err != nil {
			return err
		}
	}
	return nil
}

type importCost struct {
	took, program, server time.Duration
	memory                float64 // MiB
}

func (i *importBench) run(ctx context.Context) (cost importCost, err error) {
	binary, err := filepath.Abs(i.b.binary)
	if err != nil {
		return cost, err
	}
	used, err := i.b.server.processorTime()
	if err != nil {
		return cost, err
	}
	var host string
	if err := i.db.Pool().QueryRow(ctx, "select host from companies where id = 1").Scan(&host); err != nil {
		return cost, err
	}
	command := exec.CommandContext(ctx, binary, "import", "attendance", "--company", host, "--skip-bad", i.file)
	command.Env = append(os.Environ(), "OFFICECONSOLE_DATABASE_URL="+i.database, "OFFICECONSOLE_DATA_DIR="+filepath.Dir(i.file))
	began := time.Now()
	output, err := command.CombinedOutput()
	if code := command.ProcessState.ExitCode(); code != 0 && code != 2 { // 2: some rows are refused
		return cost, fmt.Errorf("import: %w: %s", err, output)
	}
	cost.took = time.Since(began)
	after, err := i.b.server.processorTime()
	if err != nil {
		return cost, err
	}
	cost.server = after - used
	cost.program = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
		cost.memory = float64(usage.Maxrss) / 1024
	}
	return cost, i.checkComplete(ctx)
}

func (i *importBench) checkComplete(ctx context.Context) error {
	var records int
	if err := i.db.Pool().QueryRow(ctx, "select count(*) from day_records where company_id = 1 and departure_at is not null").Scan(&records); err != nil {
		return err
	}
	if records < i.days*9/10 {
		return fmt.Errorf("the import has written %d of %d days", records, i.days)
	}
	return nil
}

// copyRows writes the events and records of the import again by COPY and
// returns how long that takes.
func (i *importBench) copyRows(ctx context.Context) (took time.Duration, err error) {
	for _, table := range []string{"clock_events", "day_records"} {
		for _, statement := range []string{
			"create table copied as select * from " + table + " where company_id = 1",
			"delete from " + table + " where company_id = 1",
		} {
			if _, err := i.db.Pool().Exec(ctx, statement); err != nil {
				return 0, err
			}
		}
		if _, err := i.db.Pool().Exec(ctx, "vacuum "+table); err != nil {
			return 0, err
		}
		one, err := i.copyTable(ctx, table)
		if err != nil {
			return 0, err
		}
		took += one
		if _, err := i.db.Pool().Exec(ctx, "drop table copied"); err != nil {
			return 0, err
		}
	}
	return took, nil
}

// copyTable copies the table copied into another one, from one connection to another.
func (i *importBench) copyTable(ctx context.Context, table string) (time.Duration, error) {
	from, err := i.db.Pool().Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer from.Release()
	into, err := i.db.Pool().Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer into.Release()
	read, write, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer read.Close()
	began := time.Now()
	sent := make(chan error, 1)
	go func() {
		_, err := from.Conn().PgConn().CopyTo(ctx, write, "copy copied to stdout (format binary)")
		write.Close()
		sent <- err
	}()
	if _, err := into.Conn().PgConn().CopyFrom(ctx, read, "copy "+table+" from stdin (format binary)"); err != nil {
		return 0, err
	}
	if err := <-sent; err != nil {
		return 0, err
	}
	return time.Since(began), nil
}
