package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/views"
)

// statusPolicies is how many policies can be chosen from.
const statusPolicies = 1000

// status tells which policy of a kind applies to whom. What somebody chose is
// in the address: view, department_id, source, policy_id, q and the place in the
// list: after or before an id, and as what number the page begins.
func (h *handlers) status(w http.ResponseWriter, r *http.Request) error {
	view, filter, err := h.statusChoice(r)
	if err != nil {
		return err
	}
	if err := h.fillStatus(r, &view, filter); err != nil {
		return err
	}
	status := http.StatusOK
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, views.Status(view))
}

// statusChoice reads the address. What cannot have been chosen on the page is
// no page; a search that is too short or too long is refused in the view.
func (h *handlers) statusChoice(r *http.Request) (view views.StatusList, filter queries.StatusFilter, err error) {
	query := r.URL.Query()
	view = views.StatusList{
		Frame: h.frame(r), Kind: chi.URLParam(r, "kind"), View: query.Get("view"), Query: query.Get("q"), Source: queries.Source(query.Get("source")),
	}
	filter = queries.StatusFilter{Source: view.Source, Limit: views.StatusPageSize}
	if !slices.Contains([]string{"", "departments"}, view.View) ||
		!slices.Contains([]queries.Source{"", queries.Own, queries.Inherited, queries.Default}, view.Source) {
		return view, filter, errPageNotFound
	}
	if filter.PolicyID, err = idIn(query, "policy_id"); err != nil {
		return view, filter, err
	}
	if filter.DepartmentID, err = idIn(query, "department_id"); err != nil {
		return view, filter, err
	}
	if filter.After.ID, err = idIn(query, "after"); err != nil {
		return view, filter, err
	}
	if filter.Before.ID, err = idIn(query, "before"); err != nil {
		return view, filter, err
	}
	if view.First, err = strconv.Atoi(query.Get("first")); err != nil || view.First < 0 {
		view.First = 0
	}
	filter.Search, err = queries.ParseSearch(view.Query)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		view.Refused = string(refused)
	}
	return view, filter, h.statusNames(r, &view, filter)
}

// statusNames finds what the filters offer and what was chosen of it. What is
// of another company is not there.
func (h *handlers) statusNames(r *http.Request, view *views.StatusList, filter queries.StatusFilter) error {
	p := person(r).Person
	all, err := h.db.Policies(r.Context(), p, view.Kind, queries.PolicyFilter{Order: queries.PolicyByName, Limit: statusPolicies})
	if err != nil {
		return err
	}
	view.Policies, view.Departments = all.Policies, all.Departments
	if filter.PolicyID != 0 {
		view.PolicyID = filter.PolicyID
		if !slices.ContainsFunc(all.Policies, func(p queries.PolicySummary) bool { return p.ID == filter.PolicyID }) {
			return errPageNotFound
		}
	}
	if filter.DepartmentID != 0 {
		view.Department, err = h.db.Branch(r.Context(), queries.BranchParams{CompanyID: p.CompanyID, ID: filter.DepartmentID})
	}
	return err
}

func (h *handlers) fillStatus(r *http.Request, view *views.StatusList, filter queries.StatusFilter) error {
	if view.Refused != "" {
		return nil
	}
	if view.View == "departments" {
		return h.fillDepartments(r, view, filter)
	}
	return h.fillPeople(r, view, filter)
}

func (h *handlers) fillPeople(r *http.Request, view *views.StatusList, filter queries.StatusFilter) error {
	p := person(r).Person
	for _, place := range []*queries.DirectoryPlace{&filter.After, &filter.Before} {
		if place.ID == 0 {
			continue
		}
		there, err := h.db.Person(r.Context(), queries.PersonParams{CompanyID: p.CompanyID, ID: place.ID})
		if err != nil {
			return err
		}
		place.Name = there.Name
	}
	page, err := h.db.PolicyStatus(r.Context(), p, view.Kind, filter)
	if err != nil {
		return err
	}
	view.People, view.Earlier, view.Later = page.Rows, page.Earlier, page.Later
	ids := make([]int64, len(view.People))
	for i, one := range view.People {
		ids[i] = one.DepartmentID
	}
	if view.Paths, err = h.db.DepartmentPaths(r.Context(), p.CompanyID, ids...); err != nil {
		return err
	}
	if filter.Search.Empty() {
		view.Total, err = h.db.PolicyStatusCount(r.Context(), p, view.Kind, filter)
	}
	return err
}

func (h *handlers) fillDepartments(r *http.Request, view *views.StatusList, filter queries.StatusFilter) error {
	page, err := h.db.DepartmentStatuses(r.Context(), person(r).Person, view.Kind, filter)
	view.DepartmentRows, view.Earlier, view.Later = page.Rows, page.Earlier, page.Later
	return err
}

// idIn reads an id of the address, 0 without one.
func idIn(query url.Values, name string) (int64, error) {
	if query.Get(name) == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(query.Get(name), 10, 64)
	if err != nil || id <= 0 {
		return 0, errPageNotFound
	}
	return id, nil
}
