package attendance

import (
	"cmp"
	"context"
	"slices"

	"officeconsole/queries"
)

// maxScopeDepartments is the maximum number of departments within which a rank counts.
const maxScopeDepartments = 100

// checkViewer returns a draft as it will be stored, or its refusals.
func (q *Queries) checkViewer(ctx context.Context, companyID, id int64, d ViewerDraft) (ViewerDraft, error) {
	d = d.tidy()
	known, err := q.viewerChoices(ctx, viewerChoicesParams{
		CompanyID: companyID, ViewerID: id, RankID: d.RankID, UserIds: d.UserIDs, DepartmentIds: departmentIDs(d.Within, d.Departments),
	})
	if err != nil {
		return d, err
	}
	refused := queries.FieldErrors{}
	refuse := func(field string, refusal queries.Invalid) {
		if refusal != "" {
			refused[field] = refusal
		}
	}
	switch d.By {
	case ViewerByPosition:
		switch {
		case d.RankID == 0:
			refused["rank_id"] = "viewer.position.required"
		case !known.RankKnown:
			refused["rank_id"] = "viewer.position.unknown"
		}
		if !d.WholeCompany {
			refuse("within", checkViewerDepartments(d.Within, known.DepartmentIds, "viewer.targets.required"))
		}
	case ViewerByPerson:
		refuse("user_ids", checkViewerPeople(d.UserIDs, known.UserIds))
	default:
		refused["by"] = "viewer.by.required"
	}
	if len(d.Departments) > MaxViewerDepartments {
		refuse("departments", "viewer.managed.too_many")
	} else {
		refuse("departments", checkViewerDepartments(d.Departments, known.DepartmentIds, "viewer.departments.required"))
	}
	if len(refused) > 0 {
		return d, refused
	}
	return d, nil
}

// tidy returns the draft without duplicates and without the fields of the other
// kind of registration.
func (d ViewerDraft) tidy() ViewerDraft {
	once := func(departments []ViewerDepartment) []ViewerDepartment {
		byID := func(a, b ViewerDepartment) int { return cmp.Compare(a.ID, b.ID) }
		return slices.CompactFunc(slices.SortedStableFunc(slices.Values(departments), byID), func(a, b ViewerDepartment) bool { return a.ID == b.ID })
	}
	if d.By == ViewerByPosition {
		d.UserIDs = nil
	} else {
		d.RankID, d.WholeCompany, d.Within = 0, false, nil
	}
	if d.WholeCompany {
		d.Within = nil
	}
	d.Within, d.Departments = once(d.Within), once(d.Departments)
	d.UserIDs = slices.Compact(slices.Sorted(slices.Values(d.UserIDs)))
	return d
}

func checkViewerPeople(ids, known []int64) queries.Invalid {
	switch {
	case len(ids) == 0:
		return "viewer.targets.required"
	case len(ids) > MaxViewerPeople:
		return "viewer.people.too_many"
	case len(known) < len(ids):
		return "viewer.people.unknown"
	}
	return ""
}

func checkViewerDepartments(departments []ViewerDepartment, known []int64, required queries.Invalid) queries.Invalid {
	unknown := func(d ViewerDepartment) bool { return !slices.Contains(known, d.ID) }
	switch {
	case len(departments) == 0:
		return required
	case len(departments) > maxScopeDepartments:
		return "viewer.departments.too_many"
	case slices.ContainsFunc(departments, unknown):
		return "viewer.departments.unknown"
	}
	return ""
}

func departmentIDs(lists ...[]ViewerDepartment) []int64 {
	ids := []int64{}
	for _, list := range lists {
		for _, d := range list {
			ids = append(ids, d.ID)
		}
	}
	return ids
}
