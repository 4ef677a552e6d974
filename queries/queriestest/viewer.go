package queriestest

import (
	"net/netip"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
)

// Registrar is the administrator who registers viewers in tests.
var Registrar = queries.Actor{CompanyID: Hanbit, UserID: Admin, Name: "김서연", Address: netip.MustParseAddr("192.0.2.9")}

// WithSubtree returns a department with its subtree.
func WithSubtree(id int64) attendance.ViewerDepartment {
	return attendance.ViewerDepartment{ID: id, IncludeChildren: true}
}

// WithoutSubtree returns a department without its descendants.
func WithoutSubtree(id int64) attendance.ViewerDepartment { return attendance.ViewerDepartment{ID: id} }

// IndividualsDraft returns the registration of individuals as viewers of
// departments.
func IndividualsDraft(departments []attendance.ViewerDepartment, mayEdit bool, ids ...int64) attendance.ViewerDraft {
	return attendance.ViewerDraft{By: attendance.ViewerByPerson, UserIDs: ids, Departments: departments, MayEdit: mayEdit}
}

// OrAboveDraft returns the registration of a rank or above as viewers of
// departments: in the whole company or, if given, within some departments.
func OrAboveDraft(rank int64, departments []attendance.ViewerDepartment, within ...attendance.ViewerDepartment) attendance.ViewerDraft {
	return attendance.ViewerDraft{By: attendance.ViewerByPosition, RankID: rank, WholeCompany: len(within) == 0, Within: within, Departments: departments}
}

// RegisterViewer registers a viewer that must be accepted.
func RegisterViewer(t *testing.T, db *areas.Areas, d attendance.ViewerDraft) attendance.Viewer {
	t.Helper()
	v, err := db.Attendance.RegisterViewer(t.Context(), Registrar, d)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
