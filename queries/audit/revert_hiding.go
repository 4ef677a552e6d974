package audit

import (
	"context"
	"slices"
	"time"

	"officeconsole/queries/hiding"
	"officeconsole/workday"
)

// userHiding shows a hidden user again.
func (r *reversal) userHiding(ctx context.Context) error { return r.hiding(ctx, hiding.Hidden) }

// userShowing hides a user again, for the former reason.
func (r *reversal) userShowing(ctx context.Context) error { return r.showing(ctx, hiding.Hidden) }

// userDeactivation reactivates a deactivated user.
func (r *reversal) userDeactivation(ctx context.Context) error {
	return r.hiding(ctx, hiding.Deactivated)
}

// userReactivation deactivates a user again, for the former reason.
func (r *reversal) userReactivation(ctx context.Context) error {
	return r.showing(ctx, hiding.Deactivated)
}

func (r *reversal) hiding(ctx context.Context, state hiding.State) error {
	var hidden hiding.Record
	if err := r.readNew(&hidden); err != nil {
		return err
	}
	done, err := r.hidings.RevertHiding(ctx, r.by, state, r.change.ObjectID, hidden.ID)
	r.broken = done.Broken
	return err
}

func (r *reversal) showing(ctx context.Context, state hiding.State) error {
	var hidden hiding.Record
	if err := r.readOld(&hidden); err != nil {
		return err
	}
	done, err := r.hidings.RevertShowing(ctx, r.by, state, r.change.ObjectID, hidden.ID)
	r.broken = done.Broken
	return err
}

// opposites are the actions that end what another one of a user has begun.
var opposites = map[string]string{
	"user.hidden": "user.shown", "user.shown": "user.hidden", "user.deactivated": "user.reactivated", "user.reactivated": "user.deactivated",
}

func (s *Store) isLatestHiding(ctx context.Context, c Change) (bool, error) {
	later, err := s.Later(ctx, c, mostLater)
	return err == nil && !slices.ContainsFunc(later, func(other Change) bool { return other.Action == opposites[c.Action] }), err
}

// withoutPastDay leaves out a day on which somebody is shown again if it has come: whoever is
// hidden again stays hidden then.
func (s *Store) withoutPastDay(ctx context.Context, c Change, all []Difference) ([]Difference, error) {
	var ended, begun hiding.Record
	if err := decode(c, &ended, &begun); err != nil || ended.ShowAgainOn == 0 {
		return all, err
	}
	company, err := s.directory.Company(ctx, c.CompanyID)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(company.TimeZone)
	if err != nil || ended.ShowAgainOn > workday.DateOf(s.db.Now().In(zone)) {
		return all, err
	}
	return slices.DeleteFunc(all, func(d Difference) bool { return d.Field == "show_again_on" }), nil
}
