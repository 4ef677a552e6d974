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
