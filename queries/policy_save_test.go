package queries_test

import (
	"encoding/json"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

var office = netip.MustParseAddr("203.0.113.9")

// The policies of the cast by id.
const (
	defaultID  = int64(1)
	salesID    = int64(5)
	researchID = int64(6)
	auditID    = int64(7)
	otherID    = int64(8)
)

func admin(t *testing.T, db *queries.DB) queries.Actor {
	t.Helper()
	return queries.ActorFrom(person(t, db, queriestest.Hanbit, queriestest.Admin), office)
}

func manager(t *testing.T, db *queries.DB) queries.Actor {
	t.Helper()
	return queries.ActorFrom(person(t, db, queriestest.Hanbit, queriestest.Manager), office)
}

func department(id int64) queries.Target {
	return queries.Target{Type: queries.DepartmentTarget, ID: id, IncludeChildren: true}
}

func user(id int64) queries.Target {
	return queries.Target{Type: queries.UserTarget, ID: id, IncludeChildren: true}
}

// draft is one that nothing is wrong with.
func draft(name string, targets ...queries.Target) queries.PolicyDraft {
	return queries.PolicyDraft{
		Kind: "communication", Name: name, Enabled: true, Targets: targets, Settings: json.RawMessage(`{"file_max_mb":50}`),
	}
}

func create(t *testing.T, db *queries.DB, d queries.PolicyDraft) queries.Policy {
	t.Helper()
	p, err := db.CreatePolicy(t.Context(), admin(t, db), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func policy(t *testing.T, db *queries.DB, id int64) queries.Policy {
	t.Helper()
	p, err := db.Policy(t.Context(), queriestest.Hanbit, id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func nodes(targets []queries.Target) []int64 {
	var ids []int64
	for _, t := range targets {
		ids = append(ids, t.ID)
	}
	slices.Sort(ids)
	return ids
}

func in(d time.Duration) queries.Start {
	return queries.Start{When: queries.StartAt, At: queriestest.Now.Add(d)}
}

func TestCreatePolicy(t *testing.T) {
	db := queriestest.New(t)
	d := draft("  영업 정책 ", department(queriestest.Japan), user(queriestest.Employee))
	d.Description, d.Reason, d.Owner = "한 줄\r\n두 줄", "신설", queries.Owner{DepartmentID: queriestest.Sales}
	d.Targets[0].IncludeChildren = false
	p := create(t, db, d)
	switch v := p.Version; {
	case p.Kind != "communication", p.IsDefault, p.LastNo != 1, p.Planned != nil, !p.InForce, p.Owner.Name != "영업본부":
		t.Errorf("got %+v", p)
	case v.No != 1, v.Name != "영업 정책", v.Description != "한 줄\n두 줄", v.Reason != "신설", v.CreatedByName != "김서연", !v.Enabled:
		t.Errorf("got %+v", v)
	case !v.EffectiveFrom.Equal(queriestest.Now), string(v.Settings) != `{"file_max_mb": 50}`:
		t.Errorf("got %s, %s", v.EffectiveFrom, v.Settings)
	case len(v.Targets) != 2, v.Targets[0].Name != "일본지사", v.Targets[0].IncludeChildren, v.Targets[1].Name != "이준호", !v.Targets[1].IncludeChildren:
		t.Errorf("got %+v", v.Targets)
	}
}

func TestWorkingAttitudeBeginsOnTheNextWorkDate(t *testing.T) {
	db := queriestest.New(t)
	p := create(t, db, queries.PolicyDraft{Kind: "workingattitude", Name: "교대", Enabled: true})
	if want := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC); p.InForce || p.Planned == nil || !p.Version.EffectiveFrom.Equal(want) {
		t.Errorf("got %+v", p)
	}
}

func TestRefusedDrafts(t *testing.T) {
	db := queriestest.New(t)
	for _, test := range []struct {
		name   string
		change func(*queries.PolicyDraft)
		field  string
		want   queries.Invalid
	}{
		{"no name", func(d *queries.PolicyDraft) { d.Name = " " }, "name", "policy.name.required"},
		{"51 characters", func(d *queries.PolicyDraft) { d.Name = strings.Repeat("가", 51) }, "name", "policy.name.too_long"},
		{"a line break", func(d *queries.PolicyDraft) { d.Name = "a\nb" }, "name", "policy.name.invalid"},
		{"a name that is taken", func(d *queries.PolicyDraft) { d.Name = "연구소 보안 정책" }, "name", "policy.name.taken"},
		{"the same by case and width", func(d *queries.PolicyDraft) { d.Name = "ａｂｃ ｐｌａｎ" }, "name", "policy.name.taken"},
		{"a planned name", func(d *queries.PolicyDraft) { d.Name = "PLANNED straße" }, "name", "policy.name.taken"},
		{"a long description", func(d *queries.PolicyDraft) { d.Description = strings.Repeat("가", 201) }, "description", "policy.description.too_long"},
		{"a control character", func(d *queries.PolicyDraft) { d.Description = "a\x07" }, "description", "policy.description.invalid"},
		{"a long reason", func(d *queries.PolicyDraft) { d.Reason = strings.Repeat("가", 201) }, "reason", "policy.reason.too_long"},
		{"settings that are none", func(d *queries.PolicyDraft) { d.Settings = json.RawMessage(`[]`) }, "settings", "setting.error.object"},
		{"an unknown setting", func(d *queries.PolicyDraft) { d.Settings = json.RawMessage(`{"x":1}`) }, "settings.x", "setting.error.unknown"},
		{"a setting out of bounds", func(d *queries.PolicyDraft) { d.Settings = json.RawMessage(`{"file_max_mb":0}`) }, "settings.file_max_mb", "setting.error.out_of_range"},
		{"a target that is not there", func(d *queries.PolicyDraft) { d.Targets = []queries.Target{department(1), department(999)} }, "targets.1", "policy.targets.unknown"},
		{"a target of another company", func(d *queries.PolicyDraft) { d.Targets = []queries.Target{user(queriestest.OtherKim)} }, "targets.0", "policy.targets.unknown"},
		{"a bot", func(d *queries.PolicyDraft) { d.Targets = []queries.Target{user(queriestest.Bot)} }, "targets.0", "policy.targets.unknown"},
		{"a target of no type", func(d *queries.PolicyDraft) { d.Targets = []queries.Target{{Type: "role", ID: 1}} }, "targets.0", "policy.targets.unknown"},
		{"a target twice", func(d *queries.PolicyDraft) { d.Targets = []queries.Target{user(2), user(2)} }, "targets.1", "policy.targets.repeated"},
		{"too many targets", func(d *queries.PolicyDraft) { d.Targets = make([]queries.Target, 5001) }, "targets", "policy.targets.too_many"},
		{"an owner of another company", func(d *queries.PolicyDraft) { d.Owner.UserID = queriestest.OtherAdmin }, "owner", "policy.owner.unknown"},
		{"the past", func(d *queries.PolicyDraft) { d.EffectiveFrom = in(-time.Hour) }, "effective_from", "policy.effective_from.too_soon"},
		{"this minute", func(d *queries.PolicyDraft) { d.EffectiveFrom = in(0) }, "effective_from", "policy.effective_from.too_soon"},
		{"a moment before five minutes", func(d *queries.PolicyDraft) { d.EffectiveFrom = in(5*time.Minute - time.Microsecond) }, "effective_from", "policy.effective_from.too_soon"},
		{"more than a year", func(d *queries.PolicyDraft) { d.EffectiveFrom = in(366 * 24 * time.Hour) }, "effective_from", "policy.effective_from.too_late"},
		{"no start", func(d *queries.PolicyDraft) { d.EffectiveFrom.When = "soon" }, "effective_from", "policy.effective_from.invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if policy(t, db, auditID).LastNo == 1 {
				d := draft("ABC plan")
				if _, err := db.UpdatePolicy(t.Context(), admin(t, db), auditID, 1, d); err != nil {
					t.Fatal(err)
				}
				d.Name, d.EffectiveFrom = "Planned STRASSE", in(time.Hour)
				if _, err := db.UpdatePolicy(t.Context(), admin(t, db), auditID, 2, d); err != nil {
					t.Fatal(err)
				}
			}
			d := draft("새 정책")
			test.change(&d)
			before := lookUp(t, db, "select count(*) || ' ' || (select max(policy_version) from companies) from policies")
			_, err := db.CreatePolicy(t.Context(), admin(t, db), d)
			var fields queries.FieldErrors
			if !errors.As(err, &fields) || len(fields) != 1 || fields[test.field] != test.want {
				t.Errorf("got %v", err)
			}
			if after := lookUp(t, db, "select count(*) || ' ' || (select max(policy_version) from companies) from policies"); after != before {
				t.Errorf("%s became %s", before, after)
			}
		})
	}
	if _, err := db.CreatePolicy(t.Context(), admin(t, db), queries.PolicyDraft{Kind: "other", Name: "a"}); !errors.Is(err, queries.NotFound) {
		t.Errorf("unknown kind: %v", err)
	}
}

func TestLongestDraft(t *testing.T) {
	db := queriestest.New(t)
	d := draft(strings.Repeat("가", 50))
	d.Description, d.EffectiveFrom = strings.Repeat("👩", 200), in(365*24*time.Hour)
	if p := create(t, db, d); p.Planned == nil {
		t.Errorf("got %+v", p)
	}
}

func TestDefaultPolicyKeepsEverybody(t *testing.T) {
	db := queriestest.New(t)
	d := draft(byDefault)
	d.Targets = []queries.Target{user(queriestest.Employee)}
	d.Enabled = false
	_, err := db.UpdatePolicy(t.Context(), admin(t, db), defaultID, 1, d)
	var fields queries.FieldErrors
	if !errors.As(err, &fields) || fields["targets"] != "policy.default.targets" || fields["enabled"] != "policy.default.disabled" {
		t.Errorf("got %v", err)
	}
	if _, err := db.DeletePolicy(t.Context(), admin(t, db), defaultID, 1, false); !errors.Is(err, queries.Invalid("policy.default.deleted")) {
		t.Errorf("got %v", err)
	}
	if p, err := db.UpdatePolicy(t.Context(), admin(t, db), defaultID, 1, draft(byDefault)); err != nil || p.LastNo != 2 {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestUpdatePolicyKeepsEarlierVersions(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	clock.Advance(time.Hour)
	d := draft("연구소 새 정책", department(queriestest.Research))
	p, err := db.UpdatePolicy(t.Context(), admin(t, db), researchID, 2, d)
	if err != nil {
		t.Fatal(err)
	}
	if p.Version.No != 3 || p.LastNo != 3 || p.Version.Name != "연구소 새 정책" || p.Planned == nil || p.Planned.No != 2 {
		t.Errorf("got %+v", p)
	}
	versions, err := db.PolicyVersions(t.Context(), queriestest.Hanbit, researchID)
	if err != nil || len(versions) != 3 || versions[2].Name != research || len(versions[2].Targets) != 2 {
		t.Errorf("got %+v, %v", versions, err)
	}
	page, err := db.Policies(t.Context(), person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", queries.PolicyFilter{Limit: 9})
	if err != nil || !slices.Contains(names(page), "연구소 새 정책") {
		t.Errorf("the list has %q, %v", names(page), err)
	}
}

func TestEditConflict(t *testing.T) {
	db := queriestest.New(t)
	mine := draft(sales, department(queriestest.Domestic), department(queriestest.Overseas))
	theirs := mine
	theirs.Targets = theirs.Targets[:1]
	theirs.Settings = json.RawMessage(`{"session_time_sec":600,"file_max_mb":7}`)
	if _, err := db.UpdatePolicy(t.Context(), manager(t, db), salesID, 2, theirs); err != nil {
		t.Fatal(err)
	}
	_, err := db.UpdatePolicy(t.Context(), admin(t, db), salesID, 2, mine)
	var conflict *queries.EditConflict
	if !errors.As(err, &conflict) || !errors.Is(err, queries.Conflict("policy.changed")) {
		t.Fatalf("got %v", err)
	}
	var fields []string
	for _, f := range conflict.Changes.Fields {
		fields = append(fields, f.Field)
	}
	if conflict.ByName != "최유진" || conflict.ByUserID != queriestest.Manager || !conflict.At.Equal(queriestest.Now) || conflict.LastNo != 3 {
		t.Errorf("got %+v", conflict)
	}
	if !slices.Equal(fields, []string{"description", "effective_from", "targets"}) || len(conflict.Changes.Settings) != 1 || conflict.Changes.Settings[0].Key != "file_max_mb" {
		t.Errorf("got %+v", conflict.Changes)
	}
	if _, err := db.UpdatePolicy(t.Context(), admin(t, db), salesID, 99, mine); !errors.As(err, &conflict) {
		t.Errorf("a version that is not there: %v", err)
	}
	if _, err := db.UpdatePolicy(t.Context(), admin(t, db), salesID, 3, mine); err != nil {
		t.Error(err)
	}
}

func TestTwoAdministratorsAtOnce(t *testing.T) {
	db := queriestest.New(t)
	results := make(chan error, 2)
	for _, by := range []queries.Actor{admin(t, db), manager(t, db)} {
		go func() {
			_, err := db.UpdatePolicy(t.Context(), by, auditID, 1, draft("감사 "+by.Name))
			results <- err
		}()
	}
	first, second := <-results, <-results
	if first == nil {
		first, second = second, first
	}
	var conflict *queries.EditConflict
	if !errors.As(first, &conflict) || second != nil {
		t.Errorf("got %v and %v", first, second)
	}
}

func TestPoliciesOfOthersAreNotThere(t *testing.T) {
	db := queriestest.New(t)
	by := admin(t, db)
	_, read := db.Policy(t.Context(), queriestest.Hanbit, otherID)
	_, update := db.UpdatePolicy(t.Context(), by, otherID, 0, draft("a"))
	_, duplicate := db.DuplicatePolicy(t.Context(), by, otherID)
	_, _, restore := db.RestorePolicy(t.Context(), by, otherID, false)
	_, version := db.RestoreVersion(t.Context(), by, otherID, 0, queries.VersionRestoration{No: 1})
	_, plan := db.CancelPlannedVersion(t.Context(), by, otherID, 0)
	_, deletion := db.DeletePolicy(t.Context(), by, otherID, 0, false)
	for i, err := range []error{
		read, update, duplicate, restore, version, plan, deletion,
		db.EnablePolicies(t.Context(), by, "communication", []int64{auditID, otherID}, true, false),
		db.EnablePolicies(t.Context(), by, "communication", []int64{2}, true, false),
	} {
		if !errors.Is(err, queries.NotFound) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if policy(t, db, auditID).Version.Enabled {
		t.Error("a refused bulk enabled a policy")
	}
}

func TestEnablePolicies(t *testing.T) {
	db := queriestest.New(t)
	if err := db.EnablePolicies(t.Context(), admin(t, db), "communication", []int64{auditID, salesID}, true, false); err != nil {
		t.Fatal(err)
	}
	a, s := policy(t, db, auditID), policy(t, db, salesID)
	if !a.Version.Enabled || a.LastNo != 2 || s.LastNo != 2 {
		t.Errorf("got %+v and %+v", a, s)
	}
	if err := db.EnablePolicies(t.Context(), admin(t, db), "communication", []int64{salesID, defaultID}, false, false); err == nil {
		t.Error("the default policy was disabled")
	}
	if !policy(t, db, salesID).Version.Enabled {
		t.Error("a refused bulk disabled a policy")
	}
}

func TestDuplicatePolicy(t *testing.T) {
	db := queriestest.New(t)
	first, err := db.DuplicatePolicy(t.Context(), admin(t, db), researchID)
	if err != nil {
		t.Fatal(err)
	}
	second, err := db.DuplicatePolicy(t.Context(), admin(t, db), researchID)
	if err != nil {
		t.Fatal(err)
	}
	if first.Version.Name != "연구소 보안 정책 (2)" || second.Version.Name != "연구소 보안 정책 (3)" || len(first.Version.Targets) != 0 || string(first.Version.Settings) != `{"session_time_sec": 1800}` {
		t.Errorf("got %+v and %+v", first.Version, second.Version)
	}
	long := create(t, db, draft(strings.Repeat("가", 50)))
	if third, err := db.DuplicatePolicy(t.Context(), admin(t, db), long.ID); err != nil || third.Version.Name != strings.Repeat("가", 46)+" (2)" {
		t.Errorf("got %q, %v", third.Version.Name, err)
	}
}

func TestRestoreVersion(t *testing.T) {
	db := queriestest.New(t)
	p, err := db.RestoreVersion(t.Context(), admin(t, db), salesID, 2, queries.VersionRestoration{No: 1})
	if err != nil {
		t.Fatal(err)
	}
	if p.Version.No != 3 || p.Version.Description != "모바일 중심" || !slices.Equal(nodes(p.Version.Targets), []int64{queriestest.Domestic}) {
		t.Errorf("got %+v", p.Version)
	}
	if _, err := db.RestoreVersion(t.Context(), admin(t, db), salesID, 3, queries.VersionRestoration{No: 9}); !errors.Is(err, queries.NotFound) {
		t.Errorf("got %v", err)
	}
}
