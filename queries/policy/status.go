package policy

import (
	"context"
	"fmt"
	"net/url"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/search"
	"officeconsole/workday"
)

// StatusFilter chooses the rows of a list of application status. With only a
// limit it chooses everybody.
type StatusFilter struct {
	OfDepartments bool  // true for the list of departments, false for that of users
	DepartmentID  int64 // with its subtree; 0 for every department
	Source        Source
	PolicyID      int64
	Date          workday.Date // compares what applies at its midnight with now; 0 for now alone
	Differing     bool         // only those to whom something else applies now; for a Date
	Query         string       // the search text as typed
	Search        search.Search
	Cursor        *lists.Cursor
	Limit         int
}

// ReadStatusFilter reads the filter of a list from a URL: view, which is
// departments or missing, department_id, source, policy_id, at, differing, q and cursor.
// Values that the page does not offer are refused with FieldErrors.
func ReadStatusFilter(query url.Values) (StatusFilter, error) {
	r := lists.AddressReader{Query: query}
	f := StatusFilter{
		OfDepartments: lists.OneOf(&r, "view", []string{viewDepartments}) != "",
		DepartmentID:  r.Id("department_id"),
		Source:        lists.OneOf(&r, "source", []Source{Own, Inherited, Default}),
		PolicyID:      r.Id("policy_id"),
		Date:          r.Date("at", 0),
	}
	f.Differing = lists.OneOf(&r, "differing", []string{"1"}) != "" && f.Date != 0
	f.Query, f.Search = r.Search("q")
	f.Cursor = r.Cursor(f.list())
	return f, r.Err()
}

const viewDepartments = "departments"

// Values returns the filter as parameters of a URL, without the cursor.
func (f StatusFilter) Values() url.Values {
	query := url.Values{}
	if f.OfDepartments {
		query.Set("view", viewDepartments)
	}
	lists.SetText(query, "q", f.Query)
	lists.SetText(query, "source", string(f.Source))
	lists.SetID(query, "policy_id", f.PolicyID)
	lists.SetID(query, "department_id", f.DepartmentID)
	if f.Date != 0 {
		query.Set("at", f.Date.String())
		if f.Differing {
			query.Set("differing", "1")
		}
	}
	return query
}

// list returns the name of the list, for cursors.
func (f StatusFilter) list() string {
	if f.OfDepartments {
		return "status:departments"
	}
	return "status:people"
}

// PersonStatus is a user and the policy that applies to them.
type PersonStatus struct {
	UserID               int64
	Name, EmployeeID     string
	DepartmentID         int64
	DepartmentName       string
	DepartmentPath       string // "" without a department
	PolicyID             int64
	PolicyName           string
	VersionNo            int32
	Source               Source
	SourceDepartmentID   int64 // the department that an inherited policy lists, else 0
	SourceDepartmentName string
	Now                  *AppliedPolicy // what applies now instead, in a list of a date; nil for the same
}

// AppliedPolicy is a version of a policy that applies to somebody.
type AppliedPolicy struct {
	PolicyID  int64
	Name      string
	VersionNo int32
}

// PersonStatuses lists users by name with the policy of a kind that applies to
// them now, or at the filter's date, without hidden users and bots. If there is nobody before the
// cursor any more, it returns the first page.
func (s *Store) PersonStatuses(ctx context.Context, p directory.Person, kind string, f StatusFilter) (page lists.Page[PersonStatus], err error) {
	f.OfDepartments = false
	if err := f.Cursor.Check(f.list()); err != nil {
		return page, err
	}
	l, err := s.statusList(ctx, p, kind, f)
	if err != nil {
		return page, err
	}
	isNarrow := f.Source != "" || f.PolicyID != 0 || f.DepartmentID != 0 || f.Differing
	l.isFiltered = isNarrow || !f.Search.Empty()
	if isNarrow {
		tree, err := s.Tree(ctx, p)
		if err != nil {
			return page, err
		}
		if _, err := l.narrow(ctx, tree); err != nil {
			return page, err
		}
	}
	wanted := f.Limit + 1
	for from, size := f.Cursor.Name(), wanted+l.passed; len(l.found) < wanted; size = min(2*size, maxStep) {
		var end bool
		if from, end, err = l.step(ctx, from, size); err != nil {
			return page, fmt.Errorf("status of people: %w", err)
		}
		if end {
			break
		}
	}
	if f.Cursor.IsBackward() && len(l.found) == 0 {
		f.Cursor = nil
		return s.PersonStatuses(ctx, p, kind, f)
	}
	return lists.NewPage(l.found, f.Cursor, f.Limit, func(one PersonStatus) lists.Cursor {
		return lists.Cursor{List: f.list(), Value: one.Name, ID: one.UserID}
	}), nil
}
