package queriestest

import (
	"encoding/json"
	"net/netip"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// LockingDraft lets nobody in from the office.
func LockingDraft(targets ...policy.Target) policy.Draft {
	d := PolicyDraft("사내망", targets...)
	d.Settings = json.RawMessage(`{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"본사","range":"198.51.100.0/24"}]}`)
	return d
}

var OfficeAddress = netip.MustParseAddr("203.0.113.9")

// The policies of the cast by id.
const (
	DefaultPolicyID  = int64(1)
	SalesPolicyID    = int64(5)
	ResearchPolicyID = int64(6)
	AuditPolicyID    = int64(7)
	OtherPolicyID    = int64(8)
)

func AdminActor(t *testing.T, db *areas.Areas) queries.Actor {
	t.Helper()
	return directory.ActorFrom(Person(t, db, Hanbit, Admin), OfficeAddress)
}

func ManagerActor(t *testing.T, db *areas.Areas) queries.Actor {
	t.Helper()
	return directory.ActorFrom(Person(t, db, Hanbit, Manager), OfficeAddress)
}

func DepartmentTarget(id int64) policy.Target {
	return policy.Target{Type: policy.DepartmentTarget, ID: id, IncludeChildren: true}
}

func UserTarget(id int64) policy.Target {
	return policy.Target{Type: policy.UserTarget, ID: id, IncludeChildren: true}
}

// PolicyDraft is one that nothing is wrong with.
func PolicyDraft(name string, targets ...policy.Target) policy.Draft {
	return policy.Draft{
		Kind: "communication", Name: name, Enabled: true, Targets: targets, Settings: json.RawMessage(`{"file_max_mb":50}`),
	}
}

func CreatePolicy(t *testing.T, db *areas.Areas, d policy.Draft) policy.Policy {
	t.Helper()
	p, err := db.Policies.Create(t.Context(), AdminActor(t, db), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func StoredPolicy(t *testing.T, db *areas.Areas, id int64) policy.Policy {
	t.Helper()
	p, err := db.Policies.Policy(t.Context(), Hanbit, id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func StartIn(d time.Duration) policy.Start {
	return policy.Start{When: policy.StartAt, At: Now.Add(d)}
}

// The policies of the cast, by name.
const (
	DefaultPolicyName  = "기본 정책"
	SalesPolicyName    = "영업본부 외근 정책"
	ResearchPolicyName = "연구소 보안 정책"
	AuditPolicyName    = "감사 대응 정책"
)

func Person(t *testing.T, db *areas.Areas, companyID, id int64) directory.Person {
	t.Helper()
	p, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: companyID, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func PolicyNames(page policy.ListPage) []string {
	var names []string
	for _, p := range page.Rows {
		names = append(names, p.Name)
	}
	return names
}

func Effective(t *testing.T, db *areas.Areas, userID int64, at time.Time) policy.Effective {
	t.Helper()
	e, err := db.Policies.Effective(t.Context(), Hanbit, userID, "communication", at)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// WaitingPolicies names the policies that end unless they are confirmed.
func WaitingPolicies(t *testing.T, db *areas.Areas) []string {
	t.Helper()
	list, err := db.Policies.List(t.Context(), Person(t, db, Hanbit, Admin), "communication", policy.Filter{Order: policy.ByName, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return PolicyNames(policy.ListPage{Page: queries.Page[policy.Summary]{Rows: list.Waiting}})
}
