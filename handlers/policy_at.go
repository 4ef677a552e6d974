package handlers

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
	"officeconsole/workday"
)

// policiesAt lists the policies of a kind at the date in the URL, compared with now:
// those that differ, or all of them with view=all.
func (h *handlers) policiesAt(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	view := policyviews.ListAt{Frame: h.frame(r), Kind: policyKind(r), Query: query.Get("q"), All: query.Get("view") == "all"}
	var err error
	if view.Date, _, err = momentOf(r, view.Frame.Now, time.DateOnly); err != nil {
		return err
	}
	chosen, err := lists.ParseSearch(view.Query)
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	if view.PoliciesAt, err = h.db.Policies.PoliciesAt(r.Context(), person(r).Person, string(view.Kind), view.Date, chosen); err != nil {
		return err
	}
	status := http.StatusOK
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, policyviews.ListAtPage(view))
}

// policyAt shows a policy at the date in the URL, compared with now. It finds deleted
// policies, too.
func (h *handlers) policyAt(w http.ResponseWriter, r *http.Request) error {
	id, err := policyID(r)
	if err != nil {
		return err
	}
	view := policyviews.DetailAt{Frame: h.frame(r), Kind: policyKind(r)}
	if view.Date, _, err = momentOf(r, view.Frame.Now, time.DateOnly); err != nil {
		return err
	}
	view.PolicyAt, err = h.db.Policies.PolicyAt(r.Context(), person(r).Person, string(view.Kind), view.Date, id)
	if errors.Is(err, queries.NotFound) {
		return h.policyOutside(w, r, view)
	}
	if err != nil {
		return err
	}
	var ids []int64
	for _, v := range []*policy.Version{view.Then, view.Now} {
		if v != nil {
			ids = append(ids, peopleOf(v.Values(string(view.Kind)))...)
		}
	}
	if view.People, err = h.nameUsers(r, ids); err != nil {
		return err
	}
	return h.render(w, r, policyviews.DetailAtPage(view))
}

// policyOutside shows that a policy was in force neither at the date nor now.
func (h *handlers) policyOutside(w http.ResponseWriter, r *http.Request, view policyviews.DetailAt) error {
	p, err := h.existingPolicy(r)
	if err != nil {
		return err
	}
	view.PolicyAt = policy.PolicyAt{ID: p.ID, Now: &p.Version}
	view.Outside = true
	return h.render(w, r, policyviews.DetailAtPage(view))
}

// exportPoliciesAt answers with the list of the page as a file.
func (h *handlers) exportPoliciesAt(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	request := exports.PolicyAtRequest{
		List: exports.PoliciesAtList, Kind: string(policyKind(r)), Query: query.Get("q"), All: query.Get("view") == "all",
		Format: query.Get("format"), Locale: locales.FromContext(r.Context()),
	}
	date, isChosen, err := momentOf(r, h.db.Now().In(zone(person(r))), time.DateOnly)
	if err == nil && (!isChosen || !slices.Contains([]string{exports.XLSX, exports.CSV}, request.Format)) {
		err = errPageNotFound
	}
	if err != nil {
		return err
	}
	if _, err := lists.ParseSearch(request.Query); err != nil {
		return err
	}
	request.Date = workday.DateOf(date)
	return h.sendExport(w, r, request, policyviews.ListPath(policyKind(r)))
}

// momentOf reads a time from the URL in the zone of now, written in one of the layouts. A
// layout with an offset may name any zone. A date means its midnight. The default is now.
func momentOf(r *http.Request, now time.Time, layouts ...string) (at time.Time, chosen bool, err error) {
	given := r.URL.Query().Get("at")
	if given == "" {
		return now, false, nil
	}
	for _, layout := range layouts {
		at, err := time.ParseInLocation(layout, given, now.Location())
		if err == nil && at.Year() >= 1900 && at.Year() <= 2200 {
			return at.In(now.Location()), true, nil
		}
	}
	return time.Time{}, false, errPageNotFound
}
