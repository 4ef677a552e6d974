package audit

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/lists"
)

// ChangeFilter chooses changes of a company. With only CompanyID and Limit set,
// it chooses all of them.
type ChangeFilter struct {
	CompanyID  int64
	ObjectType string
	ObjectID   int64 // the id of an object of ObjectType
	ActorID    int64
	Since      time.Time // the earliest time
	Until      time.Time // the time after the latest one
	Cursor     *lists.Cursor
	Limit      int
}

// changeList is the list name of the cursors of changes.
const changeList = "changes"

// Changes returns changes of a company, the latest first. The list is only read
// forward.
func (s *Store) Changes(ctx context.Context, f ChangeFilter) (lists.Page[Change], error) {
	page := lists.Page[Change]{}
	end := endOfTime
	if !f.Until.IsZero() {
		end = f.Until
	}
	before := changePosition{at: end}
	if !f.Cursor.IsStart() {
		if err := f.Cursor.CheckForward(changeList); err != nil {
			return page, err
		}
		at, err := f.Cursor.Time()
		if err != nil {
			return page, err
		}
		if !at.After(end) {
			before = changePosition{at, f.Cursor.ID}
		}
	}
	changes, err := s.changesBefore(ctx, f, before)
	if err != nil {
		return page, fmt.Errorf("changes: %w", err)
	}
	page = lists.NewPage(changes, f.Cursor, f.Limit, func(c Change) lists.Cursor {
		return lists.TimeCursor(changeList, c.At, c.ID)
	})
	page.ForwardOnly(f.Cursor, f.Limit)
	return page, nil
}

// changePosition is the key that changes are sorted by.
type changePosition struct {
	at time.Time
	id int64
}

// changesBefore reads changes after the cursor, one more than the limit if
// there are more.
func (s *Store) changesBefore(ctx context.Context, f ChangeFilter, before changePosition) ([]Change, error) {
	size := int32(f.Limit) + 1
	switch {
	case f.ObjectID != 0:
		return s.changesOfObject(ctx, changesOfObjectParams{
			CompanyID: f.CompanyID, ObjectType: f.ObjectType, ObjectID: f.ObjectID, ActorUserID: queries.OrNil(f.ActorID),
			Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
		})
	case f.ActorID != 0:
		return s.changesOfActor(ctx, changesOfActorParams{
			CompanyID: f.CompanyID, ActorUserID: &f.ActorID, ObjectType: f.ObjectType,
			Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
		})
	case f.ObjectType != "":
		return s.changesOfType(ctx, changesOfTypeParams{
			CompanyID: f.CompanyID, ObjectType: f.ObjectType, Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
		})
	}
	return s.changesOfCompany(ctx, changesOfCompanyParams{
		CompanyID: f.CompanyID, Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
	})
}

var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
