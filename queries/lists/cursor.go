// Package lists holds what lists have in common: cursors, pages, and the
// reading of filters from URLs.
package lists

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"officeconsole/queries"
)

// Cursor is a position in a list, before or after one of its rows. The zero
// cursor is the beginning. URLs and clients contain its text form, which is
// opaque to them.
type Cursor struct {
	List     string // the name of the list and its order; other lists refuse the cursor
	Value    string // the value that the row is sorted by; "" if the id is enough
	ID       int64
	Backward bool    // whether the page ends before the row; otherwise it begins after the row
	First    int     // the number of the page's first row, from 1; 0 if unknown
	Trail    []int64 // the ids of the previous cursors, in a list that is only read forward
}

// ErrCursor is the error of a cursor of another list or order, or of an invalid
// text. It is a NotFound.
var ErrCursor = fmt.Errorf("cursor of another list: %w", queries.NotFound)

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

// Name returns the cursor as a key of people sorted by name.
func (c *Cursor) Name() PersonKey {
	if c.IsStart() {
		return PersonKey{}
	}
	return PersonKey{c.Value, c.ID}
}

// PersonKey is the key that people are sorted by. The zero key is before all
// others.
type PersonKey struct {
	Name string
	ID   int64
}

// TimeCursor returns the cursor of a row in a list that is sorted by a time.
func TimeCursor(list string, at time.Time, id int64) Cursor {
	return Cursor{List: list, Value: at.UTC().Format(time.RFC3339Nano), ID: id}
}

// Time returns the time of a cursor of TimeCursor, or ErrCursor.
func (c *Cursor) Time() (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, c.Value)
	if err != nil {
		return at, fmt.Errorf("cursor at %q: %w", c.Value, ErrCursor)
	}
	return at, nil
}

// cursorVersion is incremented whenever the text form changes.
const cursorVersion = 1

// cursorText is the text form before its encoding.
type cursorText struct {
	Version  int     `json:"v"`
	List     string  `json:"l"`
	Value    string  `json:"s,omitempty"`
	ID       int64   `json:"i,omitempty"`
	Backward bool    `json:"b,omitempty"`
	First    int     `json:"n,omitempty"`
	Trail    []int64 `json:"t,omitempty"`
}

// String returns the text form of the cursor; "" for the beginning.
func (c *Cursor) String() string {
	if c.IsStart() {
		return ""
	}
	text, err := json.Marshal(cursorText{cursorVersion, c.List, c.Value, c.ID, c.Backward, c.First, c.Trail})
	if err != nil {
		panic(err) // cannot happen for strings and numbers
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// ParseCursor parses the result of String; nil for "". It returns ErrCursor for
// any other text.
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
