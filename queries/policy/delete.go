package policy

import (
	"context"
	"time"

	"officeconsole/queries"
)

// RestoreTime is how long a deleted policy can be restored (domain §9.12).
const RestoreTime = 30 * 24 * time.Hour

// Deletion is the result of deleting a policy.
type Deletion struct {
	Falls  []Fall        // the policies that its targets follow now
	Broken []BrokenCheck // the checks that it breaks, which only warn
}

// Delete deletes a policy and releases its targets: departments then follow the
// policy of their parent, and users that of their department (spec §4). The
// default policy cannot be deleted. It refuses with Lockout unless confirmed.
func (store *Store) Delete(ctx context.Context, by queries.Actor, id int64, ifMatch int32, confirmed bool) (Deletion, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Deletion, error) {
		s, h, err := q.beginUpdate(ctx, by, id, ifMatch, store.db.Now())
		if err != nil {
			return Deletion{}, err
		}
		falls, err := s.delete(ctx, h, confirmed)
		if err != nil {
			return Deletion{}, err
		}
		err = s.finish(ctx)
		return Deletion{falls, s.broken}, err
	})
}

// DeleteAll deletes policies of a kind, if they are as the actor has seen them:
// all of them, or none. It refuses as Delete does, with the warnings of all of
// them, and returns the checks that it has broken.
func (store *Store) DeleteAll(ctx context.Context, by queries.Actor, kind string, seen []Policy, confirmed bool) (broken []BrokenCheck, err error) {
	err = store.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, err := q.beginSave(ctx, by, kind, store.db.Now())
		if err != nil {
			return err
		}
		for _, p := range seen {
			h, err := s.loadExisting(ctx, p.ID)
			if err != nil {
				return err
			}
			if err := h.checkUnchanged(p.LastNo); err != nil {
				return err
			}
			if _, err := s.delete(ctx, h, confirmed); err != nil {
				return err
			}
		}
		err = s.finish(ctx)
		broken = s.broken
		return err
	})
	return broken, err
}

func (s *saveTx) delete(ctx context.Context, h *history, confirmed bool) ([]Fall, error) {
	if h.isDefault {
		return nil, queries.Invalid("policy.default.deleted")
	}
	after := s.timeline.without(func(v *Span) bool { return v.PolicyID == h.id })
	if err := s.warnOfLockout(ctx, after, confirmed); err != nil {
		return nil, err
	}
	p := h.policy(s.now)
	falls, err := s.falls(ctx, p.Version.Targets, after)
	if err != nil {
		return nil, err
	}
	if err := s.cancelReleases(ctx, h); err != nil {
		return nil, err
	}
	if err := s.endAll(ctx, h); err != nil {
		return nil, err
	}
	s.timeline = s.timeline.without(func(v *Span) bool { return v.PolicyID == h.id })
	s.messages = append(s.messages, policyChanged{s.kind, h.id, p.Version.No, s.now})
	return falls, s.recordChange(ctx, "policy.deleted", h.id, &p.Version, nil)
}

// endAll marks a policy as deleted and ends every version of it.
func (s *saveTx) endAll(ctx context.Context, h *history) error {
	if err := s.endPolicy(ctx, endPolicyParams{CompanyID: s.by.CompanyID, PolicyID: h.id, Now: s.now}); err != nil {
		return err
	}
	if err := s.setPolicyDeleted(ctx, setPolicyDeletedParams{CompanyID: s.by.CompanyID, ID: h.id, DeletedAt: &s.now}); err != nil {
		return err
	}
	h.DeletedAt = &s.now
	for i := range h.versions {
		if until := h.versions[i].Until; until == nil || until.After(s.now) {
			h.versions[i].Until = &s.now
			h.versions[i].noteEnd()
		}
	}
	return nil
}

// Restore restores the last version of a deleted policy, from the usual start
// of the kind or its own later start, and under another name if its name is
// taken, and plans again what was planned after it. It lists only targets that no
// other policy holds, or that are given back because another policy got them by the
// deletion; lost are the others. It refuses with Lockout unless confirmed. After
// RestoreTime it is NotFound.
func (store *Store) Restore(ctx context.Context, by queries.Actor, id int64, confirmed bool) (restored Policy, lost []Target, err error) {
	err = store.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, h, err := q.beginSaveOf(ctx, by, id, store.db.Now())
		if err != nil {
			return err
		}
		if lost, err = s.restore(ctx, h, confirmed); err != nil {
			return err
		}
		restored, err = s.finished(ctx, h)
		return err
	})
	return restored, lost, err
}

// RestoreAll restores policies of a kind as Restore does: all of them, or none.
func (store *Store) RestoreAll(ctx context.Context, by queries.Actor, kind string, ids []int64, confirmed bool) (restored []Policy, lost []Target, err error) {
	err = store.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, err := q.beginSave(ctx, by, kind, store.db.Now())
		if err != nil {
			return err
		}
		for _, id := range ids {
			h, err := s.load(ctx, id)
			if err != nil {
				return err
			}
			lostTargets, err := s.restore(ctx, h, confirmed)
			if err != nil {
				return err
			}
			restored, lost = append(restored, h.policy(s.now)), append(lost, lostTargets...)
		}
		err = s.finish(ctx)
		for i := range restored {
			restored[i].Broken = s.broken
		}
		return err
	})
	return restored, lost, err
}

func (s *saveTx) restore(ctx context.Context, h *history, confirmed bool) (lost []Target, err error) {
	r, err := s.restorable(ctx, h)
	if err != nil {
		return nil, err
	}
	if err := s.setPolicyDeleted(ctx, setPolicyDeletedParams{CompanyID: s.by.CompanyID, ID: h.id}); err != nil {
		return nil, err
	}
	h.DeletedAt = nil
	if err := s.checkLockout(ctx, &r.version, s.timeline.saved(s.spanOf(h.id, &r.version), r.given), confirmed); err != nil {
		return nil, err
	}
	if err := s.storeVersion(ctx, h, &r.version); err != nil {
		return nil, err
	}
	if err := s.release(ctx, VersionKey{h.id, r.version.No}, &r.version, r.given); err != nil {
		return nil, err
	}
	if err := s.recordChange(ctx, "policy.restored", h.id, nil, &r.version); err != nil {
		return nil, err
	}
	for _, planned := range r.planned {
		lost, err := s.restorePlanned(ctx, h, planned, confirmed)
		if err != nil {
			return nil, err
		}
		r.lost = append(r.lost, lost...)
	}
	return r.lost, nil
}

// restorePlanned plans a version again that ended with its policy, and returns the
// targets that it does not get again.
func (s *saveTx) restorePlanned(ctx context.Context, h *history, v Version, confirmed bool) (lost []Target, err error) {
	v.No, v.CreatedAt, v.CreatedBy = h.lastNo()+1, s.now, s.by.UserID
	v.CancelledAt, v.Until, v.ConfirmedAt, v.endedUnbegun = nil, v.ConfirmBy, nil, false
	if s.nameTaken(h.id, v.Name) {
		v.Name = s.freeName(v.Name)
	}
	var given []taken
	if v.Targets, given, lost, err = s.restorableTargets(ctx, VersionKey{h.id, h.lastNo()}, &v); err != nil {
		return nil, err
	}
	if err := s.checkLockout(ctx, &v, s.timeline.saved(s.spanOf(h.id, &v), given), confirmed); err != nil {
		return nil, err
	}
	if err := s.storeVersion(ctx, h, &v); err != nil {
		return nil, err
	}
	if err := s.release(ctx, VersionKey{h.id, v.No}, &v, given); err != nil {
		return nil, err
	}
	return lost, s.recordChange(ctx, "policy.plan_restored", h.id, nil, &v)
}

// restoration is what restoring a deleted policy saves.
type restoration struct {
	version Version
	given   []taken   // the targets that other policies give back
	lost    []Target  // the targets that the version does not get again
	planned []Version // what began later and is planned again, the first to begin first
}

// restorable returns what restoring a deleted policy saves; NotFound for one that
// cannot be restored.
func (s *saveTx) restorable(ctx context.Context, h *history) (r restoration, err error) {
	if h.DeletedAt == nil || s.now.Sub(*h.DeletedAt) > RestoreTime {
		return r, queries.NotFound
	}
	v, last := h.policy(s.now).Version, VersionKey{h.id, h.lastNo()}
	v.No, v.CreatedAt, v.CreatedBy, v.movedFor = last.No+1, s.now, s.by.UserID, nil
	v.ConfirmBy, v.ConfirmedAt, v.Until, v.CancelledAt, v.endedUnbegun = nil, nil, nil, nil, false
	usual, err := s.resolveStart(ctx, h.id, Start{})
	if err != nil {
		return r, err
	}
	if v.EffectiveFrom.Before(usual) {
		v.EffectiveFrom = usual
	}
	if s.nameTaken(h.id, v.Name) {
		v.Name = s.freeName(v.Name)
	}
	for _, later := range h.endedByDeletion() {
		if later.EffectiveFrom.After(v.EffectiveFrom) {
			r.planned = append(r.planned, later)
		}
	}
	v.Targets, r.given, r.lost, err = s.restorableTargets(ctx, last, &v)
	r.version = v
	return r, err
}
