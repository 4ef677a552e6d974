package handlers

import (
	"net/http"
	"net/url"

	"officeconsole/queries/policy"
	"officeconsole/views"
)

// policyPageSize is how many policies a page shows.
const policyPageSize = 50

// policies lists the policies of a kind. What somebody chose is in the address,
// see queries.ReadPolicyFilter.
func (h *handlers) policies(w http.ResponseWriter, r *http.Request) error {
	view, err := h.policyList(r, r.URL.Query())
	if err != nil {
		return err
	}
	status := http.StatusOK
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, views.Policies(view))
}

// policyList is the list as a query chooses it.
func (h *handlers) policyList(r *http.Request, query url.Values) (views.PolicyList, error) {
	view, err := h.chosenPolicies(r, query)
	if err != nil {
		return view, err
	}
	view.Frame = h.frame(r)
	view.Page, err = h.db.Policies.List(r.Context(), person(r).Person, string(view.Kind), view.Filter)
	return view, err
}

// chosenPolicies reads a query. What cannot have been chosen on the page is no
// page; a search that is too short or too long is refused in the view.
func (h *handlers) chosenPolicies(r *http.Request, query url.Values) (view views.PolicyList, err error) {
	view.Kind = policyKind(r)
	view.Filter, err = policy.ReadFilter(query)
	if view.Refused, err = refusedSearch(err); err != nil {
		return view, err
	}
	view.Limit = policyPageSize
	if view.DepartmentID == 0 {
		return view, nil
	}
	view.Department, err = h.db.Policies.Department(r.Context(), policy.DepartmentParams{CompanyID: person(r).CompanyID, ID: view.DepartmentID})
	view.Ancestors = view.Department.Ancestors
	return view, err
}
