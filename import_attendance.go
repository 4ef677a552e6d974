package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
)

type importAttendanceCommand struct {
	File           string            `arg:"" optional:"" type:"existingfile" help:"The CSV file or workbook (.xlsx), a row for each person and day."`
	WideArrivals   string            `type:"existingfile" help:"Instead: arrivals, a row for each person and a column for each day."`
	WideDepartures string            `type:"existingfile" help:"The departures that belong to them."`
	DateFormat     string            `help:"How dates are written, as a Go or strftime layout: %d/%m/%Y. Needed where the order of day and month is not clear."`
	TimeFormat     string            `help:"How times are written, likewise: %H:%M."`
	Column         map[string]string `placeholder:"HEADING=NAME" help:"What the column of a heading is: employee_id, name, work_date, arrival, departure, device, place or leave, and nothing for a column to leave out. Repeat it for several."`
	Company        string            `help:"Host of the company; not needed when there is only one."`
	DryRun         bool              `help:"Say what would happen and write nothing."`
	SkipBad        bool              `help:"Import the good rows even if others are refused."`
	AllowMissing   bool              `help:"Accept people and days that only one of the two files with a column for each day has."`
	Overnight      bool              `help:"Take departures that are earlier than their arrivals as those of the next day, whatever the hours of the policy."`
	FillDays       bool              `help:"Count days without a row, between the first and the last date of each person, as days without clocking."`
	Replace        int64             `placeholder:"ID" help:"Revert this import first, in the same step. See \"import list\"."`
	readingOption
	reportOption
}

// importMemory is the number of bytes above which an import collects garbage
// more often: a third more than the days of the largest file need, so that it is hardly
// slower.
const importMemory = 216 << 20

func (i importAttendanceCommand) Run(ctx context.Context, c *commands) error {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(importMemory)
	}
	if (i.WideArrivals == "") != (i.WideDepartures == "") || (i.File == "") == (i.WideArrivals == "") {
		return errors.New("specify either FILE, or --wide-arrivals and --wide-departures")
	}
	if err := i.check(i.File, i.WideArrivals, i.WideDepartures); err != nil {
		return err
	}
	if i.WideArrivals != "" {
		arrivals, err := os.Stat(i.WideArrivals)
		if err != nil {
			return err
		}
		if departures, err := os.Stat(i.WideDepartures); err != nil || os.SameFile(arrivals, departures) {
			return errors.Join(errors.New("--wide-arrivals and --wide-departures must be two files"), err)
		}
	}
	files, closeAll, err := i.open()
	if err != nil {
		return err
	}
	defer closeAll()
	options := attendance.ImportOptions{
		Encoding: i.Encoding, Sheet: i.Sheet, DateFormat: i.DateFormat, TimeFormat: i.TimeFormat, Columns: map[string]string{},
		DryRun: i.DryRun, SkipBad: i.SkipBad, AllowMissing: i.AllowMissing, Overnight: i.Overnight, FillDays: i.FillDays, ReplacesID: i.Replace,
	}
	for heading, name := range i.Column {
		options.Columns[importfile.Tidy(heading)] = strings.TrimSpace(name)
	}
	return c.withCompany(ctx, i.Company, func(db *areas.Areas, company directory.Company) error {
		report, err := db.Attendance.Import(ctx, queries.Actor{CompanyID: company.ID, Name: "officeconsole import attendance"}, files, options)
		if err != nil {
			return translateRefusal(err)
		}
		err = i.write(c, report, report.Written || i.DryRun && report.RefusedRows == 0)
		if err == nil && report.RefusedRows > 0 {
			err = errRefusedInPart
		}
		return err
	})
}

// open opens the files, which closeAll closes.
func (i importAttendanceCommand) open() (files attendance.ImportFiles, closeAll func(), err error) {
	var opened []*os.File
	closeAll = func() {
		for _, file := range opened {
			_ = file.Close()
		}
	}
	for _, one := range []struct {
		name string
		into *attendance.ImportFile
	}{{i.File, &files.Long}, {i.WideArrivals, &files.Arrivals}, {i.WideDepartures, &files.Departures}} {
		if one.name == "" {
			continue
		}
		file, err := os.Open(one.name)
		if err != nil {
			closeAll()
			return files, nil, err
		}
		opened = append(opened, file)
		*one.into = attendance.ImportFile{Name: filepath.Base(one.name), Content: file}
	}
	return files, closeAll, nil
}

type importListCommand struct {
	Company string `help:"Host of the company; not needed when there is only one."`
	Limit   int    `default:"50" help:"How many of the latest imports are listed."`
}

func (i importListCommand) Run(ctx context.Context, c *commands) error {
	return c.withCompany(ctx, i.Company, func(db *areas.Areas, company directory.Company) error {
		page, err := db.Attendance.Imports(ctx, company.ID, attendance.ImportFilter{Limit: max(1, i.Limit)})
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tSTATE\tIMPORTED\tBY\tDAYS\tPEOPLE\tFROM\tTO\tREFUSED\tFILES")
		for _, one := range page.Rows {
			imported, from, to := "-", "-", "-"
			if one.ImportedAt != nil {
				imported = one.ImportedAt.UTC().Format(time.RFC3339)
			}
			if first, last, known := one.Dates(); known {
				from, to = first.String(), last.String()
			}
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t%d\t%s\t%s\t%d\t%s\n", one.ID, one.State, imported, one.CreatedByName, one.Days, one.People, from, to,
				one.ImportReport().RefusedRows, importfile.Visible(one.FileNames()))
		}
		return table.Flush()
	})
}

type importRevertCommand struct {
	ID      int64  `arg:"" help:"The number of the import, as \"import list\" has it."`
	Company string `help:"Host of the company; not needed when there is only one."`
	DryRun  bool   `help:"Say what would happen and write nothing."`
	reportOption
}

func (i importRevertCommand) Run(ctx context.Context, c *commands) error {
	return c.withCompany(ctx, i.Company, func(db *areas.Areas, company directory.Company) error {
		by := queries.Actor{CompanyID: company.ID, Name: "officeconsole import revert"}
		var report attendance.ReversalReport
		var err error
		if i.DryRun {
			report, err = db.Attendance.TryReversal(ctx, by, i.ID)
		} else {
			report, err = db.Attendance.RevertImport(ctx, by, i.ID)
		}
		switch {
		case errors.Is(err, queries.NotFound):
			return fmt.Errorf("there is no import %d", i.ID)
		case attendance.IsImportRefusal(err):
			return errors.Join(translateRefusal(err), errNothingSaved)
		case err != nil:
			return err
		}
		if i.DryRun {
			fmt.Fprintln(c.stdout, "This was a dry run: nothing was saved.")
		}
		return i.write(c, report, true)
	})
}
