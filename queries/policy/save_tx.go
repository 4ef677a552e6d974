package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// kinds are the kinds of policies (spec §2).
var kinds = []string{"communication", "workingattitude"}

// previewer computes what a save would do to the policies of a kind as they are
// at a time, and writes nothing. A preview reads through the pool, several
// statements one after another; a save reads in its transaction.
type previewer struct {
	*Queries
	by       queries.Actor
	kind     string
	now      time.Time
	zone     *time.Location
	timeline *Timeline
}

// previewer reads the policies of a kind, by the statements of q.
func (q *Queries) previewer(ctx context.Context, by queries.Actor, kind string, now time.Time) (*previewer, error) {
	company, err := directory.New(q.db).Company(ctx, by.CompanyID)
	if err != nil {
		return nil, err
	}
	return q.newPreviewer(ctx, by, kind, company.TimeZone, now)
}

func (q *Queries) newPreviewer(ctx context.Context, by queries.Actor, kind, timeZone string, now time.Time) (*previewer, error) {
	zone, err := time.LoadLocation(timeZone)
	if err != nil {
		return nil, fmt.Errorf("time zone of the company: %w", err)
	}
	now = now.Truncate(time.Microsecond)
	t, err := q.ReadTimeline(ctx, by.CompanyID, kind, now)
	return &previewer{Queries: q, by: by, kind: kind, now: now, zone: zone, timeline: t}, err
}

// saveTx saves changes of policies of one kind in a transaction. It locks the
// policies of the company, so that what it has read stays true until the end.
type saveTx struct {
	*previewer
	histories map[int64]*history // with the changes of this transaction
	lockouts  []Warning          // the users whom unconfirmed changes would lock out
	messages  []policyChanged
	past      *recomputation // nil unless days of the past change

	before      *Timeline     // what applied before the transaction
	broken      []BrokenCheck // the checks that the save breaks
	isAutomatic bool          // a save of the program itself, which no check stops
}

// policyChanged is the message policy.changed of the outbox.
type policyChanged struct {
	Kind          string    `json:"kind"`
	PolicyID      int64     `json:"policy_id"`
	VersionNo     int32     `json:"version_no"`
	EffectiveFrom time.Time `json:"effective_from"`
}

// beginSave begins a save of policies of a kind; an unknown kind is NotFound.
// Every save ends with finish.
func (q *Queries) beginSave(ctx context.Context, by queries.Actor, kind string, now time.Time) (*saveTx, error) {
	if !slices.Contains(kinds, kind) {
		return nil, queries.NotFound
	}
	timeZone, err := directory.New(q.db).TouchPolicies(ctx, by.CompanyID)
	if err != nil {
		return nil, err
	}
	return q.newSaveTx(ctx, by, kind, timeZone, now)
}

// beginSaveOf begins a save of a policy, which may be deleted, and of others of
// its kind.
func (q *Queries) beginSaveOf(ctx context.Context, by queries.Actor, id int64, now time.Time) (*saveTx, *history, error) {
	timeZone, err := directory.New(q.db).TouchPolicies(ctx, by.CompanyID)
	if err != nil {
		return nil, nil, err
	}
	h, err := q.readHistory(ctx, by.CompanyID, id)
	if err != nil {
		return nil, nil, err
	}
	s, err := q.newSaveTx(ctx, by, h.kind, timeZone, now)
	if err != nil {
		return nil, nil, err
	}
	s.histories[id] = h
	return s, h, nil
}

// beginUpdate begins a save of a policy that is not deleted. It refuses with
// EditConflict if ifMatch is not its newest version, and accepts 0 in any case.
func (q *Queries) beginUpdate(ctx context.Context, by queries.Actor, id int64, ifMatch int32, now time.Time) (*saveTx, *history, error) {
	s, h, err := q.beginSaveOf(ctx, by, id, now)
	if err != nil {
		return nil, nil, err
	}
	if h.DeletedAt != nil {
		return nil, nil, queries.NotFound
	}
	return s, h, h.checkUnchanged(ifMatch)
}

func (q *Queries) newSaveTx(ctx context.Context, by queries.Actor, kind, timeZone string, now time.Time) (*saveTx, error) {
	p, err := q.newPreviewer(ctx, by, kind, timeZone, now)
	return &saveTx{previewer: p, histories: map[int64]*history{}, before: p.timeline}, err
}

// load reads a policy, at most once in the transaction. The policy may be
// deleted; one of another kind is NotFound.
func (s *saveTx) load(ctx context.Context, id int64) (*history, error) {
	h, ok := s.histories[id]
	if !ok {
		var err error
		if h, err = s.readHistory(ctx, s.by.CompanyID, id); err != nil {
			return nil, err
		}
		s.histories[id] = h
	}
	if h.kind != s.kind {
		return nil, queries.NotFound
	}
	return h, nil
}

// loadExisting is load, and NotFound for a deleted policy.
func (s *saveTx) loadExisting(ctx context.Context, id int64) (*history, error) {
	h, err := s.load(ctx, id)
	if err == nil && h.DeletedAt != nil {
		return nil, queries.NotFound
	}
	return h, err
}

// create inserts a policy without versions.
func (s *saveTx) create(ctx context.Context) (*history, error) {
	id, err := s.insertPolicy(ctx, insertPolicyParams{CompanyID: s.by.CompanyID, Kind: s.kind, Now: s.now})
	if err != nil {
		return nil, fmt.Errorf("create a policy: %w", err)
	}
	h := &history{id: id, kind: s.kind}
	s.histories[id] = h
	return h, nil
}

// finish refuses an unconfirmed save that would lock somebody out, with the
// warnings of all its changes, and one that breaks a check. Otherwise it publishes what
// has changed.
func (s *saveTx) finish(ctx context.Context) error {
	if len(s.lockouts) > 0 {
		return &Lockout{s.lockouts}
	}
	if err := s.holdChecks(ctx); err != nil {
		return err
	}
	if err := s.past.insert(ctx, s); err != nil {
		return err
	}
	for _, m := range s.messages {
		if err := queries.New(s.db).Publish(ctx, s.by.CompanyID, s.now, "policy.changed", m); err != nil {
			return err
		}
	}
	return nil
}

// finished is finish, and returns a policy after the save.
func (s *saveTx) finished(ctx context.Context, h *history) (Policy, error) {
	if err := s.finish(ctx); err != nil {
		return Policy{}, err
	}
	p := h.policy(s.now)
	p.Broken = s.broken
	return p, nil
}

// recordChange records the change of a policy from one version to another in
// the change log; nil for none.
func (s *saveTx) recordChange(ctx context.Context, action string, id int64, old, new *Version) error {
	h := s.histories[id]
	if !h.owner.is(h.wasOwner) && old != nil && new != nil {
		old, new = old.ownedBy(h.wasOwner), new.ownedBy(h.owner)
	}
	return queries.New(s.db).RecordChange(ctx, s.by, s.now, VersionChange(action, s.kind, id, old, new))
}

func (v *Version) ownedBy(o Owner) *Version {
	owned := *v
	owned.Owner = &o
	return &owned
}

// VersionChange returns the entry of the change log for a change of a policy from one
// version to another; nil for none.
func VersionChange(action, kind string, id int64, old, new *Version) queries.Change {
	c := queries.Change{Action: action, ObjectType: "policy", ObjectID: id}
	if old != nil {
		c.Old, c.ObjectName = newVersionRecord(kind, old), old.Name
	}
	if new != nil {
		c.New, c.ObjectName = newVersionRecord(kind, new), new.Name
	}
	return c
}

// versionRecord is a version as the change log stores it.
type versionRecord struct {
	Kind          string          `json:"kind"`
	VersionNo     int32           `json:"version_no"`
	EffectiveFrom time.Time       `json:"effective_from"`
	Enabled       bool            `json:"enabled"`
	Name          string          `json:"name"`
	Description   string          `json:"description"`
	Settings      json.RawMessage `json:"settings"`
	Targets       []Target        `json:"targets"`
	Reason        string          `json:"reason"`
	ConfirmBy     *time.Time      `json:"confirm_by,omitempty"`
	SavedBy       string          `json:"saved_by,omitempty"` // of a provisional version that has reverted
	Owner         *ownerRecord    `json:"owner,omitempty"`
}

// ownerRecord is the owner of a policy as the change log stores it; without ids it is every
// administrator.
type ownerRecord struct {
	UserID       int64  `json:"user_id,omitempty"`
	DepartmentID int64  `json:"department_id,omitempty"`
	Name         string `json:"name,omitempty"`
}

func newVersionRecord(kind string, v *Version) versionRecord {
	return versionRecord{kind, v.No, v.EffectiveFrom, v.Enabled, v.Name, v.Description, v.Settings, v.Targets, v.Reason, v.ConfirmBy, "", (*ownerRecord)(v.Owner)}
}

// ReadRecord returns the version that the change log stores of a policy, and the
// kind of the policy; nil of nothing.
func ReadRecord(content json.RawMessage) (kind string, _ *Version, _ error) {
	if content == nil {
		return "", nil, nil
	}
	var r versionRecord
	if err := json.Unmarshal(content, &r); err != nil {
		return "", nil, err
	}
	return r.Kind, &Version{
		No: r.VersionNo, EffectiveFrom: r.EffectiveFrom, Enabled: r.Enabled, Name: r.Name, Description: r.Description,
		Settings: r.Settings, Targets: r.Targets, Reason: r.Reason, ConfirmBy: r.ConfirmBy,
		CreatedByName: r.SavedBy, Owner: (*Owner)(r.Owner),
	}, nil
}
