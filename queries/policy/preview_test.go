package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"officeconsole/demo"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

// resolved returns everybody's effective policy at a time, with its settings.
func resolved(t *testing.T, db *areas.Areas, companyID int64, at time.Time) map[int64]policy.Effective {
	t.Helper()
	all, err := db.Policies.ResolveCompany(t.Context(), companyID, "communication", at)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, r := range all {
		ids = append(ids, r.UserID)
	}
	people, err := db.Policies.EffectiveOf(t.Context(), companyID, ids, "communication", at)
	if err != nil || len(people) != len(all) {
		t.Fatalf("%d of %d people, %v", len(people), len(all), err)
	}
	return people
}

// Saving has exactly the effects, or the refusal, that the preview showed.
func TestPreviewMatchesSave(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	options := queriestest.DemoOptions(300)
	options.Departments = 60
	if err := demo.Fill(t.Context(), db.DB, options, nil); err != nil {
		t.Fatal(err)
	}
	if err := db.EnsurePartitions(t.Context()); err != nil {
		t.Fatal(err)
	}
	by := directory.ActorFrom(demoAdmin(t, db), queriestest.OfficeAddress)
	saved := 0
	for i, change := range []func(d *policy.Draft){
		func(d *policy.Draft) { d.Targets = []policy.Target{queriestest.DepartmentTarget(1)} },
		func(d *policy.Draft) { d.Targets = []policy.Target{{Type: policy.DepartmentTarget, ID: 1}} },
		func(d *policy.Draft) {
			d.Targets = []policy.Target{queriestest.DepartmentTarget(2), queriestest.UserTarget(20), queriestest.UserTarget(30)}
		},
		func(d *policy.Draft) { d.Targets, d.Enabled = []policy.Target{queriestest.DepartmentTarget(1)}, false },
		func(d *policy.Draft) {
			d.Targets, d.EffectiveFrom = []policy.Target{queriestest.DepartmentTarget(1)}, queriestest.StartIn(14*24*time.Hour)
		},
		func(d *policy.Draft) { d.Targets, d.Settings = nil, json.RawMessage(`{}`) },
	} {
		for _, policyID := range []int64{0, 3, 4} {
			d := queriestest.PolicyDraft(fmt.Sprint("미리보기 ", i, policyID))
			d.Move = true
			change(&d)
			versions := queriestest.LookUp(t, db, "select count(*) from policy_versions")
			p, refused := db.Policies.PreviewDraft(t.Context(), by, d, policyID)
			if after := queriestest.LookUp(t, db, "select count(*) from policy_versions"); after != versions {
				t.Error("the preview has saved a version")
			}
			before := resolved(t, db, 1, p.At)
			var err error
			policy := policy.Policy{ID: policyID}
			if policyID == 0 {
				policy, err = db.Policies.Create(t.Context(), by, d)
			} else {
				policy, err = db.Policies.Update(t.Context(), by, policyID, 0, d)
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

func compare(t *testing.T, p policy.Preview, policyID int64, before, after map[int64]policy.Effective) {
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
	by := queriestest.AdminActor(t, db)
	if _, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.ResearchPolicyID, 2); err != nil {
		t.Fatal(err)
	}
	p, err := db.Policies.PreviewDraft(t.Context(), by, queriestest.PolicyDraft("본사", queriestest.DepartmentTarget(queriestest.Root), queriestest.UserTarget(queriestest.Japanese)), 0)
	if err != nil {
		t.Fatal(err)
	}
	// 김서연, 박지민 and 최유진 had the default, 佐藤ひろし the research policy.
	if p.Gain != 4 || p.Lose != 0 || p.Change != 0 || len(p.Taken) != 1 || p.Taken[0].PolicyName != queriestest.ResearchPolicyName || p.Taken[0].Name != "佐藤ひろし" {
		t.Errorf("got %+v", p)
	}
	if want := []policy.SettingPeople{{Key: "file_max_mb", People: 4}, {Key: "session_time_sec", People: 1}}; !slices.Equal(p.Settings, want) {
		t.Errorf("settings %+v", p.Settings)
	}
	if want := []policy.AffectedDepartment{{queriestest.Sales, "영업본부", 2}, {queriestest.Japan, "일본지사", 1}, {queriestest.Root, "한빛테크", 1}}; !slices.Equal(p.Departments, want) {
		t.Errorf("departments %+v", p.Departments)
	}
	e, err := db.Policies.ExplainDraft(t.Context(), by, queriestest.PolicyDraft("본사", queriestest.DepartmentTarget(queriestest.Root)), 0, queriestest.Viewer, queriestest.Now)
	if err != nil || e.Source != policy.Inherited || e.SourceDepartmentID != queriestest.Root || len(e.Chain) != 3 || e.PolicyName != "본사" {
		t.Errorf("got %+v, %v", e, err)
	}
	var fields queries.FieldErrors
	if _, err := db.Policies.PreviewDraft(t.Context(), by, queriestest.PolicyDraft(queriestest.ResearchPolicyName), 0); !errors.As(err, &fields) {
		t.Errorf("a name that is taken: %v", err)
	}
	if _, err := db.Policies.PreviewDraft(t.Context(), by, queriestest.PolicyDraft("a"), queriestest.OtherPolicyID); !errors.Is(err, queries.NotFound) {
		t.Errorf("another company's: %v", err)
	}
}

func TestDeletionPreview(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	root := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("본사", queriestest.DepartmentTarget(queriestest.Root)))
	p, err := db.Policies.PreviewDeletion(t.Context(), by, queriestest.ResearchPolicyID)
	if err != nil {
		t.Fatal(err)
	}
	deletion, err := db.Policies.Delete(t.Context(), by, queriestest.ResearchPolicyID, 0, false)
	falls := deletion.Falls
	if err != nil || !slices.Equal(falls, p.Falls) {
		t.Errorf("said %+v, did %+v, %v", p.Falls, falls, err)
	}
	if p.Lose != 2 || p.Gain != 0 || len(falls) != 2 || falls[0].ID != queriestest.Research || falls[0].PolicyID != root.ID || falls[1].ID != queriestest.Japanese || falls[1].PolicyName != "본사" {
		t.Errorf("got %+v", p)
	}
}

func TestLockOuts(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	inside := by
	inside.Address = netip.MustParseAddr("198.51.100.7")
	platform := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	platform.Settings = json.RawMessage(`{"login_platforms":["pc","mobile"]}`)
	for _, test := range []struct {
		name  string
		by    queries.Actor
		draft policy.Draft
		code  string
	}{
		{"their own address", by, queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root)), policy.WarnAddress},
		{"an address that is listed", inside, queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root)), ""},
		{"a policy for others", by, queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Sales)), ""},
		{"no platform of the console", inside, platform, policy.WarnPlatform},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := db.Policies.PreviewDraft(t.Context(), test.by, test.draft, 0)
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
			_, err = db.Policies.Create(t.Context(), test.by, test.draft)
			var lockOut *policy.Lockout
			if !errors.As(err, &lockOut) || !errors.Is(err, queries.Invalid("policy.lock_out")) || len(lockOut.Warnings) != 1 {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Whether another administrator is locked out is decided by the address of the
// latest activity of their sign-ins.
func TestLockOutOfAnotherAdministrator(t *testing.T) {
	db := queriestest.New(t)
	if err := db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, db), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Sales))
	warned := func() int {
		t.Helper()
		p, err := db.Policies.PreviewDraft(t.Context(), queriestest.AdminActor(t, db), d, 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(p.Warnings)
	}
	if warned() != 0 {
		t.Error("an administrator without a sign-in is counted as locked out")
	}
	c := queriestest.Credentials(queriestest.Email(queriestest.Manager), queriestest.Password)
	c.Address = netip.MustParseAddr("192.0.2.1")
	if _, err := db.Identity.SignIn(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if warned() != 1 {
		t.Error("there is no warning that another administrator would be locked out")
	}
}

// A save does not warn about an administrator whom the current policies lock
// out already.
func TestLockedOutBefore(t *testing.T) {
	db := queriestest.New(t)
	inside := queriestest.AdminActor(t, db)
	inside.Address = netip.MustParseAddr("198.51.100.7")
	if _, err := db.Policies.Create(t.Context(), inside, queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))); err != nil {
		t.Fatal(err)
	}
	d := queriestest.LockingDraft(queriestest.UserTarget(queriestest.Admin))
	d.Name = "또 사내망"
	if p, err := db.Policies.PreviewDraft(t.Context(), queriestest.AdminActor(t, db), d, 0); err != nil || len(p.Warnings) != 0 {
		t.Errorf("got %+v, %v", p.Warnings, err)
	}
}

// Targets that a provisional version gives up are not free for other policies
// before it is confirmed.
func TestTargetsOfProvisionalVersion(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	first := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("첫 정책", queriestest.DepartmentTarget(queriestest.Sales)))
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	d.Name, d.Confirmed = "첫 정책", true
	if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), first.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	take := func() error {
		_, err := db.Policies.Create(t.Context(), queriestest.ManagerActor(t, db), queriestest.PolicyDraft("둘째 정책", queriestest.DepartmentTarget(queriestest.Sales)))
		return err
	}
	var conflict *policy.TargetConflict
	if err := take(); !errors.As(err, &conflict) {
		t.Errorf("before the confirmation: %v", err)
	}
	later := queriestest.PolicyDraft("셋째 정책", queriestest.DepartmentTarget(queriestest.Root))
	later.EffectiveFrom = queriestest.StartIn(time.Hour)
	if _, err := db.Policies.Create(t.Context(), queriestest.ManagerActor(t, db), later); !errors.As(err, &conflict) {
		t.Errorf("what it lists itself, if it is confirmed: %v", err)
	}
	if _, err := db.Policies.ConfirmVersion(t.Context(), queriestest.ListedActor(t, db), first.ID, 2); err != nil {
		t.Fatal(err)
	}
	if err := take(); err != nil {
		t.Errorf("after the confirmation: %v", err)
	}
}

func TestProvisionalVersion(t *testing.T) {
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
			by := queriestest.AdminActor(t, db)
			d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root), queriestest.DepartmentTarget(queriestest.Domestic), queriestest.UserTarget(queriestest.Admin))
			d.Confirmed, d.Move = true, true
			p := queriestest.CreatePolicy(t, db, d)
			if !p.InForce || p.Version.ConfirmBy == nil || !p.Version.ConfirmBy.Equal(queriestest.Now.Add(5*time.Minute)) {
				t.Fatalf("got %+v", p.Version)
			}
			now := func(id int64) int64 { return queriestest.Effective(t, db, id, clock.Now()).PolicyID }
			if now(queriestest.Admin) != p.ID || now(queriestest.Kim) != p.ID {
				t.Error("the version does not count at once")
			}
			clock.Advance(test.after)
			_, err := db.Policies.ConfirmVersion(t.Context(), queriestest.ListedActor(t, db), p.ID, 1)
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
			if now(queriestest.Admin) != queriestest.DefaultPolicyID || now(queriestest.Kim) != queriestest.SalesPolicyID {
				t.Error("the versions before have not resumed")
			}
			list, err := db.Policies.List(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", policy.Filter{Limit: 9})
			if err != nil || !slices.Contains(queriestest.PolicyNames(list), "사내망") {
				t.Errorf("the list has %q, %v", queriestest.PolicyNames(list), err)
			}
			if _, err := db.Policies.Update(t.Context(), by, p.ID, 1, queriestest.PolicyDraft("사내망", queriestest.UserTarget(queriestest.Admin))); err != nil {
				t.Errorf("saving again: %v", err)
			}
		})
	}
}

// The list shows a provisional version, and the earlier one again when it has
// reverted.
func TestListShowsProvisionalVersion(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	d.Name, d.Confirmed = queriestest.DefaultPolicyName, true
	d.Targets = nil
	if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), queriestest.DefaultPolicyID, 1, d); err != nil {
		t.Fatal(err)
	}
	configured := func() time.Time {
		t.Helper()
		list, err := db.Policies.List(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", policy.Filter{Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		return list.Rows[0].ConfiguredAt
	}
	if !configured().Equal(queriestest.Now) {
		t.Error("the list does not show the provisional version")
	}
	clock.Advance(5 * time.Minute)
	if configured().Equal(queriestest.Now) {
		t.Error("the list still shows a version that has ended")
	}
}

func TestPlannedProvisionalVersion(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	d.Confirmed, d.EffectiveFrom = true, queriestest.StartIn(time.Hour)
	p := queriestest.CreatePolicy(t, db, d)
	if _, err := db.Policies.ConfirmVersion(t.Context(), queriestest.AdminActor(t, db), p.ID, 1); !errors.Is(err, queries.Invalid("policy.confirm.early")) {
		t.Errorf("before it begins: %v", err)
	}
	p, err := db.Policies.MovePlannedVersion(t.Context(), queriestest.AdminActor(t, db), p.ID, 1, queriestest.StartIn(2*time.Hour))
	if err != nil || p.Planned == nil || !p.Planned.ConfirmBy.Equal(queriestest.Now.Add(2*time.Hour+5*time.Minute)) {
		t.Fatalf("got %+v, %v", p.Planned, err)
	}
	clock.Advance(2*time.Hour + 4*time.Minute)
	if e := queriestest.Effective(t, db, queriestest.Admin, clock.Now()); e.PolicyID != p.ID {
		t.Error("it has not begun")
	}
	clock.Advance(time.Minute)
	if e := queriestest.Effective(t, db, queriestest.Admin, clock.Now()); e.PolicyID != queriestest.DefaultPolicyID {
		t.Error("it has not ended")
	}
}
