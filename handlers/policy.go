package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"officeconsole/queries"
	"officeconsole/views"
)

// policyPageSize is how many policies a page shows.
const policyPageSize = 50

// policies lists the policies of a kind. What somebody chose is in the address:
// department_id, q, status, plan, sort and the place in the list.
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
	view, filter, err := h.chosenPolicies(r, query)
	if err != nil {
		return view, err
	}
	view.Frame = h.frame(r)
	view.Page, err = h.db.Policies(r.Context(), person(r).Person, string(view.Kind), filter)
	return view, err
}

// chosenPolicies reads a query. What cannot have been chosen on the page is no
// page; a search that is too short or too long is refused in the view.
func (h *handlers) chosenPolicies(r *http.Request, query url.Values) (views.PolicyList, queries.PolicyFilter, error) {
	view := views.PolicyList{
		Kind:   policyKind(r),
		Query:  query.Get("q"),
		Status: query.Get("status"),
		Plan:   query.Get("plan"),
		Sort:   cmp.Or(query.Get("sort"), "-"+string(queries.PolicyByModified)),
	}
	filter, err := h.policyFilter(r, query, &view)
	return view, filter, err
}

func (h *handlers) policyFilter(r *http.Request, query url.Values, view *views.PolicyList) (queries.PolicyFilter, error) {
	filter := queries.PolicyFilter{Limit: policyPageSize}

	filter.Order = queries.PolicyOrder(strings.TrimPrefix(view.Sort, "-"))
	filter.Descending = strings.HasPrefix(view.Sort, "-")
	if !slices.Contains(queries.PolicyOrders, filter.Order) {
		return filter, errPageNotFound
	}
	switch view.Status {
	case "enabled", "disabled":
		enabled := view.Status == "enabled"
		filter.Enabled = &enabled
	case "":
	default:
		return filter, errPageNotFound
	}
	switch view.Plan {
	case "planned":
		filter.Planned = true
	case "":
	default:
		return filter, errPageNotFound
	}
	search, err := queries.ParseSearch(view.Query)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		view.Refused = string(refused)
	}
	filter.Search = search
	if filter.After, err = policyKey(query, "after"); err != nil {
		return filter, err
	}
	if filter.Before, err = policyKey(query, "before"); err != nil {
		return filter, err
	}
	if !query.Has("department_id") {
		return filter, nil
	}
	id, err := strconv.ParseInt(query.Get("department_id"), 10, 64)
	if err != nil {
		return filter, errPageNotFound
	}
	branch, err := h.db.Branch(r.Context(), queries.BranchParams{CompanyID: person(r).CompanyID, ID: id})
	if err != nil {
		return filter, err
	}
	view.Department = branch
	filter.Branch = branch.Lineage
	return filter, nil
}

// policyKey reads a place in the list, as PolicyList.place wrote it.
func policyKey(query url.Values, name string) (key queries.PolicyKey, err error) {
	if !query.Has(name) {
		return key, nil
	}
	value, id, ok := strings.Cut(query.Get(name), "_")
	if !ok {
		return key, errPageNotFound
	}
	if key.Value, err = strconv.ParseInt(value, 10, 64); err != nil {
		return key, errPageNotFound
	}
	if key.ID, err = strconv.ParseInt(id, 10, 64); err != nil {
		return key, errPageNotFound
	}
	return key, nil
}
