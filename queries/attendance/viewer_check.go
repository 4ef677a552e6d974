package attendance

import (
	"cmp"
	"context"
	"slices"

	"officeconsole/queries"
)

// departmentRule says how many departments a list of a registration may have, and how it
// is refused.
type departmentRule struct {
	most              int
	required, tooMany queries.Invalid
}

var (
	scopeRule      = departmentRule{100, "viewer.targets.required", "viewer.departments.too_many"} // where a rank counts
	managementRule = departmentRule{MaxViewerDepartments, "viewer.departments.required", "viewer.managed.too_many"}
)

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
			refuse("within", scopeRule.check(d.Within, known.DepartmentIds))
		}
	case ViewerByPerson:
		d.UserIDs = distinctIDs(append(d.UserIDs, known.HiddenIds...))
		refuse("user_ids", checkViewerPeople(d.UserIDs, known))
	default:
		refused["by"] = "viewer.by.required"
	}
	refuse("departments", managementRule.check(d.Departments, known.DepartmentIds))
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
	d.UserIDs = distinctIDs(d.UserIDs)
	return d
}

func distinctIDs(ids []int64) []int64 { return slices.Compact(slices.Sorted(slices.Values(ids))) }

// checkViewerPeople returns the refusal of the individuals, with those who are hidden; ""
// for none. Those of the registration as it is are not refused.
func checkViewerPeople(ids []int64, known viewerChoicesRow) queries.Invalid {
	unknown := func(id int64) bool {
		return !slices.Contains(known.UserIds, id) && !slices.Contains(known.RegisteredIds, id)
	}
	switch {
	case len(ids) == 0:
		return "viewer.targets.required"
	case slices.Equal(ids, known.RegisteredIds):
		return ""
	case len(ids) > MaxViewerPeople && len(known.HiddenIds) > 0:
		return "viewer.people.too_many_hidden"
	case len(ids) > MaxViewerPeople:
		return "viewer.people.too_many"
	case slices.ContainsFunc(ids, unknown):
		return "viewer.people.unknown"
	}
	return ""
}

// check returns the refusal of a list; "" for none.
func (rule departmentRule) check(departments []ViewerDepartment, known []int64) queries.Invalid {
	unknown := func(d ViewerDepartment) bool { return !slices.Contains(known, d.ID) }
	switch {
	case len(departments) == 0:
		return rule.required
	case len(departments) > rule.most:
		return rule.tooMany
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
