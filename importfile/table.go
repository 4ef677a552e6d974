// Package importfile reads spreadsheet exports row by row and reports what it refuses of them.
package importfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Refusal is a value of a file that was not accepted, and why. Line is 0 for a
// refusal of the whole file.
type Refusal struct {
	Line   int
	Column string
	Value  string // at most shownValue characters
	Reason string // id of a message in locales
	Other  int    // the line that the value is in conflict with; 0 for none
}

// Against returns the refusal with the line that the value is in conflict with.
func (r Refusal) Against(line int) Refusal {
	r.Other = line
	return r
}

// Error has the line, the column and the id of the reason. WriteRefusals translates it.
func (r Refusal) Error() string {
	return fmt.Sprintf("line %d, column %q, value %q: %s", r.Line, r.Column, r.Value, r.Reason)
}

// Unreadable is a Refusal after which the file cannot be read any further,
// because the beginning of the next row is unknown. Nothing of such a file may
// be imported.
type Unreadable struct{ Refusal }

const (
	shownValue    = 60
	maxRecord     = 1 << 20 // bytes of one row
	encodingProbe = 4096
)

// Refuse returns a refusal whose value is shortened to shownValue characters.
func Refuse(line int, column, value string, reason string) Refusal {
	value = strings.ToValidUTF8(value, "�")
	if utf8.RuneCountInString(value) > shownValue {
		value = string([]rune(value)[:shownValue-1]) + "…"
	}
	return Refusal{Line: line, Column: column, Value: strings.Clone(value), Reason: reason} // a copy, so that the whole row is not kept in memory
}

// Table reads a spreadsheet export row by row: CSV with commas, semicolons or
// tabs, in UTF-8, UTF-16 with a mark, or CP949. Columns are known by the names
// in the first row. It holds one row at a time.
type Table struct {
	csv         *csv.Reader
	guard       *guard
	columns     []string          // in the order of the file
	columnIndex map[string]int    // by column
	headings    map[string]string // by column, as the file has them
	Line        int               // of the row read last
}

// Cells are one row's values by column, tidied: without surrounding space and
// in composed form.
type Cells map[string]string

// NewTable returns a table whose rows Record reads. It has no columns: see OpenTable.
func NewTable(file io.Reader) *Table {
	g := &guard{from: bufio.NewReaderSize(decoded(file), 64<<10), left: maxRecord}
	t := &Table{csv: csv.NewReader(g), guard: g, columnIndex: map[string]int{}, headings: map[string]string{}}
	t.csv.Comma = separator(g.from)
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	return t
}

// Columns are the columns that a file may have.
type Columns struct {
	Names    []string
	Required []string          // among Names
	Aliases  map[string]string // other headings, in lower case and without spaces, with the name of the column
}

// name returns the name of the column that a heading stands for.
func (c Columns) name(heading string) string {
	heading = strings.ToLower(heading)
	if name, ok := c.Aliases[strings.Join(strings.Fields(heading), "")]; ok {
		return name
	}
	return heading
}

// OpenTable reads the heading of a file for Next. It refuses with Unreadable an
// empty file and columns that are unknown, repeated or missing.
func OpenTable(file io.Reader, columns Columns) (*Table, error) {
	t := NewTable(file)
	heading, err := t.Record()
	if errors.Is(err, io.EOF) {
		return nil, Unreadable{Refuse(0, "", "", "import.file.empty")}
	}
	var refused Refusal
	if errors.As(err, &refused) {
		return nil, Unreadable{refused}
	}
	if err != nil {
		return nil, err
	}
	for i, text := range heading {
		text = strings.Clone(Tidy(text))
		name := columns.name(text)
		t.columns = append(t.columns, name)
		if name == "" {
			continue // spreadsheets export empty columns at the end
		}
		if !slices.Contains(columns.Names, name) {
			return nil, Unreadable{Refuse(t.Line, text, "", "import.column.unknown")}
		}
		if _, twice := t.columnIndex[name]; twice {
			return nil, Unreadable{Refuse(t.Line, text, "", "import.column.twice")}
		}
		t.columnIndex[name], t.headings[name] = i, text
	}
	for _, name := range columns.Required {
		if !t.Has(name) {
			return nil, Unreadable{Refuse(t.Line, name, "", "import.column.missing")}
		}
	}
	return t, nil
}

// Has reports whether the heading of the file has the column.
func (t *Table) Has(column string) bool {
	_, ok := t.columnIndex[column]
	return ok
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
	if len(record) < len(t.columns) && slices.ContainsFunc(t.columns[len(record):], func(c string) bool { return c != "" }) {
		return nil, Refuse(t.Line, t.Heading(t.columns[len(record)]), "", "import.row.too_few")
	}
	row := make(Cells, len(t.columnIndex))
	for i, value := range record {
		value = Tidy(value)
		if i < len(t.columns) && t.columns[i] != "" {
			row[t.columns[i]] = value
		} else if value != "" {
			return nil, Refuse(t.Line, "", value, "import.row.too_many")
		}
	}
	return row, nil
}

// Record reads the next row as the file has it, without the columns. The slice is
// valid until the next call; errors are those of Next.
func (t *Table) Record() ([]string, error) {
	t.guard.left = maxRecord
	record, err := t.csv.Read()
	var malformed *csv.ParseError
	switch {
	case err == nil:
		t.Line, _ = t.csv.FieldPos(0)
		return record, nil
	case errors.Is(err, errTooLong):
		return nil, Unreadable{Refuse(t.Line+1, "", "", "import.row.too_long")}
	case errors.As(err, &malformed) && malformed.Line > malformed.StartLine:
		return nil, Unreadable{Refuse(malformed.StartLine, "", "", "import.row.open_quote")}
	case errors.As(err, &malformed):
		t.Line = malformed.StartLine
		return nil, Refuse(t.Line, "", "", "import.row.quotes")
	}
	return nil, err
}

// Tidy removes surrounding space and composes characters (NFC).
func Tidy(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }

// separator returns the comma, semicolon or tab that occurs most in the heading.
func separator(r *bufio.Reader) rune {
	start, _ := r.Peek(encodingProbe)
	heading, _, _ := bytes.Cut(bytes.TrimLeft(start, "\r\n"), []byte("\n"))
	best, most := ',', 0
	for _, s := range []rune{',', ';', '\t'} {
		if n := bytes.Count(heading, []byte(string(s))); n > most {
			best, most = s, n
		}
	}
	return best
}

// guard stops reading when a row does not end, so that a lost quotation mark
// cannot fill the memory.
type guard struct {
	from *bufio.Reader
	left int
}

var errTooLong = errors.New("row is too long")

func (g *guard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, errTooLong
	}
	n, err := g.from.Read(p)
	g.left -= n
	return n, err
}

// decoded returns the file as UTF-8. The encoding is decided by the first bytes
// that are not ASCII, because ASCII is the same in all of them.
func decoded(file io.Reader) io.Reader {
	r := bufio.NewReaderSize(file, 64<<10)
	start, _ := r.Peek(3)
	switch {
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		r.Discard(3)
		return r
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")):
		return transform.NewReader(r, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
	}
	return &guess{raw: r, rest: r}
}

// guess passes ASCII on until it meets something else, then settles on UTF-8
// or CP949.
type guess struct {
	raw     *bufio.Reader
	rest    io.Reader
	settled bool
}

func (g *guess) Read(p []byte) (int, error) {
	if g.settled || len(p) == 0 {
		return g.rest.Read(p)
	}
	ahead, err := g.raw.Peek(encodingProbe)
	if len(ahead) == 0 {
		return 0, err
	}
	plain := bytes.IndexFunc(ahead, func(r rune) bool { return r >= utf8.RuneSelf })
	if plain < 0 {
		plain = len(ahead)
	}
	if plain > 0 {
		return g.raw.Read(p[:min(plain, len(p))])
	}
	g.settled = true
	if !looksLikeUTF8(ahead) {
		g.rest = transform.NewReader(g.raw, cp949().NewDecoder())
	}
	return g.rest.Read(p)
}

// cp949 returns CP949, which the package korean calls EUCKR after its subset.
func cp949() encoding.Encoding { return korean.EUCKR }

// looksLikeUTF8 accepts a few invalid characters, which are refused in their
// rows. Otherwise a single one would make the whole file look like CP949.
func looksLikeUTF8(b []byte) bool {
	good, bad := 0, 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1 && utf8.FullRune(b):
			bad++
		case size > 1:
			good++
		}
		b = b[size:]
	}
	return good >= bad
}
