package handlers

import (
	"net/http"
	"net/url"

	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// policyPageSize is the number of policies on a page.
const policyPageSize = 50

// policies lists the policies of a kind. The filters are in the URL, see
// policy.Filter; with a date, the list is that of policiesAt.
func (h *handlers) policies(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Get("at") != "" {
		return h.policiesAt(w, r)
	}
	view, err := h.policyList(r, r.URL.Query())
	if err != nil {
		return err
	}
	return h.renderStatus(w, r, statusOf(view.Refused), policyviews.ListPage(view))
}

// policyList returns the list that a query selects.
func (h *handlers) policyList(r *http.Request, query url.Values) (policyviews.List, error) {
	view, err := h.chosenPolicies(r, query)
	if err != nil {
		return view, err
	}
	if view.Picked, err = rowIDs(query["picked"]); err != nil {
		return view, err
	}
	view.PicksAll = len(view.Picked) > 0 && query.Get("all") == "1"
	view.Frame, view.Address = h.frame(r), address(r)
	view.Frame.Path = withoutPicked(view.Frame.Path)
	if view.Deleted {
		view.Gone, err = h.db.Policies.Deleted(r.Context(), person(r).CompanyID, string(view.Kind), view.Filter)
		return view, err
	}
	view.Page, err = h.db.Policies.List(r.Context(), person(r).Person, string(view.Kind), view.Filter)
	return view, err
}

// chosenPolicies reads the filter of a query. A value that the page does not
// offer is errPageNotFound; a search text that is too short or too long is an
// error in the view.
func (h *handlers) chosenPolicies(r *http.Request, query url.Values) (view policyviews.List, err error) {
	view.Kind = policyKind(r)
	view.Filter, err = policy.ReadFilter(query)
	if view.Refused, err = refusedFilter(err); err != nil {
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
