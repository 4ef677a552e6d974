package attendance

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/search"
)

// Viewer is a registration of viewing-authority persons (spec §6): the users of
// a rank "or above", or one or two individuals, who may see the attendance of
// the management departments.
type Viewer struct {
	ID           int64
	RankID       int64 // 0 for individuals
	RankName     string
	WholeCompany bool               // whether the rank counts in every department
	Within       []ViewerDepartment // the departments where the rank counts, by path, unless WholeCompany
	People       []ViewerPerson     // the individuals who are not hidden, by name
	hidden       []ViewerPerson     // the others
	Departments  []ViewerDepartment // the management departments, by path
	MayEdit      bool
	VersionNo    int32  // incremented by every change; the value of If-Match
	RegisteredBy string // "" if that user is no longer in the directory
	RegisteredAt time.Time
}

// ViewerDepartment is a department of a registration, with or without its
// subtree.
type ViewerDepartment struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	Path            string `json:"-"`
	IncludeChildren bool   `json:"include_children"`
}

// ViewerPerson is a user who is registered as an individual.
type ViewerPerson struct {
	ID         int64   `json:"id"`
	Name       string  `json:"name"`
	Position   string  `json:"-"` // the name of the rank, "" for none
	Department string  `json:"-"`
	ImageHash  *string `json:"-"`
}

// ViewerFilter is what somebody chose for the list of registrations, the latest
// first.
type ViewerFilter struct {
	Query   string        // the search text as typed
	Search  search.Search // in people, rank and management departments
	MayEdit *bool
	Cursor  *lists.Cursor
	Limit   int
}

// ReadViewerFilter reads the filter of the list from a URL: editing, which is
// yes, no or missing, q and cursor. Values that the page does not offer are
// refused with FieldErrors.
func ReadViewerFilter(query url.Values) (ViewerFilter, error) {
	r := lists.AddressReader{Query: query}
	f := ViewerFilter{}
	if editing := lists.OneOf(&r, "editing", []string{"yes", "no"}); editing != "" {
		mayEdit := editing == "yes"
		f.MayEdit = &mayEdit
	}
	f.Query, f.Search = r.Search("q")
	f.Cursor = r.Cursor(viewerList)
	return f, r.Err()
}

// Values returns the filter as parameters of a URL, without the cursor.
func (f ViewerFilter) Values() url.Values {
	query := url.Values{}
	lists.SetText(query, "q", f.Query)
	lists.SetText(query, "editing", f.Editing())
	return query
}

// Editing returns yes or no, as it is in URLs; "" for both.
func (f ViewerFilter) Editing() string {
	switch {
	case f.MayEdit == nil:
		return ""
	case *f.MayEdit:
		return "yes"
	}
	return "no"
}

// viewerList is the list name of the cursors of registrations.
const viewerList = "viewers"

// Viewers returns the registrations of a company that are not deleted.
func (s *Store) Viewers(ctx context.Context, companyID int64, f ViewerFilter) (lists.Page[Viewer], error) {
	page := lists.Page[Viewer]{}
	if err := f.Cursor.Check(viewerList); err != nil {
		return page, err
	}
	ids, err := s.viewerIDs(ctx, viewerIDsParams{
		CompanyID: companyID, MayEdit: f.MayEdit, Searching: !f.Search.Empty(), Patterns: f.Search.Patterns(),
	})
	if err != nil {
		return page, fmt.Errorf("registrations: %w", err)
	}
	descending := func(id int64) int { return cmp.Compare(f.Cursor.ID, id) }
	cut := lists.CutPage(ids, f.Cursor, f.Limit, descending, func(id int64) lists.Cursor { return lists.Cursor{List: viewerList, ID: id} })
	page.First, page.Total, page.Previous, page.Next = cut.First, cut.Total, cut.Previous, cut.Next
	page.Rows, err = s.viewersOf(ctx, companyID, cut.Rows)
	return page, err
}

// Viewer returns a registration; NotFound if it is deleted.
func (s *Store) Viewer(ctx context.Context, companyID, id int64) (Viewer, error) {
	return s.viewer(ctx, companyID, id)
}

func (q *Queries) viewer(ctx context.Context, companyID, id int64) (Viewer, error) {
	found, err := q.viewersOf(ctx, companyID, []int64{id})
	if err == nil && len(found) == 0 {
		err = queries.NotFound
	}
	if err != nil {
		return Viewer{}, err
	}
	return found[0], nil
}

// viewersOf reads registrations with their users and departments, the latest
// first.
func (q *Queries) viewersOf(ctx context.Context, companyID int64, ids []int64) ([]Viewer, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := q.viewersByID(ctx, viewersByIDParams{companyID, ids})
	if err != nil {
		return nil, fmt.Errorf("registrations: %w", err)
	}
	people, err := q.viewerPeople(ctx, viewerPeopleParams{companyID, ids})
	if err != nil {
		return nil, fmt.Errorf("registered people: %w", err)
	}
	departments, err := q.viewerDepartments(ctx, viewerDepartmentsParams{companyID, ids})
	if err != nil {
		return nil, fmt.Errorf("management departments: %w", err)
	}
	viewers := make([]Viewer, len(rows))
	byID := make(map[int64]*Viewer, len(rows))
	for i, row := range rows {
		viewers[i] = Viewer{
			ID: row.ID, RankName: row.RankName, WholeCompany: row.WholeCompany, MayEdit: row.MayEdit, VersionNo: row.VersionNo,
			RegisteredBy: row.CreatedByName, RegisteredAt: row.CreatedAt,
		}
		if row.RankID != nil {
			viewers[i].RankID = *row.RankID
		}
		byID[row.ID] = &viewers[i]
	}
	for _, p := range people {
		v := byID[p.ViewerID]
		switch person := (ViewerPerson{p.ID, p.Name, p.Position, p.Department, p.ImageHash}); {
		case v == nil:
		case !p.Hidden:
			v.People = append(v.People, person)
		case v.RankID == 0: // a rank that replaced individuals does not remove the hidden ones
			v.hidden = append(v.hidden, person)
		}
	}
	for _, d := range departments {
		v := byID[d.ViewerID]
		switch department := (ViewerDepartment{d.ID, d.Name, d.Path, d.IncludeChildren}); {
		case v == nil:
		case d.IsScope:
			v.Within = append(v.Within, department)
		default:
			v.Departments = append(v.Departments, department)
		}
	}
	return viewers, nil
}
