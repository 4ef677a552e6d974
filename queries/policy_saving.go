package queries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// saving is a change of policies of one kind under way, alone in its company.
type saving struct {
	*Queries
	by       Actor
	kind     string
	now      time.Time
	zone     *time.Location
	timeline *timeline
	messages []policyChanged
}

// policyChanged is the message policy.changed of the outbox.
type policyChanged struct {
	Kind          string    `json:"kind"`
	PolicyID      int64     `json:"policy_id"`
	VersionNo     int32     `json:"version_no"`
	EffectiveFrom time.Time `json:"effective_from"`
}

// saving begins a change. touchPolicies locks the company's row first, so that
// what is read here stays true until the transaction ends.
func (q *Queries) saving(ctx context.Context, by Actor, kind string, now time.Time) (*saving, error) {
	if err := q.touchPolicies(ctx, by.CompanyID); err != nil {
		return nil, err
	}
	return q.reading(ctx, by, kind, now)
}

// reading is a change that will not be saved.
func (q *Queries) reading(ctx context.Context, by Actor, kind string, now time.Time) (*saving, error) {
	company, err := q.Company(ctx, by.CompanyID)
	if err != nil {
		return nil, err
	}
	s := &saving{Queries: q, by: by, kind: kind, now: now.Truncate(time.Microsecond)}
	if s.zone, err = time.LoadLocation(company.TimeZone); err != nil {
		return nil, fmt.Errorf("time zone of the company: %w", err)
	}
	s.timeline, err = q.timelineOf(ctx, by.CompanyID, kind, s.now)
	return s, err
}

func (db *DB) savePolicy(ctx context.Context, by Actor, kind string, do func(*saving) (int64, error)) (Policy, error) {
	if !slices.Contains(policyKinds, kind) {
		return Policy{}, NotFound
	}
	return inTx(ctx, db, func(ctx context.Context, q *Queries) (Policy, error) {
		s, err := q.saving(ctx, by, kind, db.now())
		if err != nil {
			return Policy{}, err
		}
		id, err := do(s)
		if err != nil {
			return Policy{}, err
		}
		if err := s.publishAll(ctx); err != nil {
			return Policy{}, err
		}
		p, _, err := q.history(ctx, by.CompanyID, id, s.now)
		return p, err
	})
}

// policyKinds are the kinds there are (spec §2).
var policyKinds = []string{"communication", "workingattitude"}

// changePolicy changes a policy that is there and that nobody else has changed.
func (db *DB) changePolicy(ctx context.Context, by Actor, id int64, ifMatch int32, do func(*saving, Policy) error) (Policy, error) {
	row, err := db.policyRow(ctx, policyRowParams{by.CompanyID, id})
	if err != nil {
		return Policy{}, err
	}
	return db.savePolicy(ctx, by, row.Kind, func(s *saving) (int64, error) {
		p, err := s.existing(ctx, id, row.Kind)
		if err != nil {
			return 0, err
		}
		if err := s.unchanged(ctx, p, ifMatch); err != nil {
			return 0, err
		}
		return id, do(s, p)
	})
}

// unchanged refuses with EditConflict what somebody has changed since; 0 takes
// whatever there is.
func (s *saving) unchanged(ctx context.Context, p Policy, ifMatch int32) error {
	if ifMatch == 0 || ifMatch == p.LastNo {
		return nil
	}
	versions, err := s.versions(ctx, s.by.CompanyID, p.ID)
	if err != nil {
		return err
	}
	return editConflict(p, versions, ifMatch)
}

// changePolicies changes policies of a kind: all of them, or none. What may lock
// somebody out is refused with the warnings of all of them.
func (db *DB) changePolicies(ctx context.Context, by Actor, kind string, ids []int64, confirmed bool, do func(s *saving, p Policy, confirmed bool) error) error {
	return db.inTx(ctx, func(ctx context.Context, q *Queries) error {
		s, err := q.saving(ctx, by, kind, db.now())
		if err != nil {
			return err
		}
		var risk LockOut
		for _, id := range ids {
			p, err := s.existing(ctx, id, kind)
			if err != nil {
				return err
			}
			err = do(s, p, confirmed)
			if refused := (*LockOut)(nil); errors.As(err, &refused) { // look at the others too
				risk.Warnings = mergeWarnings(risk.Warnings, refused.Warnings)
				err = do(s, p, true)
			}
			if err != nil {
				return err
			}
		}
		if len(risk.Warnings) > 0 {
			return &risk
		}
		return s.publishAll(ctx)
	})
}

func (s *saving) existing(ctx context.Context, id int64, kind string) (Policy, error) {
	p, _, err := s.history(ctx, s.by.CompanyID, id, s.now)
	if err == nil && (p.DeletedAt != nil || p.Kind != kind) {
		return p, NotFound
	}
	return p, err
}

func (s *saving) newPolicy(ctx context.Context) (int64, error) {
	return s.insertPolicy(ctx, insertPolicyParams{CompanyID: s.by.CompanyID, Kind: s.kind, Now: s.now})
}

// note writes down what a version of a policy became.
func (s *saving) note(ctx context.Context, action string, id int64, old, new *Version) error {
	c := change{Action: action, ObjectType: "policy", ObjectID: id}
	if old != nil {
		c.Old, c.ObjectName = recordOf(s.kind, old), old.Name
	}
	if new != nil {
		c.New, c.ObjectName = recordOf(s.kind, new), new.Name
	}
	return s.recordChange(ctx, s.by, s.now, c)
}

// versionRecord is a version as the change log keeps it.
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
}

func recordOf(kind string, v *Version) versionRecord {
	return versionRecord{kind, v.No, v.EffectiveFrom, v.Enabled, v.Name, v.Description, v.Settings, v.Targets, v.Reason, v.ConfirmBy}
}

func (s *saving) publishAll(ctx context.Context) error {
	for _, m := range s.messages {
		if err := s.publish(ctx, s.by.CompanyID, s.now, "policy.changed", m); err != nil {
			return err
		}
	}
	return nil
}
