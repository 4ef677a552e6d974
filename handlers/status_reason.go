package handlers

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	policyviews "officeconsole/views/policy"
)

// statusReason explains which policy of a kind applies to a person now, or at
// the time in the URL, and why.
func (h *handlers) statusReason(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(chi.URLParam(r, "user_id"), 10, 64)
	if err != nil {
		return errPageNotFound
	}
	view, err := h.reasonOf(r, id)
	if err != nil {
		return err
	}
	return h.render(w, r, policyviews.StatusReasonPage(view))
}

// reasonOf explains the policy of a person at the time in the URL. People whom the page
// does not show are errPageNotFound.
func (h *handlers) reasonOf(r *http.Request, id int64) (view policyviews.StatusReason, err error) {
	view = policyviews.StatusReason{Frame: h.frame(r), Kind: chi.URLParam(r, "kind")}
	if view.At, view.Chosen, err = momentOf(r, view.Frame.Now, time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339); err != nil {
		return view, err
	}
	companyID := person(r).CompanyID
	if view.Person, err = h.db.Directory.Person(r.Context(), directory.PersonParams{CompanyID: companyID, ID: id}); err != nil {
		return view, err
	}
	if view.Person.Bot || view.Person.HiddenAt != nil {
		return view, errPageNotFound // bots have no policy
	}
	paths, err := h.db.Policies.DepartmentPaths(r.Context(), companyID, *view.Person.DepartmentID)
	if err != nil {
		return view, err
	}
	view.Department = paths[*view.Person.DepartmentID]
	return view, h.explainStatus(r, &view)
}

// explainStatus fills in the policy and how it was resolved, if the company had
// one at that time. For now, it adds what applied in the last three months and what is
// planned.
func (h *handlers) explainStatus(r *http.Request, view *policyviews.StatusReason) error {
	effective, err := h.db.Policies.Effective(r.Context(), view.Person.CompanyID, view.Person.ID, view.Kind, view.At)
	if errors.Is(err, queries.NotFound) {
		return nil
	}
	view.Applies, view.Effective = err == nil, effective
	if err != nil {
		return err
	}
	if !view.Chosen {
		year, month, day := view.Frame.Now.AddDate(0, -3, 0).Date()
		view.Since = time.Date(year, month, day, 0, 0, 0, 0, view.Frame.Now.Location())
		view.Periods, err = h.db.Policies.EffectivePeriods(r.Context(), view.Person.CompanyID, view.Person.ID, view.Kind, view.Since)
		return err
	}
	now, err := h.db.Policies.Effective(r.Context(), view.Person.CompanyID, view.Person.ID, view.Kind, view.Frame.Now)
	if errors.Is(err, queries.NotFound) {
		return nil
	}
	view.Now = &now
	return err
}
