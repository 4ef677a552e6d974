package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// statusPolicies is the maximum number of policies in the policy filter.
const statusPolicies = 1000

// status lists users with the policy of a kind that applies to each. The
// filters are in the URL, see policy.StatusFilter.
func (h *handlers) status(w http.ResponseWriter, r *http.Request) error {
	view, err := h.statusList(r, r.URL.Query())
	if err != nil {
		return err
	}
	return h.renderStatus(w, r, statusOf(view.Refused), policyviews.StatusPage(view))
}

// statusList returns the list that a query selects.
func (h *handlers) statusList(r *http.Request, query url.Values) (policyviews.StatusList, error) {
	view, err := h.statusChoice(r, query)
	if err != nil {
		return view, err
	}
	return view, h.fillStatus(r, &view)
}

// statusChoice reads the filter from a query. A value that the page does not
// offer is errPageNotFound; a search text that is too short or too long is an
// error in the view.
func (h *handlers) statusChoice(r *http.Request, query url.Values) (view policyviews.StatusList, err error) {
	view = policyviews.StatusList{Frame: h.frame(r), Kind: chi.URLParam(r, "kind")}
	view.StatusFilter, err = policy.ReadStatusFilter(query)
	if view.Refused, err = refusedFilter(err); err != nil {
		return view, err
	}
	view.Limit = policyviews.StatusPageSize
	return view, h.statusNames(r, &view)
}

// statusNames loads the options of the filters and the names of the selected
// ones. It ignores ids of another company.
func (h *handlers) statusNames(r *http.Request, view *policyviews.StatusList) error {
	p := person(r).Person
	all, err := h.db.Policies.List(r.Context(), p, view.Kind, policy.Filter{Order: policy.ByName, Limit: statusPolicies})
	if err != nil {
		return err
	}
	view.Policies, view.Departments = all.Rows, all.Departments
	if view.PolicyID != 0 && !slices.ContainsFunc(all.Rows, func(p policy.Summary) bool { return p.ID == view.PolicyID }) {
		return errPageNotFound
	}
	if view.DepartmentID != 0 {
		view.Department, err = h.db.Policies.Department(r.Context(), policy.DepartmentParams{CompanyID: p.CompanyID, ID: view.DepartmentID})
	}
	return err
}

func (h *handlers) fillStatus(r *http.Request, view *policyviews.StatusList) (err error) {
	if view.OfDepartments {
		view.DepartmentRows, err = h.db.Policies.DepartmentStatuses(r.Context(), person(r).Person, view.Kind, view.StatusFilter)
		return err
	}
	return h.fillPeople(r, view)
}

func (h *handlers) fillPeople(r *http.Request, view *policyviews.StatusList) (err error) {
	p := person(r).Person
	if view.People, err = h.db.Policies.PersonStatuses(r.Context(), p, view.Kind, view.StatusFilter); err != nil {
		return err
	}
	if view.Search.Empty() {
		view.People.Total, err = h.db.Policies.StatusCount(r.Context(), p, view.Kind, view.StatusFilter)
	}
	return err
}

// idIn reads an id from the URL, 0 without one.
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
