package queries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Reverted is what reverting a change has done.
type Reverted struct {
	Change Change   // as it is in the log
	Lost   []Target // of a policy that came back: targets that other policies hold by now
}

// Revertible reports whether changes of this kind can be reverted.
func (c Change) Revertible() bool { return revertible[c.Action] != nil }

// RevertChange reverts a change: what was saved gets its earlier content
// again, what was deleted comes back, what was made is deleted. It is itself a
// change, which can be reverted. NotFound: there is no such change; Invalid:
// changes of this kind stay; Conflict: something else changed since, or what
// was free then is taken; Lockout as for any save.
func (db *DB) RevertChange(ctx context.Context, by Actor, id int64, confirmed bool) (Reverted, error) {
	c, err := db.changeByID(ctx, changeByIDParams{by.CompanyID, id})
	if err != nil {
		return Reverted{}, err
	}
	revert := revertible[c.Action]
	if revert == nil {
		return Reverted{}, Invalid("change.revert.never")
	}
	r := reversal{DB: db, by: by, change: c, confirmed: confirmed}
	if err := r.read(); err != nil {
		return Reverted{}, err
	}
	if err := revert(&r, ctx); err != nil {
		return Reverted{}, outdated(err)
	}
	latest, err := db.Changes(ctx, ChangeFilter{CompanyID: by.CompanyID, ObjectType: c.ObjectType, ObjectID: c.ObjectID, ActorID: by.UserID, Limit: 1})
	if err == nil && len(latest.Rows) == 0 {
		err = NotFound
	}
	if err != nil {
		return Reverted{}, err
	}
	return Reverted{latest.Rows[0], r.lost}, nil
}

// revertible are the changes that can be reverted, by their action.
var revertible = map[string]func(*reversal, context.Context) error{
	"policy.created":          (*reversal).policyVersion,
	"policy.duplicated":       (*reversal).policyVersion,
	"policy.updated":          (*reversal).policyVersion,
	"policy.version_restored": (*reversal).policyVersion,
	"policy.enabled":          (*reversal).policyVersion,
	"policy.disabled":         (*reversal).policyVersion,
	"policy.targets_moved":    (*reversal).policyVersion,
	"policy.plan_restored":    (*reversal).policyVersion,
	"policy.plan_moved":       (*reversal).plannedStart,
	"policy.plan_cancelled":   (*reversal).plannedCancellation,
	"policy.deleted":          (*reversal).policyDeletion,
	"policy.restored":         (*reversal).policyVersion,
	"viewer.registered":       (*reversal).viewerCreation,
	"viewer.restored":         (*reversal).viewerCreation,
	"viewer.updated":          (*reversal).viewerUpdate,
	"viewer.deleted":          (*reversal).viewerDeletion,
}

// outdated makes refusals that nobody can do anything about, as no field was
// filled in, conflicts with what has happened since.
func outdated(err error) error {
	var fields FieldErrors
	switch {
	case errors.Is(err, NotFound):
		return Conflict("change.revert.changed")
	case errors.As(err, &fields):
		return Conflict(fields.First())
	}
	return err
}

// reversal is the revert of a change.
type reversal struct {
	*DB
	by        Actor
	change    Change
	confirmed bool
	old, new  struct { // what the change log keeps of both kinds of object
		VersionNo     int32     `json:"version_no"`
		EffectiveFrom time.Time `json:"effective_from"`
	}
	lost []Target
}

func (r *reversal) read() error {
	if r.change.Old != nil {
		if err := json.Unmarshal(r.change.Old, &r.old); err != nil {
			return fmt.Errorf("change %d: %w", r.change.ID, err)
		}
	}
	if r.change.New != nil {
		if err := json.Unmarshal(r.change.New, &r.new); err != nil {
			return fmt.Errorf("change %d: %w", r.change.ID, err)
		}
	}
	return nil
}

// policyVersion reverts the version of a policy with its change set.
func (r *reversal) policyVersion(ctx context.Context) error {
	return r.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, h, err := q.beginUpdate(ctx, r.by, r.change.ObjectID, r.new.VersionNo, r.now())
		if err != nil {
			return err
		}
		if err := s.revertVersion(ctx, policyVersionKey{h.id, r.new.VersionNo}, r.confirmed); err != nil {
			return err
		}
		return s.finish(ctx)
	})
}

// plannedStart gives a planned version its earlier start again.
func (r *reversal) plannedStart(ctx context.Context) error {
	_, err := r.MovePlannedVersion(ctx, r.by, r.change.ObjectID, r.new.VersionNo, Start{When: StartAt, At: r.old.EffectiveFrom})
	return err
}

func (r *reversal) plannedCancellation(ctx context.Context) error {
	return r.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, h, err := q.beginUpdate(ctx, r.by, r.change.ObjectID, r.old.VersionNo, r.now())
		if err != nil {
			return err
		}
		if err := s.revertCancellation(ctx, policyVersionKey{h.id, r.old.VersionNo}, r.confirmed); err != nil {
			return err
		}
		return s.finish(ctx)
	})
}

func (r *reversal) policyDeletion(ctx context.Context) error {
	return r.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, h, err := q.beginSaveOf(ctx, r.by, r.change.ObjectID, r.now())
		if err != nil {
			return err
		}
		switch {
		case h.deletedAt == nil || !h.deletedAt.Equal(r.change.At):
			return Conflict("change.revert.changed")
		case s.now.Sub(*h.deletedAt) > RestoreTime:
			return Invalid("change.revert.late")
		}
		if r.lost, err = s.restore(ctx, h, r.confirmed); err != nil {
			return err
		}
		return s.finish(ctx)
	})
}

func (r *reversal) viewerCreation(ctx context.Context) error {
	return r.DeleteViewer(ctx, r.by, r.change.ObjectID, r.new.VersionNo)
}

func (r *reversal) viewerUpdate(ctx context.Context) error {
	var old viewerRecord
	if err := json.Unmarshal(r.change.Old, &old); err != nil {
		return fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	_, err := r.UpdateViewer(ctx, r.by, r.change.ObjectID, r.new.VersionNo, old.viewer().Draft())
	return err
}

func (r *reversal) viewerDeletion(ctx context.Context) error {
	if r.now().Sub(r.change.At) > RestoreTime {
		return Invalid("change.revert.late")
	}
	_, err := r.RestoreViewer(ctx, r.by, r.change.ObjectID, r.old.VersionNo+1)
	return err
}
