// Package exports writes lists as files for spreadsheets: small ones while the
// reader waits, large ones in the background.
package exports

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"officeconsole/workday"
)

// The formats of a file.
const (
	XLSX = "xlsx"
	CSV  = "csv"
)

// Minutes is a cell that shows a duration as hours and minutes, which a
// spreadsheet can add up.
type Minutes int

// Clock is a cell that shows a time of day. In a workbook it is the time since the
// beginning of the work date, so that 04:30 of the next day is 28:30 and the difference
// of two of them is a duration; in CSV it is Text.
type Clock struct {
	Minutes int // since the beginning of the work date
	Text    string
}

// Month is a cell that shows a month, by its first day.
type Month workday.Date

// Seconds is a cell that shows a time to the second, in its location.
type Seconds time.Time

// Wide is the heading of a column that has room for a time: a workbook does not show one
// that is wider than its column.
type Wide string

// wideColumn is the width of a Wide column, in characters.
const wideColumn = 20

// File writes the rows of a list. A cell is a string, an int, Minutes, a Clock, a
// workday.Date, a Month, a time.Time, which is shown to the minute in its location,
// Seconds, or nil for an empty cell.
type File interface {
	Row(cells ...any) error
	Finish() error // writes what is buffered; the file is complete then
}

// NewFile starts a file of a format; the first row is the heading. The title is
// the name of the sheet, if the format has sheets.
func NewFile(w io.Writer, format, title string) (File, error) {
	if format == CSV {
		return newText(w)
	}
	return newWorkbook(w, title)
}

// text writes CSV that spreadsheets open correctly: UTF-8 with a byte order
// mark, and no cell that is a formula.
type text struct{ *csv.Writer }

func newText(w io.Writer) (text, error) {
	_, err := io.WriteString(w, "\ufeff")
	t := text{csv.NewWriter(w)}
	t.UseCRLF = true
	return t, err
}

// Row writes a row of cells.
func (t text) Row(cells ...any) error {
	line := make([]string, len(cells))
	for i, cell := range cells {
		switch value := cell.(type) {
		case nil:
		case string:
			line[i] = escapeFormula(value)
		case Wide:
			line[i] = escapeFormula(string(value))
		case int:
			line[i] = strconv.Itoa(value)
		case Minutes:
			line[i] = fmt.Sprintf("%d:%02d", value/60, value%60)
		case Clock:
			line[i] = value.Text
		case workday.Date:
			line[i] = value.String()
		case Month:
			line[i] = workday.Date(value).Time().Format("2006-01")
		case time.Time:
			line[i] = value.Format(toMinute)
		case Seconds:
			line[i] = time.Time(value).Format(toSecond)
		default:
			return fmt.Errorf("a cell cannot hold a %T", cell)
		}
	}
	return t.Write(line)
}

// Finish writes the buffered rows.
func (t text) Finish() error {
	t.Flush()
	return t.Error()
}

// escapeFormula prevents a spreadsheet from evaluating a cell as a formula. In some
// languages, spreadsheets read full-width characters as the usual ones.
func escapeFormula(s string) string {
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", first) {
		return "'" + s
	}
	return s
}

// maxSheetRows is the maximum number of rows in a sheet of a workbook.
const maxSheetRows = 1_048_576

// workbook writes XLSX. It buffers rows in a temporary file instead of in
// memory.
type workbook struct {
	to      io.Writer
	book    *excelize.File
	stream  *excelize.StreamWriter
	title   string
	heading []any
	styles  cellStyles
	sheets  int
	next    int // row of the sheet, from 1
}

// cellStyles are the numbers of the styles of a workbook.
type cellStyles struct{ bold, duration, clock, date, month, minute, second int }

func newWorkbook(w io.Writer, title string) (*workbook, error) {
	b := &workbook{to: w, book: excelize.NewFile(), title: title}
	var err error
	if b.styles.bold, err = b.book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return nil, err
	}
	for _, style := range []struct {
		number *int
		format string
	}{{&b.styles.duration, "[h]:mm"}, {&b.styles.clock, "[hh]:mm"}, {&b.styles.date, "yyyy-mm-dd"}, {&b.styles.month, "yyyy-mm"}, {&b.styles.minute, "yyyy-mm-dd hh:mm"}, {&b.styles.second, "yyyy-mm-dd hh:mm:ss"}} {
		if *style.number, err = b.book.NewStyle(&excelize.Style{CustomNumFmt: &style.format}); err != nil {
			return nil, err
		}
	}
	return b, b.nextSheet()
}

// cell returns a cell as a workbook has it: times are numbers of days, which a
// spreadsheet can compare and add up.
func (b *workbook) cell(cell any) any {
	const minutesOfDay = 24 * 60
	switch value := cell.(type) {
	case Minutes:
		return excelize.Cell{StyleID: b.styles.duration, Value: float64(value) / minutesOfDay}
	case Clock:
		return excelize.Cell{StyleID: b.styles.clock, Value: float64(value.Minutes) / minutesOfDay}
	case workday.Date:
		return excelize.Cell{StyleID: b.styles.date, Value: value.Time()}
	case Month:
		return excelize.Cell{StyleID: b.styles.month, Value: workday.Date(value).Time()}
	case time.Time:
		return excelize.Cell{StyleID: b.styles.minute, Value: wallClock(value, time.Minute)}
	case Seconds:
		return excelize.Cell{StyleID: b.styles.second, Value: wallClock(time.Time(value), time.Second)}
	}
	return cell
}

// wallClock returns a time without its zone, which a workbook does not have.
func wallClock(t time.Time, unit time.Duration) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second).Truncate(unit)
}

// nextSheet starts another sheet with the same heading.
func (b *workbook) nextSheet() error {
	if b.stream != nil {
		if err := b.stream.Flush(); err != nil {
			return err
		}
	}
	b.sheets++
	name := b.title
	if b.sheets == 1 {
		if err := b.book.SetSheetName("Sheet1", name); err != nil {
			return err
		}
	} else {
		name += " " + strconv.Itoa(b.sheets)
		if _, err := b.book.NewSheet(name); err != nil {
			return err
		}
	}
	var err error
	if b.stream, err = b.book.NewStreamWriter(name); err != nil {
		return err
	}
	b.next = 1
	if err := b.stream.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	if b.heading == nil {
		return nil
	}
	return b.putHeading()
}

// putHeading writes the heading of a sheet, after the widths of its columns.
func (b *workbook) putHeading() error {
	for i, cell := range b.heading {
		if _, isWide := cell.(excelize.Cell).Value.(Wide); !isWide {
			continue
		}
		if err := b.stream.SetColWidth(i+1, i+1, wideColumn); err != nil {
			return err
		}
	}
	return b.put(b.heading)
}

// Row adds a row.
func (b *workbook) Row(cells ...any) error {
	if b.heading == nil {
		b.heading = make([]any, len(cells))
		for i, cell := range cells {
			b.heading[i] = excelize.Cell{StyleID: b.styles.bold, Value: cell}
		}
		return b.putHeading()
	}
	if b.next > maxSheetRows {
		if err := b.nextSheet(); err != nil {
			return err
		}
	}
	for i, cell := range cells {
		cells[i] = b.cell(cell)
	}
	return b.put(cells)
}

func (b *workbook) put(cells []any) error {
	err := b.stream.SetRow("A"+strconv.Itoa(b.next), cells)
	b.next++
	return err
}

// Finish writes the workbook.
func (b *workbook) Finish() error {
	defer b.book.Close()
	if err := b.stream.Flush(); err != nil {
		return err
	}
	_, err := b.book.WriteTo(b.to)
	return err
}

// ContentType returns the media type of a format.
func ContentType(format string) string {
	if format == CSV {
		return "text/csv; charset=utf-8"
	}
	return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
}

// FormatOf returns the format of a file name.
func FormatOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
