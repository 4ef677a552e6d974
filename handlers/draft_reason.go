package handlers

import (
	"errors"
	"net/http"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// shownPeople is the number of people offered to explain a draft for.
const shownPeople = 8

// draftReason explains a draft that starts at a given time for the selected
// person, if there is one, and offers people to select.
func (h *handlers) draftReason(r *http.Request, page policyviews.Edit, draft policy.Draft, at time.Time) (d policyviews.DraftReason, err error) {
	var policyID int64
	if page.Policy != nil {
		policyID = page.Policy.ID
	}
	if d, err = h.draftPeople(r, draft, policyID); err != nil {
		return d, err
	}
	chosen, err := idIn(r.PostForm, "person")
	if err != nil || chosen == 0 {
		return d, err
	}
	ctx, companyID := r.Context(), person(r).CompanyID
	of := policyviews.StatusReason{Frame: h.frameWithoutToast(r), Kind: string(page.Kind), Applies: true, Draft: true}
	of.At = at.In(of.Frame.Now.Location())
	if of.Person, err = h.db.Directory.Person(ctx, directory.PersonParams{CompanyID: companyID, ID: chosen}); err != nil {
		return d, err
	}
	if of.Effective, err = h.db.Policies.ExplainDraft(ctx, actor(r), draft, policyID, chosen, time.Time{}); err != nil {
		return d, err
	}
	d.Of = &of
	d.Now, err = h.db.Policies.Effective(ctx, companyID, chosen, string(page.Kind), at)
	return d, err
}

// draftPeople returns the people that match the search, or else some of the
// people affected by the draft.
func (h *handlers) draftPeople(r *http.Request, draft policy.Draft, policyID int64) (policyviews.DraftReason, error) {
	d := policyviews.DraftReason{Query: r.PostForm.Get("person_q")}
	search, err := lists.ParseSearch(d.Query)
	var refused queries.Invalid
	switch {
	case errors.As(err, &refused):
		d.Refused = string(refused)
		return d, nil
	case search.Empty():
		d.People, err = h.db.Policies.AffectedPeople(r.Context(), actor(r), draft, policyID, shownPeople)
		return d, err
	}
	filter := directory.UserFilter{CompanyID: person(r).CompanyID, Scope: directory.Scope{Everybody: true}, Search: search, Hidden: true, Limit: shownPeople}
	found, err := h.db.Directory.Users(r.Context(), filter)
	for _, p := range found.Rows {
		if !p.Bot {
			d.People = append(d.People, policy.AffectedPerson{ID: p.ID, Name: p.Name, Department: p.DepartmentName})
		}
	}
	return d, err
}

// searchesPerson reports whether the request is a search for a person submitted
// with Enter. Elsewhere in the dialog Enter applies the draft.
func searchesPerson(r *http.Request) bool {
	return r.PostForm.Get("person_q") != r.PostForm.Get("person_searched")
}
