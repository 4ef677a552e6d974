package queriestest

import (
	"encoding/json"
	"net/netip"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
)

// LockingDraft is a policy that refuses OfficeAddress.
func LockingDraft(targets ...policy.Target) policy.Draft {
	d := PolicyDraft("사내망", targets...)
	d.Settings = json.RawMessage(`{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"본사","range":"198.51.100.0/24"}]}`)
	return d
}

// ListedAddress is one that LockingDraft lets in.
var ListedAddress = netip.MustParseAddr("198.51.100.7")

// ListedActor is Admin, acting from ListedAddress.
func ListedActor(t *testing.T, db *areas.Areas) queries.Actor {
	t.Helper()
	by := AdminActor(t, db)
	by.Address = ListedAddress
	return by
}

// OfficeAddress is the address of actors in tests.
var OfficeAddress = netip.MustParseAddr("203.0.113.9")

// The policies of the cast by id.
const (
	DefaultPolicyID  = int64(1)
	SalesPolicyID    = int64(5)
	ResearchPolicyID = int64(6)
	AuditPolicyID    = int64(7)
	OtherPolicyID    = int64(8)
)

// AdminActor is Admin, acting from OfficeAddress.
func AdminActor(t *testing.T, db *areas.Areas) queries.Actor {
	t.Helper()
	return directory.ActorFrom(Person(t, db, Hanbit, Admin), OfficeAddress)
}

// ManagerActor is Manager, acting from OfficeAddress.
func ManagerActor(t *testing.T, db *areas.Areas) queries.Actor {
	t.Helper()
	return directory.ActorFrom(Person(t, db, Hanbit, Manager), OfficeAddress)
}

// DepartmentTarget is a department with all below it.
func DepartmentTarget(id int64) policy.Target {
	return policy.Target{Type: policy.DepartmentTarget, ID: id, IncludeChildren: true}
}

// UserTarget is a person as a target.
func UserTarget(id int64) policy.Target {
	return policy.Target{Type: policy.UserTarget, ID: id, IncludeChildren: true}
}

// PolicyDraft is a valid draft.
func PolicyDraft(name string, targets ...policy.Target) policy.Draft {
	return policy.Draft{
		Kind: "communication", Name: name, Enabled: true, Targets: targets, Settings: json.RawMessage(`{"file_max_mb":50}`),
	}
}

// CreatePolicy creates a policy that must be accepted.
func CreatePolicy(t *testing.T, db *areas.Areas, d policy.Draft) policy.Policy {
	t.Helper()
	p, err := db.Policies.Create(t.Context(), AdminActor(t, db), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// StoredPolicy reads a policy of Hanbit.
func StoredPolicy(t *testing.T, db *areas.Areas, id int64) policy.Policy {
	t.Helper()
	p, err := db.Policies.Policy(t.Context(), Hanbit, id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// StartIn is a start at a time after Now.
func StartIn(d time.Duration) policy.Start {
	return policy.Start{When: policy.StartAt, At: Now.Add(d)}
}

// The names of the policies of the cast.
const (
	DefaultPolicyName  = "기본 정책"
	SalesPolicyName    = "영업본부 외근 정책"
	ResearchPolicyName = "연구소 보안 정책"
	AuditPolicyName    = "감사 대응 정책"
)

// Person reads a person of the cast.
func Person(t *testing.T, db *areas.Areas, companyID, id int64) directory.Person {
	t.Helper()
	p, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: companyID, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// PolicyNames returns the names of the policies of a page, in its order.
func PolicyNames(page policy.ListPage) []string {
	var names []string
	for _, p := range page.Rows {
		names = append(names, p.Name)
	}
	return names
}

// Effective returns the communication policy that applies to a person of Hanbit.
func Effective(t *testing.T, db *areas.Areas, userID int64, at time.Time) policy.Effective {
	t.Helper()
	e, err := db.Policies.Effective(t.Context(), Hanbit, userID, "communication", at)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// WaitingPolicies returns the names of the policies that revert unless they are
// confirmed.
func WaitingPolicies(t *testing.T, db *areas.Areas) []string {
	t.Helper()
	list, err := db.Policies.List(t.Context(), Person(t, db, Hanbit, Admin), "communication", policy.Filter{Order: policy.ByName, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return PolicyNames(policy.ListPage{Page: lists.Page[policy.Summary]{Rows: list.Waiting}})
}
