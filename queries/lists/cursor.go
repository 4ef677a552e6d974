// Package lists is what lists have in common: the cursor at which a page of one
// begins, the page, and what a person chose for it, read from an address.
package lists

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"officeconsole/queries"
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
