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
	"officeconsole/queries/directory"
	"officeconsole/queries/imports"
)

type importCommand struct {
	Directory  importDirectoryCommand  `cmd:"" help:"Departments and people from a CSV file or workbook (see docs/import.md)."`
	Attendance importAttendanceCommand `cmd:"" help:"Clock times of the past from CSV files or workbooks (see docs/import.md)."`
	List       importListCommand       `cmd:"" help:"List the imports of attendance."`
	Revert     importRevertCommand     `cmd:"" help:"Revert an import of attendance: its times no longer count."`
}

type importDirectoryCommand struct {
	File              string   `arg:"" type:"existingfile" help:"The CSV file or workbook (.xlsx)."`
	Company           string   `help:"Host of the company; not needed when there is only one."`
	DryRun            bool     `help:"Say what would happen and write nothing."`
	SkipBad           bool     `help:"Import the good rows even if others are refused."`
	Rename            []string `sep:"none" placeholder:"OLD=NEW" help:"The department at the path OLD of the directory is at the path NEW of the file. Repeat it for several."`
	ConfirmChanges    bool     `help:"Import although departments look renamed, or policies no longer apply to people because of their department."`
	DeactivateMissing bool     `help:"Deactivate the people of earlier imports who are not in the file."`
	AllowMany         bool     `help:"Deactivate them even if they are more than 20 % of the people of earlier imports."`
	readingOption
	reportOption
}

func (i importDirectoryCommand) Run(ctx context.Context, c *commands) error {
	options := imports.Options{
		ImportOptions: directory.ImportOptions{DryRun: i.DryRun, SkipBad: i.SkipBad},
		File:          strings.ToValidUTF8(filepath.Base(i.File), "�"), Confirmed: i.ConfirmChanges,
		DeactivateMissing: i.DeactivateMissing, AllowMany: i.AllowMany, Reading: importfile.Reading{Encoding: i.Encoding, Sheet: i.Sheet},
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
		return i.write(c, report, report.Written || i.DryRun && report.RefusedRows+len(report.Refused)+len(report.Stopped) == 0)
	})
}

// readingOption says how files are read that do not say so themselves.
type readingOption struct {
	Encoding string `placeholder:"NAME" help:"The encoding of the text, where it is not clear: utf-8, utf-16le, utf-16be, cp949, shift_jis, gbk or windows-1252."`
	Sheet    string `placeholder:"NAME" help:"The sheet of a workbook. Default: the first one."`
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

// commandWords are the words of the reports that commands print. Where the page has a
// choice, they name the option.
type commandWords struct{ locales.Locale }

var importOptions = map[string]string{
	"import.attendance.date":       "--date-format",
	"import.attendance.date_order": "--date-format, such as %d/%m/%Y",
	"import.attendance.time":       "--time-format",
	"import.encoding.unsure":       "--encoding",
}

func (w commandWords) T(id string, args ...any) string {
	text := w.Locale.T(id, args...)
	if option := importOptions[id]; option != "" {
		text += " Option: " + option + "."
	}
	return text
}

// The errors of an import that has saved nothing, or not everything, which its output
// explains.
var (
	errNothingSaved  = errors.New("nothing was saved")
	errRefused       = fmt.Errorf("%w, see the report", errNothingSaved)
	errRefusedInPart = errors.New("some rows were refused, see the report")
)

// write prints the report of an import, and returns errRefused if it did not do what it
// was asked to.
func (o reportOption) write(c *commands, done report, asAsked bool) error {
	words := commandWords{locales.English}
	if err := done.Write(c.stdout, words, importfile.Brief); err != nil {
		return err
	}
	if o.Report != "" {
		var whole bytes.Buffer
		if err := done.Write(&whole, words, 0); err != nil {
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
