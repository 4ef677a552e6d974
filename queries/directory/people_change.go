package directory

import (
	"context"

	"officeconsole/queries"
)

// PeopleChange is a change of who is in a company, and in which department. It names
// those whom it may concern.
type PeopleChange struct {
	By            queries.Actor
	UserIDs       []int64 // also people whom the change creates, added while it is made
	DepartmentIDs []int64 // departments that move, with everybody in and below them
	IsOfAll       bool    // anybody
	IsAutomatic   bool    // made by the program itself, which nothing stops
}

// PeopleHold runs a change in a transaction that has locked the directory, and may refuse
// it.
type PeopleHold func(ctx context.Context, tx queries.Tx, c *PeopleChange, change func(context.Context) error) error
