package lists

import "slices"

// Page is a part of a list.
type Page[Row any] struct {
	Rows     []Row
	First    int     // the number of the first row, from 1; 0 if unknown
	Total    int     // the number of rows of the whole list; -1 if they were not counted
	Previous *Cursor // the cursor of the page before; nil on the first page
	Next     *Cursor // the cursor of the page after; nil on the last page
}

// NewPage returns a page of the rows that were read at a cursor, in its
// direction: one more than the limit if there are further ones. position
// returns the cursor next to a row.
func NewPage[Row any](found []Row, at *Cursor, limit int, position func(Row) Cursor) Page[Row] {
	further := len(found) > limit
	page := Page[Row]{Rows: found[:min(limit, len(found))], First: 1, Total: -1}
	earlier, later := !at.IsStart(), further
	if at.IsBackward() {
		slices.Reverse(page.Rows)
		earlier, later = further, true
	}
	if earlier {
		page.First = at.First
	}
	page.link(earlier, later, limit, position)
	return page
}

// CutPage returns the page at a cursor of a list that is in memory. compare
// returns a negative number for a row before the cursor, and a positive one for
// a row after it.
func CutPage[Row any](all []Row, at *Cursor, limit int, compare func(Row) int, position func(Row) Cursor) Page[Row] {
	from, to := 0, min(limit, len(all))
	switch {
	case at.IsStart():
	case at.Backward:
		to = firstWhere(all, func(row Row) bool { return compare(row) >= 0 })
		from = max(0, to-limit)
	default:
		from = firstWhere(all, func(row Row) bool { return compare(row) > 0 })
		to = min(from+limit, len(all))
	}
	page := Page[Row]{Rows: all[from:to], First: from + 1, Total: len(all)}
	page.link(from > 0, to < len(all), limit, position)
	return page
}

// firstWhere returns the index of the first row for which is returns true, or
// the number of rows.
func firstWhere[Row any](all []Row, is func(Row) bool) int {
	if at := slices.IndexFunc(all, is); at >= 0 {
		return at
	}
	return len(all)
}

// link sets the cursors of the pages before and after. Those of an empty page
// lead to the beginning.
func (p *Page[Row]) link(earlier, later bool, limit int, position func(Row) Cursor) {
	var previous, next Cursor
	if len(p.Rows) > 0 {
		previous, next = position(p.Rows[0]), position(p.Rows[len(p.Rows)-1])
		previous.Backward = true
		if p.First > 0 {
			previous.First, next.First = max(1, p.First-limit), p.First+len(p.Rows)
		}
	}
	if earlier {
		p.Previous = &previous
	}
	if later {
		p.Next = &next
	}
}

// ForwardOnly sets Previous to the cursor that led to the page before, for a
// list that cannot be read backwards.
func (p *Page[Row]) ForwardOnly(at *Cursor, limit int) {
	p.Previous = nil
	if at.IsStart() {
		return
	}
	if p.Next != nil {
		p.Next.Trail = append(slices.Clone(at.Trail), at.ID)
	}
	p.Previous = &Cursor{List: at.List, First: max(0, at.First-limit)}
	if last := len(at.Trail) - 1; last >= 0 {
		p.Previous.ID, p.Previous.Trail = at.Trail[last], at.Trail[:last]
	}
}
