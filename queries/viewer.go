package queries

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Viewer is a registration of viewing-authority persons (spec §6): those of a
// rank "or above", or one or two individuals, may see the attendance of their
// management departments.
type Viewer struct {
	ID           int64
	RankID       int64 // 0: individuals
	RankName     string
	WholeCompany bool               // where the rank counts
	Within       []ViewerDepartment // else only here, by path
	People       []ViewerPerson     // the individuals, by name
	Departments  []ViewerDepartment // the management departments, by path
	MayEdit      bool
	VersionNo    int32  // grows with every change, which If-Match names
	RegisteredBy string // "": nobody of the company
	RegisteredAt time.Time
}

// ViewerDepartment is a department of a registration, with or without those
// below it.
type ViewerDepartment struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	Path            string `json:"-"`
	IncludeChildren bool   `json:"include_children"`
}

// ViewerPerson is somebody who was registered by name.
type ViewerPerson struct {
	ID         int64   `json:"id"`
	Name       string  `json:"name"`
	Position   string  `json:"-"` // name of the rank, "" for none
	Department string  `json:"-"`
	ImageHash  *string `json:"-"`
	Hidden     bool    `json:"-"`
}

// ViewerFilter chooses registrations of a company and a page of them, the
// latest first. At most one of After and Before is not 0.
type ViewerFilter struct {
	Search  Search // in people, rank and management departments
	MayEdit *bool
	After   int64 // the page behind the registration with this id
	Before  int64 // the page that ends before it
	Limit   int
}

// ViewerPage is a page of registrations.
type ViewerPage struct {
	Viewers        []Viewer
	Total          int // that match
	First          int // the place of the first one, from 1
	Earlier, Later bool
}

// Viewers are the registrations of a company that are not deleted.
func (db *DB) Viewers(ctx context.Context, companyID int64, f ViewerFilter) (ViewerPage, error) {
	patterns := []string{}
	for _, word := range f.Search.Keywords {
		patterns = append(patterns, "%"+likeEscaper.Replace(word)+"%")
	}
	ids, err := db.viewerIDs(ctx, viewerIDsParams{
		CompanyID: companyID, MayEdit: f.MayEdit, Searching: !f.Search.Empty(), Patterns: patterns,
	})
	if err != nil {
		return ViewerPage{}, fmt.Errorf("registrations: %w", err)
	}
	first, end := f.cut(ids)
	page := ViewerPage{Total: len(ids), First: first + 1, Earlier: first > 0, Later: end < len(ids)}
	page.Viewers, err = db.viewersOf(ctx, companyID, ids[first:end])
	return page, err
}

// cut gives the part of the ids, which descend, that is on the page.
func (f ViewerFilter) cut(ids []int64) (first, end int) {
	descending := func(id, place int64) int { return int(min(1, max(-1, place-id))) }
	switch {
	case f.Before != 0:
		end, _ = slices.BinarySearchFunc(ids, f.Before, descending)
		return max(0, end-f.Limit), end
	case f.After != 0:
		var found bool
		if first, found = slices.BinarySearchFunc(ids, f.After, descending); found {
			first++
		}
	}
	return first, min(len(ids), first+f.Limit)
}

// Viewer is one registration; NotFound if it is deleted.
func (db *DB) Viewer(ctx context.Context, companyID, id int64) (Viewer, error) {
	return db.viewer(ctx, companyID, id)
}

func (q *Queries) viewer(ctx context.Context, companyID, id int64) (Viewer, error) {
	found, err := q.viewersOf(ctx, companyID, []int64{id})
	if err == nil && len(found) == 0 {
		err = NotFound
	}
	if err != nil {
		return Viewer{}, err
	}
	return found[0], nil
}

// viewersOf reads registrations with all that belongs to them, the latest first.
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
	places := make(map[int64]*Viewer, len(rows))
	for i, row := range rows {
		viewers[i] = Viewer{
			ID: row.ID, RankName: row.RankName, WholeCompany: row.WholeCompany, MayEdit: row.MayEdit, VersionNo: row.VersionNo,
			RegisteredBy: row.CreatedByName, RegisteredAt: row.CreatedAt,
		}
		if row.RankID != nil {
			viewers[i].RankID = *row.RankID
		}
		places[row.ID] = &viewers[i]
	}
	for _, p := range people {
		if v := places[p.ViewerID]; v != nil {
			v.People = append(v.People, ViewerPerson{p.ID, p.Name, p.Position, p.Department, p.ImageHash, p.Hidden})
		}
	}
	for _, d := range departments {
		v := places[d.ViewerID]
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
