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

// ChangeFilter chooses changes of a company. Its zero value but for company and
// limit chooses all of them.
type ChangeFilter struct {
	CompanyID  int64
	ObjectType string
	ObjectID   int64 // of an object of ObjectType
	ActorID    int64
	Since      time.Time // from then on
	Until      time.Time // before then
	Cursor     *Cursor
	Limit      int
}

// changeList is the list of cursors of changes.
const changeList = "changes"

// Changes are changes of a company, the latest first. The list is only read
// forward.
func (db *DB) Changes(ctx context.Context, f ChangeFilter) (Page[Change], error) {
	page := Page[Change]{}
	end := endOfTime
	if !f.Until.IsZero() {
		end = f.Until
	}
	before := changePosition{at: end}
	if !f.Cursor.IsStart() {
		at, err := time.Parse(time.RFC3339Nano, f.Cursor.Value)
		if err != nil || f.Cursor.CheckForward(changeList) != nil {
			return page, fmt.Errorf("change at %q: %w", f.Cursor.Value, ErrCursor)
		}
		if !at.After(end) {
			before = changePosition{at, f.Cursor.ID}
		}
	}
	changes, err := db.changesBefore(ctx, f, before)
	if err != nil {
		return page, fmt.Errorf("changes: %w", err)
	}
	page = NewPage(changes, f.Cursor, f.Limit, func(c Change) Cursor {
		return Cursor{List: changeList, Value: c.At.UTC().Format(time.RFC3339Nano), ID: c.ID}
	})
	page.forwardOnly(f.Cursor, f.Limit)
	return page, nil
}

// changePosition is what changes are sorted by.
type changePosition struct {
	at time.Time
	id int64
}

// changesBefore reads one more than the limit where there are more.
func (db *DB) changesBefore(ctx context.Context, f ChangeFilter, before changePosition) ([]Change, error) {
	size := int32(f.Limit) + 1
	switch {
	case f.ObjectID != 0:
		return db.changesOfObject(ctx, changesOfObjectParams{
			CompanyID: f.CompanyID, ObjectType: f.ObjectType, ObjectID: f.ObjectID, ActorUserID: orNil(f.ActorID),
			Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
		})
	case f.ActorID != 0:
		return db.changesOfActor(ctx, changesOfActorParams{
			CompanyID: f.CompanyID, ActorUserID: &f.ActorID, ObjectType: f.ObjectType,
			Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
		})
	case f.ObjectType != "":
		return db.changesOfType(ctx, changesOfTypeParams{
			CompanyID: f.CompanyID, ObjectType: f.ObjectType, Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
		})
	}
	return db.changesOfCompany(ctx, changesOfCompanyParams{
		CompanyID: f.CompanyID, Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
	})
}

var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
