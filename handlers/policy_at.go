package handlers

import (
	"net/http"
	"slices"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/search"
	policyviews "officeconsole/views/policy"
)

// policiesAt lists the policies of a kind at the date in the URL, compared with now:
// those that differ, or all of them with view=all.
func (h *handlers) policiesAt(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	view := policyviews.ListAt{Frame: h.frame(r), Kind: policyKind(r), Query: query.Get("q"), All: query.Get("view") == "all"}
	var err error
	if view.Date, _, err = dateOf(r, view.Frame.Now); err != nil {
		return err
	}
	chosen, err := lists.ParseSearch(view.Query)
	if view.Refused, err = refusedSearch(err); err != nil {
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
	if view.Date, _, err = dateOf(r, view.Frame.Now); err != nil {
		return err
	}
	all, err := h.db.Policies.PoliciesAt(r.Context(), person(r).Person, string(view.Kind), view.Date, search.Search{})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all.Rows, func(p policy.PolicyAt) bool { return p.ID == id })
	if i < 0 {
		return h.policyOutside(w, r, view)
	}
	view.PolicyAt = all.Rows[i]
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

// dateOf reads the date in the URL, which means its midnight in the zone of now, and
// whether there is one.
func dateOf(r *http.Request, now time.Time) (at time.Time, chosen bool, err error) {
	given := r.URL.Query().Get("at")
	if given == "" {
		return now, false, nil
	}
	if at, err = time.ParseInLocation(time.DateOnly, given, now.Location()); err != nil || at.Year() < 1900 || at.Year() > 2200 {
		return at, false, errPageNotFound
	}
	return at, true, nil
}
