package policy_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// A save reads each policy that it changes once, and returns the policy as a
// later read returns it.
func TestSaveReadsEachPolicyOnce(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	log := queriestest.LogStatements(t, db)
	var p policy.Policy
	next := queriestest.PolicyDraft("하나", queriestest.UserTarget(queriestest.Employee), queriestest.DepartmentTarget(queriestest.Japan))
	next.Owner = policy.Owner{DepartmentID: queriestest.Sales}
	moving, planned := next, next
	moving.Targets, moving.Move = []policy.Target{queriestest.DepartmentTarget(queriestest.Domestic)}, true
	planned.Targets, planned.EffectiveFrom, planned.Owner = moving.Targets, queriestest.StartIn(24*time.Hour), policy.Owner{UserID: by.UserID}
	for _, test := range []struct {
		name       string
		save       func() error
		histories  int // policies read
		statements int // at most, with begin and commit
	}{
		{"create", func() (err error) { p, err = db.Policies.Create(t.Context(), by, next); return err }, 0, 15},
		{"update", func() (err error) { p, err = db.Policies.Update(t.Context(), by, p.ID, p.LastNo, next); return err }, 1, 14},
		{"move targets", func() (err error) { p, err = db.Policies.Update(t.Context(), by, p.ID, p.LastNo, moving); return err }, 2, 21},
		{"plan", func() (err error) { p, err = db.Policies.Update(t.Context(), by, p.ID, p.LastNo, planned); return err }, 1, 15},
		{"move the planned version", func() (err error) {
			p, err = db.Policies.MovePlannedVersion(t.Context(), by, p.ID, p.LastNo, queriestest.StartIn(48*time.Hour))
			return err
		}, 1, 14},
		{"cancel the planned version", func() (err error) {
			p, err = db.Policies.CancelPlannedVersion(t.Context(), by, p.ID, p.LastNo)
			return err
		}, 1, 12},
		{"restore a version", func() (err error) {
			p, err = db.Policies.RestoreVersion(t.Context(), by, p.ID, p.LastNo, policy.VersionRestoration{No: 3})
			return err
		}, 1, 15},
		{"delete", func() error { _, err := db.Policies.Delete(t.Context(), by, p.ID, p.LastNo, false); return err }, 1, 15},
		{"restore", func() (err error) { p, _, err = db.Policies.Restore(t.Context(), by, p.ID, false); return err }, 1, 15},
	} {
		if err := test.save(); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		statements := log.Take()
		histories := 0
		for _, s := range statements {
			if strings.HasPrefix(s, "-- name: versions ") {
				histories++
			}
		}
		if histories != test.histories || len(statements) > test.statements {
			t.Errorf("%s: %d policies read, %d statements:\n%s", test.name, histories, len(statements), strings.Join(statements, "\n"))
		}
		if test.name == "delete" {
			continue
		}
		if read := queriestest.StoredPolicy(t, db, p.ID); !reflect.DeepEqual(inUTC(p), inUTC(read)) {
			t.Errorf("%s: answered %+v, a reader finds %+v", test.name, p, read)
		}
		log.Take()
	}
}

// Saving and confirming a provisional version return the policy as a later read
// returns it.
func TestSaveOfProvisionalVersionReturnsWhatIsRead(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	d.Confirmed = true
	p := queriestest.CreatePolicy(t, db, d)
	if read := queriestest.StoredPolicy(t, db, p.ID); !p.Version.IsProvisional() || !reflect.DeepEqual(inUTC(p), inUTC(read)) {
		t.Errorf("the save returned %+v, a read %+v", p, read)
	}
	p, err := db.Policies.ConfirmVersion(t.Context(), queriestest.ListedActor(t, db), p.ID, p.LastNo)
	if err != nil {
		t.Fatal(err)
	}
	if read := queriestest.StoredPolicy(t, db, p.ID); p.Version.IsProvisional() || !reflect.DeepEqual(inUTC(p), inUTC(read)) {
		t.Errorf("the save returned %+v, a read %+v", p, read)
	}
}

// inUTC converts the times of a policy to UTC, so that reflect.DeepEqual can
// compare them.
func inUTC(p policy.Policy) policy.Policy {
	p.LastModified = p.LastModified.UTC()
	p.Version = versionInUTC(p.Version)
	if p.Planned != nil {
		planned := versionInUTC(*p.Planned)
		p.Planned = &planned
	}
	return p
}

func versionInUTC(v policy.Version) policy.Version {
	v.EffectiveFrom, v.CreatedAt = v.EffectiveFrom.UTC(), v.CreatedAt.UTC()
	for _, at := range []**time.Time{&v.CancelledAt, &v.Until, &v.ConfirmBy, &v.ConfirmedAt} {
		if *at != nil {
			utc := (*at).UTC()
			*at = &utc
		}
	}
	return v
}

// A read sees a save that commits meanwhile completely or not at all.
func TestPolicyIsReadWhileItIsSaved(t *testing.T) {
	db := queriestest.New(t)
	ctx := t.Context()
	save, err := db.Pool().Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer save.Rollback(ctx)
	// The read waits for the lock on the targets. If it reads versions in an
	// earlier statement, it has read them by then.
	for _, statement := range []string{
		"lock table policy_targets in access exclusive mode",
		`insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, created_by, created_at)
			values (1, 5, 3, '2026-11-01', true, '영업본부 외근 정책', '', '{}', '영업본부 외근 정책', 1, '2026-11-01')`,
		"insert into policy_targets (company_id, policy_id, no, department_id) values (1, 5, 3, 4)",
	} {
		if _, err := save.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	type result struct {
		policy policy.Policy
		err    error
	}
	results := make(chan result, 1)
	go func() {
		p, err := db.Policies.Policy(ctx, queriestest.Hanbit, queriestest.SalesPolicyID)
		results <- result{p, err}
	}()
	waitForBlockedSession(t, db)
	if err := save.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	got := <-results
	if got.err != nil || got.policy.LastNo != 3 || len(got.policy.Version.Targets) != 1 {
		t.Errorf("got %+v, %v", got.policy, got.err)
	}
}

// waitForBlockedSession waits until a session of the test's database waits for
// a lock.
func waitForBlockedSession(t *testing.T, db *areas.Areas) {
	t.Helper()
	for waiting := false; !waiting; {
		err := db.Pool().QueryRow(t.Context(), `select exists (
			select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())
		)`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
	}
}
