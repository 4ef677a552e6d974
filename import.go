package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/imports"
)

type importCommand struct {
	Directory  importDirectoryCommand  `cmd:"" help:"Departments and people from a CSV file (see docs/import.md)."`
	Attendance importAttendanceCommand `cmd:"" help:"Clock times of the past from CSV files (see docs/import.md)."`
}

type importDirectoryCommand struct {
	File              string   `arg:"" type:"existingfile" help:"The CSV file."`
	Company           string   `help:"Host of the company; not needed when there is only one."`
	DryRun            bool     `help:"Say what would happen and write nothing."`
	SkipBad           bool     `help:"Import the good rows even if others are refused."`
	Rename            []string `sep:"none" placeholder:"OLD=NEW" help:"The department at the path OLD of the directory is at the path NEW of the file. Repeat it for several."`
	ConfirmChanges    bool     `help:"Import although departments look renamed, or policies no longer apply to people because of their department."`
	DeactivateMissing bool     `help:"Deactivate the people of earlier imports who are not in the file."`
	AllowMany         bool     `help:"Deactivate them even if they are more than 20 % of the people of earlier imports."`
	reportOption
}

func (i importDirectoryCommand) Run(ctx context.Context, c *commands) error {
	options := imports.Options{
		ImportOptions: directory.ImportOptions{DryRun: i.DryRun, SkipBad: i.SkipBad},
		File:          strings.ToValidUTF8(filepath.Base(i.File), "�"), Confirmed: i.ConfirmChanges,
		DeactivateMissing: i.DeactivateMissing, AllowMany: i.AllowMany,
	}
	for _, rename := range i.Rename {
		from, to, found := strings.Cut(rename, "=")
		if !found {
			return fmt.Errorf("--rename: %q is not OLD=NEW, such as 본사/영업본부=본사/사업본부", rename)
		}
		options.Renames = append(options.Renames, directory.Rename{From: importfile.Tidy(strings.Trim(from, "/ ")), To: importfile.Tidy(strings.Trim(to, "/ "))})
	}
	if err := i.check(i.File); err != nil {
		return err
	}
	file, err := os.Open(i.File)
	if err != nil {
		return err
	}
	defer file.Close()
	return c.withCompany(ctx, i.Company, func(db *areas.Areas, company directory.Company) error {
		by := queries.Actor{CompanyID: company.ID, Name: "officeconsole import directory"}
		report, err := db.Imports.Import(ctx, by, file, options)
		if err != nil {
			return translateRefusal(err)
		}
		return i.write(c, report, report.Written || i.DryRun)
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
	reportOption
}

func (i importAttendanceCommand) Run(ctx context.Context, c *commands) error {
	if (i.WideArrivals == "") != (i.WideDepartures == "") || (i.File == "") == (i.WideArrivals == "") {
		return errors.New("specify either FILE.csv, or --wide-arrivals and --wide-departures")
	}
	if err := i.check(i.File, i.WideArrivals, i.WideDepartures); err != nil {
		return err
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
		return i.write(c, report, report.Written || i.DryRun)
	})
}

// reportOption is where the whole report of an import goes.
type reportOption struct {
	Report string `placeholder:"FILE" help:"Write the report to this file as well, with every refused row."`
}

// check refuses a file for the report that cannot be written, or is one of the files
// to import, before anything is imported.
func (o reportOption) check(imported ...string) error {
	if o.Report == "" {
		return nil
	}
	file, err := os.OpenFile(o.Report, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	reported, err := file.Stat()
	if err != nil {
		return err
	}
	for _, name := range imported {
		if info, err := os.Stat(name); err == nil && os.SameFile(info, reported) {
			return fmt.Errorf("--report: %s is the file to import", name)
		}
	}
	return nil
}

// report is the result of an import in words.
type report interface {
	Write(w io.Writer, words importfile.Words, most int) error
}

// errRefused is the error of an import that has saved nothing, which its output explains.
var errRefused = errors.New("nothing was saved, see the report")

// write prints the report of an import, and returns errRefused if it did not do what it
// was asked to.
func (o reportOption) write(c *commands, done report, asAsked bool) error {
	if err := done.Write(c.stdout, locales.English, importfile.Brief); err != nil {
		return err
	}
	if o.Report != "" {
		var whole bytes.Buffer
		if err := done.Write(&whole, locales.English, 0); err != nil {
			return err
		}
		if err := os.WriteFile(o.Report, whole.Bytes(), 0o600); err != nil {
			return err
		}
	}
	if !asAsked {
		return errRefused
	}
	return nil
}
