package demo

import (
	"context"

	"officeconsole/queries/attendance"
)

func (f *filling) viewer(ctx context.Context, v Viewer) error {
	id, err := attendance.New(f.tx).InsertViewer(ctx, attendance.InsertViewerParams{
		CompanyID: f.companyID, RankID: after(f.ranks, v.Rank), WholeCompany: v.WholeCompany, MayEdit: v.MayEdit,
		CreatedBy: after(f.users, v.By), Now: v.Created,
	})
	if err != nil {
		return err
	}
	draft := attendance.ViewerDraft{Within: f.managed(v.Within), Departments: f.managed(v.Departments)}
	for _, p := range v.People {
		draft.UserIDs = append(draft.UserIDs, f.users+int64(p))
	}
	return attendance.New(f.tx).FillViewer(ctx, f.companyID, id, draft)
}

func (f *filling) managed(departments []Managed) []attendance.ViewerDepartment {
	managed := make([]attendance.ViewerDepartment, len(departments))
	for i, d := range departments {
		managed[i] = attendance.ViewerDepartment{ID: f.departments + int64(d.Department), IncludeChildren: d.Children}
	}
	return managed
}
