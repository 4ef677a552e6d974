package demo

import (
	"context"
	"fmt"

	"officeconsole/queries/attendance"
)

func (f *filler) viewers(ctx context.Context, c *Company, loader *attendance.Loader) error {
	for _, v := range c.Viewers {
		draft := attendance.ViewerDraft{
			RankID: idOf(f.ranks, v.Rank), WholeCompany: v.WholeCompany, MayEdit: v.MayEdit,
			Within: f.managed(v.Within), Departments: f.managed(v.Departments),
		}
		for _, p := range v.People {
			draft.UserIDs = append(draft.UserIDs, f.users+int64(p))
		}
		if err := loader.AddViewer(ctx, idOf(f.users, v.By), v.Created, draft); err != nil {
			return fmt.Errorf("viewing authority: %w", err)
		}
	}
	return nil
}

func (f *filler) managed(departments []Managed) []attendance.ViewerDepartment {
	managed := make([]attendance.ViewerDepartment, len(departments))
	for i, d := range departments {
		managed[i] = attendance.ViewerDepartment{ID: f.departments + int64(d.Department), IncludeChildren: d.Children}
	}
	return managed
}
