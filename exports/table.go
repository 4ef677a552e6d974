package exports

import (
	"context"
	"errors"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// table is a list that is read page by page.
type table struct {
	heads []any

	// page returns the cells of the rows from a cursor on, nil for the first page, and
	// the cursor of the next page, nil behind the last one.
	page func(ctx context.Context, from *lists.Cursor) (rows [][]any, next *lists.Cursor, err error)
}

// write is a writer.
func (t table) write(ctx context.Context, take func(cells ...any) (more bool, err error)) error {
	wide := make([]any, len(t.heads))
	for i, head := range t.heads {
		wide[i] = Wide(head.(string))
	}
	if more, err := take(wide...); err != nil || !more {
		return err
	}
	var from *lists.Cursor
	for {
		rows, next, err := t.page(ctx, from)
		if err != nil {
			return err
		}
		for _, cells := range rows {
			if more, err := take(cells...); err != nil || !more {
				return err
			}
		}
		if next == nil {
			return nil
		}
		from = next
	}
}

// cellsOf returns what table.page does for a page of rows.
func cellsOf[Row any](page lists.Page[Row], cells func(Row) []any) ([][]any, *lists.Cursor, error) {
	rows := make([][]any, len(page.Rows))
	for i, row := range page.Rows {
		rows[i] = cells(row)
	}
	return rows, page.Next, nil
}

// heads are the messages that head the columns.
func heads(l locales.Locale, ids ...string) []any {
	all := make([]any, len(ids))
	for i, id := range ids {
		all[i] = l.T(id)
	}
	return all
}

// The layouts of the times in a list.
const (
	toMinute = "2006-01-02 15:04"
	toSecond = "2006-01-02 15:04:05"
)

// minuteCell is the cell of a time that may be missing, to the minute.
func minuteCell(t *time.Time, zone *time.Location) any {
	if t == nil {
		return nil
	}
	return t.In(zone)
}

// secondCell is the cell of a time that may be missing, to the second.
func secondCell(t *time.Time, zone *time.Location) any {
	if t == nil {
		return nil
	}
	return Seconds(t.In(zone))
}

var errNotAdministrator = errors.New("only administrators may export this list")

// zoneOfAdministrator returns the time zone of the reader of a list for
// administrators; an error for somebody else, who may have been one when the export
// was requested.
func zoneOfAdministrator(reader directory.Person) (*time.Location, error) {
	if !reader.IsAdmin {
		return nil, errNotAdministrator
	}
	return time.LoadLocation(reader.TimeZone)
}

// dateName is the part of a file name for a period: "-20261101-20261120".
func dateName(from, to workday.Date) string {
	name := ""
	if from != 0 {
		name += from.Time().Format("-20060102")
	}
	if to != 0 && to != from {
		name += to.Time().Format("-20060102")
	}
	return name
}
