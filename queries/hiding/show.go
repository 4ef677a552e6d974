package hiding

import (
	"context"
	"errors"

	"officeconsole/queries"
	"officeconsole/workday"
)

// Show shows hidden people again. Those who are not hidden are left out;
// NotFound if none is. They can sign in again unless they are deactivated, but
// nothing that ended when they were hidden is revived.
func (s *Store) Show(ctx context.Context, by queries.Actor, userIDs []int64) (Result, error) {
	return s.end(ctx, by, Hidden, userIDs)
}

// end ends a state of users.
func (s *Store) end(ctx context.Context, by queries.Actor, state State, userIDs []int64) (ended Result, err error) {
	if userIDs, err = distinct(userIDs); err != nil {
		return ended, err
	}
	return ended, s.inTx(ctx, by, func(ctx context.Context, t *transaction) (err error) {
		ended, err = t.show(ctx, state, userIDs)
		return err
	})
}

func (t *transaction) show(ctx context.Context, state State, userIDs []int64) (shown Result, err error) {
	broken, err := t.hold(ctx, userIDs, func(ctx context.Context) (err error) {
		shown, err = t.showAll(ctx, state, userIDs)
		return err
	})
	shown.Broken = broken
	return shown, err
}

func (t *transaction) showAll(ctx context.Context, state State, userIDs []int64) (Result, error) {
	set, err := t.nextSet(ctx)
	if err != nil {
		return Result{}, err
	}
	hidings, err := t.closeHidings(ctx, closeHidingsParams{
		CompanyID: t.by.CompanyID, UserIds: userIDs, State: state, Now: t.now, ShownBy: queries.OrNil(t.by.UserID), ShownByName: t.by.Name, ShownIn: set,
	})
	if err == nil && len(hidings) == 0 {
		err = queries.NotFound
	}
	if err != nil {
		return Result{}, err
	}
	closed, ids := map[int64]Hiding{}, []int64{}
	for _, h := range hidings {
		closed[h.UserID], ids = h, append(ids, h.UserID)
	}
	users, err := t.showUsers(ctx, showUsersParams{CompanyID: t.by.CompanyID, Ids: ids, Now: t.now, State: string(state)})
	if err != nil {
		return Result{}, err
	}
	result := Result{Set: set}
	var changes []queries.Change
	var visible []int64
	for _, u := range users {
		result.People = append(result.People, Named{u.ID, u.Name})
		if u.Visible {
			visible = append(visible, u.ID)
		} else {
			result.Absent++
		}
		h := closed[u.ID]
		change := queries.Change{
			Action: "user.shown", ObjectType: "user", ObjectID: u.ID, ObjectName: u.Name, Old: Record{ID: h.ID, Kind: h.Kind, Reason: h.Reason, ShowAgainOn: h.until()},
		}
		if state == Deactivated {
			change.Action, change.Old = "user.reactivated", Record{ID: h.ID, Source: h.Source, Reason: h.Reason}
		}
		changes = append(changes, change)
	}
	if err := t.shared.RecordChanges(ctx, t.by, t.now, changes); err != nil {
		return Result{}, err
	}
	if state == Deactivated { // nobody who is in the other state, too
		return result, t.publish(ctx, "user.reactivated", visible)
	}
	return result, t.publish(ctx, "user.shown", visible)
}

// Undone is what Undo has done: who is in a state now, or no longer is.
type Undone struct {
	Result
	State  State
	Hidden bool // whether the people are in the state
}

// Undo reverts what a request has hidden, deactivated, shown or reactivated,
// without people for whom that was changed since. NotFound if nobody is left, or
// there is no such request.
func (s *Store) Undo(ctx context.Context, by queries.Actor, set int64) (done Undone, err error) {
	err = s.inTx(ctx, by, func(ctx context.Context, t *transaction) (err error) {
		all, err := t.hidingsOfSet(ctx, hidingsOfSetParams{by.CompanyID, set})
		if err == nil && len(all) == 0 {
			err = queries.NotFound
		}
		if err != nil {
			return err
		}
		done.State, done.Hidden = all[0].State, all[0].ShownAt != nil
		if done.Hidden {
			done.Result, err = t.hideAgain(ctx, all)
			return err
		}
		ids := make([]int64, len(all))
		for i, h := range all {
			ids[i] = h.UserID
		}
		done.Result, err = t.show(ctx, done.State, ids)
		return err
	})
	return done, err
}

// hideAgain hides or deactivates users for the reasons of hidings of one request that
// have ended. A day that has come is left out, since the users would be shown again
// at once.
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
	return t.hide(ctx, former[0].State, former[0].Source, again)
}

// errChanged is the refusal to revert a hiding after which the user was hidden
// or shown again.
const errChanged = queries.Conflict("change.revert.changed")

// RevertHiding shows or reactivates a user again, unless the hiding is no longer
// the user's last one in its state.
func (s *Store) RevertHiding(ctx context.Context, by queries.Actor, state State, userID, hidingID int64) (Result, error) {
	return s.revert(ctx, by, Hiding{UserID: userID, ID: hidingID, State: state}, func(ctx context.Context, t *transaction, h Hiding) (Result, error) {
		if h.ShownAt != nil {
			return Result{}, errChanged
		}
		return t.show(ctx, state, []int64{userID})
	})
}

// RevertShowing hides or deactivates a user again for the reason of the hiding that
// ended.
func (s *Store) RevertShowing(ctx context.Context, by queries.Actor, state State, userID, hidingID int64) (Result, error) {
	return s.revert(ctx, by, Hiding{UserID: userID, ID: hidingID, State: state}, func(ctx context.Context, t *transaction, h Hiding) (Result, error) {
		if h.ShownAt == nil {
			return Result{}, errChanged
		}
		return t.hideAgain(ctx, []Hiding{h})
	})
}

func (s *Store) revert(ctx context.Context, by queries.Actor, of Hiding, do func(context.Context, *transaction, Hiding) (Result, error)) (done Result, err error) {
	err = s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		last, err := t.lastHiding(ctx, lastHidingParams{by.CompanyID, of.UserID, of.State})
		if err != nil && !errors.Is(err, queries.NotFound) {
			return err
		}
		if last.ID != of.ID {
			return errChanged
		}
		done, err = do(ctx, t, last)
		return err
	})
	return done, err
}
