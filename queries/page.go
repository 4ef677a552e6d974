package queries

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Cursor is a position in a list: next to one of its rows. The zero cursor is
// the beginning. Addresses and clients have its text form, which they need not
// understand.
type Cursor struct {
	List     string // the list and its order, so that no other list takes it
	Value    string // what the row is sorted by; "" where its id says that
	ID       int64
	Backward bool    // the page ends before the row; otherwise it begins behind it
	First    int     // number of the first row of the page, from 1; 0 where it is not known
	Trail    []int64 // ids of the cursors before, in a list that is only read forward
}

// ErrCursor is a NotFound: the cursor is of another list or another order.
var ErrCursor = fmt.Errorf("cursor of another list: %w", NotFound)

// IsStart reports whether the cursor is the beginning of its list.
func (c *Cursor) IsStart() bool { return c == nil || c.ID == 0 && c.Value == "" }

// Check refuses a cursor of another list with ErrCursor.
func (c *Cursor) Check(list string) error {
	if !c.IsStart() && c.List != list {
		return ErrCursor
	}
	return nil
}

// CheckForward is Check for a list that is only read forward.
func (c *Cursor) CheckForward(list string) error {
	if c.IsBackward() {
		return ErrCursor
	}
	return c.Check(list)
}

// IsBackward reports whether the page ends at the cursor.
func (c *Cursor) IsBackward() bool { return !c.IsStart() && c.Backward }

// Name is the position in a list of people by name.
func (c *Cursor) Name() PersonKey {
	if c.IsStart() {
		return PersonKey{}
	}
	return PersonKey{c.Value, c.ID}
}

// PersonKey is what people are sorted by. The zero key is before all of them.
type PersonKey struct {
	Name string
	ID   int64
}

// cursorVersion changes with the meaning of the text form.
const cursorVersion = 1

// cursorText is the text form before it is encoded.
type cursorText struct {
	Version  int     `json:"v"`
	List     string  `json:"l"`
	Value    string  `json:"s,omitempty"`
	ID       int64   `json:"i,omitempty"`
	Backward bool    `json:"b,omitempty"`
	First    int     `json:"n,omitempty"`
	Trail    []int64 `json:"t,omitempty"`
}

// String is the text form of the cursor; "" of the beginning.
func (c *Cursor) String() string {
	if c.IsStart() {
		return ""
	}
	text, err := json.Marshal(cursorText{cursorVersion, c.List, c.Value, c.ID, c.Backward, c.First, c.Trail})
	if err != nil {
		panic(err) // strings and numbers
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// ParseCursor reads the text form; nil of "". Anything else that is no text form
// is ErrCursor.
func ParseCursor(text string) (*Cursor, error) {
	if text == "" {
		return nil, nil
	}
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, ErrCursor
	}
	var t cursorText
	if err := json.Unmarshal(decoded, &t); err != nil {
		return nil, ErrCursor
	}
	if t.Version != cursorVersion || t.ID < 0 || t.First < 0 || strings.ContainsRune(t.Value, 0) ||
		slices.ContainsFunc(t.Trail, func(id int64) bool { return id <= 0 }) {
		return nil, ErrCursor
	}
	return &Cursor{t.List, t.Value, t.ID, t.Backward, t.First, t.Trail}, nil
}

// Page is a part of a list.
type Page[Row any] struct {
	Rows     []Row
	First    int     // number of the first row, from 1; 0 where it is not known
	Total    int     // rows of the whole list; -1 where nobody counted them
	Previous *Cursor // of the page before; nil on the first one
	Next     *Cursor // of the page behind; nil on the last one
}

// NewPage makes a page of the rows that were read at a cursor, in its direction:
// one more than the limit where there are further ones. position is the cursor
// next to a row.
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

// CutPage cuts the page at a cursor out of a whole list. compare says where a row
// is: below 0 before the cursor, above 0 behind it.
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

// firstWhere is the index of the first row that is so, or behind all of them.
func firstWhere[Row any](all []Row, is func(Row) bool) int {
	if at := slices.IndexFunc(all, is); at >= 0 {
		return at
	}
	return len(all)
}

// link makes the cursors of the pages around. From a page without rows they lead
// to the beginning.
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

// ForwardOnly replaces the way back of a page by the cursor that led to the page
// before, for a list that cannot be read backwards.
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
