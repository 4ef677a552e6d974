package queriestest

import (
	"net/netip"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
)

// Exec changes the database behind the rules' back.
func Exec(t *testing.T, db *areas.Areas, statement string, args ...any) {
	t.Helper()
	if _, err := db.Pool().Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

var Registrar = queries.Actor{CompanyID: Hanbit, UserID: Admin, Name: "김서연", Address: netip.MustParseAddr("192.0.2.9")}

func WithSubtree(id int64) attendance.ViewerDepartment {
	return attendance.ViewerDepartment{ID: id, IncludeChildren: true}
}

func WithoutSubtree(id int64) attendance.ViewerDepartment { return attendance.ViewerDepartment{ID: id} }

func IndividualsDraft(departments []attendance.ViewerDepartment, mayEdit bool, ids ...int64) attendance.ViewerDraft {
	return attendance.ViewerDraft{By: attendance.ViewerByPerson, UserIDs: ids, Departments: departments, MayEdit: mayEdit}
}

func OrAboveDraft(rank int64, departments []attendance.ViewerDepartment, within ...attendance.ViewerDepartment) attendance.ViewerDraft {
	return attendance.ViewerDraft{By: attendance.ViewerByPosition, RankID: rank, WholeCompany: len(within) == 0, Within: within, Departments: departments}
}

func RegisterViewer(t *testing.T, db *areas.Areas, d attendance.ViewerDraft) attendance.Viewer {
	t.Helper()
	v, err := db.Attendance.RegisterViewer(t.Context(), Registrar, d)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
