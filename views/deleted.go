package views

import (
	"context"
	"time"

	"officeconsole/queries/lists"
)

// DeletedList is what DeletedTable shows.
type DeletedList struct {
	Label             string // names the table
	Page              lists.Page[lists.Deleted]
	Now               time.Time
	RestoreTime       time.Duration
	Path, Restoration string                     // the form that restores a row posts to PATH/ID/RESTORATION
	Address           func(cursor string) string // of another page
}

// Pager is the pager of the list.
func (l DeletedList) Pager(ctx context.Context) Pager {
	return NewPager(ctx, l.Page, "deleted.range", l.Address)
}
