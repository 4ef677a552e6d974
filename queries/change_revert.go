package queries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Reverted is what taking a change back has done.
type Reverted struct {
	Change Change   // as it is in the log
	Lost   []Target // of a policy that came back: targets that other policies hold by now
}

// Revertible tells whether changes of this kind can be taken back.
func (c Change) Revertible() bool { return revertible[c.Action] != nil }

// RevertChange takes a change back: what was saved gets its earlier content
// again, what was deleted comes back, what was made is deleted. It is itself a
// change, which can be taken back. NotFound: there is no such change; Invalid:
// changes of this kind stay; Conflict: something else changed since, or what
// was free then is taken; LockOut as for any save.
func (db *DB) RevertChange(ctx context.Context, by Actor, id int64, confirmed bool) (Reverted, error) {
	c, err := db.changeByID(ctx, changeByIDParams{by.CompanyID, id})
	if err != nil {
		return Reverted{}, err
	}
	revert := revertible[c.Action]
	if revert == nil {
		return Reverted{}, Invalid("change.revert.never")
	}
	r := reverting{DB: db, by: by, change: c, confirmed: confirmed}
	if err := r.read(); err != nil {
		return Reverted{}, err
	}
	if err := revert(&r, ctx); err != nil {
		return Reverted{}, outdated(err)
	}
	latest, err := db.Changes(ctx, ChangeFilter{CompanyID: by.CompanyID, ObjectType: c.ObjectType, ObjectID: c.ObjectID, ActorID: by.UserID}, ChangePlace{}, 1)
	if err == nil && len(latest) == 0 {
		err = NotFound
	}
	if err != nil {
		return Reverted{}, err
	}
	return Reverted{latest[0], r.lost}, nil
}

// revertible are the changes that can be taken back, by their action.
var revertible = map[string]func(*reverting, context.Context) error{
	"policy.created":          (*reverting).version,
	"policy.duplicated":       (*reverting).version,
	"policy.updated":          (*reverting).version,
	"policy.version_restored": (*reverting).version,
	"policy.enabled":          (*reverting).version,
	"policy.disabled":         (*reverting).version,
	"policy.targets_moved":    (*reverting).version,
	"policy.plan_restored":    (*reverting).version,
	"policy.plan_moved":       (*reverting).planMove,
	"policy.plan_cancelled":   (*reverting).planCancellation,
	"policy.deleted":          (*reverting).deletion,
	"policy.restored":         (*reverting).version,
	"viewer.registered":       (*reverting).viewerCreation,
	"viewer.restored":         (*reverting).viewerCreation,
	"viewer.updated":          (*reverting).viewerUpdate,
	"viewer.deleted":          (*reverting).viewerDeletion,
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

// reverting is a change that is being taken back.
type reverting struct {
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

func (r *reverting) read() error {
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

// version takes the version of a policy back, with those that other policies
// got because of it.
func (r *reverting) version(ctx context.Context) error {
	_, err := r.changePolicy(ctx, r.by, r.change.ObjectID, r.new.VersionNo, func(s *saving, _ Policy) error {
		return s.takeBack(ctx, policyVersionKey{r.change.ObjectID, r.new.VersionNo}, r.confirmed)
	})
	return err
}

// planMove gives a plan its earlier start again.
func (r *reverting) planMove(ctx context.Context) error {
	_, err := r.MovePlan(ctx, r.by, r.change.ObjectID, r.new.VersionNo, Start{When: StartAt, At: r.old.EffectiveFrom})
	return err
}

func (r *reverting) planCancellation(ctx context.Context) error {
	_, err := r.changePolicy(ctx, r.by, r.change.ObjectID, r.old.VersionNo, func(s *saving, _ Policy) error {
		return s.planAgain(ctx, policyVersionKey{r.change.ObjectID, r.old.VersionNo}, r.confirmed)
	})
	return err
}

func (r *reverting) deletion(ctx context.Context) error {
	row, err := r.policyRow(ctx, policyRowParams{r.by.CompanyID, r.change.ObjectID})
	switch {
	case err != nil:
		return err
	case row.DeletedAt == nil || !row.DeletedAt.Equal(r.change.At):
		return Conflict("change.revert.changed")
	case r.now().Sub(*row.DeletedAt) > RestoreTime:
		return Invalid("change.revert.late")
	}
	_, r.lost, err = r.RestorePolicy(ctx, r.by, r.change.ObjectID, r.confirmed)
	return err
}

func (r *reverting) viewerCreation(ctx context.Context) error {
	return r.DeleteViewer(ctx, r.by, r.change.ObjectID, r.new.VersionNo)
}

func (r *reverting) viewerUpdate(ctx context.Context) error {
	var old viewerRecord
	if err := json.Unmarshal(r.change.Old, &old); err != nil {
		return fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	_, err := r.UpdateViewer(ctx, r.by, r.change.ObjectID, r.new.VersionNo, old.viewer().Draft())
	return err
}

func (r *reverting) viewerDeletion(ctx context.Context) error {
	if r.now().Sub(r.change.At) > RestoreTime {
		return Invalid("change.revert.late")
	}
	_, err := r.RestoreViewer(ctx, r.by, r.change.ObjectID, r.old.VersionNo+1)
	return err
}
