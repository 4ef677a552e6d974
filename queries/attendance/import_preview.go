package attendance

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"officeconsole/blobs"
	"officeconsole/importfile"
	"officeconsole/workday"
)

// ImportPreview is how the beginning of the files of an import is understood.
type ImportPreview struct {
	Refused *importfile.Refusal // why they cannot be read; nil for nothing
	Sheets  []string            // of a workbook
	Files   []FilePreview       // as far as they could be read
}

// FilePreview is the beginning of a file.
type FilePreview struct {
	Name    string
	Reading importfile.Reading
	IsBook  bool
	Columns []PreviewColumn
	Rows    []PreviewRow
}

// PreviewColumn is a column of a file.
type PreviewColumn struct {
	Heading string
	Name    string // among ImportColumns; "" for one that is not read or not known
	Known   bool
	More    int // of the last column that is shown: the columns after it
}

// PreviewRow is a row of a file.
type PreviewRow struct {
	Line  int
	Cells []PreviewCell
}

// PreviewCell is a value as the file has it, and as it is understood.
type PreviewCell struct {
	Raw        string
	Understood string // "" for a value that is not read
	NextDay    bool   // Understood is a time on the next day
	Leave      workday.DayType
	IsPerson   bool   // an employee id of somebody who is not named
	Reason     string // why it is refused; "" if it is not
}

// The size of a preview.
const (
	previewRows    = 6
	previewColumns = 12
)

// PreviewImport reads the beginning of the files of an import with the given options.
func (s *Store) PreviewImport(ctx context.Context, row Import, options ImportOptions, files blobs.Store) (ImportPreview, error) {
	var p ImportPreview
	company, err := s.directory.Company(ctx, row.CompanyID)
	if err != nil {
		return p, err
	}
	zone, err := time.LoadLocation(company.TimeZone)
	if err != nil {
		return p, err
	}
	people, err := s.employeeIDs(ctx, row.CompanyID)
	if err != nil {
		return p, err
	}
	opened, closeAll, err := openImport(ctx, row, files)
	if err != nil {
		return p, err
	}
	defer closeAll()
	names := make(map[string]string, len(people))
	for _, one := range people {
		names[one.EmployeeID] = one.Name
	}
	f := newAttendanceReader(options, people, zone, s.db.Now())
	for _, file := range []ImportFile{opened.Long, opened.Arrivals, opened.Departures} {
		if file.Content == nil {
			continue
		}
		err := f.preview(file, row.IsWide(), names, &p)
		var refused importfile.Unreadable
		switch {
		case errors.As(err, &refused):
			if row.IsWide() {
				refused.File = file.Name
			}
			p.Refused = &refused.Refusal
			return p, nil
		case err != nil:
			return p, err
		}
	}
	return p, nil
}

func (f *attendanceReader) preview(file ImportFile, isWide bool, names map[string]string, p *ImportPreview) error {
	t, err := importfile.NewTable(file.Content, f.options.reading())
	if err != nil {
		return err
	}
	defer t.Close()
	f.values.Begin(t)
	f.values.UseYears() // those of the rows before
	p.Sheets = t.Sheets
	shown := FilePreview{Name: file.Name, IsBook: t.IsBook}
	heading, err := t.FirstRow()
	if err == nil {
		shown.Columns = f.previewColumns(heading, isWide)
	}
	for err == nil && len(shown.Rows) < previewRows {
		var record []string
		record, err = t.Record()
		if err == nil && slices.ContainsFunc(record, func(s string) bool { return importfile.Tidy(s) != "" }) {
			shown.Rows = append(shown.Rows, PreviewRow{t.Line, f.previewCells(shown.Columns, record, names)})
		}
		if refused := (importfile.Refusal{}); errors.As(err, &refused) {
			shown.Rows, err = append(shown.Rows, PreviewRow{refused.Line, []PreviewCell{{Reason: refused.Reason}}}), nil
		}
	}
	shown.Reading = t.Reading()
	p.Files = append(p.Files, shown)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

// previewColumns returns the columns of a heading. Those of wide files have the dates of
// arrivals, or of departures, behind the employee ids.
func (f *attendanceReader) previewColumns(heading []string, isWide bool) []PreviewColumn {
	columns := importColumns(f.options.Columns)
	var all []PreviewColumn
	for i, text := range heading {
		if i == previewColumns {
			all[i-1].More = len(heading) - i
			break
		}
		column := PreviewColumn{Heading: strings.Clone(importfile.Tidy(text))}
		switch _, err := f.values.Date(column.Heading); {
		case isWide && i == 0:
			column.Name, column.Known = "employee_id", true
		case isWide && err == nil:
			column.Name, column.Known = "arrival", true
		case !isWide:
			if column.Name, column.Known = columns.Name(column.Heading); !column.Known {
				column.Name = ""
			}
		}
		all = append(all, column)
	}
	return all
}

func (f *attendanceReader) previewCells(columns []PreviewColumn, record []string, names map[string]string) []PreviewCell {
	cells := make([]PreviewCell, min(len(columns), len(record)))
	date := workday.DateOf(f.now) // of the times, unless the row has one
	for i := range cells {
		cells[i].Raw = strings.Clone(importfile.Tidy(record[i]))
		if columns[i].Name == "work_date" {
			if on, err := f.values.Date(cells[i].Raw); err == nil {
				date = workday.DateOf(on)
			}
		}
	}
	for i := range cells {
		f.understand(&cells[i], columns[i], date, names)
	}
	return cells
}

// understand sets what a value means in its column.
func (f *attendanceReader) understand(cell *PreviewCell, column PreviewColumn, date workday.Date, names map[string]string) {
	switch column.Name {
	case "employee_id":
		var known bool
		if cell.Understood, known = names[cell.Raw]; !known || cell.Raw == "" {
			cell.Reason = "import.attendance.employee"
		}
		cell.IsPerson = known && cell.Understood == "" && cell.Raw != ""
	case "work_date":
		on, err := f.values.Date(cell.Raw)
		if err != nil {
			cell.Reason = valueReason(err, refusedDate)
			return
		}
		cell.Understood = workday.DateOf(on).String()
		cell.Reason = f.refusesDate(workday.DateOf(on))
	case "arrival", "departure":
		if cell.Leave, _ = leaveOf(cell.Raw); isNoTime(cell.Raw) || cell.Leave != "" {
			return
		}
		at, err := f.time(cell.Raw, date)
		if err != nil {
			cell.Reason = valueReason(err, refusedClock)
			return
		}
		cell.Understood, cell.NextDay = at.onClock().Format("15:04"), at.date() == date+1
	case "leave", "status":
		var known bool
		if cell.Leave, known = leaveOf(cell.Raw); !known {
			cell.Reason = refusedLeave
		}
	case "device":
		var known bool
		if cell.Understood, known = devices[importfile.Word(cell.Raw)]; !known {
			cell.Reason = "import.attendance.device"
		}
	}
}
