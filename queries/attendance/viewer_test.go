package attendance_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

func scopeOf(t *testing.T, db *areas.Areas, company, id int64) string {
	t.Helper()
	person, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: company, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	scope, err := db.Attendance.Scope(t.Context(), person)
	if err != nil {
		t.Fatal(err)
	}
	if scope.Everybody {
		return "everybody"
	}
	return strings.Trim(fmt.Sprint(scope.DepartmentIDs, scope.EditIDs), " ")
}

// The expected scopes have the departments that a user may see, and those whose
// attendance the user may edit.
func TestScope(t *testing.T) {
	const sales, research, messenger, japan, root = queriestest.Sales, queriestest.Research, queriestest.Messenger, queriestest.Japan, queriestest.Root
	var draft = func(change func(*attendance.ViewerDraft), d attendance.ViewerDraft) attendance.ViewerDraft {
		change(&d)
		return d
	}
	edits := func(d *attendance.ViewerDraft) { d.MayEdit = true }
	nobody := map[int64]string{queriestest.Admin: "everybody", queriestest.Employee: "[] []", queriestest.Viewer: "[2 3 4] []",
		queriestest.Manager: "[2 3 4] [2 3 4]", queriestest.Hidden: "[] []", queriestest.Kim: "[] []", queriestest.Japanese: "[] []"}
	for _, test := range []struct {
		name   string
		drafts []attendance.ViewerDraft
		want   map[int64]string // changes to nobody, the scopes without registrations
	}{
		{"nobody", nil, nil},
		{"individuals, with subordinates", []attendance.ViewerDraft{queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(research)}, false, queriestest.Employee, queriestest.Kim)},
			map[int64]string{queriestest.Employee: "[5 6] []", queriestest.Kim: "[5 6] []"}},
		{"without subordinates, editing", []attendance.ViewerDraft{queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithoutSubtree(research), queriestest.WithSubtree(japan)}, true, queriestest.Employee)},
			map[int64]string{queriestest.Employee: "[5 7] [5 7]"}},
		{"beside a permission", []attendance.ViewerDraft{queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithoutSubtree(research)}, true, queriestest.Viewer), queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(research)}, false, queriestest.Manager)},
			map[int64]string{queriestest.Viewer: "[2 3 4 5] [5]", queriestest.Manager: "[2 3 4 5 6] [2 3 4]"}},
		{"seeing and editing overlap", []attendance.ViewerDraft{queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(root)}, false, queriestest.Kim), queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(sales)}, true, queriestest.Kim)},
			map[int64]string{queriestest.Kim: "[1 2 3 4 5 6 7] [2 3 4]"}},
		{"a rank of the company", []attendance.ViewerDraft{queriestest.OrAboveDraft(2, []attendance.ViewerDepartment{queriestest.WithoutSubtree(messenger)})},
			map[int64]string{queriestest.Viewer: "[2 3 4 6] []", queriestest.Manager: "[2 3 4 6] [2 3 4]", queriestest.Japanese: "[6] []"}},
		{"the highest rank", []attendance.ViewerDraft{queriestest.OrAboveDraft(1, []attendance.ViewerDepartment{queriestest.WithoutSubtree(messenger)})}, nil},
		{"the lowest rank within departments", []attendance.ViewerDraft{draft(edits, queriestest.OrAboveDraft(3, []attendance.ViewerDepartment{queriestest.WithSubtree(japan)}, queriestest.WithSubtree(sales), queriestest.WithSubtree(research)))},
			map[int64]string{queriestest.Employee: "[7] [7]", queriestest.Viewer: "[2 3 4 7] [7]", queriestest.Manager: "[2 3 4 7] [2 3 4 7]", queriestest.Kim: "[7] [7]"}},
		{"within a department alone", []attendance.ViewerDraft{queriestest.OrAboveDraft(3, []attendance.ViewerDepartment{queriestest.WithSubtree(japan)}, queriestest.WithoutSubtree(sales))},
			map[int64]string{queriestest.Viewer: "[2 3 4 7] []", queriestest.Manager: "[2 3 4 7] [2 3 4]"}},
		{"hidden", []attendance.ViewerDraft{queriestest.OrAboveDraft(3, []attendance.ViewerDepartment{queriestest.WithSubtree(japan)}, queriestest.WithSubtree(research))},
			map[int64]string{queriestest.Employee: "[7] []"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := queriestest.New(t)
			for _, d := range test.drafts {
				queriestest.RegisterViewer(t, db, d)
			}
			want := maps.Clone(nobody)
			maps.Copy(want, test.want)
			for id, scope := range want {
				if got := scopeOf(t, db, queriestest.Hanbit, id); got != scope {
					t.Errorf("person %d sees %s, want %s", id, got, scope)
				}
			}
			if got := scopeOf(t, db, queriestest.Other, queriestest.OtherKim); got != "[] []" {
				t.Errorf("the other company's person sees %s", got)
			}
		})
	}
}

func TestScopeMayEdit(t *testing.T) {
	scope := directory.Scope{DepartmentIDs: []int64{2, 3}, EditIDs: []int64{3}}
	if scope.MayEdit(2) || !scope.MayEdit(3) || !(directory.Scope{Everybody: true}).MayEdit(2) {
		t.Error("editing does not follow the departments")
	}
}

// A change of a rank, a department or a parent department changes the scope at
// once.
func TestScopeFollowsTheDirectory(t *testing.T) {
	db := queriestest.New(t)
	queriestest.RegisterViewer(t, db, queriestest.OrAboveDraft(2, []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Research)}, queriestest.WithSubtree(queriestest.Sales)))
	for _, change := range []struct{ sql, want string }{
		{"update users set rank_id = 2 where id = 6", "[5 6] []"},
		{"update users set department_id = 7 where id = 6", "[] []"},
		{"insert into user_departments values (1, 6, 3)", "[] []"}, // only the default department counts
		{"update departments set parent_id = 2 where id = 7", "[5 6] []"},
		{"update users set rank_id = null where id = 6", "[] []"},
	} {
		if _, err := db.Pool().Exec(t.Context(), change.sql); err != nil {
			t.Fatal(err)
		}
		if got := scopeOf(t, db, queriestest.Hanbit, queriestest.Kim); got != change.want {
			t.Errorf("%s: sees %s, want %s", change.sql, got, change.want)
		}
	}
}

func TestRegisterViewer(t *testing.T) {
	db := queriestest.New(t)
	v := queriestest.RegisterViewer(t, db, attendance.ViewerDraft{
		By: attendance.ViewerByPerson, RankID: 2, WholeCompany: true, UserIDs: []int64{queriestest.Kim, queriestest.Employee, queriestest.Kim},
		Departments: []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales), queriestest.WithoutSubtree(queriestest.Research), queriestest.WithoutSubtree(queriestest.Sales)}, MayEdit: true,
	})
	want := attendance.Viewer{
		ID: v.ID, MayEdit: true, VersionNo: 1, RegisteredBy: "김서연", RegisteredAt: v.RegisteredAt,
		People:      []attendance.ViewerPerson{{ID: 6, Name: "김철수", Position: "사원", Department: "국내영업팀"}, {ID: 2, Name: "이준호", Position: "사원", Department: "메신저팀"}},
		Departments: []attendance.ViewerDepartment{{ID: 5, Name: "연구소", Path: "한빛테크/연구소"}, {ID: 2, Name: "영업본부", Path: "한빛테크/영업본부", IncludeChildren: true}},
	}
	if !reflect.DeepEqual(v, want) || !v.RegisteredAt.Equal(queriestest.Now) {
		t.Errorf("registered %+v, want %+v", v, want)
	}
	again, err := db.Attendance.Viewer(t.Context(), queriestest.Hanbit, v.ID)
	if err != nil || !reflect.DeepEqual(again, v) {
		t.Errorf("read %+v %v", again, err)
	}
	if _, err := db.Attendance.Viewer(t.Context(), queriestest.Other, v.ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("the other company reads it: %v", err)
	}
}

func TestRegisterViewerRefuses(t *testing.T) {
	db := queriestest.New(t)
	all := []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Root)}
	many := make([]attendance.ViewerDepartment, 101)
	for i := range many {
		many[i].ID = int64(i + 1)
	}
	for _, test := range []struct {
		name string
		d    attendance.ViewerDraft
		want queries.FieldErrors
	}{
		{"nothing", attendance.ViewerDraft{}, queries.FieldErrors{"by": "viewer.by.required", "departments": "viewer.departments.required"}},
		{"no rank, no targets", attendance.ViewerDraft{By: attendance.ViewerByPosition, Departments: all}, queries.FieldErrors{"rank_id": "viewer.position.required", "within": "viewer.targets.required"}},
		{"unknown rank", queriestest.OrAboveDraft(99, all), queries.FieldErrors{"rank_id": "viewer.position.unknown"}},
		{"nobody", queriestest.IndividualsDraft(all, false), queries.FieldErrors{"user_ids": "viewer.targets.required"}},
		{"four management departments", queriestest.IndividualsDraft([]attendance.ViewerDepartment{{ID: 2}, {ID: 3}, {ID: 4}, {ID: 5}}, false, 2), queries.FieldErrors{"departments": "viewer.managed.too_many"}},
		{"three people", queriestest.IndividualsDraft(all, false, 2, 3, 4), queries.FieldErrors{"user_ids": "viewer.people.too_many"}},
		{"a bot", queriestest.IndividualsDraft(all, false, queriestest.Bot), queries.FieldErrors{"user_ids": "viewer.people.unknown"}},
		{"somebody hidden", queriestest.IndividualsDraft(all, false, queriestest.Hidden), queries.FieldErrors{"user_ids": "viewer.people.unknown"}},
		{"somebody else's", queriestest.IndividualsDraft(all, false, queriestest.OtherKim), queries.FieldErrors{"user_ids": "viewer.people.unknown"}},
		{"no departments", queriestest.IndividualsDraft(nil, false, 2), queries.FieldErrors{"departments": "viewer.departments.required"}},
		{"another company's department", queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.OtherRoot)}, false, 2), queries.FieldErrors{"departments": "viewer.departments.unknown"}},
		{"another company's scope", queriestest.OrAboveDraft(1, all, queriestest.WithSubtree(queriestest.OtherRoot)), queries.FieldErrors{"within": "viewer.departments.unknown"}},
		{"many departments", queriestest.OrAboveDraft(3, all, many...), queries.FieldErrors{"within": "viewer.departments.too_many"}},
	} {
		_, err := db.Attendance.RegisterViewer(t.Context(), queriestest.Registrar, test.d)
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || !maps.Equal(refused, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
	if n := queriestest.LookUp(t, db, "select count(*) from attendance_viewers"); n != "0" {
		t.Errorf("%s were registered", n)
	}
}

func TestViewersAreNotRegisteredTwice(t *testing.T) {
	db := queriestest.New(t)
	sales, research := []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, []attendance.ViewerDepartment{queriestest.WithoutSubtree(queriestest.Research)}
	queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft(sales, false, 2, 6))
	queriestest.RegisterViewer(t, db, queriestest.OrAboveDraft(2, sales))
	queriestest.RegisterViewer(t, db, queriestest.OrAboveDraft(1, sales, queriestest.WithSubtree(queriestest.Japan), queriestest.WithSubtree(queriestest.Domestic)))
	for _, test := range []struct {
		name string
		d    attendance.ViewerDraft
		want queries.FieldErrors
	}{
		{"one of the people", queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithoutSubtree(queriestest.Sales), queriestest.WithSubtree(queriestest.Research)}, true, 6, 7), queries.FieldErrors{"user_ids": "viewer.person.duplicate"}},
		{"the rank of the company", queriestest.OrAboveDraft(2, sales), queries.FieldErrors{"rank_id": "viewer.position.duplicate"}},
		{"the rank in one of the departments", queriestest.OrAboveDraft(1, sales, queriestest.WithSubtree(queriestest.Japan)), queries.FieldErrors{"rank_id": "viewer.position.duplicate"}},
		{"another department", queriestest.IndividualsDraft(research, false, 2, 6), nil},
		{"other people", queriestest.IndividualsDraft(sales, false, 7), nil},
		{"the rank elsewhere", queriestest.OrAboveDraft(1, sales, queriestest.WithSubtree(queriestest.Overseas)), nil},
		{"another rank", queriestest.OrAboveDraft(3, sales), nil},
	} {
		_, err := db.Attendance.RegisterViewer(t.Context(), queriestest.Registrar, test.d)
		var refused queries.FieldErrors
		errors.As(err, &refused)
		if !maps.Equal(refused, test.want) || err != nil && test.want == nil {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
}

func TestViewersAtOnceAreNotRegisteredTwice(t *testing.T) {
	db := queriestest.New(t)
	results := make(chan error)
	for range 4 {
		go func() {
			_, err := db.Attendance.RegisterViewer(t.Context(), queriestest.Registrar, queriestest.OrAboveDraft(2, []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}))
			results <- err
		}()
	}
	registered := 0
	for range 4 {
		var refused queries.FieldErrors
		if err := <-results; err == nil {
			registered++
		} else if !errors.As(err, &refused) {
			t.Error(err)
		}
	}
	if registered != 1 {
		t.Errorf("%d were registered", registered)
	}
}

func TestUpdateViewer(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	v := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales), queriestest.WithoutSubtree(queriestest.Research)}, false, 2, 6))
	clock.Advance(time.Hour)
	changed, err := db.Attendance.UpdateViewer(t.Context(), queriestest.Registrar, v.ID, 0, queriestest.OrAboveDraft(2, []attendance.ViewerDepartment{queriestest.WithoutSubtree(queriestest.Sales), queriestest.WithSubtree(queriestest.Japan)}, queriestest.WithoutSubtree(queriestest.Research)))
	if err != nil {
		t.Fatal(err)
	}
	if changed.RankName != "부장" || changed.People != nil || len(changed.Within) != 1 || len(changed.Departments) != 2 || !changed.RegisteredAt.Equal(queriestest.Now) {
		t.Errorf("changed to %+v", changed)
	}
	if d := changed.Departments[0]; d.ID != queriestest.Sales || d.IncludeChildren {
		t.Errorf("the department is %+v", d)
	}
	if draft := changed.Draft(); draft.By != attendance.ViewerByPosition || draft.RankID != 2 || draft.UserIDs != nil {
		t.Errorf("the draft of the changed registration is %+v", draft)
	}
	var refused queries.FieldErrors
	if _, err := db.Attendance.UpdateViewer(t.Context(), queriestest.Registrar, v.ID, 0, attendance.ViewerDraft{By: attendance.ViewerByPerson}); !errors.As(err, &refused) {
		t.Errorf("an empty draft: %v", err)
	}
	for _, id := range []int64{v.ID + 1, 0, -1} {
		if _, err := db.Attendance.UpdateViewer(t.Context(), queriestest.Registrar, id, 0, changed.Draft()); !errors.Is(err, queries.NotFound) {
			t.Errorf("update %d: %v", id, err)
		}
	}
	stranger := queries.Actor{CompanyID: queriestest.Other, UserID: queriestest.OtherAdmin, Name: "한도윤"}
	if _, err := db.Attendance.UpdateViewer(t.Context(), stranger, v.ID, 0, changed.Draft()); !errors.Is(err, queries.NotFound) {
		t.Errorf("the other company: %v", err)
	}
}

// A registration can still be changed after one of its people was hidden.
func TestUpdateViewerKeepsHiddenPeople(t *testing.T) {
	db := queriestest.New(t)
	v := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, false, 2))
	if _, err := db.Pool().Exec(t.Context(), "update users set hidden_at = now() where id = 2"); err != nil {
		t.Fatal(err)
	}
	draft := v.Draft()
	draft.MayEdit = true
	if changed, err := db.Attendance.UpdateViewer(t.Context(), queriestest.Registrar, v.ID, 0, draft); err != nil || !changed.MayEdit || len(changed.People) != 0 {
		t.Errorf("%+v %v", changed, err)
	}
	draft.UserIDs = []int64{queriestest.Kim} // by somebody who does not see the hidden one
	if changed, err := db.Attendance.UpdateViewer(t.Context(), queriestest.Registrar, v.ID, 0, draft); err != nil || len(changed.People) != 1 {
		t.Errorf("%+v %v", changed, err)
	}
	queriestest.Exec(t, db, "update users set hidden_at = null where id = 2")
	if shown, err := db.Attendance.Viewer(t.Context(), queriestest.Hanbit, v.ID); err != nil || len(shown.People) != 2 {
		t.Errorf("shown again: %+v %v", shown.People, err)
	}
}

// Hidden people count, so that there are not three of them when they are shown again.
func TestViewerHasTwoPeopleWithHidden(t *testing.T) {
	db := queriestest.New(t)
	sales := []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}
	v := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft(sales, false, 2, queriestest.Kim))
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = 2")
	update := func(want queries.FieldErrors, ids ...int64) {
		t.Helper()
		_, err := db.Attendance.UpdateViewer(t.Context(), queriestest.Registrar, v.ID, 0, queriestest.IndividualsDraft(sales, true, ids...))
		var refused queries.FieldErrors
		if errors.As(err, &refused); !maps.Equal(refused, want) || err != nil && want == nil {
			t.Errorf("%v: %v, want %v", ids, err, want)
		}
	}
	update(queries.FieldErrors{"user_ids": "viewer.people.too_many_hidden"}, queriestest.Kim, 7)
	update(nil, 7)
	queriestest.Exec(t, db, "insert into attendance_viewer_users (company_id, viewer_id, user_id) values (1, $1, 8)", v.ID)
	update(nil, 7, 8) // as it is, although there are three
	queriestest.Exec(t, db, "update users set hidden_at = null where id = 2")
	update(nil, 2, 7, 8)
	update(queries.FieldErrors{"user_ids": "viewer.people.too_many"}, 2, queriestest.Kim, 8)
	update(nil, 2, 8)
}

func TestDeleteAndRestoreViewer(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	ctx := t.Context()
	draft := queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Research)}, false, 2)
	v := queriestest.RegisterViewer(t, db, draft)
	remove := func(want error) {
		t.Helper()
		if err := db.Attendance.DeleteViewer(ctx, queriestest.Registrar, v.ID, 0); !errors.Is(err, want) {
			t.Fatalf("delete: %v", err)
		}
	}
	restore := func(want error) {
		t.Helper()
		if _, err := db.Attendance.RestoreViewer(ctx, queriestest.Registrar, v.ID, 0); !errors.Is(err, want) {
			t.Fatalf("restore: %v, want %v", err, want)
		}
	}
	restore(queries.NotFound) // only deleted registrations can be restored
	remove(nil)
	remove(queries.NotFound)
	if got := scopeOf(t, db, queriestest.Hanbit, 2); got != "[] []" {
		t.Errorf("after deletion sees %s", got)
	}
	if _, err := db.Attendance.Viewer(ctx, queriestest.Hanbit, v.ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("read: %v", err)
	}
	twin := queriestest.RegisterViewer(t, db, draft)
	restore(queries.Conflict("viewer.restore.taken"))
	if err := db.Attendance.DeleteViewer(ctx, queriestest.Registrar, twin.ID, 0); err != nil {
		t.Fatal(err)
	}
	clock.Advance(policy.RestoreTime - time.Second)
	restore(nil)
	if got := scopeOf(t, db, queriestest.Hanbit, 2); got != "[5 6] []" {
		t.Errorf("after restoring sees %s", got)
	}
	remove(nil)
	clock.Advance(policy.RestoreTime)
	restore(queries.NotFound)
}

func TestViewerChangesAreNoted(t *testing.T) {
	db := queriestest.New(t)
	v := queriestest.RegisterViewer(t, db, queriestest.OrAboveDraft(2, []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}))
	if _, err := db.Attendance.UpdateViewer(t.Context(), queriestest.Registrar, v.ID, 0, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithoutSubtree(queriestest.Japan)}, true, 2, 6)); err != nil {
		t.Fatal(err)
	}
	if err := db.Attendance.DeleteViewer(t.Context(), queriestest.Registrar, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Attendance.RestoreViewer(t.Context(), queriestest.Registrar, v.ID, 0); err != nil {
		t.Fatal(err)
	}
	changes, err := db.Audit.Changes(t.Context(), audit.ChangeFilter{CompanyID: queriestest.Hanbit, ObjectType: "viewer", ObjectID: v.ID, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	const rank = `{"rank": "부장", "rank_id": 2, "may_edit": false, "version_no": 1, "departments": [{"id": 2, "name": "영업본부", "include_children": true}], "whole_company": true}`
	const people = `{"people": [{"id": 6, "name": "김철수"}, {"id": 2, "name": "이준호"}], "may_edit": true, "version_no": %d, "departments": [{"id": 7, "name": "일본지사", "include_children": false}]}`
	want := []string{
		"viewer.restored 김철수, 이준호: -> " + fmt.Sprintf(people, 4),
		"viewer.deleted 김철수, 이준호: " + fmt.Sprintf(people, 2) + " -> ",
		"viewer.updated 김철수, 이준호: " + rank + " -> " + fmt.Sprintf(people, 2),
		"viewer.registered 부장:  -> " + rank,
	}
	var got []string
	for _, c := range changes.Rows {
		got = append(got, fmt.Sprintf("%s %s: %s -> %s", c.Action, c.ObjectName, c.Old, c.New))
		if c.ActorName != "김서연" || c.Address.String() != "192.0.2.9" {
			t.Errorf("by %s from %v", c.ActorName, c.Address)
		}
	}
	want[0] = strings.Replace(want[0], ": ->", ":  ->", 1)
	if !slices.Equal(got, want) {
		t.Errorf("noted\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestViewers(t *testing.T) {
	db := queriestest.New(t)
	all := []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Root)}
	first := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, true, 2, 6)).ID
	second := queriestest.RegisterViewer(t, db, queriestest.OrAboveDraft(2, []attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Research)})).ID
	third := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft(all, false, 7)).ID
	deleted := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft(all, false, 8)).ID
	if err := db.Attendance.DeleteViewer(t.Context(), queriestest.Registrar, deleted, 0); err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	for _, test := range []struct {
		q       string
		f       attendance.ViewerFilter
		want    []int64
		numbers string // total, first, whether there are earlier and later ones
	}{
		{"", attendance.ViewerFilter{Limit: 5}, []int64{third, second, first}, "3 1 false false"},
		{"", attendance.ViewerFilter{Limit: 2}, []int64{third, second}, "3 1 false true"},
		{"", attendance.ViewerFilter{Limit: 2, Cursor: &lists.Cursor{List: "viewers", ID: second}}, []int64{first}, "3 3 true false"},
		{"", attendance.ViewerFilter{Limit: 1, Cursor: &lists.Cursor{List: "viewers", ID: deleted}}, []int64{third}, "3 1 false true"},
		{"", attendance.ViewerFilter{Limit: 1, Cursor: &lists.Cursor{List: "viewers", ID: first, Backward: true}}, []int64{second}, "3 2 true true"},
		{"", attendance.ViewerFilter{Limit: 5, Cursor: &lists.Cursor{List: "viewers", ID: third, Backward: true}}, nil, "3 1 false true"},
		{"", attendance.ViewerFilter{Limit: 5, Cursor: &lists.Cursor{List: "viewers", ID: first}}, nil, "3 4 true false"},
		{"", attendance.ViewerFilter{Limit: 5, MayEdit: &yes}, []int64{first}, "1 1 false false"},
		{"", attendance.ViewerFilter{Limit: 5, MayEdit: &no}, []int64{third, second}, "2 1 false false"},
		{"철수", attendance.ViewerFilter{Limit: 5}, []int64{first}, "1 1 false false"},
		{"ㄱㅊㅅ 준호", attendance.ViewerFilter{Limit: 5}, []int64{first}, "1 1 false false"},
		{"OLIVIA", attendance.ViewerFilter{Limit: 5}, []int64{third}, "1 1 false false"},
		{"부장", attendance.ViewerFilter{Limit: 5}, []int64{second}, "1 1 false false"},
		{"연구소", attendance.ViewerFilter{Limit: 5}, []int64{second}, "1 1 false false"},
		{"영업본부", attendance.ViewerFilter{Limit: 5, MayEdit: &no}, nil, "0 1 false false"},
		{"%%", attendance.ViewerFilter{Limit: 5}, nil, "0 1 false false"},
		{"철\x00수", attendance.ViewerFilter{Limit: 5}, []int64{first}, "1 1 false false"},
	} {
		search, err := lists.ParseSearch(test.q)
		if err != nil {
			t.Fatal(err)
		}
		test.f.Search = search
		page, err := db.Attendance.Viewers(t.Context(), queriestest.Hanbit, test.f)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, v := range page.Rows {
			got = append(got, v.ID)
		}
		if numbers := fmt.Sprint(page.Total, page.First, page.Previous != nil, page.Next != nil); !slices.Equal(got, test.want) || numbers != test.numbers {
			t.Errorf("%q %+v: got %v (%s), want %v (%s)", test.q, test.f, got, numbers, test.want, test.numbers)
		}
	}
	if page, err := db.Attendance.Viewers(t.Context(), queriestest.Other, attendance.ViewerFilter{Limit: 5}); err != nil || page.Total != 0 {
		t.Errorf("the other company has %+v %v", page, err)
	}
}
