package queries_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

// resolved is everybody's policy at a time, with its settings.
func resolved(t *testing.T, db *queries.DB, companyID int64, at time.Time) map[int64]queries.Effective {
	t.Helper()
	all, err := db.ResolveCompany(t.Context(), companyID, "communication", at)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, r := range all {
		ids = append(ids, r.UserID)
	}
	people, err := db.EffectivePolicies(t.Context(), companyID, ids, "communication", at)
	if err != nil || len(people) != len(all) {
		t.Fatalf("%d of %d people, %v", len(people), len(all), err)
	}
	return people
}

// What a preview says is what saving does, also when it refuses.
func TestPreviewComesTrue(t *testing.T) {
	db := emptyDatabase(t)
	options := demoOptions(300)
	options.Departments = 60
	if err := db.FillDemo(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	if err := db.EnsurePartitions(t.Context()); err != nil {
		t.Fatal(err)
	}
	by := queries.ActorFrom(demoAdmin(t, db), office)
	saved := 0
	for i, change := range []func(d *queries.PolicyDraft){
		func(d *queries.PolicyDraft) { d.Targets = []queries.Target{department(1)} },
		func(d *queries.PolicyDraft) { d.Targets = []queries.Target{{Type: queries.DepartmentTarget, ID: 1}} },
		func(d *queries.PolicyDraft) { d.Targets = []queries.Target{department(2), user(20), user(30)} },
		func(d *queries.PolicyDraft) { d.Targets, d.Enabled = []queries.Target{department(1)}, false },
		func(d *queries.PolicyDraft) {
			d.Targets, d.EffectiveFrom = []queries.Target{department(1)}, in(14*24*time.Hour)
		},
		func(d *queries.PolicyDraft) { d.Targets, d.Settings = nil, json.RawMessage(`{}`) },
	} {
		for _, policyID := range []int64{0, 3, 4} {
			d := draft(fmt.Sprint("미리보기 ", i, policyID))
			d.Move = true
			change(&d)
			versions := lookUp(t, db, "select count(*) from policy_versions")
			p, refused := db.PreviewPolicy(t.Context(), by, d, policyID)
			if after := lookUp(t, db, "select count(*) from policy_versions"); after != versions {
				t.Error("the preview has saved a version")
			}
			before := resolved(t, db, 1, p.At)
			var err error
			policy := queries.Policy{ID: policyID}
			if policyID == 0 {
				policy, err = db.CreatePolicy(t.Context(), by, d)
			} else {
				policy, err = db.UpdatePolicy(t.Context(), by, policyID, 0, d)
			}
			if fmt.Sprint(refused) != fmt.Sprint(err) {
				t.Errorf("%s: the preview said %v, saving %v", d.Name, refused, err)
			}
			if err == nil {
				saved++
				compare(t, p, policy.ID, before, resolved(t, db, 1, p.At))
			}
		}
	}
	if saved < 10 {
		t.Errorf("only %d drafts were saved", saved)
	}
}

func compare(t *testing.T, p queries.Preview, policyID int64, before, after map[int64]queries.Effective) {
	t.Helper()
	var gain, lose, change int
	keys := map[string]int{}
	for id, b := range before {
		a := after[id]
		differing := map[string]bool{}
		for _, c := range settings.Diff(b.Settings, a.Settings) {
			differing[c.Key] = true
		}
		switch {
		case b.PolicyID != policyID && a.PolicyID == policyID:
			gain++
		case b.PolicyID == policyID && a.PolicyID != policyID:
			lose++
		case len(differing) > 0:
			change++
		}
		for key := range differing {
			keys[key]++
		}
	}
	got := map[string]int{}
	for _, s := range p.Settings {
		got[s.Key] = s.People
	}
	if p.Gain != gain || p.Lose != lose || p.Change != change || !maps.Equal(got, keys) {
		t.Errorf("got %d, %d, %d, %v; want %d, %d, %d, %v", p.Gain, p.Lose, p.Change, got, gain, lose, change, keys)
	}
	affected := 0
	for _, d := range p.Departments {
		affected += d.People
	}
	if affected > gain+lose+change || len(p.Departments) > 10 || len(p.Departments) < 10 && affected != gain+lose+change {
		t.Errorf("%d people are in %+v", affected, p.Departments)
	}
}

func TestPreviewOfTheCast(t *testing.T) {
	db := queriestest.New(t)
	by := admin(t, db)
	if _, err := db.CancelPlannedVersion(t.Context(), by, researchID, 2); err != nil {
		t.Fatal(err)
	}
	p, err := db.PreviewPolicy(t.Context(), by, draft("본사", department(queriestest.Root), user(queriestest.Japanese)), 0)
	if err != nil {
		t.Fatal(err)
	}
	// 김서연, 박지민 and 최유진 leave the default, 佐藤ひろし the policy of the laboratory.
	if p.Gain != 4 || p.Lose != 0 || p.Change != 0 || len(p.Taken) != 1 || p.Taken[0].PolicyName != research || p.Taken[0].Name != "佐藤ひろし" {
		t.Errorf("got %+v", p)
	}
	if want := []queries.SettingPeople{{Key: "file_max_mb", People: 4}, {Key: "session_time_sec", People: 1}}; !slices.Equal(p.Settings, want) {
		t.Errorf("settings %+v", p.Settings)
	}
	if want := []queries.AffectedDepartment{{queriestest.Sales, "영업본부", 2}, {queriestest.Japan, "일본지사", 1}, {queriestest.Root, "한빛테크", 1}}; !slices.Equal(p.Departments, want) {
		t.Errorf("departments %+v", p.Departments)
	}
	e, err := db.ExplainDraft(t.Context(), by, draft("본사", department(queriestest.Root)), 0, queriestest.Viewer, queriestest.Now)
	if err != nil || e.Source != queries.Inherited || e.SourceDepartmentID != queriestest.Root || len(e.Chain) != 3 || e.PolicyName != "본사" {
		t.Errorf("got %+v, %v", e, err)
	}
	var fields queries.FieldErrors
	if _, err := db.PreviewPolicy(t.Context(), by, draft(research), 0); !errors.As(err, &fields) {
		t.Errorf("a name that is taken: %v", err)
	}
	if _, err := db.PreviewPolicy(t.Context(), by, draft("a"), otherID); !errors.Is(err, queries.NotFound) {
		t.Errorf("another company's: %v", err)
	}
}

func TestDeletionPreview(t *testing.T) {
	db := queriestest.New(t)
	by := admin(t, db)
	root := create(t, db, draft("본사", department(queriestest.Root)))
	p, err := db.DeletionPreview(t.Context(), by, researchID)
	if err != nil {
		t.Fatal(err)
	}
	falls, err := db.DeletePolicy(t.Context(), by, researchID, 0, false)
	if err != nil || !slices.Equal(falls, p.Falls) {
		t.Errorf("said %+v, did %+v, %v", p.Falls, falls, err)
	}
	if p.Lose != 3 || p.Gain != 0 || len(falls) != 2 || falls[0].ID != queriestest.Research || falls[0].PolicyID != root.ID || falls[1].ID != queriestest.Japanese || falls[1].PolicyName != "본사" {
		t.Errorf("got %+v", p)
	}
}

// locking lets nobody in from the office.
func locking(targets ...queries.Target) queries.PolicyDraft {
	d := draft("사내망", targets...)
	d.Settings = json.RawMessage(`{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"본사","range":"198.51.100.0/24"}]}`)
	return d
}

func TestLockOuts(t *testing.T) {
	db := queriestest.New(t)
	by := admin(t, db)
	inside := by
	inside.Address = netip.MustParseAddr("198.51.100.7")
	platform := locking(department(queriestest.Root))
	platform.Settings = json.RawMessage(`{"login_platforms":["pc","mobile"]}`)
	for _, test := range []struct {
		name  string
		by    queries.Actor
		draft queries.PolicyDraft
		code  string
	}{
		{"their own address", by, locking(department(queriestest.Root)), queries.WarnAddress},
		{"an address that is listed", inside, locking(department(queriestest.Root)), ""},
		{"a policy for others", by, locking(department(queriestest.Sales)), ""},
		{"no platform of the console", inside, platform, queries.WarnPlatform},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := db.PreviewPolicy(t.Context(), test.by, test.draft, 0)
			if err != nil {
				t.Fatal(err)
			}
			if test.code == "" {
				if len(p.Warnings) > 0 {
					t.Errorf("got %+v", p.Warnings)
				}
				return
			}
			if len(p.Warnings) != 1 || p.Warnings[0].Code != test.code || !slices.Equal(p.Warnings[0].UserIDs, []int64{queriestest.Admin}) {
				t.Errorf("got %+v", p.Warnings)
			}
			_, err = db.CreatePolicy(t.Context(), test.by, test.draft)
			var lockOut *queries.Lockout
			if !errors.As(err, &lockOut) || !errors.Is(err, queries.Invalid("policy.lock_out")) || len(lockOut.Warnings) != 1 {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Other administrators are judged by where they were last seen.
func TestLockOutOfAnotherAdministrator(t *testing.T) {
	db := queriestest.New(t)
	if err := db.GrantAdmin(t.Context(), person(t, db, queriestest.Hanbit, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	d := locking(department(queriestest.Sales))
	warned := func() int {
		t.Helper()
		p, err := db.PreviewPolicy(t.Context(), admin(t, db), d, 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(p.Warnings)
	}
	if warned() != 0 {
		t.Error("somebody who was never seen is judged")
	}
	c := credentials(queriestest.Email(queriestest.Manager), queriestest.Password)
	c.Address = netip.MustParseAddr("192.0.2.1")
	if _, err := db.SignIn(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if warned() != 1 {
		t.Error("another administrator would be locked out without a word")
	}
}

// Whom the policies lock out already, a save does not.
func TestLockedOutBefore(t *testing.T) {
	db := queriestest.New(t)
	inside := admin(t, db)
	inside.Address = netip.MustParseAddr("198.51.100.7")
	if _, err := db.CreatePolicy(t.Context(), inside, locking(department(queriestest.Root))); err != nil {
		t.Fatal(err)
	}
	d := locking(user(queriestest.Admin))
	d.Name = "또 사내망"
	if p, err := db.PreviewPolicy(t.Context(), admin(t, db), d, 0); err != nil || len(p.Warnings) != 0 {
		t.Errorf("got %+v, %v", p.Warnings, err)
	}
}

// What a version on probation gives up is not free before it is confirmed.
func TestTargetsDuringProbation(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	first := create(t, db, draft("첫 정책", department(queriestest.Sales)))
	d := locking(department(queriestest.Root))
	d.Name, d.Confirmed = "첫 정책", true
	if _, err := db.UpdatePolicy(t.Context(), admin(t, db), first.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	take := func() error {
		_, err := db.CreatePolicy(t.Context(), manager(t, db), draft("둘째 정책", department(queriestest.Sales)))
		return err
	}
	var conflict *queries.TargetConflict
	if err := take(); !errors.As(err, &conflict) {
		t.Errorf("before the confirmation: %v", err)
	}
	later := draft("셋째 정책", department(queriestest.Root))
	later.EffectiveFrom = in(time.Hour)
	if _, err := db.CreatePolicy(t.Context(), manager(t, db), later); !errors.As(err, &conflict) {
		t.Errorf("what it lists itself, if it is confirmed: %v", err)
	}
	if _, err := db.ConfirmVersion(t.Context(), admin(t, db), first.ID, 2); err != nil {
		t.Fatal(err)
	}
	if err := take(); err != nil {
		t.Errorf("after the confirmation: %v", err)
	}
}

func TestProbation(t *testing.T) {
	for _, test := range []struct {
		name      string
		after     time.Duration
		confirmed bool
	}{
		{"confirmed in time", 5*time.Minute - time.Second, true},
		{"confirmed too late", 5 * time.Minute, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			by := admin(t, db)
			d := locking(department(queriestest.Root), department(queriestest.Domestic), user(queriestest.Admin))
			d.Confirmed, d.Move = true, true
			p := create(t, db, d)
			if !p.InForce || p.Version.ConfirmBy == nil || !p.Version.ConfirmBy.Equal(queriestest.Now.Add(5*time.Minute)) {
				t.Fatalf("got %+v", p.Version)
			}
			now := func(id int64) int64 { return effective(t, db, id, clock.Now()).PolicyID }
			if now(queriestest.Admin) != p.ID || now(queriestest.Kim) != p.ID {
				t.Error("the version does not count at once")
			}
			clock.Advance(test.after)
			_, err := db.ConfirmVersion(t.Context(), by, p.ID, 1)
			clock.Advance(time.Hour)
			if test.confirmed {
				if err != nil || now(queriestest.Admin) != p.ID || now(queriestest.Kim) != p.ID {
					t.Errorf("the version has not stayed: %v", err)
				}
				return
			}
			if !errors.Is(err, queries.Conflict("policy.confirm.late")) {
				t.Errorf("got %v", err)
			}
			if now(queriestest.Admin) != defaultID || now(queriestest.Kim) != salesID {
				t.Error("the versions before have not resumed")
			}
			list, err := db.Policies(t.Context(), person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", queries.PolicyFilter{Limit: 9})
			if err != nil || !slices.Contains(names(list), "사내망") {
				t.Errorf("the list has %q, %v", names(list), err)
			}
			if _, err := db.UpdatePolicy(t.Context(), by, p.ID, 1, draft("사내망", user(queriestest.Admin))); err != nil {
				t.Errorf("saving again: %v", err)
			}
		})
	}
}

// The list follows a version that ends by itself.
func TestListFollowsProbation(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	d := locking(department(queriestest.Root))
	d.Name, d.Confirmed = byDefault, true
	d.Targets = nil
	if _, err := db.UpdatePolicy(t.Context(), admin(t, db), defaultID, 1, d); err != nil {
		t.Fatal(err)
	}
	configured := func() time.Time {
		t.Helper()
		list, err := db.Policies(t.Context(), person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", queries.PolicyFilter{Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		return list.Rows[0].ConfiguredAt
	}
	if !configured().Equal(queriestest.Now) {
		t.Error("the list does not show the version on probation")
	}
	clock.Advance(5 * time.Minute)
	if configured().Equal(queriestest.Now) {
		t.Error("the list still shows a version that has ended")
	}
}

func TestPlannedProbation(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	d := locking(department(queriestest.Root))
	d.Confirmed, d.EffectiveFrom = true, in(time.Hour)
	p := create(t, db, d)
	if _, err := db.ConfirmVersion(t.Context(), admin(t, db), p.ID, 1); !errors.Is(err, queries.Invalid("policy.confirm.early")) {
		t.Errorf("before it begins: %v", err)
	}
	p, err := db.MovePlannedVersion(t.Context(), admin(t, db), p.ID, 1, in(2*time.Hour))
	if err != nil || p.Planned == nil || !p.Planned.ConfirmBy.Equal(queriestest.Now.Add(2*time.Hour+5*time.Minute)) {
		t.Fatalf("got %+v, %v", p.Planned, err)
	}
	clock.Advance(2*time.Hour + 4*time.Minute)
	if e := effective(t, db, queriestest.Admin, clock.Now()); e.PolicyID != p.ID {
		t.Error("it has not begun")
	}
	clock.Advance(time.Minute)
	if e := effective(t, db, queriestest.Admin, clock.Now()); e.PolicyID != defaultID {
		t.Error("it has not ended")
	}
}
