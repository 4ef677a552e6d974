package audit_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/link"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
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
			_, err := db.Policies.EnableAll(t.Context(), by, "communication", []int64{queriestest.AuditPolicyID}, false, false)
			return err
		},
		func() error {
			_, err := db.Policies.EnableAll(t.Context(), by, "communication", []int64{queriestest.AuditPolicyID}, true, false)
			return err
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

// The search finds names of objects and of who changed them, and what was changed, by
// parts and by initials; together with the other filters.
func TestSearchChanges(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	draft := link.Draft{Name: "그룹웨어", Description: "전자결재와 게시판", URL: "https://gw.example/", Visible: true}
	id, err := db.Links.Create(t.Context(), by, draft)
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	draft.URL = "https://portal.example/"
	if err := db.Links.Update(t.Context(), by, id, 1, func(link.Draft) link.Draft { return draft }); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	if _, err := db.Policies.Update(t.Context(), queriestest.ManagerActor(t, db), queriestest.AuditPolicyID, 1, queriestest.PolicyDraft("감사")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		query string
		more  audit.ChangeFilter
		want  string
	}{
		{"그룹웨어", audit.ChangeFilter{}, "[link.updated 그룹웨어 link.created 그룹웨어]"},
		{"ㄱㄹㅇㅇ", audit.ChangeFilter{}, "[link.updated 그룹웨어 link.created 그룹웨어]"},
		{"portal.example", audit.ChangeFilter{}, "[link.updated 그룹웨어]"},
		{"gw.example", audit.ChangeFilter{ObjectType: "link", Action: "link.created"}, "[link.created 그룹웨어]"},
		{"전자결재", audit.ChangeFilter{}, "[link.created 그룹웨어]"}, // the second change left it as it was
		{"전자결재 그룹", audit.ChangeFilter{ActorID: by.UserID}, "[link.created 그룹웨어]"},
		{"그룹웨어", audit.ChangeFilter{ActorID: queriestest.Manager}, "[]"},
		{"그룹웨어", audit.ChangeFilter{Until: clock.Now().Add(-90 * time.Second)}, "[link.created 그룹웨어]"},
		{"그룹웨어", audit.ChangeFilter{Deleted: true}, "[]"},
		{"최유진", audit.ChangeFilter{}, "[policy.updated 감사]"},
		{"없는말", audit.ChangeFilter{}, "[]"},
	} {
		test.more.Search, _ = search.Parse(test.query)
		if got := fmt.Sprint(changes(t, db, test.more, 1)); got != test.want {
			t.Errorf("%s: %s, want %s", test.query, got, test.want)
		}
	}
	if got := queriestest.LookUp(t, db, "select count(*) from change_texts"); got != "3" {
		t.Errorf("%s changes have a search text", got)
	}
}

// The job writes the search texts of all companies, however many changes they have.
func TestWriteTexts(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into changes (company_id, at, actor_name, action, object_type, object_id, object_name, new)
		select 1 + n % 2, '2026-11-02'::timestamptz - n * interval '1 hour', '김서연', 'link.created', 'link', n, '링크', '{"name": "링크"}' from generate_series(1, 1400) n`)
	if err := db.Audit.WriteTexts(t.Context()); err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]string{
		"select string_agg(n::text, ' ') from (select count(*) as n from change_texts group by company_id) c": "700 700",
		"select count(distinct tableoid) from change_texts":                                                   "3",
		"select text from change_texts limit 1":                                                               "링크\nᄅᄏ\n김서연\nᄀᄉᄋ",
	} {
		if got := queriestest.LookUp(t, db, sql); got != want {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}
