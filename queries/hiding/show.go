package hiding

import (
	"context"

	"officeconsole/queries"
	"officeconsole/workday"
)

// Show shows hidden people again. Those who are not hidden are left out;
// NotFound if none is. They can sign in again, but nothing that ended when they
// were hidden is revived.
func (s *Store) Show(ctx context.Context, by queries.Actor, userIDs []int64) (shown Result, err error) {
	if userIDs, err = distinct(userIDs); err != nil {
		return shown, err
	}
	return shown, s.inTx(ctx, by, func(ctx context.Context, t *transaction) (err error) {
		shown, err = t.show(ctx, userIDs)
		return err
	})
}

func (t *transaction) show(ctx context.Context, userIDs []int64) (Result, error) {
	set, err := t.nextSet(ctx)
	if err != nil {
		return Result{}, err
	}
	users, err := t.showUsers(ctx, showUsersParams{CompanyID: t.by.CompanyID, Ids: userIDs, Now: t.now})
	if err == nil && len(users) == 0 {
		err = queries.NotFound
	}
	if err != nil {
		return Result{}, err
	}
	hidings, err := t.closeHidings(ctx, closeHidingsParams{
		CompanyID: t.by.CompanyID, UserIds: userIDs, Now: t.now, ShownBy: queries.OrNil(t.by.UserID), ShownByName: t.by.Name, ShownIn: set,
	})
	if err != nil {
		return Result{}, err
	}
	records := map[int64]Record{}
	for _, h := range hidings {
		records[h.UserID] = Record{h.ID, h.Kind, h.Reason, h.until()}
	}
	result := Result{Set: set}
	var changes []queries.Change
	var ids []int64
	for _, u := range users {
		ids = append(ids, u.ID)
		result.People = append(result.People, Named(u))
		changes = append(changes, queries.Change{
			Action: "user.shown", ObjectType: "user", ObjectID: u.ID, ObjectName: u.Name, Old: records[u.ID],
		})
	}
	if err := t.shared.RecordChanges(ctx, t.by, t.now, changes); err != nil {
		return Result{}, err
	}
	return result, t.shared.Publish(ctx, t.by.CompanyID, t.now, "user.shown", message{ids})
}

// Undo reverts what a request has hidden or shown, without people who were
// hidden or shown again since. It returns the result and whether people are
// hidden by it. NotFound if nobody is left, or there is no such request.
func (s *Store) Undo(ctx context.Context, by queries.Actor, set int64) (result Result, hidden bool, err error) {
	return result, hidden, s.inTx(ctx, by, func(ctx context.Context, t *transaction) (err error) {
		all, err := t.hidingsOfSet(ctx, hidingsOfSetParams{by.CompanyID, set})
		if err == nil && len(all) == 0 {
			err = queries.NotFound
		}
		if err != nil {
			return err
		}
		if hidden = all[0].ShownAt != nil; hidden {
			result, err = t.hideAgain(ctx, all)
			return err
		}
		ids := make([]int64, len(all))
		for i, h := range all {
			ids[i] = h.UserID
		}
		result, err = t.show(ctx, ids)
		return err
	})
}

// hideAgain hides users for the reasons of hidings that have ended. A day that has come
// is left out, since the users would be shown again at once.
func (t *transaction) hideAgain(ctx context.Context, former []Hiding) (Result, error) {
	today, err := t.today(ctx, todayParams{t.now, t.by.CompanyID})
	if err != nil {
		return Result{}, err
	}
	again := make([]newHiding, len(former))
	for i, h := range former {
		again[i] = newHiding{h.UserID, h.Kind, h.Reason, h.until()}
		if again[i].until <= workday.DateOf(today) {
			again[i].until = 0
		}
	}
	return t.hide(ctx, again)
}

// errChanged is the refusal to revert a hiding after which the user was hidden
// or shown again.
const errChanged = queries.Conflict("change.revert.changed")

// RevertHiding shows a user again, unless the hiding is no longer the user's
// last one.
func (s *Store) RevertHiding(ctx context.Context, by queries.Actor, userID, hidingID int64) error {
	return s.revert(ctx, by, userID, hidingID, func(ctx context.Context, t *transaction, h Hiding) (err error) {
		if h.ShownAt != nil {
			return errChanged
		}
		_, err = t.show(ctx, []int64{userID})
		return err
	})
}

// RevertShowing hides a user again for the reason of the hiding that ended.
func (s *Store) RevertShowing(ctx context.Context, by queries.Actor, userID, hidingID int64) error {
	return s.revert(ctx, by, userID, hidingID, func(ctx context.Context, t *transaction, h Hiding) error {
		if h.ShownAt == nil {
			return errChanged
		}
		_, err := t.hideAgain(ctx, []Hiding{h})
		return err
	})
}

func (s *Store) revert(ctx context.Context, by queries.Actor, userID, hidingID int64, do func(context.Context, *transaction, Hiding) error) error {
	return s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		last, err := t.lastHidings(ctx, lastHidingsParams{by.CompanyID, []int64{userID}})
		if err != nil {
			return err
		}
		if len(last) == 0 || last[0].ID != hidingID {
			return errChanged
		}
		return do(ctx, t, last[0])
	})
}
