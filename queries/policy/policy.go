package policy

import (
	"encoding/json"
	"time"

	"officeconsole/settings"
)

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
	Planned      *Version // the version that waits for its time; nil if none does
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

	movedFor *VersionKey
}

// IsProvisional reports whether the version reverts by itself unless it is
// confirmed by ConfirmBy.
func (v *Version) IsProvisional() bool { return v.ConfirmBy != nil && v.ConfirmedAt == nil }

// Values are the settings of the version, whose policy is of this kind. What a
// newer program would refuse has its default.
func (v *Version) Values(kind string) settings.Values {
	values, _ := settings.Parse(settings.Kind(kind), v.Settings)
	return values
}

func (v *Version) covers(at time.Time) bool {
	return !at.Before(v.EffectiveFrom) && (v.Until == nil || at.Before(*v.Until))
}

func orZero(id *int64) int64 {
	if id == nil {
		return 0
	}
	return *id
}
