// Package importfile reads spreadsheet exports row by row and reports what it refuses of them.
package importfile

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Reading says how a file is read. The zero value recognizes everything.
type Reading struct {
	Encoding  string // one of Encodings or another name of it
	Separator rune   // of the columns
	Sheet     string // of a workbook; the first visible one without a name
}

// Table reads a spreadsheet export row by row: CSV with commas, semicolons, tabs or
// vertical bars, in one of Encodings, or a workbook of Excel (.xlsx). Columns are known
// by the names in the first row. It holds one row at a time.
type Table struct {
	rows interface {
		next() (cells []string, line int, err error)
		io.Closer
	}
	columns     []string          // in the order of the file
	columnIndex map[string]int    // by column
	headings    map[string]string // by column, as the file has them

	Line     int      // of the row read last
	IsBook   bool     // the file is a workbook, in which times and dates are numbers
	Date1904 bool     // the workbook counts its dates from 1904 on
	Sheets   []string // of a workbook
}

// Cells are one row's values by column, tidied: without surrounding space and
// in composed form.
type Cells map[string]string

// NewTable returns a table whose rows Record reads. It has no columns: see OpenTable.
// It refuses with Unreadable a file whose kind is not known. The table must be closed.
func NewTable(file io.Reader, r Reading) (*Table, error) {
	if r.Encoding != "" && EncodingName(r.Encoding) == "" {
		return nil, Unreadable{Refuse(0, "", r.Encoding, "import.encoding.unknown")}
	}
	raw := bufio.NewReaderSize(file, 64<<10)
	t := &Table{columnIndex: map[string]int{}, headings: map[string]string{}}
	switch start, _ := raw.Peek(4); {
	case isOldWorkbook(start):
		return nil, unreadable("import.workbook.old")
	case isWorkbook(start):
		sheet, date1904, err := openSheet(raw, r.Sheet)
		if err != nil {
			return nil, err
		}
		t.rows, t.IsBook, t.Date1904, t.Sheets = sheet, true, date1904, sheet.sheets
	default:
		t.rows = newTextRows(raw, r)
	}
	return t, nil
}

// Close ends the reading. The file remains open.
func (t *Table) Close() error { return t.rows.Close() }

// Reading returns how the file is read, as far as that is known after the rows that were
// read. The encoding of a workbook, and of ASCII alone, is the first of Encodings.
func (t *Table) Reading() Reading {
	text, ok := t.rows.(*textRows)
	if !ok {
		return Reading{Encoding: Encodings[0]}
	}
	return Reading{Encoding: cmp.Or(text.decoder.encoding, Encodings[0]), Separator: text.csv.Comma}
}

// Columns are the columns that a file may have.
type Columns struct {
	Names    []string
	Required []string          // among Names
	Aliases  map[string]string // other headings as Word returns them, with the name of the column; "" for one that is not read

	// Parts are columns that together stand for a required one that is missing.
	Parts map[string][]string

	// Chosen are the columns that somebody chose for headings of the file, as Tidy
	// returns them; "" for a column that is not read.
	Chosen map[string]string
}

// AliasesOf returns Columns.Aliases of lists of headings by column.
func AliasesOf(headings map[string]string) map[string]string {
	all := map[string]string{}
	for name, others := range headings {
		for _, heading := range strings.Fields(others) {
			all[heading] = name
		}
	}
	return all
}

// Name returns the name of the column that a heading stands for, and whether it is known
// or empty.
func (c Columns) Name(heading string) (name string, known bool) {
	if name, chosen := c.Chosen[heading]; chosen {
		return name, name == "" || slices.Contains(c.Names, name)
	}
	name, ok := c.Aliases[Word(heading)]
	if !ok {
		name = strings.ToLower(norm.NFKC.String(heading))
	}
	return name, name == "" || slices.Contains(c.Names, name)
}

// Word returns the same text for the spellings of a heading or another word of a file:
// without spaces, in lower case and in the width that is usual for a letter (NFKC).
func Word(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), "")
}

// OpenTable reads the heading of a file for Next. It refuses with Unreadable an
// empty file and columns that are unknown, repeated or missing.
func OpenTable(file io.Reader, r Reading, columns Columns) (*Table, error) {
	t, err := NewTable(file, r)
	if err != nil {
		return nil, err
	}
	if err := t.readHeading(columns); err != nil {
		_ = t.Close()
		return nil, err
	}
	return t, nil
}

// FirstRow reads the first row that has a value as the file has it. It refuses with Unreadable one that is
// missing or broken.
func (t *Table) FirstRow() ([]string, error) {
	heading, err := t.Record()
	for err == nil && !slices.ContainsFunc(heading, func(s string) bool { return Tidy(s) != "" }) {
		heading, err = t.Record() // sheets often begin with empty rows
	}
	if errors.Is(err, io.EOF) {
		return nil, unreadable("import.file.empty")
	}
	var refused Refusal
	if errors.As(err, &refused) {
		return nil, Unreadable{refused}
	}
	return heading, err
}

func (t *Table) readHeading(columns Columns) error {
	heading, err := t.FirstRow()
	if err != nil {
		return err
	}
	var unknown, missing []string
	for i, text := range heading {
		text = strings.Clone(Tidy(text))
		name, known := columns.Name(text)
		t.columns = append(t.columns, name)
		if name == "" && text == "" {
			continue // spreadsheets export empty columns at the end
		}
		if !known {
			unknown = append(unknown, text)
		}
		if name == "" || !known {
			t.columns[i] = unread
			continue
		}
		if _, twice := t.columnIndex[name]; twice {
			return Unreadable{Refuse(t.Line, text, "", "import.column.twice")}
		}
		t.columnIndex[name], t.headings[name] = i, text
	}
	for _, name := range columns.Required {
		if !t.Has(name) && !t.hasAll(columns.Parts[name]) {
			missing = append(missing, name)
		}
	}
	switch {
	case len(unknown) > 0:
		return Unreadable{Refuse(t.Line, strings.Join(unknown, ", "), "", "import.column.unknown")}
	case len(missing) > 0:
		return Unreadable{Refuse(t.Line, strings.Join(missing, ", "), "", "import.column.missing")}
	}
	return nil
}

// unread marks a column whose values are not read.
const unread = "\x00"

// Has reports whether the heading of the file has the column.
func (t *Table) Has(column string) bool {
	_, ok := t.columnIndex[column]
	return ok
}

// hasAll reports whether the heading has some columns, which are at least one.
func (t *Table) hasAll(columns []string) bool {
	return len(columns) > 0 && !slices.ContainsFunc(columns, func(column string) bool { return !t.Has(column) })
}

// Heading returns the name of a column as the file has it.
func (t *Table) Heading(column string) string { return cmp.Or(t.headings[column], column) }

// Next reads the next row that has a value. A Refusal concerns this row only; after
// Unreadable there are no more rows. The end is io.EOF.
func (t *Table) Next() (Cells, error) {
	for {
		record, err := t.Record()
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(record, func(s string) bool { return Tidy(s) != "" }) {
			continue
		}
		return t.cells(record)
	}
}

func (t *Table) cells(record []string) (Cells, error) {
	// A workbook leaves out the empty cells at the end of a row.
	if len(record) < len(t.columns) && !t.IsBook {
		for _, column := range t.columns[len(record):] {
			if column != "" {
				return nil, Refuse(t.Line, t.Heading(strings.Trim(column, unread)), "", "import.row.too_few")
			}
		}
	}
	row := make(Cells, len(t.columnIndex))
	for name := range t.columnIndex {
		row[name] = ""
	}
	for i, value := range record {
		switch {
		case i < len(t.columns) && t.columns[i] == unread:
		case i < len(t.columns) && t.columns[i] != "":
			row[t.columns[i]] = Tidy(value)
		default:
			if value = Tidy(value); value != "" {
				return nil, Refuse(t.Line, "", value, "import.row.too_many")
			}
		}
	}
	return row, nil
}

// Record reads the next row as the file has it, without the columns. The slice is
// valid until the next call; errors are those of Next.
func (t *Table) Record() ([]string, error) {
	record, line, err := t.rows.next()
	if line > 0 {
		t.Line = line
	}
	return record, err
}

// Tidy removes surrounding space and composes characters (NFC).
func Tidy(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }
