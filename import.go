package main

import (
	"context"
	"errors"
	"io"
	"os"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
)

type importCommand struct {
	Directory  importDirectoryCommand  `cmd:"" help:"Departments and people from a CSV file (see docs/import.md)."`
	Attendance importAttendanceCommand `cmd:"" help:"Clock times of the past from CSV files (see docs/import.md)."`
}

type importDirectoryCommand struct {
	File    string `arg:"" type:"existingfile" help:"The CSV file."`
	Company string `help:"Host of the company; not needed when there is only one."`
	DryRun  bool   `help:"Say what would happen and write nothing."`
	SkipBad bool   `help:"Import the good rows even if others are refused."`
}

func (i importDirectoryCommand) Run(ctx context.Context, c *commands) error {
	file, err := os.Open(i.File)
	if err != nil {
		return err
	}
	defer file.Close()
	return c.withCompany(ctx, i.Company, func(db *areas.Areas, company directory.Company) error {
		options := directory.ImportOptions{DryRun: i.DryRun, SkipBad: i.SkipBad}
		report, err := db.Directory.Import(ctx, company.ID, file, options)
		if err != nil {
			return translateRefusal(err)
		}
		return c.report(report, report.Written || i.DryRun)
	})
}

type importAttendanceCommand struct {
	File           string `arg:"" optional:"" type:"existingfile" help:"The CSV file, a row for each person and day."`
	WideArrivals   string `type:"existingfile" help:"Instead: arrivals, a row for each person and a column for each day."`
	WideDepartures string `type:"existingfile" help:"The departures that belong to them."`
	DateFormat     string `help:"How dates are written, as a Go or strftime layout: %d/%m/%Y."`
	TimeFormat     string `help:"How times are written, likewise: %H:%M."`
	Company        string `help:"Host of the company; not needed when there is only one."`
	DryRun         bool   `help:"Say what would happen and write nothing."`
	SkipBad        bool   `help:"Import the good rows even if others are refused."`
}

func (i importAttendanceCommand) Run(ctx context.Context, c *commands) error {
	if (i.WideArrivals == "") != (i.WideDepartures == "") || (i.File == "") == (i.WideArrivals == "") {
		return errors.New("specify either FILE.csv, or --wide-arrivals and --wide-departures")
	}
	files := attendance.ImportFiles{DateFormat: i.DateFormat, TimeFormat: i.TimeFormat}
	for name, into := range map[string]*io.Reader{i.File: &files.Long, i.WideArrivals: &files.Arrivals, i.WideDepartures: &files.Departures} {
		if name == "" {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		*into = file
	}
	return c.withCompany(ctx, i.Company, func(db *areas.Areas, company directory.Company) error {
		report, err := db.Attendance.Import(ctx, company.ID, files, directory.ImportOptions{DryRun: i.DryRun, SkipBad: i.SkipBad})
		if err != nil {
			return translateRefusal(err)
		}
		return c.report(report, report.Written || i.DryRun)
	})
}

// report prints the result of an import. It returns an error if rows were
// refused and --skip-bad was not given.
func (c *commands) report(done interface {
	Write(io.Writer, importfile.Words) error
}, asAsked bool) error {
	if err := done.Write(c.stdout, locales.English); err != nil {
		return err
	}
	if !asAsked {
		return errors.New("nothing was imported: correct the refused rows, or use --skip-bad")
	}
	return nil
}
