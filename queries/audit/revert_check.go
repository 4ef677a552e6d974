package audit

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/policy"
)

func (r *reversal) checkCreation(ctx context.Context) error {
	var made policy.CheckRecord
	if err := r.readNew(&made); err != nil {
		return err
	}
	_, err := r.policy.SaveCheck(ctx, r.by, policy.CheckChange{ID: r.change.ObjectID, Kind: made.Expects.Kind, VersionNo: made.VersionNo})
	return err
}

func (r *reversal) checkUpdate(ctx context.Context) error {
	var old policy.CheckRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	draft := old.Draft()
	_, err := r.policy.SaveCheck(ctx, r.by, policy.CheckChange{ID: r.change.ObjectID, Kind: old.Expects.Kind, VersionNo: r.new.VersionNo, Draft: &draft, Reverts: true})
	return err
}

// RestoreCheck restores the check with an id that was deleted last, within RestoreTime.
func (s *Store) RestoreCheck(ctx context.Context, by queries.Actor, id int64) error {
	latest, err := s.latest(ctx, ChangeFilter{CompanyID: by.CompanyID, ObjectType: "check", ObjectID: id})
	if err != nil {
		return err
	}
	if !latest.IsRestorable(s.db.Now()) {
		return queries.NotFound
	}
	_, err = s.Revert(ctx, by, latest.ID, false)
	return err
}

func (r *reversal) checkDeletion(ctx context.Context) error {
	var old policy.CheckRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.policy.RestoreCheck(ctx, r.by, r.change.ObjectID, old)
}
