package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

func nodes(targets []policy.Target) []int64 {
	var ids []int64
	for _, t := range targets {
		ids = append(ids, t.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestCreatePolicy(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft("  영업 정책 ", queriestest.DepartmentTarget(queriestest.Japan), queriestest.UserTarget(queriestest.Employee))
	d.Description, d.Reason, d.Owner = "한 줄\r\n두 줄", "신설", policy.Owner{DepartmentID: queriestest.Sales}
	d.Targets[0].IncludeChildren = false
	p := queriestest.CreatePolicy(t, db, d)
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
	p := queriestest.CreatePolicy(t, db, policy.Draft{Kind: "workingattitude", Name: "교대", Enabled: true})
	if want := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC); p.InForce || p.Planned == nil || !p.Version.EffectiveFrom.Equal(want) {
		t.Errorf("got %+v", p)
	}
}

func TestRefusedDrafts(t *testing.T) {
	db := queriestest.New(t)
	for _, test := range []struct {
		name   string
		change func(*policy.Draft)
		field  string
		want   queries.Invalid
	}{
		{"no name", func(d *policy.Draft) { d.Name = " " }, "name", "policy.name.required"},
		{"an unseen name", func(d *policy.Draft) { d.Name = "\u3164" }, "name", "policy.name.required"},
		{"51 characters", func(d *policy.Draft) { d.Name = strings.Repeat("가", 51) }, "name", "policy.name.too_long"},
		{"a line break", func(d *policy.Draft) { d.Name = "a\nb" }, "name", "policy.name.invalid"},
		{"a name that is taken", func(d *policy.Draft) { d.Name = "연구소 보안 정책" }, "name", "policy.name.taken"},
		{"the same by case and width", func(d *policy.Draft) { d.Name = "ａｂｃ ｐｌａｎ" }, "name", "policy.name.taken"},
		{"a planned name", func(d *policy.Draft) { d.Name = "PLANNED straße" }, "name", "policy.name.taken"},
		{"a long description", func(d *policy.Draft) { d.Description = strings.Repeat("가", 201) }, "description", "policy.description.too_long"},
		{"a control character", func(d *policy.Draft) { d.Description = "a\x07" }, "description", "policy.description.invalid"},
		{"a long reason", func(d *policy.Draft) { d.Reason = strings.Repeat("가", 201) }, "reason", "policy.reason.too_long"},
		{"settings that are none", func(d *policy.Draft) { d.Settings = json.RawMessage(`[]`) }, "settings", "setting.error.object"},
		{"an unknown setting", func(d *policy.Draft) { d.Settings = json.RawMessage(`{"x":1}`) }, "settings.x", "setting.error.unknown"},
		{"a setting out of bounds", func(d *policy.Draft) { d.Settings = json.RawMessage(`{"file_max_mb":0}`) }, "settings.file_max_mb", "setting.error.out_of_range"},
		{"an exempt user of another company", func(d *policy.Draft) {
			d.Settings = json.RawMessage(fmt.Sprintf(`{"ip_exempt_user_ids":[%d,%d]}`, queriestest.Kim, queriestest.OtherKim))
		}, "settings.ip_exempt_user_ids.1", "policy.targets.unknown"},
		{"a target that is not there", func(d *policy.Draft) {
			d.Targets = []policy.Target{queriestest.DepartmentTarget(1), queriestest.DepartmentTarget(999)}
		}, "targets.1", "policy.targets.unknown"},
		{"a target of another company", func(d *policy.Draft) { d.Targets = []policy.Target{queriestest.UserTarget(queriestest.OtherKim)} }, "targets.0", "policy.targets.unknown"},
		{"a bot", func(d *policy.Draft) { d.Targets = []policy.Target{queriestest.UserTarget(queriestest.Bot)} }, "targets.0", "policy.targets.unknown"},
		{"a target of no type", func(d *policy.Draft) { d.Targets = []policy.Target{{Type: "role", ID: 1}} }, "targets.0", "policy.targets.unknown"},
		{"a target twice", func(d *policy.Draft) {
			d.Targets = []policy.Target{queriestest.UserTarget(2), queriestest.UserTarget(2)}
		}, "targets.1", "policy.targets.repeated"},
		{"too many targets", func(d *policy.Draft) { d.Targets = make([]policy.Target, policy.MaxTargets+1) }, "targets", "policy.targets.too_many"},
		{"an owner of another company", func(d *policy.Draft) { d.Owner.UserID = queriestest.OtherAdmin }, "owner", "policy.owner.unknown"},
		{"the past", func(d *policy.Draft) { d.EffectiveFrom = queriestest.StartIn(-time.Hour) }, "effective_from", "policy.effective_from.too_soon"},
		{"this minute", func(d *policy.Draft) { d.EffectiveFrom = queriestest.StartIn(0) }, "effective_from", "policy.effective_from.too_soon"},
		{"a moment before five minutes", func(d *policy.Draft) { d.EffectiveFrom = queriestest.StartIn(5*time.Minute - time.Microsecond) }, "effective_from", "policy.effective_from.too_soon"},
		{"more than a year", func(d *policy.Draft) { d.EffectiveFrom = queriestest.StartIn(366 * 24 * time.Hour) }, "effective_from", "policy.effective_from.too_late"},
		{"no start", func(d *policy.Draft) { d.EffectiveFrom.When = "soon" }, "effective_from", "policy.effective_from.invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if queriestest.StoredPolicy(t, db, queriestest.AuditPolicyID).LastNo == 1 {
				d := queriestest.PolicyDraft("ABC plan")
				if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.AuditPolicyID, 1, d); err != nil {
					t.Fatal(err)
				}
				d.Name, d.EffectiveFrom = "Planned STRASSE", queriestest.StartIn(time.Hour)
				if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.AuditPolicyID, 2, d); err != nil {
					t.Fatal(err)
				}
			}
			d := queriestest.PolicyDraft("새 정책")
			test.change(&d)
			before := queriestest.LookUp(t, db, "select count(*) || ' ' || (select max(policy_version) from companies) from policies")
			_, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), d)
			var fields queries.FieldErrors
			if !errors.As(err, &fields) || len(fields) != 1 || fields[test.field] != test.want {
				t.Errorf("got %v", err)
			}
			if after := queriestest.LookUp(t, db, "select count(*) || ' ' || (select max(policy_version) from companies) from policies"); after != before {
				t.Errorf("%s became %s", before, after)
			}
		})
	}
	if _, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), policy.Draft{Kind: "other", Name: "a"}); !errors.Is(err, queries.NotFound) {
		t.Errorf("unknown kind: %v", err)
	}
}

func TestLongestDraft(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft(strings.Repeat("가", 50))
	d.Description, d.EffectiveFrom = strings.Repeat("👩", 200), queriestest.StartIn(365*24*time.Hour)
	if p := queriestest.CreatePolicy(t, db, d); p.Planned == nil {
		t.Errorf("got %+v", p)
	}
}

func TestDefaultPolicyKeepsEverybody(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft(queriestest.DefaultPolicyName)
	d.Targets = []policy.Target{queriestest.UserTarget(queriestest.Employee)}
	d.Enabled = false
	_, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.DefaultPolicyID, 1, d)
	var fields queries.FieldErrors
	if !errors.As(err, &fields) || fields["targets"] != "policy.default.targets" || fields["enabled"] != "policy.default.disabled" {
		t.Errorf("got %v", err)
	}
	if _, err := db.Policies.Delete(t.Context(), queriestest.AdminActor(t, db), queriestest.DefaultPolicyID, 1, false); !errors.Is(err, queries.Invalid("policy.default.deleted")) {
		t.Errorf("got %v", err)
	}
	if p, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.DefaultPolicyID, 1, queriestest.PolicyDraft(queriestest.DefaultPolicyName)); err != nil || p.LastNo != 2 {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestUpdatePolicyKeepsEarlierVersions(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	clock.Advance(time.Hour)
	d := queriestest.PolicyDraft("연구소 새 정책", queriestest.DepartmentTarget(queriestest.Research))
	p, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.ResearchPolicyID, 2, d)
	if err != nil {
		t.Fatal(err)
	}
	if p.Version.No != 3 || p.LastNo != 3 || p.Version.Name != "연구소 새 정책" || p.Planned == nil || p.Planned.No != 2 {
		t.Errorf("got %+v", p)
	}
	versions, err := db.Policies.Versions(t.Context(), queriestest.Hanbit, queriestest.ResearchPolicyID)
	if err != nil || len(versions) != 3 || versions[2].Name != queriestest.ResearchPolicyName || len(versions[2].Targets) != 2 {
		t.Errorf("got %+v, %v", versions, err)
	}
	page, err := db.Policies.List(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", policy.Filter{Limit: 9})
	if err != nil || !slices.Contains(queriestest.PolicyNames(page), "연구소 새 정책") {
		t.Errorf("the list has %q, %v", queriestest.PolicyNames(page), err)
	}
}

func TestEditConflict(t *testing.T) {
	db := queriestest.New(t)
	mine := queriestest.PolicyDraft(queriestest.SalesPolicyName, queriestest.DepartmentTarget(queriestest.Domestic), queriestest.DepartmentTarget(queriestest.Overseas))
	theirs := mine
	theirs.Targets = theirs.Targets[:1]
	theirs.Settings = json.RawMessage(`{"session_time_sec":600,"file_max_mb":7}`)
	if _, err := db.Policies.Update(t.Context(), queriestest.ManagerActor(t, db), queriestest.SalesPolicyID, 2, theirs); err != nil {
		t.Fatal(err)
	}
	_, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.SalesPolicyID, 2, mine)
	var conflict *policy.EditConflict
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
	if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.SalesPolicyID, 99, mine); !errors.As(err, &conflict) {
		t.Errorf("a version that is not there: %v", err)
	}
	if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.SalesPolicyID, 3, mine); err != nil {
		t.Error(err)
	}
}

func TestTwoAdministratorsAtOnce(t *testing.T) {
	db := queriestest.New(t)
	results := make(chan error, 2)
	for _, by := range []queries.Actor{queriestest.AdminActor(t, db), queriestest.ManagerActor(t, db)} {
		go func() {
			_, err := db.Policies.Update(t.Context(), by, queriestest.AuditPolicyID, 1, queriestest.PolicyDraft("감사 "+by.Name))
			results <- err
		}()
	}
	first, second := <-results, <-results
	if first == nil {
		first, second = second, first
	}
	var conflict *policy.EditConflict
	if !errors.As(first, &conflict) || second != nil {
		t.Errorf("got %v and %v", first, second)
	}
}

func TestPoliciesOfOthersAreNotThere(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	_, read := db.Policies.Policy(t.Context(), queriestest.Hanbit, queriestest.OtherPolicyID)
	_, update := db.Policies.Update(t.Context(), by, queriestest.OtherPolicyID, 0, queriestest.PolicyDraft("a"))
	_, duplicate := db.Policies.Duplicate(t.Context(), by, queriestest.OtherPolicyID)
	_, _, restore := db.Policies.Restore(t.Context(), by, queriestest.OtherPolicyID, false)
	_, version := db.Policies.RestoreVersion(t.Context(), by, queriestest.OtherPolicyID, 0, policy.VersionRestoration{No: 1})
	_, plan := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.OtherPolicyID, 0)
	_, deletion := db.Policies.Delete(t.Context(), by, queriestest.OtherPolicyID, 0, false)
	for i, err := range []error{
		read, update, duplicate, restore, version, plan, deletion,
		enableAll(t.Context(), db, by, "communication", []int64{queriestest.AuditPolicyID, queriestest.OtherPolicyID}, true, false),
		enableAll(t.Context(), db, by, "communication", []int64{2}, true, false),
	} {
		if !errors.Is(err, queries.NotFound) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if queriestest.StoredPolicy(t, db, queriestest.AuditPolicyID).Version.Enabled {
		t.Error("a refused bulk enabled a policy")
	}
}

// enableAll is Store.EnableAll without its outcome.
func enableAll(ctx context.Context, db *areas.Areas, by queries.Actor, kind string, ids []int64, enabled, confirmed bool) error {
	_, err := db.Policies.EnableAll(ctx, by, kind, ids, enabled, confirmed)
	return err
}

func TestEnablePolicies(t *testing.T) {
	db := queriestest.New(t)
	if err := enableAll(t.Context(), db, queriestest.AdminActor(t, db), "communication", []int64{queriestest.AuditPolicyID}, true, false); err != nil {
		t.Fatal(err)
	}
	a, s := queriestest.StoredPolicy(t, db, queriestest.AuditPolicyID), queriestest.StoredPolicy(t, db, queriestest.SalesPolicyID)
	if !a.Version.Enabled || a.LastNo != 2 || s.LastNo != 2 {
		t.Errorf("got %+v and %+v", a, s)
	}
	if err := enableAll(t.Context(), db, queriestest.AdminActor(t, db), "communication", []int64{queriestest.SalesPolicyID, queriestest.DefaultPolicyID}, false, false); err == nil {
		t.Error("the default policy was disabled")
	}
	if !queriestest.StoredPolicy(t, db, queriestest.SalesPolicyID).Version.Enabled {
		t.Error("a refused bulk disabled a policy")
	}
}

// TestRevertEnabling undoes disabling policies together: all of them, or none.
func TestRevertEnabling(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ids := queriestest.AdminActor(t, db), []int64{queriestest.SalesPolicyID, queriestest.ResearchPolicyID}
	preview, err := db.Policies.PreviewEnabling(t.Context(), by, "communication", ids, false)
	if err != nil || preview.People() == 0 {
		t.Fatalf("got %+v, %v", preview, err)
	}
	outcome, err := db.Policies.EnableAll(t.Context(), by, "communication", ids, false, false)
	versions := outcome.Added
	if err != nil || len(versions) != 2 {
		t.Fatalf("got %v, %v", versions, err)
	}
	again, err := db.Policies.PreviewEnabling(t.Context(), by, "communication", ids, true)
	if err != nil || again.People() != preview.People() {
		t.Errorf("disabling affects %d people and enabling again %d, %v", preview.People(), again.People(), err)
	}
	if same, err := db.Policies.PreviewEnabling(t.Context(), by, "communication", ids, false); err != nil || same.People() != 0 {
		t.Errorf("disabling them again affects %d people, %v", same.People(), err)
	}
	clock.Advance(time.Minute)
	if _, err := db.Policies.RevertVersions(t.Context(), by, "communication", []policy.VersionKey{versions[0], {PolicyID: versions[1].PolicyID, No: versions[1].No + 1}}); err == nil {
		t.Error("a version that does not exist was reverted")
	}
	if queriestest.StoredPolicy(t, db, ids[0]).Version.Enabled {
		t.Error("a refused undo enabled a policy")
	}
	if _, err := db.Policies.RevertVersions(t.Context(), by, "communication", versions); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if !queriestest.StoredPolicy(t, db, id).Version.Enabled {
			t.Errorf("policy %d is still disabled", id)
		}
	}
	if _, err := db.Policies.RevertVersions(t.Context(), by, "communication", versions); err == nil {
		t.Error("the same was undone twice")
	}
	if _, err := db.Policies.RevertVersions(t.Context(), by, "workingattitude", versions); !errors.Is(err, queries.NotFound) {
		t.Errorf("of another kind: %v", err)
	}
}

func TestDuplicatePolicy(t *testing.T) {
	db := queriestest.New(t)
	first, err := db.Policies.Duplicate(t.Context(), queriestest.AdminActor(t, db), queriestest.ResearchPolicyID)
	if err != nil {
		t.Fatal(err)
	}
	second, err := db.Policies.Duplicate(t.Context(), queriestest.AdminActor(t, db), queriestest.ResearchPolicyID)
	if err != nil {
		t.Fatal(err)
	}
	if first.Version.Name != "연구소 보안 정책 (2)" || second.Version.Name != "연구소 보안 정책 (3)" || len(first.Version.Targets) != 0 || string(first.Version.Settings) != `{"session_time_sec": 1800}` {
		t.Errorf("got %+v and %+v", first.Version, second.Version)
	}
	long := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft(strings.Repeat("가", 50)))
	if third, err := db.Policies.Duplicate(t.Context(), queriestest.AdminActor(t, db), long.ID); err != nil || third.Version.Name != strings.Repeat("가", 46)+" (2)" {
		t.Errorf("got %q, %v", third.Version.Name, err)
	}
}

func TestRestoreVersion(t *testing.T) {
	db := queriestest.New(t)
	p, err := db.Policies.RestoreVersion(t.Context(), queriestest.AdminActor(t, db), queriestest.SalesPolicyID, 2, policy.VersionRestoration{No: 1})
	if err != nil {
		t.Fatal(err)
	}
	if p.Version.No != 3 || p.Version.Description != "모바일 중심" || !slices.Equal(nodes(p.Version.Targets), []int64{queriestest.Domestic}) {
		t.Errorf("got %+v", p.Version)
	}
	if same, err := db.Policies.RestoreVersion(t.Context(), queriestest.AdminActor(t, db), queriestest.SalesPolicyID, 3, policy.VersionRestoration{No: 1}); err != nil || same.LastNo != 3 {
		t.Errorf("with the content of version 1 in force: version %d (%v)", same.LastNo, err)
	}
	if _, err := db.Policies.RestoreVersion(t.Context(), queriestest.AdminActor(t, db), queriestest.SalesPolicyID, 3, policy.VersionRestoration{No: 9}); !errors.Is(err, queries.NotFound) {
		t.Errorf("got %v", err)
	}
}
