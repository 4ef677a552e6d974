package hiding

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
)

// Deactivation is which people have left and what says so.
type Deactivation struct {
	UserIDs []int64
	Source  Source // Administrator if it is empty
	Reason  string // in words, possibly empty
}

// Deactivate deactivates people who have left, all or none of them: they can no
// longer sign in, their sign-ins and access tokens end for good, and they appear
// nowhere but in the past. It refuses as Hide does.
func (s *Store) Deactivate(ctx context.Context, by queries.Actor, d Deactivation) (done Result, err error) {
	if err := d.check(); err != nil {
		return done, err
	}
	return done, s.inTx(ctx, by, func(ctx context.Context, t *transaction) (err error) {
		done, err = t.deactivate(ctx, d)
		return err
	})
}

// CheckDeactivation refuses what Deactivate would refuse, and returns what Check does.
func (s *Store) CheckDeactivation(ctx context.Context, by queries.Actor, d Deactivation) ([]policy.BrokenCheck, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return s.checkPeople(ctx, by, Deactivated, d.UserIDs)
}

// check completes the deactivation and refuses what cannot be stored.
func (d *Deactivation) check() (err error) {
	if d.UserIDs, err = distinct(d.UserIDs); err != nil {
		return err
	}
	refused := queries.FieldErrors{}
	if checkReason(&d.Reason, refused); len(refused) > 0 {
		return refused
	}
	return nil
}

// Reactivate ends the deactivation of people. Those who are not deactivated are
// left out; NotFound if none is. They can sign in again unless they are hidden, but
// nothing that ended is revived.
func (s *Store) Reactivate(ctx context.Context, by queries.Actor, userIDs []int64) (Result, error) {
	return s.end(ctx, by, Deactivated, userIDs)
}

// DeactivateIn deactivates any number of people in the transaction of another rule,
// as Deactivate does; the other rule holds it against the checks of policies. Nobody is
// no error.
func DeactivateIn(ctx context.Context, tx queries.Tx, by queries.Actor, now time.Time, d Deactivation) (Result, error) {
	if len(d.UserIDs) == 0 {
		return Result{}, nil
	}
	t, err := join(ctx, tx, by, now)
	if err != nil {
		return Result{}, err
	}
	d.UserIDs = slices.Compact(slices.Sorted(slices.Values(d.UserIDs)))
	return t.deactivate(ctx, d)
}

// ReactivateIn reactivates people in the transaction of another rule, as Reactivate
// does; the other rule holds it against the checks of policies.
func ReactivateIn(ctx context.Context, tx queries.Tx, by queries.Actor, now time.Time, userIDs []int64) (Result, error) {
	t, err := join(ctx, tx, by, now)
	if err != nil {
		return Result{}, err
	}
	return t.show(ctx, Deactivated, userIDs)
}

func (t *transaction) deactivate(ctx context.Context, d Deactivation) (Result, error) {
	all := make([]newHiding, len(d.UserIDs))
	for i, id := range d.UserIDs {
		all[i] = newHiding{id, Leaver, d.Reason, 0}
	}
	if d.Source == "" {
		d.Source = Administrator
	}
	return t.hide(ctx, Deactivated, d.Source, all)
}
