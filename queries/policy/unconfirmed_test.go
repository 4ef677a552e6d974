package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// versionTexts writes the versions of a policy as "NO enabled targets reverts NO", the
// newest first.
func versionTexts(t *testing.T, db *areas.Areas, id int64) string {
	t.Helper()
	versions, err := db.Policies.Versions(t.Context(), queriestest.Hanbit, id)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, v := range versions {
		text := fmt.Sprintf("%d %t %d", v.No, v.Enabled, len(v.Targets))
		if v.RevertsNo != 0 {
			text += fmt.Sprintf(" reverts %d", v.RevertsNo)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

func revertUnconfirmed(t *testing.T, db *areas.Areas) {
	t.Helper()
	if err := db.Policies.RevertUnconfirmed(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A provisional version that nobody confirmed is followed by a version with what
// applies again, at the time of its end, however late the job runs.
func TestRevertUnconfirmed(t *testing.T) {
	const outside = time.Hour // for which no server was running
	for _, test := range []struct {
		name string
		late time.Duration
		do   func(t *testing.T, db *areas.Areas, clock *queriestest.Clock) int64 // returns the policy
		want string                                                              // its versions afterwards
	}{
		{"a new policy", 0, func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) int64 {
			return queriestest.CreatePolicy(t, db, withConfirmed(queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root)))).ID
		}, "2 false 0 reverts 1, 1 true 1"},
		{"a new policy, late", outside, func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) int64 {
			return queriestest.CreatePolicy(t, db, withConfirmed(queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root)))).ID
		}, "2 false 0 reverts 1, 1 true 1"},
		{"a changed policy", 0, changedToLock, "3 true 1 reverts 2, 2 true 2, 1 true 1"},
		{"a policy that lost targets to it", outside, func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) int64 {
			d := withConfirmed(queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root), queriestest.DepartmentTarget(queriestest.Domestic)))
			d.Move = true
			queriestest.CreatePolicy(t, db, d)
			return queriestest.SalesPolicyID
		}, "4 true 2 reverts 3, 3 true 1, 2 true 2, 1 true 1"},
		{"one that was confirmed", 0, func(t *testing.T, db *areas.Areas, clock *queriestest.Clock) int64 {
			id := changedToLock(t, db, clock)
			if _, err := db.Policies.ConfirmVersion(t.Context(), queriestest.ListedActor(t, db), id, 2); err != nil {
				t.Fatal(err)
			}
			return id
		}, "2 true 2, 1 true 1"},
		{"one that another version replaced in time", 0, func(t *testing.T, db *areas.Areas, clock *queriestest.Clock) int64 {
			id := changedToLock(t, db, clock)
			clock.Advance(time.Minute)
			update(t, db, id, queriestest.PolicyDraft("본사", queriestest.DepartmentTarget(queriestest.Root)))
			return id
		}, "3 true 1, 2 true 2, 1 true 1"},
		{"one that was saved again after its end", 0, func(t *testing.T, db *areas.Areas, clock *queriestest.Clock) int64 {
			id := changedToLock(t, db, clock)
			clock.Advance(policy.ConfirmTime)
			update(t, db, id, queriestest.PolicyDraft("본사 2", queriestest.DepartmentTarget(queriestest.Root)))
			return id
		}, "3 true 1, 2 true 2, 1 true 1"},
		{"one that waits for its plan", 0, func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) int64 {
			d := withConfirmed(queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root)))
			d.EffectiveFrom = queriestest.StartIn(24 * time.Hour)
			return queriestest.CreatePolicy(t, db, d).ID
		}, "1 true 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			id := test.do(t, db, clock)
			revertUnconfirmed(t, db)
			end := queriestest.Now.Add(policy.ConfirmTime)
			clock.Advance(end.Sub(clock.Now()) + test.late)
			before := queriestest.Effective(t, db, queriestest.Admin, clock.Now()).Settings
			for range 2 {
				revertUnconfirmed(t, db)
			}
			if got := versionTexts(t, db, id); got != test.want {
				t.Errorf("the versions are %s, want %s", got, test.want)
			}
			if after := queriestest.Effective(t, db, queriestest.Admin, clock.Now()).Settings; !after.Equal(before) {
				t.Error("the job changed what applies")
			}
			if reverts := strings.Contains(test.want, "reverts"); reverts {
				p := queriestest.StoredPolicy(t, db, id)
				if !p.InForce || p.Version.No != p.LastNo || !p.Version.EffectiveFrom.Equal(end) || p.Version.CreatedBy != 0 {
					t.Errorf("in force is %+v", p.Version)
				}
			}
		})
	}
}

// changedToLock returns a policy whose second version locks the administrator out.
func changedToLock(t *testing.T, db *areas.Areas, clock *queriestest.Clock) int64 {
	t.Helper()
	clock.Advance(-time.Minute)
	p := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("본사", queriestest.DepartmentTarget(queriestest.Root)))
	clock.Advance(time.Minute)
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root), queriestest.UserTarget(queriestest.Admin))
	d.Name = "본사"
	update(t, db, p.ID, withConfirmed(d))
	return p.ID
}

func update(t *testing.T, db *areas.Areas, id int64, d policy.Draft) {
	t.Helper()
	if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), id, 0, d); err != nil {
		t.Fatal(err)
	}
}

// The change log and the messenger hear of the end as of any other change, once.
func TestRevertingIsRecorded(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	id := changedToLock(t, db, clock)
	clock.Advance(policy.ConfirmTime)
	for range 2 {
		revertUnconfirmed(t, db)
	}
	const change = `select string_agg(concat_ws(' ', object_name, coalesce(actor_user_id, 0), old->>'version_no', old->>'saved_by', new->>'version_no', new->>'reason'), '; ') from changes where action = 'policy.reverted'`
	if got := queriestest.LookUp(t, db, change); strings.TrimSpace(got) != "본사 0 2 김서연 3" {
		t.Errorf("the change log has %q", got)
	}
	const messages = `select string_agg(payload->>'version_no', ' ' order by id) from outbox where type = 'policy.changed' and payload->>'policy_id' = $1::text`
	if got := queriestest.LookUp(t, db, messages, fmt.Sprint(id)); got != "1 2 3" {
		t.Errorf("the messenger hears of the versions %s", got)
	}
}

// Between the end of a provisional version and the job, the policy is shown as what
// applies already.
func TestRevertedPolicyIsShownAtOnce(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	p := queriestest.CreatePolicy(t, db, withConfirmed(queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))))
	shown := func() string {
		t.Helper()
		one := queriestest.StoredPolicy(t, db, p.ID)
		list, err := db.Policies.List(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", policy.Filter{Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(list.Rows, func(s policy.Summary) bool { return s.ID == p.ID })
		row := list.Rows[at]
		return fmt.Sprintf("%t %d, %t %d", one.Version.Enabled, len(one.Version.Targets), row.Enabled, row.TargetCount)
	}
	if got := shown(); got != "true 1, true 1" {
		t.Errorf("before: %s", got)
	}
	clock.Advance(policy.ConfirmTime)
	if got := shown(); got != "false 0, false 0" {
		t.Errorf("after: %s", got)
	}
	revertUnconfirmed(t, db)
	if got := shown(); got != "false 0, false 0" {
		t.Errorf("after the job: %s", got)
	}
	if _, err := db.Policies.RestoreVersion(t.Context(), queriestest.AdminActor(t, db), p.ID, 2, policy.VersionRestoration{No: 1, Confirmed: true}); err != nil {
		t.Errorf("its first version is saved again: %v", err)
	}
}
