package notice_test

import (
	"maps"
	"testing"

	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

// Only targets of the same name have details: people their department, and in one
// department their employee id.
func TestNamesakes(t *testing.T) {
	db := queriestest.New(t)
	record := notice.Record{Draft: notice.Draft{Targets: notice.Targets{UserIDs: []int64{queriestest.Employee, queriestest.Kim, queriestest.Viewer, queriestest.Manager, queriestest.Hidden}}}}
	details := func() map[int64]string {
		t.Helper()
		names, err := db.Notices.TargetNames(t.Context(), queriestest.Hanbit, record)
		if err != nil {
			t.Fatal(err)
		}
		return names.Users.Details
	}
	if got := details(); len(got) != 0 {
		t.Errorf("without namesakes: %v", got)
	}
	queriestest.Exec(t, db, "update users set name = '강대민' where id in ($1, $2)", queriestest.Employee, queriestest.Kim)
	if got := details(); !maps.Equal(got, map[int64]string{queriestest.Employee: "메신저팀", queriestest.Kim: "국내영업팀"}) {
		t.Errorf("in two departments: %v", got)
	}
	queriestest.Exec(t, db, "update users set name = '강대민' where id in ($1, $2)", queriestest.Viewer, queriestest.Manager)
	if got := details(); got[queriestest.Viewer] != "영업본부 · H0003" || got[queriestest.Manager] != "영업본부 · H0004" || got[queriestest.Kim] != "국내영업팀" {
		t.Errorf("in one department: %v", got)
	}
	departments := notice.Record{Draft: notice.Draft{Targets: notice.Targets{Departments: []notice.DepartmentTarget{{ID: queriestest.Domestic}, {ID: queriestest.Messenger}}}}}
	queriestest.Exec(t, db, "update departments set name = '지원팀' where id in ($1, $2)", queriestest.Domestic, queriestest.Messenger)
	names, err := db.Notices.TargetNames(t.Context(), queriestest.Hanbit, departments)
	if err != nil || names.Departments.Details[queriestest.Domestic] != "한빛테크/영업본부/지원팀" || names.Departments.Details[queriestest.Messenger] != "한빛테크/연구소/지원팀" {
		t.Errorf("departments: %v %v", names.Departments, err)
	}
}
