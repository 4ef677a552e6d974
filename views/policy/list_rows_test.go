package policy

import (
	"testing"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/views"
	"officeconsole/views/viewstest"
)

func TestRowsEscapeEveryValue(t *testing.T) {
	now := time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC)
	f := views.Frame{Path: "/policies/communication/management?q=" + viewstest.Hostile, Now: now}
	targets := []policy.ListedTarget{{DepartmentID: 1, Name: viewstest.Hostile}, {UserID: 2, Name: viewstest.Hostile}, {UserID: 3, Name: viewstest.Hostile}}
	viewstest.CheckEscaped(t, "status", statusRows(StatusList{Kind: viewstest.Hostile, People: lists.Page[policy.PersonStatus]{Rows: []policy.PersonStatus{{Name: viewstest.Hostile, EmployeeID: viewstest.Hostile, DepartmentID: 3, DepartmentName: viewstest.Hostile, DepartmentPath: viewstest.Hostile, PolicyID: 4, PolicyName: viewstest.Hostile, Source: policy.Inherited, SourceDepartmentName: viewstest.Hostile}}}}), 6)
	viewstest.CheckEscaped(t, "status of departments", statusDepartmentRows(StatusList{Kind: viewstest.Hostile, DepartmentRows: lists.Page[policy.DepartmentStatus]{Rows: []policy.DepartmentStatus{{Name: viewstest.Hostile, Path: viewstest.Hostile, PolicyName: viewstest.Hostile}}}}), 4)
	viewstest.CheckEscaped(t, "policies", listRows(List{Frame: f, Kind: viewstest.Hostile, Page: policy.ListPage{Page: lists.Page[policy.Summary]{Rows: []policy.Summary{{ID: 5, Name: viewstest.Hostile, Description: viewstest.Hostile, OwnerName: viewstest.Hostile, ChangedByName: viewstest.Hostile, InForce: true, PlannedAt: now, Targets: targets, TargetCount: 4}}}}}), 11)
}
