package audit_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

func changes(t *testing.T, db *areas.Areas, f audit.ChangeFilter, size int) []string {
	t.Helper()
	f.CompanyID = queriestest.Hanbit
	var all []string
	f.Limit = size
	for {
		page, err := db.Audit.Changes(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Rows {
			all = append(all, c.Action+" "+c.ObjectName)
		}
		if page.Next == nil {
			return all
		}
		f.Cursor = page.Next
	}
}

// Every function that changes a policy writes to the change log; the list has
// the latest change first.
func TestChanges(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	steps := []func() error{
		func() error {
			d := queriestest.PolicyDraft("새 정책", queriestest.DepartmentTarget(queriestest.Overseas))
			d.Move = true
			_, err := db.Policies.Create(t.Context(), by, d)
			return err
		},
		func() error {
			_, err := db.Policies.Update(t.Context(), queriestest.ManagerActor(t, db), queriestest.AuditPolicyID, 1, queriestest.PolicyDraft("감사"))
			return err
		},
		func() error {
			return db.Policies.EnableAll(t.Context(), by, "communication", []int64{queriestest.AuditPolicyID}, false, false)
		},
		func() error {
			return db.Policies.EnableAll(t.Context(), by, "communication", []int64{queriestest.AuditPolicyID}, true, false)
		},
		func() error {
			_, err := db.Policies.RestoreVersion(t.Context(), by, queriestest.AuditPolicyID, 0, policy.VersionRestoration{No: 1})
			return err
		},
		func() error { _, err := db.Policies.Duplicate(t.Context(), by, queriestest.AuditPolicyID); return err },
		func() error {
			_, err := db.Policies.MovePlannedVersion(t.Context(), by, queriestest.ResearchPolicyID, 0, queriestest.StartIn(48*time.Hour))
			return err
		},
		func() error {
			_, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.ResearchPolicyID, 0)
			return err
		},
		func() error {
			_, err := db.Policies.Delete(t.Context(), by, queriestest.AuditPolicyID, 0, false)
			return err
		},
		func() error {
			_, _, err := db.Policies.Restore(t.Context(), by, queriestest.AuditPolicyID, false)
			return err
		},
	}
	for i, step := range steps {
		clock.Advance(time.Second)
		if err := step(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	want := []string{
		"policy.restored 감사 대응 정책", "policy.deleted 감사 대응 정책", "policy.plan_cancelled 연구소 보안 정책", "policy.plan_moved 연구소 보안 정책",
		"policy.duplicated 감사 대응 정책 (2)", "policy.version_restored 감사 대응 정책", "policy.enabled 감사", "policy.disabled 감사", "policy.updated 감사",
		"policy.created 새 정책", "policy.targets_moved 영업본부 외근 정책",
	}
	for _, size := range []int{1, 3, 50} {
		if got := changes(t, db, audit.ChangeFilter{}, size); !slices.Equal(got, want) {
			t.Errorf("by %d: got %q", size, got)
		}
	}
	if got := changes(t, db, audit.ChangeFilter{ActorID: queriestest.Manager}, 2); !slices.Equal(got, []string{"policy.updated 감사"}) {
		t.Errorf("of an actor: %q", got)
	}
	if got := changes(t, db, audit.ChangeFilter{ObjectType: "policy", ObjectID: queriestest.ResearchPolicyID}, 2); !slices.Equal(got, want[2:4]) {
		t.Errorf("of an object: %q", got)
	}
	if others, err := db.Audit.Changes(t.Context(), audit.ChangeFilter{CompanyID: queriestest.Other, Limit: 9}); err != nil || len(others.Rows) > 0 {
		t.Errorf("of another company: %+v, %v", others, err)
	}
}

func TestChangeTellsWhoWhatAndWhere(t *testing.T) {
	db := queriestest.New(t)
	if _, err := db.Policies.Update(t.Context(), queriestest.ManagerActor(t, db), queriestest.AuditPolicyID, 1, queriestest.PolicyDraft("감사", queriestest.UserTarget(queriestest.Kim))); err != nil {
		t.Fatal(err)
	}
	page, err := db.Audit.Changes(t.Context(), audit.ChangeFilter{CompanyID: queriestest.Hanbit, Limit: 9})
	if err != nil || len(page.Rows) != 1 {
		t.Fatalf("got %+v, %v", page, err)
	}
	c := page.Rows[0]
	if c.ActorName != "최유진" || *c.ActorUserID != queriestest.Manager || c.Address == nil || *c.Address != queriestest.OfficeAddress || !c.At.Equal(queriestest.Now) || c.ObjectID != queriestest.AuditPolicyID {
		t.Errorf("got %+v", c)
	}
	var old, new struct {
		VersionNo int32           `json:"version_no"`
		Name      string          `json:"name"`
		Targets   []policy.Target `json:"targets"`
		Settings  map[string]any  `json:"settings"`
	}
	if err := json.Unmarshal(c.Old, &old); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(c.New, &new); err != nil {
		t.Fatal(err)
	}
	if old.VersionNo != 1 || old.Name != queriestest.AuditPolicyName || new.VersionNo != 2 || new.Name != "감사" || len(new.Targets) != 1 || new.Settings["file_max_mb"] != 50.0 {
		t.Errorf("%s became %s", c.Old, c.New)
	}
}

func TestPartitionsAreMadeAhead(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	partitions := func() string {
		return queriestest.LookUp(t, db, "select string_agg(right(inhrelid::regclass::text, 7), ' ' order by inhrelid::regclass::text) from pg_inherits where inhparent = 'changes'::regclass")
	}
	if got := partitions(); got != "2026_09 2026_10 2026_11 2026_12 2027_01 2027_02" {
		t.Errorf("got %s", got)
	}
	clock.Advance(100 * 24 * time.Hour)
	done := make(chan error, 3)
	for range 3 {
		go func() { done <- db.EnsurePartitions(t.Context()) }()
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := partitions(); got != "2026_09 2026_10 2026_11 2026_12 2027_01 2027_02 2027_03 2027_04 2027_05" {
		t.Errorf("got %s", got)
	}
	for _, advance := range []time.Duration{0, 90 * 24 * time.Hour} {
		clock.Advance(advance)
		queriestest.CreatePolicy(t, db, queriestest.PolicyDraft(fmt.Sprint("정책 ", advance)))
	}
	if got := changes(t, db, audit.ChangeFilter{}, 1); len(got) != 2 {
		t.Errorf("got %q", got)
	}
}
