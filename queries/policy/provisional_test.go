package policy_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// When several policies are enabled together, each one that would lock an
// administrator out by itself waits for its own confirmation.
func TestSeveralRiskyPoliciesAreEnabled(t *testing.T) {
	for _, test := range []struct {
		name    string
		confirm []int // which of the two
		want    int64 // which of the two applies to the administrator in the end; 0 for the default
	}{
		{"none is confirmed", nil, 0},
		{"the first one is confirmed", []int{1}, 1},
		{"both are confirmed", []int{1, 2}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			by := queriestest.AdminActor(t, db)
			var ids []int64
			for i, target := range []policy.Target{queriestest.DepartmentTarget(queriestest.Root), queriestest.UserTarget(queriestest.Admin)} {
				d := queriestest.LockingDraft(target)
				d.Name, d.Enabled = []string{"가 사내망", "나 사내망"}[i], false
				ids = append(ids, queriestest.CreatePolicy(t, db, d).ID)
			}
			harmless := queriestest.PolicyDraft("다른 정책", queriestest.DepartmentTarget(queriestest.Japan))
			harmless.Enabled = false
			all := append(slices.Clone(ids), queriestest.CreatePolicy(t, db, harmless).ID)
			clock.Advance(time.Minute)

			var lockOut *policy.Lockout
			err := enableAll(t.Context(), db, by, "communication", all, true, false)
			if !errors.As(err, &lockOut) || len(lockOut.Warnings) != 1 || !slices.Equal(lockOut.Warnings[0].UserIDs, []int64{queriestest.Admin}) {
				t.Fatalf("got %v", err)
			}
			if queriestest.StoredPolicy(t, db, ids[0]).Version.Enabled || len(queriestest.WaitingPolicies(t, db)) > 0 {
				t.Fatal("what was refused was saved")
			}
			if err := enableAll(t.Context(), db, by, "communication", all, true, true); err != nil {
				t.Fatal(err)
			}
			if got := queriestest.WaitingPolicies(t, db); !slices.Equal(got, []string{"가 사내망", "나 사내망"}) {
				t.Errorf("%q wait", got)
			}
			for _, which := range test.confirm {
				if _, err := db.Policies.ConfirmVersion(t.Context(), queriestest.ListedActor(t, db), ids[which-1], 2); err != nil {
					t.Fatal(err)
				}
			}
			if got := queriestest.WaitingPolicies(t, db); len(got) != 2-len(test.confirm) {
				t.Errorf("afterwards %q wait", got)
			}
			clock.Advance(policy.ConfirmTime)
			if got := queriestest.WaitingPolicies(t, db); len(got) != 0 {
				t.Errorf("after their time %q wait", got)
			}
			want := int64(queriestest.DefaultPolicyID)
			if test.want > 0 {
				want = ids[test.want-1]
			}
			if e := queriestest.Effective(t, db, queriestest.Admin, clock.Now()); e.PolicyID != want {
				t.Errorf("policy %d applies, want %d", e.PolicyID, want)
			}
			if !queriestest.StoredPolicy(t, db, all[2]).Version.Enabled {
				t.Error("the policy without a lockout did not stay enabled")
			}
		})
	}
}

// Saving a policy whose provisional version waits needs a confirmation too,
// because it would make the lockout permanent. Saving an unrelated policy does
// not.
func TestSavingOverProvisionalVersion(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	d.Confirmed = true
	p := queriestest.CreatePolicy(t, db, d)
	clock.Advance(time.Minute)
	d.Confirmed, d.Description = false, "설명"
	if _, err := db.Policies.Update(t.Context(), by, p.ID, 1, d); !errors.As(err, new(*policy.Lockout)) {
		t.Errorf("on top of it: %v", err)
	}
	queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("일본", queriestest.DepartmentTarget(queriestest.Japan)))
}

// If a provisional version takes targets from another policy, the new version
// of that policy waits too, and confirming either one confirms both.
func TestConfirmingVersionsOfSeveralPolicies(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	other := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("다른 정책", queriestest.DepartmentTarget(queriestest.Root)))
	clock.Advance(time.Minute)
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	d.Confirmed, d.Move = true, true
	p := queriestest.CreatePolicy(t, db, d)
	if got := queriestest.WaitingPolicies(t, db); !slices.Equal(got, []string{"사내망"}) {
		t.Errorf("%q wait", got)
	}
	if _, err := db.Policies.ConfirmVersion(t.Context(), queriestest.ListedActor(t, db), other.ID, 2); err != nil {
		t.Fatal(err)
	}
	clock.Advance(policy.ConfirmTime)
	if e := queriestest.Effective(t, db, queriestest.Admin, clock.Now()); e.PolicyID != p.ID || len(queriestest.WaitingPolicies(t, db)) > 0 {
		t.Errorf("policy %d applies", e.PolicyID)
	}
}

// Only somebody confirms a version who could sign in with it from where the
// confirmation comes from, whether or not other versions that wait are confirmed too.
func TestWhoConfirmsCouldSignIn(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	office := queriestest.AdminActor(t, db)
	strict := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	strict.Confirmed = true
	addresses := queriestest.CreatePolicy(t, db, strict)
	clock.Advance(time.Second)
	mild := queriestest.PolicyDraft("김서연", queriestest.UserTarget(queriestest.Admin))
	mild.Confirmed = true
	own := queriestest.CreatePolicy(t, db, mild) // lets the administrator in, but nobody else
	if own.Version.IsProvisional() {
		t.Fatal("a policy that lets somebody in waits")
	}
	if _, err := db.Policies.ConfirmVersion(t.Context(), queriestest.ManagerActor(t, db), addresses.ID, 1); !errors.Is(err, queries.Invalid("policy.confirm.address")) {
		t.Errorf("somebody it does not let in: %v", err)
	}
	if stored := queriestest.StoredPolicy(t, db, addresses.ID); !stored.Version.IsProvisional() {
		t.Error("what was refused was confirmed")
	}
	if _, err := db.Policies.ConfirmVersion(t.Context(), office, addresses.ID, 1); err != nil {
		t.Errorf("somebody of a policy of their own: %v", err)
	}

	platforms := queriestest.PolicyDraft("김서연", queriestest.UserTarget(queriestest.Admin))
	platforms.Settings, platforms.Confirmed = json.RawMessage(`{"login_platforms":["pc"]}`), true
	saved, err := db.Policies.Update(t.Context(), office, own.ID, 1, platforms)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Policies.ConfirmVersion(t.Context(), office, own.ID, saved.LastNo); !errors.Is(err, queries.Invalid("policy.confirm.platform")) {
		t.Errorf("a version without the web: %v", err)
	}
}

// A version that only a waiting one makes harmless is not confirmed alone.
func TestConfirmingBesideAnotherProvisionalVersion(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	office, listed := queriestest.AdminActor(t, db), queriestest.ListedActor(t, db)
	strict := queriestest.LockingDraft(queriestest.UserTarget(queriestest.Admin))
	first := queriestest.CreatePolicy(t, db, withConfirmed(strict))
	clock.Advance(time.Second)
	// The second version lets the office in again, and the listed address no more.
	other := strict
	other.Name, other.Settings, other.Move = "사무실", json.RawMessage(`{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"사무실","range":"203.0.113.0/24"}]}`), true
	other.Confirmed = true
	second, err := db.Policies.Create(t.Context(), listed, other)
	if err != nil || !second.Version.IsProvisional() {
		t.Fatalf("got %+v, %v", second.Version, err)
	}
	if _, err := db.Policies.ConfirmVersion(t.Context(), office, first.ID, 1); !errors.Is(err, queries.Invalid("policy.confirm.address")) {
		t.Errorf("let in by another version that waits: %v", err)
	}
	if _, err := db.Policies.ConfirmVersion(t.Context(), office, second.ID, 1); err != nil {
		t.Errorf("the version that lets them in: %v", err)
	}
}

func withConfirmed(d policy.Draft) policy.Draft {
	d.Confirmed = true
	return d
}
