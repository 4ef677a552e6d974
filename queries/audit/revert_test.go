package audit_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// latestChange returns the newest change of an object, or of any object of the
// type if id is 0.
func latestChange(t *testing.T, db *areas.Areas, objectType string, id int64) audit.Change {
	t.Helper()
	page, err := db.Audit.Changes(t.Context(), audit.ChangeFilter{CompanyID: queriestest.Hanbit, ObjectType: objectType, ObjectID: id, Limit: 1})
	if err != nil || len(page.Rows) == 0 {
		t.Fatalf("changes of %s %d: %+v, %v", objectType, id, page, err)
	}
	return page.Rows[0]
}

// outline describes in one line the current and the planned version of each
// policy of a kind.
func outline(t *testing.T, db *areas.Areas, kind string) string {
	t.Helper()
	rows, err := db.Pool().Query(t.Context(), "select id from policies where company_id = 1 and kind = $1 and deleted_at is null order by id", kind)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	var lines []string
	for _, id := range ids {
		p := queriestest.StoredPolicy(t, db, id)
		line := fmt.Sprint(id, " ", p.InForce, " ", content(p.Version))
		if p.Planned != nil {
			line += fmt.Sprint(" then at ", p.Planned.EffectiveFrom.Unix(), " ", content(*p.Planned))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func content(v policy.Version) string {
	targets := slices.SortedFunc(slices.Values(v.Targets), func(a, b policy.Target) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID))
	})
	return fmt.Sprint(v.Name, " ", v.Enabled, " ", string(v.Settings), " ", targets)
}

// Each change can be reverted, and so can the revert.
func TestRevertChange(t *testing.T) {
	moving := func(name string, start policy.Start) policy.Draft {
		d := queriestest.PolicyDraft(name, queriestest.DepartmentTarget(queriestest.Overseas), queriestest.DepartmentTarget(queriestest.Japan))
		d.Move, d.EffectiveFrom = true, start
		return d
	}
	for _, test := range []struct {
		name   string
		change func(*areas.Areas, queries.Actor) error
		object int64 // whose newest change is reverted; 0 for any policy's
		action string
	}{
		{"a policy is made", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Create(t.Context(), by, queriestest.PolicyDraft("새 정책", queriestest.DepartmentTarget(queriestest.Japan)))
			return err
		}, 0, "policy.deleted"},
		{"a copy", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Duplicate(t.Context(), by, queriestest.AuditPolicyID)
			return err
		}, 0, "policy.deleted"},
		{"a policy is saved", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Update(t.Context(), by, queriestest.AuditPolicyID, 1, queriestest.PolicyDraft("감사", queriestest.UserTarget(queriestest.Kim)))
			return err
		}, queriestest.AuditPolicyID, "policy.version_restored"},
		{"a policy that has a plan is saved", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Update(t.Context(), by, queriestest.ResearchPolicyID, 2, queriestest.PolicyDraft("연구소", queriestest.DepartmentTarget(queriestest.Research)))
			return err
		}, queriestest.ResearchPolicyID, "policy.version_restored"},
		{"a save takes targets", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Update(t.Context(), by, queriestest.AuditPolicyID, 1, moving("감사", policy.Start{}))
			return err
		}, queriestest.AuditPolicyID, "policy.version_restored"},
		{"the policy that lost targets", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Update(t.Context(), by, queriestest.AuditPolicyID, 1, moving("감사", policy.Start{}))
			return err
		}, queriestest.SalesPolicyID, "policy.version_restored"},
		{"a new policy takes targets", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Create(t.Context(), by, moving("새 정책", policy.Start{}))
			return err
		}, queriestest.SalesPolicyID, "policy.version_restored"},
		{"a plan is made", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Update(t.Context(), by, queriestest.AuditPolicyID, 1, moving("감사", queriestest.StartIn(48*time.Hour)))
			return err
		}, queriestest.AuditPolicyID, "policy.plan_cancelled"},
		{"a new policy is planned", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Create(t.Context(), by, moving("새 정책", queriestest.StartIn(48*time.Hour)))
			return err
		}, 1001, "policy.deleted"},
		{"a plan is moved", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.MovePlannedVersion(t.Context(), by, queriestest.ResearchPolicyID, 2, queriestest.StartIn(48*time.Hour))
			return err
		}, queriestest.ResearchPolicyID, "policy.plan_moved"},
		{"a plan is cancelled", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.ResearchPolicyID, 2)
			return err
		}, queriestest.ResearchPolicyID, "policy.plan_restored"},
		{"a policy is disabled", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.EnableAll(t.Context(), by, "communication", []int64{queriestest.SalesPolicyID}, false, false)
			return err
		}, queriestest.SalesPolicyID, "policy.version_restored"},
		{"a policy is enabled", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.EnableAll(t.Context(), by, "communication", []int64{queriestest.AuditPolicyID}, true, false)
			return err
		}, queriestest.AuditPolicyID, "policy.version_restored"},
		{"a policy is deleted", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Delete(t.Context(), by, queriestest.SalesPolicyID, 2, false)
			return err
		}, queriestest.SalesPolicyID, "policy.restored"},
		{"an earlier version is saved again", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.RestoreVersion(t.Context(), by, queriestest.SalesPolicyID, 2, policy.VersionRestoration{No: 1})
			return err
		}, queriestest.SalesPolicyID, "policy.version_restored"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			by := queriestest.AdminActor(t, db)
			before := outline(t, db, "communication")
			clock.Advance(time.Second)
			if err := test.change(db, by); err != nil {
				t.Fatal(err)
			}
			after := outline(t, db, "communication")
			if after == before {
				t.Fatal("nothing changed")
			}
			id := latestChange(t, db, "policy", test.object).ID
			clock.Advance(time.Second)
			reverted, err := db.Audit.Revert(t.Context(), by, id, false)
			if err != nil {
				t.Fatal(err)
			}
			if reverted.Change.Action != test.action || reverted.Change.ID <= id || !reverted.Change.Revertible() || len(reverted.Lost) > 0 {
				t.Errorf("did %+v", reverted)
			}
			if got := outline(t, db, "communication"); got != before {
				t.Errorf("after the revert\n%s\nwant\n%s", got, before)
			}
			if _, err := db.Audit.Revert(t.Context(), by, id, false); !errors.As(err, new(queries.Conflict)) {
				t.Errorf("a second time: %v", err)
			}
			clock.Advance(time.Second)
			for i, want := range []string{after, before, after} {
				if reverted, err = db.Audit.Revert(t.Context(), by, reverted.Change.ID, false); err != nil {
					t.Fatal(err)
				}
				if got := outline(t, db, "communication"); got != want {
					t.Errorf("reverted %d times more\n%s\nwant\n%s", i+1, got, want)
				}
				clock.Advance(time.Second)
			}
		})
	}
}

// A change cannot be reverted after a later change of the same fields.
func TestOutdatedReverts(t *testing.T) {
	save := func(db *areas.Areas, by queries.Actor, d policy.Draft) error {
		_, err := db.Policies.Update(t.Context(), by, queriestest.AuditPolicyID, 0, d)
		return err
	}
	for _, test := range []struct {
		name    string
		changes []func(*areas.Areas, queries.Actor) error // the first one is reverted
		later   time.Duration
		want    error
	}{
		{"saved since", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				return save(db, by, queriestest.PolicyDraft("감사 1"))
			},
			func(db *areas.Areas, by queries.Actor) error {
				return save(db, by, queriestest.PolicyDraft("감사 2"))
			},
		}, 0, queries.Conflict("change.revert.changed")},
		{"deleted since", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				return save(db, by, queriestest.PolicyDraft("감사 1"))
			},
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.Delete(t.Context(), by, queriestest.AuditPolicyID, 0, false)
				return err
			},
		}, 0, queries.Conflict("change.revert.changed")},
		{"what it held is taken", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.Update(t.Context(), by, queriestest.SalesPolicyID, 0, queriestest.PolicyDraft("영업", queriestest.DepartmentTarget(queriestest.Domestic)))
				return err
			},
			func(db *areas.Areas, by queries.Actor) error {
				return save(db, by, queriestest.PolicyDraft("감사", queriestest.DepartmentTarget(queriestest.Overseas)))
			},
		}, 0, queries.Conflict("policy.targets.taken")},
		{"the policy that lost targets was saved since", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				d := queriestest.PolicyDraft("감사", queriestest.DepartmentTarget(queriestest.Overseas))
				d.Move = true
				return save(db, by, d)
			},
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.Update(t.Context(), by, queriestest.SalesPolicyID, 0, queriestest.PolicyDraft("영업"))
				return err
			},
		}, 0, queries.Conflict("change.revert.changed")},
		{"it has ended by itself", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
				d.Confirmed = true
				return save(db, by, d)
			},
		}, policy.ConfirmTime, queries.Conflict("change.revert.changed")},
		{"its name is taken", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error { return save(db, by, queriestest.PolicyDraft("감사")) },
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.Create(t.Context(), by, queriestest.PolicyDraft(queriestest.AuditPolicyName))
				return err
			},
		}, 0, queries.Conflict("policy.name.taken")},
		{"the plan's time is over", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.ResearchPolicyID, 0)
				return err
			},
		}, 30 * 24 * time.Hour, queries.Conflict("policy.effective_from.too_soon")},
		{"another plan", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.ResearchPolicyID, 0)
				return err
			},
			func(db *areas.Areas, by queries.Actor) error {
				d := queriestest.PolicyDraft("연구소", queriestest.DepartmentTarget(queriestest.Research))
				d.EffectiveFrom = queriestest.StartIn(time.Hour)
				_, err := db.Policies.Update(t.Context(), by, queriestest.ResearchPolicyID, 0, d)
				return err
			},
		}, 0, queries.Conflict("change.revert.changed")},
		{"the cancelled plan's targets went to a third policy", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				d := queriestest.PolicyDraft("감사", queriestest.DepartmentTarget(queriestest.Japan))
				d.EffectiveFrom = queriestest.StartIn(time.Hour)
				if err := save(db, by, d); err != nil {
					return err
				}
				_, err := db.Policies.CancelPlannedVersion(t.Context(), by, queriestest.AuditPolicyID, 0)
				return err
			},
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.Create(t.Context(), by, queriestest.PolicyDraft("일본", queriestest.DepartmentTarget(queriestest.Japan)))
				return err
			},
		}, 0, queries.Conflict("policy.targets.taken")},
		{"deleted thirty days ago", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.Delete(t.Context(), by, queriestest.AuditPolicyID, 0, false)
				return err
			},
		}, policy.RestoreTime + time.Second, queries.Invalid("change.revert.late")},
		{"deleted, restored and deleted again", []func(*areas.Areas, queries.Actor) error{
			func(db *areas.Areas, by queries.Actor) error {
				_, err := db.Policies.Delete(t.Context(), by, queriestest.AuditPolicyID, 0, false)
				return err
			},
			func(db *areas.Areas, by queries.Actor) error {
				if _, _, err := db.Policies.Restore(t.Context(), by, queriestest.AuditPolicyID, false); err != nil {
					return err
				}
				_, err := db.Policies.Delete(t.Context(), by, queriestest.AuditPolicyID, 0, false)
				return err
			},
		}, 0, queries.Conflict("change.revert.changed")},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			by := queriestest.AdminActor(t, db)
			var first int64
			for i, change := range test.changes {
				clock.Advance(time.Second)
				if err := change(db, by); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first = latestChange(t, db, "policy", 0).ID
				}
			}
			clock.Advance(test.later)
			before := outline(t, db, "communication")
			_, err := db.Audit.Revert(t.Context(), by, first, false)
			switch want := test.want.(type) {
			case queries.Conflict:
				if got := queries.Conflict(""); !errors.As(err, &got) || got != want {
					t.Errorf("got %v", err)
				}
			default:
				if !errors.Is(err, want) {
					t.Errorf("got %v", err)
				}
			}
			if got := outline(t, db, "communication"); got != before {
				t.Errorf("became\n%s\nof\n%s", got, before)
			}
		})
	}
}

// A revert cannot be reverted after another save of the same fields or targets, and
// the result of that save stays.
func TestRedoAfterAnotherSave(t *testing.T) {
	for _, test := range []struct {
		name    string
		between func(*areas.Areas, queries.Actor) error
		want    queries.Conflict
	}{
		{"the policy that took targets is saved", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Update(t.Context(), by, queriestest.AuditPolicyID, 0, queriestest.PolicyDraft("감사 2"))
			return err
		}, "change.revert.changed"},
		{"the policy that got them back is saved", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Update(t.Context(), by, queriestest.SalesPolicyID, 0, queriestest.PolicyDraft("영업", queriestest.DepartmentTarget(queriestest.Overseas)))
			return err
		}, "change.revert.changed"},
		{"a third policy takes a target", func(db *areas.Areas, by queries.Actor) error {
			_, err := db.Policies.Create(t.Context(), by, queriestest.PolicyDraft("일본", queriestest.DepartmentTarget(queriestest.Japan)))
			return err
		}, "policy.targets.taken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			by := queriestest.AdminActor(t, db)
			d := queriestest.PolicyDraft("감사", queriestest.DepartmentTarget(queriestest.Overseas), queriestest.DepartmentTarget(queriestest.Japan))
			d.Move = true
			if _, err := db.Policies.Update(t.Context(), by, queriestest.AuditPolicyID, 1, d); err != nil {
				t.Fatal(err)
			}
			clock.Advance(time.Second)
			undone, err := db.Audit.Revert(t.Context(), by, latestChange(t, db, "policy", queriestest.AuditPolicyID).ID, false)
			if err != nil {
				t.Fatal(err)
			}
			clock.Advance(time.Second)
			if err := test.between(db, by); err != nil {
				t.Fatal(err)
			}
			before := outline(t, db, "communication")
			var got queries.Conflict
			if _, err = db.Audit.Revert(t.Context(), by, undone.Change.ID, false); !errors.As(err, &got) || got != test.want {
				t.Errorf("got %v", err)
			}
			if after := outline(t, db, "communication"); after != before {
				t.Errorf("became\n%s\nof\n%s", after, before)
			}
		})
	}
}

// Reverting an update that took targets gives them back to a policy that locks
// the administrator out. All versions of the revert wait for one confirmation,
// and all of them end without it.
func TestRiskyUndoOfMovedTargets(t *testing.T) {
	for _, confirm := range []bool{true, false} {
		db, clock := queriestest.NewWithClock(t)
		by, inside := queriestest.AdminActor(t, db), queriestest.AdminActor(t, db)
		inside.Address = netip.MustParseAddr("198.51.100.7")
		strict, err := db.Policies.Create(t.Context(), inside, queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root)))
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Second)
		mild := queriestest.PolicyDraft("감사", queriestest.DepartmentTarget(queriestest.Root))
		mild.Move = true
		if _, err := db.Policies.Update(t.Context(), inside, queriestest.AuditPolicyID, 1, mild); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Second)
		id := latestChange(t, db, "policy", queriestest.AuditPolicyID).ID
		if _, err := db.Audit.Revert(t.Context(), by, id, false); !errors.As(err, new(*policy.Lockout)) {
			t.Fatalf("not asked about: %v", err)
		}
		moved := outline(t, db, "communication")
		if _, err := db.Audit.Revert(t.Context(), by, id, true); err != nil {
			t.Fatal(err)
		}
		undone := outline(t, db, "communication")
		if got := queriestest.WaitingPolicies(t, db); !slices.Equal(got, []string{queriestest.AuditPolicyName}) {
			t.Errorf("%q wait", got)
		}
		want := moved
		if confirm {
			want = undone
			if _, err := db.Policies.ConfirmVersion(t.Context(), inside, queriestest.AuditPolicyID, 3); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(policy.ConfirmTime)
		if got := outline(t, db, "communication"); got != want {
			t.Errorf("confirmed %t, became\n%s\nwant\n%s", confirm, got, want)
		}
		if e := queriestest.Effective(t, db, queriestest.Admin, clock.Now()); (e.PolicyID == strict.ID) != confirm {
			t.Errorf("confirmed %t: policy %d applies", confirm, e.PolicyID)
		}
	}
}

// A version of the working attitude begins on the next work date. Reverting it
// cancels the planned version before that date, and saves a further version
// afterwards.
func TestRevertWorkingAttitude(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	d := queriestest.PolicyDraft("근태")
	d.Kind, d.Settings = "workingattitude", nil
	made := queriestest.CreatePolicy(t, db, d)
	clock.Advance(24 * time.Hour)
	before := outline(t, db, "workingattitude")
	for _, wait := range []time.Duration{0, 24 * time.Hour} {
		d.Name = "다른 근태"
		if _, err := db.Policies.Update(t.Context(), by, made.ID, 0, d); err != nil {
			t.Fatal(err)
		}
		clock.Advance(wait)
		if _, err := db.Audit.Revert(t.Context(), by, latestChange(t, db, "policy", made.ID).ID, false); err != nil {
			t.Fatal(err)
		}
		clock.Advance(wait)
		if got := outline(t, db, "workingattitude"); got != before {
			t.Errorf("after %s\n%s\nwant\n%s", wait, got, before)
		}
	}
}

func TestRevertViewerChanges(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	revert := func(want error) {
		t.Helper()
		clock.Advance(time.Second)
		_, err := db.Audit.Revert(ctx, by, latestChange(t, db, "viewer", 0).ID, false)
		if got := queries.Conflict(""); want != nil && errors.As(err, &got) {
			err = got
		}
		if !errors.Is(err, want) {
			t.Fatalf("got %v, want %v", err, want)
		}
	}
	v := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, true, queriestest.Kim))
	exists := func(want bool) {
		t.Helper()
		if _, err := db.Attendance.Viewer(ctx, queriestest.Hanbit, v.ID); (err == nil) != want {
			t.Errorf("the registration exists: %v", err)
		}
	}
	revert(nil) // reverts the registration
	exists(false)
	revert(nil) // reverts the deletion
	exists(true)
	revert(nil) // reverts the restoration
	exists(false)
	revert(nil)
	if _, err := db.Attendance.UpdateViewer(ctx, by, v.ID, 0, queriestest.OrAboveDraft(2, []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Japan)}, queriestest.WithoutSubtree(queriestest.Research))); err != nil {
		t.Fatal(err)
	}
	updated := latestChange(t, db, "viewer", v.ID).ID
	revert(nil)
	if got, err := db.Attendance.Viewer(ctx, queriestest.Hanbit, v.ID); err != nil || got.RankID != 0 || len(got.People) != 1 || !got.MayEdit || len(got.Departments) != 1 || !got.Departments[0].IncludeChildren {
		t.Errorf("after the revert %+v, %v", got, err)
	}
	if _, err := db.Audit.Revert(ctx, by, updated, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("changed since: %v", err)
	}
	if err := db.Attendance.DeleteViewer(ctx, by, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Audit.Revert(ctx, by, updated, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("deleted since: %v", err)
	}
	deleted := latestChange(t, db, "viewer", v.ID).ID
	revert(nil)
	if err := db.Attendance.DeleteViewer(ctx, by, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Audit.Revert(ctx, by, deleted, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("deleted again: %v", err)
	}
	clock.Advance(policy.RestoreTime + time.Second)
	revert(queries.Invalid("change.revert.late"))
}

// What the change log has of a registration includes the people who were hidden then.
func TestRevertViewerWithHiddenPeople(t *testing.T) {
	db := queriestest.New(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	sales := []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}
	v := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft(sales, false, queriestest.Kim, queriestest.Foreigner))
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Kim)
	if _, err := db.Attendance.UpdateViewer(ctx, by, v.ID, 0, queriestest.IndividualsDraft(sales, true, queriestest.Foreigner)); err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "update users set hidden_at = null where id = $1", queriestest.Kim)
	if _, err := db.Audit.Revert(ctx, by, latestChange(t, db, "viewer", v.ID).ID, false); err != nil {
		t.Fatal(err)
	}
	if got, err := db.Attendance.Viewer(ctx, queriestest.Hanbit, v.ID); err != nil || got.MayEdit || len(got.People) != 2 {
		t.Errorf("after the revert %+v, %v", got, err)
	}
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = any ($1)", []int64{queriestest.Kim, queriestest.Foreigner})
	if err := db.Attendance.DeleteViewer(ctx, by, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	deleted := latestChange(t, db, "viewer", v.ID)
	var old attendance.ViewerRecord
	if err := json.Unmarshal(deleted.Old, &old); err != nil || len(old.People) != 2 || !strings.Contains(deleted.ObjectName, "김철수") {
		t.Errorf("the deletion of %q has %s, %v", deleted.ObjectName, deleted.Old, err)
	}
}

func TestRevertStaysInTheCompany(t *testing.T) {
	db := queriestest.New(t)
	if _, err := db.Policies.EnableAll(t.Context(), queriestest.AdminActor(t, db), "communication", []int64{queriestest.AuditPolicyID}, true, false); err != nil {
		t.Fatal(err)
	}
	stranger := directory.ActorFrom(queriestest.Person(t, db, queriestest.Other, queriestest.OtherAdmin), queriestest.OfficeAddress)
	for _, id := range []int64{latestChange(t, db, "policy", queriestest.AuditPolicyID).ID, 0, 99999} {
		if _, err := db.Audit.Revert(t.Context(), stranger, id, false); !errors.Is(err, queries.NotFound) {
			t.Errorf("%d: %v", id, err)
		}
	}
}
