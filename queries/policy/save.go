package policy

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/search"
)

// Create saves a new policy of the draft's kind. It refuses with DraftErrors,
// FieldErrors, TargetConflict or Lockout.
func (store *Store) Create(ctx context.Context, by queries.Actor, draft Draft) (Policy, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Policy, error) {
		s, err := q.beginSave(ctx, by, draft.Kind, store.db.Now())
		if err != nil {
			return Policy{}, err
		}
		h, err := s.create(ctx)
		if err != nil {
			return Policy{}, err
		}
		if err := s.append(ctx, h, draft, "policy.created"); err != nil {
			return Policy{}, err
		}
		return s.finished(ctx, h)
	})
}

// Update saves another version of a policy, unless the draft changes nothing: then it
// returns the policy as it is. ifMatch is the LastNo that the actor has seen; 0 saves
// in any case. Besides the refusals of Create there are
// NotFound and EditConflict.
func (store *Store) Update(ctx context.Context, by queries.Actor, id int64, ifMatch int32, draft Draft) (Policy, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Policy, error) {
		s, h, err := q.beginUpdate(ctx, by, id, ifMatch, store.db.Now())
		if err != nil {
			return Policy{}, err
		}
		return s.update(ctx, h, draft, "policy.updated")
	})
}

// update adds a version to a policy and finishes, unless the draft changes nothing. A
// version that begins together with the planned one takes its place.
func (s *saveTx) update(ctx context.Context, h *history, draft Draft, action string) (Policy, error) {
	keys, err := s.planReplacedBy(ctx, h, draft.EffectiveFrom)
	if err != nil {
		return Policy{}, err
	}
	replaced, err := s.cancelAll(ctx, keys)
	if err != nil {
		return Policy{}, err
	}
	accepted, err := s.accept(ctx, h.id, draft)
	if err != nil {
		return Policy{}, err
	}
	if len(replaced) == 0 && s.isUnchangedBy(h, accepted) {
		return h.policy(s.now), nil
	}
	if err := s.appendAccepted(ctx, h, accepted, action); err != nil {
		return Policy{}, err
	}
	if err := s.finishReplacement(ctx, replaced); err != nil {
		return Policy{}, err
	}
	return s.finished(ctx, h)
}

// isUnchangedBy reports whether a policy would be the same with a draft. A version that
// waits for its confirmation is always saved again, and so is one of the past, or one
// that starts behind a planned version.
func (s *saveTx) isUnchangedBy(h *history, d acceptedDraft) bool {
	p := h.policy(s.now)
	if !p.InForce || p.Version.IsProvisional() || s.startsInPast(d.start) || p.Planned != nil && d.start.After(s.now) {
		return false
	}
	after := s.newVersion(p.Version.No, d)
	after.EffectiveFrom = p.Version.EffectiveFrom
	differences := Compare(h.kind, p.Version, after)
	return d.Owner.is(h.owner) && len(differences.Fields)+len(differences.Settings) == 0
}

// VersionRestoration identifies an earlier version to save again.
type VersionRestoration struct {
	No        int32
	Start     Start
	Confirmed bool // save although it may lock somebody out
}

// RestoreVersion saves an earlier version of a policy again, unless the policy has the
// same content now: then it returns the policy as it is. It refuses targets that other
// policies hold by now, as Update does.
func (store *Store) RestoreVersion(ctx context.Context, by queries.Actor, id int64, ifMatch int32, r VersionRestoration) (Policy, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Policy, error) {
		s, h, err := q.beginUpdate(ctx, by, id, ifMatch, store.db.Now())
		if err != nil {
			return Policy{}, err
		}
		draft, err := h.restoring(r, s.now)
		if err != nil {
			return Policy{}, err
		}
		return s.update(ctx, h, draft, "policy.version_restored")
	})
}

// restoring returns the draft that saves an earlier version of a policy again; without
// that version it is NotFound.
func (h *history) restoring(r VersionRestoration, now time.Time) (Draft, error) {
	earlier := h.version(r.No)
	if earlier == nil {
		return Draft{}, queries.NotFound
	}
	d := earlier.Draft(h.policy(now))
	d.EffectiveFrom, d.Confirmed = r.Start, r.Confirmed
	return d, nil
}

// EnablingOutcome is what EnableAll has done.
type EnablingOutcome struct {
	Added  []VersionKey  // one of each policy
	Broken []BrokenCheck // the checks that it has broken
}

// EnableAll enables or disables policies of a kind, at the usual start of the
// kind: all of them, or none. It refuses policies with a planned version, to
// disable the default policy, and with Lockout, which has the warnings of all
// of them. A policy that is as it should be already is a Conflict, because others
// than the actor has seen would change.
func (store *Store) EnableAll(ctx context.Context, by queries.Actor, kind string, ids []int64, enabled, confirmed bool) (outcome EnablingOutcome, err error) {
	action := "policy.disabled"
	if enabled {
		action = "policy.enabled"
	}
	err = store.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, err := q.beginSave(ctx, by, kind, store.db.Now())
		if err != nil {
			return err
		}
		for _, id := range ids {
			h, err := s.loadExisting(ctx, id)
			if err != nil {
				return err
			}
			draft, differs := s.enabling(h, enabled)
			if !differs {
				return queries.Conflict("policy.changed")
			}
			draft.Confirmed = confirmed
			if err := s.append(ctx, h, draft, action); err != nil {
				return err
			}
			outcome.Added = append(outcome.Added, VersionKey{id, h.lastNo()})
		}
		err = s.finish(ctx)
		outcome.Broken = s.broken
		return err
	})
	return outcome, err
}

// enabling returns the draft that enables or disables a policy at the usual start
// of its kind, and whether that changes it (see IsAlready).
func (s *previewer) enabling(h *history, enabled bool) (d Draft, differs bool) {
	p := h.policy(s.now)
	d = p.Version.Draft(p)
	d.Enabled, d.EffectiveFrom = enabled, Start{}
	return d, !p.IsAlready(enabled, s.now, s.zone)
}

// Duplicate creates a policy with the settings of another one and a new name.
// It lists nobody, because all targets stay with the original.
func (store *Store) Duplicate(ctx context.Context, by queries.Actor, id int64) (Policy, error) {
	return inTx(ctx, store, func(ctx context.Context, q *Queries) (Policy, error) {
		s, original, err := q.beginUpdate(ctx, by, id, 0, store.db.Now())
		if err != nil {
			return Policy{}, err
		}
		p := original.policy(s.now)
		draft := p.Version.Draft(p)
		draft.Name, draft.Targets, draft.EffectiveFrom, draft.duplicateOf = s.freeName(draft.Name), nil, Start{}, id
		h, err := s.create(ctx)
		if err != nil {
			return Policy{}, err
		}
		if err := s.append(ctx, h, draft, "policy.duplicated"); err != nil {
			return Policy{}, err
		}
		return s.finished(ctx, h)
	})
}

// freeName adds a number to a name that a policy of the kind has already.
func (s *saveTx) freeName(name string) string {
	free := name
	for n := 2; s.nameTaken(0, free); n++ {
		suffix := fmt.Sprintf(" (%d)", n)
		room := []rune(name)
		free = string(room[:min(len(room), maxName-len(suffix))]) + suffix
	}
	return free
}

// append checks a draft and saves it as the next version of a policy.
func (s *saveTx) append(ctx context.Context, h *history, d Draft, action string) error {
	checked, err := s.accept(ctx, h.id, d)
	if err != nil {
		return err
	}
	return s.appendAccepted(ctx, h, checked, action)
}

func (s *saveTx) appendAccepted(ctx context.Context, h *history, checked acceptedDraft, action string) error {
	if err := s.beginPast(ctx, checked); err != nil {
		return err
	}
	v := s.newVersion(h.lastNo()+1, checked)
	var old *Version
	if followed := h.followedAt(v.EffectiveFrom); followed != nil {
		before := *followed
		old = &before
	}
	if err := s.insertVersion(ctx, h, &v, checked.Draft); err != nil {
		return err
	}
	h.versions[0].Targets = checked.names.list(v.Targets)
	if err := s.setOwner(ctx, h, checked); err != nil {
		return err
	}
	return s.recordChange(ctx, action, h.id, old, &v)
}

func (s *saveTx) setOwner(ctx context.Context, h *history, d acceptedDraft) error {
	arg := setPolicyOwnerParams{CompanyID: s.by.CompanyID, ID: h.id, OwnerUserID: queries.OrNil(d.Owner.UserID), OwnerDepartmentID: queries.OrNil(d.Owner.DepartmentID)}
	if err := s.setPolicyOwner(ctx, arg); err != nil {
		return fmt.Errorf("owner of policy %d: %w", h.id, err)
	}
	h.owner = Owner{UserID: d.Owner.UserID, DepartmentID: d.Owner.DepartmentID}
	if n, owned := d.Owner.node(); owned {
		h.owner.Name = d.names[n].name
	}
	return nil
}

// acceptedDraft is a checked draft, as it is stored.
type acceptedDraft struct {
	Draft
	start time.Time
	names nodeNames // the names of the targets and the owner
}

// plannedAlready refuses a change for later of a policy that has one already.
const plannedAlready = "policy.effective_from.planned_already"

// accept checks a draft for the policy with the id, 0 for a new one, and
// returns it as it is stored.
func (s *previewer) accept(ctx context.Context, id int64, d Draft) (accepted acceptedDraft, err error) {
	if accepted.Draft, accepted.names, err = s.check(ctx, id, d.normalized()); err != nil {
		return accepted, err
	}
	if accepted.start, err = s.resolveStart(ctx, id, d.EffectiveFrom); err != nil {
		return accepted, err
	}
	if accepted.start.After(s.now) && d.EffectiveFrom.When != StartNow && s.timeline.planned(id, s.now) != nil {
		return accepted, queries.FieldErrors{"effective_from": plannedAlready}
	}
	return accepted, s.reachBack(ctx, accepted.start)
}

func (s *previewer) newVersion(no int32, d acceptedDraft) Version {
	return Version{
		No: no, EffectiveFrom: d.start, Enabled: d.Enabled, Name: d.Name, Description: d.Description, Settings: d.Settings,
		Targets: d.Targets, Reason: d.Reason, CreatedBy: s.by.UserID, CreatedAt: s.now,
	}
}

// insertVersion stores a version and releases its targets from the policies
// that hold them.
func (s *saveTx) insertVersion(ctx context.Context, h *history, v *Version, d Draft) error {
	added := s.spanOf(h.id, v)
	held := s.timeline.with(added).takenBy(added)
	if len(held) > 0 && !d.Move {
		return s.targetConflict(ctx, held)
	}
	if err := s.checkMovable(held); err != nil {
		return err
	}
	if err := s.checkLockout(ctx, v, s.saved(added, held), d.Confirmed); err != nil {
		return err
	}
	if s.startsInPast(v.EffectiveFrom) {
		releases := s.timeline.releases(added, held)
		if err := s.storeVersion(ctx, h, v); err != nil {
			return err
		}
		return s.releasePast(ctx, VersionKey{h.id, v.No}, v, releases)
	}
	if err := s.storeVersion(ctx, h, v); err != nil {
		return err
	}
	return s.release(ctx, VersionKey{h.id, v.No}, v, held)
}

func (s *previewer) spanOf(id int64, v *Version) *Span {
	return newSpan(s.kind, policySpansRow{
		PolicyID: id, IsDefault: id == s.timeline.defaultID, No: v.No, Name: v.Name, Enabled: v.Enabled, Settings: v.Settings,
		EffectiveFrom: v.EffectiveFrom, Until: v.Until, Unconfirmed: v.IsProvisional(),
	}, v.Targets)
}

// storeVersion stores a version as the newest one of a policy.
func (s *saveTx) storeVersion(ctx context.Context, h *history, v *Version) error {
	text, _ := search.Key(v.Name, v.Description)
	arg := insertVersionRowParams{
		CompanyID: s.by.CompanyID, PolicyID: h.id, No: v.No, EffectiveFrom: v.EffectiveFrom, Enabled: v.Enabled, Name: v.Name,
		Description: v.Description, Settings: v.Settings, SearchText: text, Reason: v.Reason, CreatedBy: queries.OrNil(s.by.UserID), Now: s.now,
		ConfirmBy: v.ConfirmBy, Until: v.Until,
	}
	if v.RevertsNo != 0 {
		arg.RevertsNo = &v.RevertsNo
	}
	if v.movedFor != nil {
		arg.MovedForPolicyID, arg.MovedForNo = &v.movedFor.PolicyID, &v.movedFor.No
	}
	stored := *v
	var err error
	if stored.Settings, err = s.insertVersionRow(ctx, arg); err != nil {
		return fmt.Errorf("version %d of policy %d: %w", v.No, h.id, err)
	}
	targets := insertTargetsParams{CompanyID: s.by.CompanyID, PolicyID: h.id, No: v.No}
	for _, t := range v.Targets {
		var departmentID, userID int64
		if t.Type == DepartmentTarget {
			departmentID = t.ID
		} else {
			userID = t.ID
		}
		targets.DepartmentIds, targets.UserIds = append(targets.DepartmentIds, departmentID), append(targets.UserIds, userID)
		targets.IncludeChildren = append(targets.IncludeChildren, t.IncludeChildren || t.Type == UserTarget)
	}
	if err := s.insertTargets(ctx, targets); err != nil {
		return fmt.Errorf("targets of policy %d: %w", h.id, err)
	}
	if stored.CreatedByName = ""; s.by.UserID != 0 {
		stored.CreatedByName = s.by.Name
	}
	h.versions = append([]Version{stored}, h.versions...)
	s.timeline = s.timeline.with(s.spanOf(h.id, v))
	if s.startsInPast(v.EffectiveFrom) {
		s.requestRecomputation(h, v)
	}
	s.messages = append(s.messages, policyChanged{s.kind, h.id, v.No, v.EffectiveFrom})
	return nil
}
