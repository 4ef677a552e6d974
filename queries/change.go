package queries

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// change is what a rule notes in the change log, in its own transaction.
// Action is spelled "policy.updated". Old and New become JSON; nil is nothing.
type change struct {
	Action     string
	ObjectType string
	ObjectID   int64
	ObjectName string
	Old, New   any
}

func (q *Queries) recordChange(ctx context.Context, by Actor, at time.Time, c change) error {
	arg := insertChangeParams{
		CompanyID: by.CompanyID, At: at, ActorUserID: orNil(by.UserID), ActorName: by.Name,
		Action: c.Action, ObjectType: c.ObjectType, ObjectID: c.ObjectID, ObjectName: c.ObjectName,
	}
	if by.Address.IsValid() {
		address := by.Address.Unmap().WithZone("")
		arg.Address = &address
	}
	var err error
	if arg.Old, err = jsonOrNil(c.Old); err != nil {
		return err
	}
	if arg.New, err = jsonOrNil(c.New); err != nil {
		return err
	}
	if err := q.insertChange(ctx, arg); err != nil {
		return fmt.Errorf("note %s: %w", c.Action, err)
	}
	return nil
}

func jsonOrNil(value any) (json.RawMessage, error) {
	if value == nil {
		return nil, nil
	}
	return json.Marshal(value)
}

// ChangeFilter chooses changes of a company. Its zero value but for the company
// chooses all of them.
type ChangeFilter struct {
	CompanyID  int64
	ObjectType string
	ObjectID   int64 // of an object of ObjectType
	ActorID    int64
	Since      time.Time // from then on
	Until      time.Time // before then
}

// ChangePlace is the place of a change in the log. The zero place is its newest end.
type ChangePlace struct {
	At time.Time
	ID int64
}

// Changes are the changes before a place, the latest first; fewer than size
// only at the end of the log.
func (db *DB) Changes(ctx context.Context, f ChangeFilter, before ChangePlace, size int) ([]Change, error) {
	end := endOfTime
	if !f.Until.IsZero() {
		end = f.Until
	}
	if before.At.IsZero() || before.At.After(end) {
		before = ChangePlace{At: end}
	}
	switch {
	case f.ObjectID != 0:
		return db.changesOfObject(ctx, changesOfObjectParams{
			CompanyID: f.CompanyID, ObjectType: f.ObjectType, ObjectID: f.ObjectID, ActorUserID: orNil(f.ActorID),
			Since: f.Since, BeforeAt: before.At, BeforeID: before.ID, Size: int32(size),
		})
	case f.ActorID != 0:
		return db.changesOfActor(ctx, changesOfActorParams{
			CompanyID: f.CompanyID, ActorUserID: &f.ActorID, ObjectType: f.ObjectType,
			Since: f.Since, BeforeAt: before.At, BeforeID: before.ID, Size: int32(size),
		})
	case f.ObjectType != "":
		return db.changesOfType(ctx, changesOfTypeParams{
			CompanyID: f.CompanyID, ObjectType: f.ObjectType, Since: f.Since, BeforeAt: before.At, BeforeID: before.ID, Size: int32(size),
		})
	}
	return db.changesOfCompany(ctx, changesOfCompanyParams{
		CompanyID: f.CompanyID, Since: f.Since, BeforeAt: before.At, BeforeID: before.ID, Size: int32(size),
	})
}

var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
