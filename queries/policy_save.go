package queries

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// CreatePolicy makes a policy of the draft's kind. It refuses with DraftErrors,
// FieldErrors, TargetConflict or LockOut.
func (db *DB) CreatePolicy(ctx context.Context, by Actor, draft PolicyDraft) (Policy, error) {
	return db.savePolicy(ctx, by, draft.Kind, func(s *saving) (int64, error) {
		id, err := s.newPolicy(ctx)
		if err != nil {
			return 0, err
		}
		return id, s.append(ctx, id, draft, "policy.created")
	})
}

// UpdatePolicy gives a policy another version. ifMatch is the LastNo that the
// one who saves has seen; 0 saves over whatever there is. Besides the refusals
// of CreatePolicy there are NotFound and EditConflict.
func (db *DB) UpdatePolicy(ctx context.Context, by Actor, id int64, ifMatch int32, draft PolicyDraft) (Policy, error) {
	return db.changePolicy(ctx, by, id, ifMatch, func(s *saving, _ Policy) error {
		return s.append(ctx, id, draft, "policy.updated")
	})
}

// RestoreVersion saves an earlier version of a policy again, from now on. The
// targets that other policies hold by now are refused as for UpdatePolicy.
func (db *DB) RestoreVersion(ctx context.Context, by Actor, id int64, ifMatch, no int32, start Start, confirmed bool) (Policy, error) {
	return db.changePolicy(ctx, by, id, ifMatch, func(s *saving, p Policy) error {
		versions, err := s.versions(ctx, by.CompanyID, id)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(versions, func(v Version) bool { return v.No == no })
		if at < 0 {
			return NotFound
		}
		draft := versions[at].Draft(p)
		draft.EffectiveFrom, draft.Confirmed = start, confirmed
		return s.append(ctx, id, draft, "policy.version_restored")
	})
}

// EnablePolicies enables or disables policies of a kind at the usual start of
// the kind: all of them, or none. It refuses policies with a plan, to disable
// the default, and, with the warnings of all of them, what may lock somebody out.
func (db *DB) EnablePolicies(ctx context.Context, by Actor, kind string, ids []int64, enabled, confirmed bool) error {
	action := "policy.disabled"
	if enabled {
		action = "policy.enabled"
	}
	return db.changePolicies(ctx, by, kind, ids, confirmed, func(s *saving, p Policy, confirmed bool) error {
		if p.Version.Enabled == enabled {
			return nil
		}
		draft := p.Version.Draft(p)
		draft.Enabled, draft.Confirmed, draft.EffectiveFrom = enabled, confirmed, Start{}
		return s.append(ctx, p.ID, draft, action)
	})
}

// DuplicatePolicy makes a copy with the settings of a policy under another
// name. It lists nobody, as every target is the original's.
func (db *DB) DuplicatePolicy(ctx context.Context, by Actor, id int64) (Policy, error) {
	original, err := db.Policy(ctx, by.CompanyID, id)
	if err != nil {
		return Policy{}, err
	}
	return db.savePolicy(ctx, by, original.Kind, func(s *saving) (int64, error) {
		draft := original.Version.Draft(original)
		draft.Name, draft.Targets, draft.EffectiveFrom = s.freeName(draft.Name), nil, Start{}
		copied, err := s.newPolicy(ctx)
		if err != nil {
			return 0, err
		}
		return copied, s.append(ctx, copied, draft, "policy.duplicated")
	})
}

// freeName adds a number to a name until no policy of the kind has it.
func (s *saving) freeName(name string) string {
	free := name
	for n := 2; s.nameTaken(0, free); n++ {
		suffix := fmt.Sprintf(" (%d)", n)
		room := []rune(name)
		free = string(room[:min(len(room), maxPolicyName-len(suffix))]) + suffix
	}
	return free
}

// append checks a draft and saves it as the next version of a policy.
func (s *saving) append(ctx context.Context, id int64, d PolicyDraft, action string) error {
	d, from, err := s.accept(ctx, id, d)
	if err != nil {
		return err
	}
	_, versions, err := s.history(ctx, s.by.CompanyID, id, s.now)
	if err != nil {
		return err
	}
	v := d.version(nextNo(versions), from, s)
	if err := s.place(ctx, id, &v, d); err != nil {
		return err
	}
	owner := setPolicyOwnerParams{CompanyID: s.by.CompanyID, ID: id, OwnerUserID: orNil(d.Owner.UserID), OwnerDepartmentID: orNil(d.Owner.DepartmentID)}
	if err := s.setPolicyOwner(ctx, owner); err != nil {
		return err
	}
	var old *Version
	if len(versions) > 0 {
		old = &versions[0]
	}
	return s.note(ctx, action, id, old, &v)
}

// accept refuses a draft or gives it as it is stored, with its start.
func (s *saving) accept(ctx context.Context, id int64, d PolicyDraft) (PolicyDraft, time.Time, error) {
	d, err := s.check(ctx, id, d.tidy())
	if err != nil {
		return d, time.Time{}, err
	}
	from, err := s.stamp(ctx, id, d.EffectiveFrom)
	if err != nil {
		return d, from, err
	}
	if from.After(s.now) && s.timeline.pending(id, s.now) != nil {
		return d, from, FieldErrors{"effective_from": "policy.effective_from.planned_already"}
	}
	return d, from, nil
}

func nextNo(versions []Version) int32 {
	if len(versions) == 0 {
		return 1
	}
	return versions[0].No + 1
}

func (d PolicyDraft) version(no int32, from time.Time, s *saving) Version {
	return Version{
		No: no, EffectiveFrom: from, Enabled: d.Enabled, Name: d.Name, Description: d.Description, Settings: d.Settings,
		Targets: d.Targets, Reason: d.Reason, CreatedBy: s.by.UserID, CreatedAt: s.now,
	}
}

// place stores a version, which takes its targets from whoever holds them.
func (s *saving) place(ctx context.Context, id int64, v *Version, d PolicyDraft) error {
	added := s.spanOf(id, v)
	held := s.timeline.with(added).takenBy(added)
	if len(held) > 0 && !d.Move {
		return s.targetConflict(ctx, held)
	}
	if err := s.movable(held); err != nil {
		return err
	}
	if err := s.weigh(ctx, v, s.timeline.saved(added, held), d.Confirmed); err != nil {
		return err
	}
	if err := s.store(ctx, id, v); err != nil {
		return err
	}
	return s.release(ctx, policyVersionKey{id, v.No}, v, held)
}

func (s *saving) spanOf(id int64, v *Version) *span {
	return newSpan(s.kind, policySpansRow{
		PolicyID: id, IsDefault: id == s.timeline.standard, No: v.No, Name: v.Name, Enabled: v.Enabled, Settings: v.Settings,
		EffectiveFrom: v.EffectiveFrom, Until: v.Until, Unconfirmed: v.Unconfirmed(),
	}, v.Targets)
}

func (s *saving) store(ctx context.Context, id int64, v *Version) error {
	text, _ := SearchKey(v.Name, v.Description)
	arg := insertVersionParams{
		CompanyID: s.by.CompanyID, PolicyID: id, No: v.No, EffectiveFrom: v.EffectiveFrom, Enabled: v.Enabled, Name: v.Name,
		Description: v.Description, Settings: v.Settings, SearchText: text, Reason: v.Reason, CreatedBy: orNil(s.by.UserID), Now: s.now,
		ConfirmBy: v.ConfirmBy,
	}
	if v.movedFor != nil {
		arg.MovedForPolicyID, arg.MovedForNo = &v.movedFor.policyID, &v.movedFor.no
	}
	if err := s.insertVersion(ctx, arg); err != nil {
		return fmt.Errorf("version %d of policy %d: %w", v.No, id, err)
	}
	targets := insertTargetsParams{CompanyID: s.by.CompanyID, PolicyID: id, No: v.No}
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
		return fmt.Errorf("targets of policy %d: %w", id, err)
	}
	s.timeline = s.timeline.with(s.spanOf(id, v))
	s.messages = append(s.messages, policyChanged{s.kind, id, v.No, v.EffectiveFrom})
	return nil
}
