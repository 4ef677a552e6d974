package queries

import (
	"context"
	"encoding/json"
	"net/netip"
	"slices"
	"time"

	"officeconsole/settings"
)

// Actor is who does something, and from where.
type Actor struct {
	CompanyID int64
	UserID    int64 // 0: an operator or a program
	Name      string
	Address   netip.Addr
}

// ActorFrom is a person who acts from an address.
func ActorFrom(p Person, address netip.Addr) Actor {
	return Actor{CompanyID: p.CompanyID, UserID: p.ID, Name: p.Name, Address: address}
}

// TargetType is what a policy can list, spelled as in the API.
type TargetType string

// The types of target. DefaultNode only ends a chain.
const (
	DepartmentTarget TargetType = "department"
	UserTarget       TargetType = "user"
	DefaultNode      TargetType = "default"
)

// Target is a department or a person that a policy lists.
type Target struct {
	Type            TargetType `json:"type"`
	ID              int64      `json:"id"`
	IncludeChildren bool       `json:"include_children"` // of a person always true
	Name            string     `json:"name,omitempty"`   // only when read
}

func (t Target) node() node { return node{t.Type, t.ID} }

func target(departmentID, userID *int64, includeChildren bool) Target {
	if departmentID != nil {
		return Target{Type: DepartmentTarget, ID: *departmentID, IncludeChildren: includeChildren}
	}
	return Target{Type: UserTarget, ID: *userID, IncludeChildren: true}
}

// Owner is who may edit a policy beside the company's administrators (domain
// §1): a person or a department. The zero owner is nobody in particular.
type Owner struct {
	UserID, DepartmentID int64 // at most one is not 0
	Name                 string
}

// Policy is a policy as it is now.
type Policy struct {
	ID           int64
	Kind         string
	IsDefault    bool
	Owner        Owner
	Version      Version  // in force; the planned one while nothing is yet; the last one of a deleted policy
	InForce      bool     // whether Version is
	Plan         *Version // what lies ahead
	LastNo       int32    // of the newest version, which If-Match names
	LastModified time.Time
	DeletedAt    *time.Time
}

// Version is a version of a policy. It never changes but for its end.
type Version struct {
	No            int32
	EffectiveFrom time.Time
	Enabled       bool
	Name          string
	Description   string
	Settings      json.RawMessage // what differs from the defaults
	Targets       []Target
	Reason        string
	CreatedBy     int64 // 0: nobody of the company
	CreatedByName string
	CreatedAt     time.Time
	CancelledAt   *time.Time
	Until         *time.Time // from when on it does not count any more
	ConfirmBy     *time.Time // a risky version ends then, unless ConfirmedAt is set
	ConfirmedAt   *time.Time

	movedFor *policyVersionKey
}

// Unconfirmed tells whether the version ends by itself if nobody confirms it.
func (v *Version) Unconfirmed() bool { return v.ConfirmBy != nil && v.ConfirmedAt == nil }

// Values are the settings of the version, whose policy is of this kind. What a
// newer program would refuse has its default.
func (v *Version) Values(kind string) settings.Values {
	values, _ := settings.Parse(settings.Kind(kind), v.Settings)
	return values
}

func (v *Version) covers(at time.Time) bool {
	return !at.Before(v.EffectiveFrom) && (v.Until == nil || at.Before(*v.Until))
}

// Policy is a policy that is not deleted, else NotFound.
func (db *DB) Policy(ctx context.Context, companyID, id int64) (Policy, error) {
	policy, _, err := db.history(ctx, companyID, id, db.now())
	if err == nil && policy.DeletedAt != nil {
		return Policy{}, NotFound
	}
	return policy, err
}

// PolicyVersions are all versions of a policy, the newest first, those of a
// deleted one too.
func (db *DB) PolicyVersions(ctx context.Context, companyID, id int64) ([]Version, error) {
	_, versions, err := db.history(ctx, companyID, id, db.now())
	return versions, err
}

func (q *Queries) history(ctx context.Context, companyID, id int64, at time.Time) (Policy, []Version, error) {
	row, err := q.policyRow(ctx, policyRowParams{companyID, id})
	if err != nil {
		return Policy{}, nil, err
	}
	versions, err := q.versions(ctx, companyID, id)
	if err != nil || len(versions) == 0 {
		return Policy{}, nil, err
	}
	return policyOf(row, versions, at), versions, nil
}

func (q *Queries) versions(ctx context.Context, companyID, id int64) ([]Version, error) {
	rows, err := q.policyVersions(ctx, policyVersionsParams{companyID, id})
	if err != nil {
		return nil, err
	}
	versions := make([]Version, len(rows))
	place := make(map[int32]*Version, len(rows))
	for i, row := range rows {
		versions[i] = version(row)
		place[row.No] = &versions[i]
	}
	targets, err := q.versionTargets(ctx, versionTargetsParams{companyID, id})
	for _, t := range targets {
		listed := target(t.DepartmentID, t.UserID, t.IncludeChildren)
		listed.Name = t.Name
		place[t.No].Targets = append(place[t.No].Targets, listed)
	}
	return versions, err
}

func version(row policyVersionsRow) Version {
	v := Version{
		No: row.No, EffectiveFrom: row.EffectiveFrom, Enabled: row.Enabled, Name: row.Name, Description: row.Description,
		Settings: row.Settings, Reason: row.Reason, CreatedBy: orZero(row.CreatedBy), CreatedByName: row.CreatedByName, CreatedAt: row.CreatedAt,
		CancelledAt: row.CancelledAt, Until: row.Until, ConfirmBy: row.ConfirmBy, ConfirmedAt: row.ConfirmedAt,
	}
	if row.MovedForPolicyID != nil && row.MovedForNo != nil {
		v.movedFor = &policyVersionKey{*row.MovedForPolicyID, *row.MovedForNo}
	}
	return v
}

func policyOf(row policyRowRow, versions []Version, at time.Time) Policy {
	p := Policy{
		ID: row.ID, Kind: row.Kind, IsDefault: row.IsDefault, DeletedAt: row.DeletedAt,
		Owner:  Owner{orZero(row.OwnerUserID), orZero(row.OwnerDepartmentID), row.OwnerName + row.OwnerDepartment},
		LastNo: versions[0].No, LastModified: versions[0].CreatedAt,
	}
	byTime := slices.SortedFunc(slices.Values(versions), func(a, b Version) int { return newest(a, b) })
	for _, v := range byTime {
		if v.CancelledAt == nil && v.EffectiveFrom.After(at) && p.DeletedAt == nil {
			p.Plan = &v
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
	p.Version = byTime[0]
	if p.Plan != nil {
		p.Version = *p.Plan
	}
	return p
}

// newest orders versions by when they begin, the latest first.
func newest(a, b Version) int {
	if order := b.EffectiveFrom.Compare(a.EffectiveFrom); order != 0 {
		return order
	}
	return int(b.No) - int(a.No)
}

func orZero(id *int64) int64 {
	if id == nil {
		return 0
	}
	return *id
}

func orNil(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}
