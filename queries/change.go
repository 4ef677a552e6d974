package queries

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Change is an entry of the change log, which a rule writes in its own
// transaction. Action is spelled "policy.updated". Old and New are stored as
// JSON; nil is stored as null.
type Change struct {
	Action     string
	ObjectType string
	ObjectID   int64
	ObjectName string
	Old, New   any
}

// RecordChange writes a change to the change log.
func (q *Queries) RecordChange(ctx context.Context, by Actor, at time.Time, c Change) error {
	arg := insertChangeParams{
		CompanyID: by.CompanyID, At: at, ActorUserID: OrNil(by.UserID), ActorName: by.Name,
		Action: c.Action, ObjectType: c.ObjectType, ObjectID: c.ObjectID, ObjectName: c.ObjectName,
	}
	if by.Address.IsValid() {
		address := by.Address.Unmap().WithZone("")
		arg.Address = &address
	}
	var err error
	if arg.Old, arg.New, err = c.JSON(); err != nil {
		return err
	}
	if err := q.insertChange(ctx, arg); err != nil {
		return fmt.Errorf("note %s: %w", c.Action, err)
	}
	return nil
}

// RecordChanges is RecordChange for several changes, in one statement.
func (q *Queries) RecordChanges(ctx context.Context, by Actor, at time.Time, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	arg := insertChangesParams{CompanyID: by.CompanyID, At: at, ActorUserID: OrNil(by.UserID), ActorName: by.Name}
	if by.Address.IsValid() {
		address := by.Address.Unmap().WithZone("")
		arg.Address = &address
	}
	for _, c := range changes {
		before, after, err := c.JSON()
		if err != nil {
			return err
		}
		arg.Actions, arg.ObjectTypes = append(arg.Actions, c.Action), append(arg.ObjectTypes, c.ObjectType)
		arg.ObjectIds, arg.ObjectNames = append(arg.ObjectIds, c.ObjectID), append(arg.ObjectNames, c.ObjectName)
		arg.Olds, arg.News = append(arg.Olds, string(before)), append(arg.News, string(after))
	}
	if err := q.insertChanges(ctx, arg); err != nil {
		return fmt.Errorf("note %d changes: %w", len(changes), err)
	}
	return nil
}

// JSON returns Old and New as JSON: nil for nil.
func (c Change) JSON() (before, after json.RawMessage, err error) {
	if before, err = jsonOrNil(c.Old); err != nil {
		return nil, nil, err
	}
	after, err = jsonOrNil(c.New)
	return before, after, err
}

// jsonOrNil returns a value as JSON for a nullable column: nil for nil.
func jsonOrNil(value any) (json.RawMessage, error) {
	if value == nil {
		return nil, nil
	}
	return json.Marshal(value)
}
