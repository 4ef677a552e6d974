package importfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
)

// maxRecord is the number of bytes of one row.
const maxRecord = 1 << 20

// textRows are the rows of a CSV file.
type textRows struct {
	csv     *csv.Reader
	guard   *guard
	decoder *decoder
	line    int
}

func newTextRows(raw *bufio.Reader, r Reading) *textRows {
	d := newDecoder(raw, EncodingName(r.Encoding))
	g := &guard{from: bufio.NewReaderSize(d, 64<<10), left: maxRecord}
	start, _ := g.from.Peek(encodingProbe)
	g.returns = bytes.ContainsRune(start, '\r') && !bytes.ContainsRune(start, '\n')
	t := &textRows{csv: csv.NewReader(g), guard: g, decoder: d}
	if t.csv.Comma = r.Separator; r.Separator == 0 {
		t.csv.Comma = separator(start)
	}
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	return t
}

func (t *textRows) next() ([]string, int, error) {
	t.guard.left = maxRecord
	record, err := t.csv.Read()
	var malformed *csv.ParseError
	switch {
	case err == nil:
		t.line, _ = t.csv.FieldPos(0)
		return record, t.line, nil
	case errors.Is(err, errUnsure):
		return nil, t.line, Unreadable{Refuse(0, "", "", "import.encoding.unsure")}
	case errors.Is(err, errTooLong):
		return nil, t.line, Unreadable{Refuse(t.line+1, "", "", "import.row.too_long")}
	case errors.As(err, &malformed) && malformed.Line > malformed.StartLine:
		return nil, t.line, Unreadable{Refuse(malformed.StartLine, "", "", "import.row.open_quote")}
	case errors.As(err, &malformed):
		t.line = malformed.StartLine
		return nil, t.line, Refuse(t.line, "", "", "import.row.quotes")
	}
	return nil, t.line, err
}

// Close does nothing: the file belongs to the caller.
func (t *textRows) Close() error { return nil }

// Separators are the separators of columns that are recognized.
var Separators = []rune{',', ';', '\t', '|'}

// separator returns the one of Separators that occurs most in the heading.
func separator(start []byte) rune {
	heading := bytes.TrimLeft(start, "\r\n")
	if end := bytes.IndexAny(heading, "\r\n"); end >= 0 {
		heading = heading[:end]
	}
	best, most := ',', 0
	for _, s := range Separators {
		if n := bytes.Count(heading, []byte(string(s))); n > most {
			best, most = s, n
		}
	}
	return best
}

// guard stops reading when a row does not end, so that a lost quotation mark
// cannot fill the memory.
type guard struct {
	from    *bufio.Reader
	left    int
	returns bool // lines end with a carriage return alone, as in "CSV (Macintosh)" of Excel
}

var errTooLong = errors.New("row is too long")

func (g *guard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, errTooLong
	}
	n, err := g.from.Read(p)
	g.left -= n
	if g.returns {
		for i, c := range p[:n] {
			if c == '\r' {
				p[i] = '\n'
			}
		}
	}
	return n, err
}
