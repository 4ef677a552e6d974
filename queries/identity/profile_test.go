package identity_test

import (
	"slices"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestProfileNamesWhatIsViewed(t *testing.T) {
	const registration = `insert into attendance_viewers (company_id, id, whole_company, may_edit, created_by, created_at, updated_at)
		overriding system value values (1, 1, false, true, 1, now(), now())`
	for name, test := range map[string]struct {
		person int64
		given  []string
		want   []identity.ViewedDepartment
	}{
		"nothing":          {person: queriestest.Employee},
		"an administrator": {person: queriestest.Admin},
		"with all below":   {person: queriestest.Viewer, want: []identity.ViewedDepartment{{"한빛테크/영업본부", true, false}}},
		"registered without what is below": {
			person: queriestest.Employee,
			given: []string{
				registration, "insert into attendance_viewer_users values (1, 1, 2)",
				"insert into attendance_viewer_departments (company_id, viewer_id, department_id, is_scope, include_children) values (1, 1, 5, false, false), (1, 1, 7, false, false)",
			},
			want: []identity.ViewedDepartment{{"한빛테크/연구소", false, true}, {"한빛테크/일본지사", false, true}},
		},
		"editing one of those below": {
			person: queriestest.Viewer,
			given: []string{
				registration, "insert into attendance_viewer_users values (1, 1, 3)",
				"insert into attendance_viewer_departments (company_id, viewer_id, department_id, is_scope, include_children) values (1, 1, 4, false, false)",
			},
			want: []identity.ViewedDepartment{{"한빛테크/영업본부", false, false}, {"한빛테크/영업본부/국내영업팀", false, false}, {"한빛테크/영업본부/해외영업팀", false, true}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := queriestest.New(t)
			for _, statement := range test.given {
				if _, err := db.Pool().Exec(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			person := queriestest.Person(t, db, queriestest.Hanbit, test.person)
			scope, err := db.Attendance.Scope(t.Context(), person)
			if err != nil {
				t.Fatal(err)
			}
			profile, err := db.Identity.Profile(t.Context(), person, scope)
			if err != nil || !slices.Equal(profile.Viewed, test.want) {
				t.Errorf("%+v, %v", profile.Viewed, err)
			}
		})
	}
}
