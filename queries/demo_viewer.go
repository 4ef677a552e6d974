package queries

import (
	"context"

	"officeconsole/demo"
)

func (f *filling) viewer(ctx context.Context, v demo.Viewer) error {
	id, err := f.insertViewer(ctx, insertViewerParams{
		CompanyID: f.companyID, RankID: after(f.ranks, v.Rank), WholeCompany: v.WholeCompany, MayEdit: v.MayEdit,
		CreatedBy: after(f.users, v.By), Now: v.Created,
	})
	if err != nil {
		return err
	}
	draft := ViewerDraft{Within: f.managed(v.Within), Departments: f.managed(v.Departments)}
	for _, p := range v.People {
		draft.UserIDs = append(draft.UserIDs, f.users+int64(p))
	}
	return f.fillViewer(ctx, f.companyID, id, draft)
}

func (f *filling) managed(departments []demo.Managed) []ViewerDepartment {
	managed := make([]ViewerDepartment, len(departments))
	for i, d := range departments {
		managed[i] = ViewerDepartment{ID: f.departments + int64(d.Department), IncludeChildren: d.Children}
	}
	return managed
}
