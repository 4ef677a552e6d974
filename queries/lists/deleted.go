package lists

import (
	"cmp"
	"time"
)

// Deleted is a row of a list of what was deleted and can be restored.
type Deleted struct {
	ID                int64
	Name, Description string
	DeletedAt         time.Time
}

// CutDeleted returns the page at a cursor of a list that is in memory and sorted
// by the deletion, the latest first. It returns ErrCursor for a cursor of
// another list.
func CutDeleted(all []Deleted, list string, at *Cursor, limit int) (Page[Deleted], error) {
	if err := CheckDeleted(list, at); err != nil {
		return Page[Deleted]{}, err
	}
	var from time.Time
	if !at.IsStart() {
		from, _ = at.Time() // which was checked
	}
	compare := func(d Deleted) int { return cmp.Or(from.Compare(d.DeletedAt), cmp.Compare(at.ID, d.ID)) }
	return CutPage(all, at, limit, compare, func(d Deleted) Cursor { return TimeCursor(list, d.DeletedAt, d.ID) }), nil
}

// CheckDeleted returns ErrCursor unless a cursor is one that CutDeleted takes.
func CheckDeleted(list string, at *Cursor) error {
	if at.IsStart() {
		return nil
	}
	if err := at.Check(list); err != nil {
		return err
	}
	_, err := at.Time()
	return err
}
