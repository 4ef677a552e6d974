package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/search"
	"officeconsole/workday"
)

// ChangeFilter chooses changes of a company. With only CompanyID and Limit set,
// it chooses all of them.
type ChangeFilter struct {
	CompanyID  int64 `json:"-"`
	ObjectType string
	ObjectID   int64  // the id of an object of ObjectType
	Action     string // of ObjectType
	ActorID    int64
	Deleted    bool          // only deletions that can still be reverted
	From, To   workday.Date  // the dates that Since and Until are those of; 0 for none
	Since      time.Time     // the earliest time
	Until      time.Time     // the time after the latest one
	Query      string        // as typed
	Search     search.Search `json:"-"`
	Cursor     *lists.Cursor `json:"-"`
	Limit      int           `json:"-"`
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
		at, err := s.timeOf(ctx, f.CompanyID, f.Cursor)
		if err != nil {
			return page, err
		}
		if !at.After(end) {
			before = changePosition{at, f.Cursor.ID}
		}
	}
	read := s.changesBefore
	if !f.Search.Empty() {
		read = s.searchChanges
	}
	changes, err := read(ctx, f, before)
	if err != nil {
		return page, fmt.Errorf("changes: %w", err)
	}
	page = lists.NewPage(changes, f.Cursor, f.Limit, func(c Change) lists.Cursor {
		return lists.TimeCursor(changeList, c.At, c.ID)
	})
	page.ForwardOnly(f.Cursor, f.Limit)
	return page, nil
}

// timeOf returns the time of the change at a cursor. A cursor to an earlier page has
// only the id of its change, see lists.Page.ForwardOnly.
func (s *Store) timeOf(ctx context.Context, companyID int64, at *lists.Cursor) (time.Time, error) {
	if at.Value != "" {
		return at.Time()
	}
	c, err := s.Change(ctx, ChangeParams{companyID, at.ID})
	if errors.Is(err, queries.NotFound) {
		err = lists.ErrCursor
	}
	return c.At, err
}

// CursorAt returns the cursor of the page that begins with a change.
func CursorAt(c Change) *lists.Cursor {
	cursor := lists.TimeCursor(changeList, c.At, c.ID+1)
	return &cursor
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
	case f.Deleted:
		return s.changesOfActions(ctx, changesOfActionsParams{
			CompanyID: f.CompanyID, Actions: f.actions(), ObjectType: f.ObjectType, ObjectID: f.ObjectID, ActorUserID: queries.OrNil(f.ActorID),
			Since: s.since(f), BeforeAt: before.at, BeforeID: before.id, Size: size,
		})
	case f.ObjectID != 0:
		return s.changesOfObject(ctx, changesOfObjectParams{
			CompanyID: f.CompanyID, ObjectType: f.ObjectType, ObjectID: f.ObjectID, Action: f.Action, ActorUserID: queries.OrNil(f.ActorID),
			Since: f.Since, BeforeAt: before.at, BeforeID: before.id, Size: size,
		})
	case f.Action != "":
		return s.changesOfAction(ctx, changesOfActionParams{
			CompanyID: f.CompanyID, Action: f.Action, ActorUserID: queries.OrNil(f.ActorID),
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

// searchChanges reads changes that the search finds, as changesBefore does. Those of
// the last minute get their search texts first, unless there are too many: then they
// are found after the next run of WriteTexts.
func (s *Store) searchChanges(ctx context.Context, f ChangeFilter, before changePosition) ([]Change, error) {
	if _, err := s.writeTexts(ctx, f.CompanyID); err != nil {
		return nil, err
	}
	return New(s.db.CustomPlan()).searchedChanges(ctx, searchedChangesParams{
		CompanyID: f.CompanyID, Grams: f.Search.GramNumbers(), Patterns: f.Search.Patterns(),
		ObjectType: f.ObjectType, ObjectID: f.ObjectID, Actions: f.actions(), ActorUserID: queries.OrNil(f.ActorID),
		Since: s.since(f), BeforeAt: before.at, BeforeID: before.id, Size: int32(f.Limit) + 1,
	})
}

// since is the earliest time of the changes that the filter chooses.
func (s *Store) since(f ChangeFilter) time.Time {
	if restorable := s.db.Now().Add(-RestoreTime); f.Deleted && restorable.After(f.Since) {
		return restorable
	}
	return f.Since
}

// actions are the actions that the filter chooses; nil for all.
func (f ChangeFilter) actions() []string {
	switch {
	case f.Deleted && f.Action != "":
		return slices.DeleteFunc(slices.Clone(deletions), func(action string) bool { return action != f.Action })
	case f.Deleted:
		return deletions
	case f.Action != "":
		return []string{f.Action}
	}
	return nil
}

// Later returns the changes of the same object after a change, the latest first,
// at most size.
func (s *Store) Later(ctx context.Context, c Change, size int) ([]Change, error) {
	page, err := s.Changes(ctx, ChangeFilter{CompanyID: c.CompanyID, ObjectType: c.ObjectType, ObjectID: c.ObjectID, Since: c.At, Limit: size + 1})
	later := slices.DeleteFunc(page.Rows, func(other Change) bool {
		return other.At.Equal(c.At) && other.ID <= c.ID || c.ObjectID == 0 && other.ObjectName != c.ObjectName
	})
	return later[:min(size, len(later))], err
}

// RecordKey returns the key of the record that a change of an object of attendance is
// about. It is NotFound for any other change.
func (c Change) RecordKey() (attendance.RecordKey, error) {
	var of struct {
		RecordID string `json:"record_id"`
	}
	if err := decode(c, &of, &of); err != nil {
		return attendance.RecordKey{}, err
	}
	return attendance.ParseRecordKey(of.RecordID)
}

// mostActors is how many people the page offers in its filter.
const mostActors = 200

// Actor is somebody who has changed something.
type Actor = actorsRow

// Actors returns the users who have changed something, by name.
func (s *Store) Actors(ctx context.Context, companyID int64) ([]Actor, error) {
	return s.actors(ctx, actorsParams{CompanyID: companyID, Size: mostActors})
}

var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
