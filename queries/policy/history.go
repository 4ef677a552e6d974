package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
)

// Policy returns a policy; NotFound if it is deleted.
func (s *Store) Policy(ctx context.Context, companyID, id int64) (Policy, error) {
	h, err := s.readHistory(ctx, companyID, id)
	if err != nil {
		return Policy{}, err
	}
	if h.DeletedAt != nil {
		return Policy{}, queries.NotFound
	}
	return h.policy(s.db.Now()), nil
}

// Versions returns all versions of a policy, also of a deleted one, the newest
// first.
func (s *Store) Versions(ctx context.Context, companyID, id int64) ([]Version, error) {
	h, err := s.readHistory(ctx, companyID, id)
	if err != nil {
		return nil, err
	}
	return h.versions, nil
}

// history is a policy with all of its versions.
type history struct {
	id        int64
	kind      string
	isDefault bool
	owner     Owner
	wasOwner  Owner // before the save
	DeletedAt *time.Time
	versions  []Version // the newest first; a policy that is being created has none
}

// readHistory reads a policy with its versions and their targets in one
// statement, and so in one snapshot. A policy that does not exist is NotFound.
func (q *Queries) readHistory(ctx context.Context, companyID, id int64) (*history, error) {
	rows, err := q.versions(ctx, versionsParams{CompanyID: companyID, PolicyID: id})
	if err != nil {
		return nil, fmt.Errorf("policy %d: %w", id, err)
	}
	if len(rows) == 0 {
		return nil, queries.NotFound
	}
	row := rows[0]
	h := &history{
		id: row.ID, kind: row.Kind, isDefault: row.IsDefault, DeletedAt: row.DeletedAt,
		owner:    Owner{orZero(row.OwnerUserID), orZero(row.OwnerDepartmentID), row.OwnerName + row.OwnerDepartment},
		versions: make([]Version, len(rows)),
	}
	h.wasOwner = h.owner
	for i, row := range rows {
		if h.versions[i], err = newVersion(row); err != nil {
			return nil, fmt.Errorf("targets of version %d of policy %d: %w", row.No, id, err)
		}
	}
	return h, nil
}

func newVersion(row versionsRow) (Version, error) {
	v := Version{
		No: row.No, EffectiveFrom: row.EffectiveFrom, Enabled: row.Enabled, Name: row.Name, Description: row.Description,
		Settings: row.Settings, Reason: row.Reason, CreatedBy: orZero(row.CreatedBy), CreatedByName: row.CreatedByName, CreatedAt: row.CreatedAt,
		CancelledAt: row.CancelledAt, Until: row.Until, ConfirmBy: row.ConfirmBy, ConfirmedAt: row.ConfirmedAt,
		RevertsNo: orZero(row.RevertsNo),
	}
	if row.MovedForPolicyID != nil && row.MovedForNo != nil {
		v.movedFor = &VersionKey{*row.MovedForPolicyID, *row.MovedForNo}
	}
	v.noteEnd()
	return v, json.Unmarshal(row.Targets, &v.Targets)
}

// policy returns the policy as it is at a time. There must be a version.
func (h *history) policy(at time.Time) Policy {
	p := Policy{
		ID: h.id, Kind: h.kind, IsDefault: h.isDefault, Owner: h.owner, DeletedAt: h.DeletedAt,
		LastNo: h.lastNo(), LastModified: h.versions[0].CreatedAt,
	}
	byTime := slices.SortedFunc(slices.Values(h.versions), compareStarts)
	for _, v := range byTime {
		if v.isPending(at) && p.DeletedAt == nil {
			p.PlannedNext, p.Planned = p.Planned, &v
		}
	}
	before := at
	if p.DeletedAt != nil {
		before = p.DeletedAt.Add(-time.Microsecond)
	}
	for _, v := range byTime {
		if v.covers(before) {
			p.Version, p.InForce = v, p.DeletedAt == nil
			return p
		}
	}
	switch {
	case p.Planned != nil:
		p.Version = *p.Planned
	case p.DeletedAt != nil:
		p.Version = byTime[0]
		if pending := h.endedByDeletion(); len(pending) > 0 {
			p.Version = pending[0]
		}
	default:
		p.Version = byTime[0].withoutEffect()
	}
	return p
}

// endedByDeletion returns the versions of a deleted policy that were pending when it was
// deleted, the first to begin first, without those that only released targets to a version
// of another policy.
func (h *history) endedByDeletion() []Version {
	var all []Version
	for _, v := range h.versions {
		if v.endedUnbegun && v.Until.Equal(*h.DeletedAt) && v.movedFor == nil {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b Version) int { return compareStarts(b, a) })
	return all
}

// lastNo returns the number of the newest version, 0 without any.
func (h *history) lastNo() int32 {
	if len(h.versions) == 0 {
		return 0
	}
	return h.versions[0].No
}

// followedAt returns the version that one which begins at a time follows: the one in force
// then, whatever is planned for later; else the newest that was not cancelled or withdrawn.
// It is nil for the first version.
func (h *history) followedAt(start time.Time) *Version {
	if inForce := h.inForceWithout(0, start); inForce != nil {
		return inForce
	}
	at := slices.IndexFunc(h.versions, func(v Version) bool { return v.CancelledAt == nil })
	if at < 0 {
		return nil
	}
	return &h.versions[at]
}

// version returns the version with a number, or nil.
func (h *history) version(no int32) *Version {
	at := slices.IndexFunc(h.versions, func(v Version) bool { return v.No == no })
	if at < 0 {
		return nil
	}
	return &h.versions[at]
}

// inForceWithout returns the version that would be in force at a time without
// the one with the number no, or nil.
func (h *history) inForceWithout(no int32, at time.Time) *Version {
	var found *Version
	for i := range h.versions {
		v := &h.versions[i]
		if v.No != no && v.covers(at) && (found == nil || compareStarts(*v, *found) < 0) {
			found = v
		}
	}
	return found
}

// compareStarts compares versions by their start, the latest first.
func compareStarts(a, b Version) int {
	if order := b.EffectiveFrom.Compare(a.EffectiveFrom); order != 0 {
		return order
	}
	return int(b.No) - int(a.No)
}
