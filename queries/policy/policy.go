package policy

import (
	"encoding/json"
	"time"

	"officeconsole/settings"
)

// TargetType is the type of a target, spelled as in the API.
type TargetType string

// The types of a target. DefaultNode is only the end of a chain.
const (
	DepartmentTarget TargetType = "department"
	UserTarget       TargetType = "user"
	DefaultNode      TargetType = "default"
)

// Target is a department or a user that a policy lists.
type Target struct {
	Type            TargetType `json:"type"`
	ID              int64      `json:"id"`
	IncludeChildren bool       `json:"include_children"` // always true for a user
	Name            string     `json:"name,omitempty"`   // only set when read
}

// HiddenName is the name of a target or an owner who is hidden: the policy keeps
// them, but does not say who they are.
const HiddenName = "—"

func (t Target) node() node { return node{t.Type, t.ID} }

func target(departmentID, userID *int64, includeChildren bool) Target {
	if departmentID != nil {
		return Target{Type: DepartmentTarget, ID: *departmentID, IncludeChildren: includeChildren}
	}
	return Target{Type: UserTarget, ID: *userID, IncludeChildren: true}
}

// Owner is who may edit a policy besides the company's administrators (domain
// §1): a user or a department. The zero owner is nobody.
type Owner struct {
	UserID, DepartmentID int64 // at most one is not 0
	Name                 string
}

// is reports whether two owners are the same, whatever their names are by now.
func (o Owner) is(other Owner) bool {
	return o.UserID == other.UserID && o.DepartmentID == other.DepartmentID
}

// Policy is a policy as it is now.
type Policy struct {
	ID           int64
	Kind         string
	IsDefault    bool
	Owner        Owner
	Version      Version  // the version in force, else the planned one; the last one of a deleted policy
	InForce      bool     // whether Version is in force
	Planned      *Version // the version that waits for its time, the first one if there are two; nil if none does
	PlannedNext  *Version // the one after that: of working attitude, "now" comes before a planned version; nil for none
	LastNo       int32    // the number of the newest version; the value of If-Match
	LastModified time.Time
	DeletedAt    *time.Time
	Broken       []BrokenCheck // the checks that the save has broken which returned the policy
}

// Version is a version of a policy. Only its end can change.
type Version struct {
	No            int32
	EffectiveFrom time.Time
	Enabled       bool
	Name          string
	Description   string
	Settings      json.RawMessage // what differs from the defaults
	Targets       []Target
	Reason        string
	CreatedBy     int64 // 0 if that user is no longer in the directory
	CreatedByName string
	CreatedAt     time.Time
	CancelledAt   *time.Time // before it began, also with its policy
	Until         *time.Time // when it ends; nil for no end
	ConfirmBy     *time.Time // when a version that may lock somebody out ends, unless ConfirmedAt is set
	ConfirmedAt   *time.Time
	RevertsNo     int32  // the provisional version that ended unconfirmed, and that this one follows; 0 for none
	Owner         *Owner // of the policy then, as the change log stores it where it changed; nil elsewhere

	movedFor     *VersionKey
	endedUnbegun bool // its policy was deleted before it began
}

// IsProvisional reports whether the version reverts by itself unless it is
// confirmed by ConfirmBy.
func (v *Version) IsProvisional() bool { return v.ConfirmBy != nil && v.ConfirmedAt == nil }

// Values returns the settings of the version of a policy of a kind. Settings
// that this program would refuse have their defaults.
func (v *Version) Values(kind string) settings.Values {
	values, _ := settings.Parse(settings.Kind(kind), v.Settings)
	return values
}

// withoutEffect returns what is left of the only version of a policy when it has
// reverted: nobody has the policy.
func (v Version) withoutEffect() Version {
	v.Enabled, v.Targets = false, []Target{}
	return v
}

// ToEdit returns the version with which editing a policy begins: the one in force or, if
// the next save at the usual start takes the place of the planned one, that.
func (p Policy) ToEdit(now time.Time, zone *time.Location) Version {
	planned := p.Planned
	if planned != nil && planned.movedFor == nil && usualStart(p.Kind) == StartNextWorkDate && planned.EffectiveFrom.Equal(nextDay(now, zone)) {
		return *planned
	}
	return p.Version
}

// isPending reports whether the version begins after a time.
func (v *Version) isPending(at time.Time) bool {
	return v.EffectiveFrom.After(at) && v.CancelledAt == nil
}

// noteEnd sets what follows from the end of a version: one that ended before it began is
// cancelled.
func (v *Version) noteEnd() {
	if v.CancelledAt == nil && v.Until != nil && !v.Until.After(v.EffectiveFrom) {
		v.CancelledAt, v.endedUnbegun = v.Until, true
	}
}

func (v *Version) covers(at time.Time) bool {
	return !at.Before(v.EffectiveFrom) && (v.Until == nil || at.Before(*v.Until))
}

func orZero[N int32 | int64](n *N) N {
	if n == nil {
		return 0
	}
	return *n
}
