package handlers

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/views"
	policyviews "officeconsole/views/policy"
)

// mostFound is the maximum number of departments, and of people, that a search
// without scripts shows.
const mostFound = 20

// findTargets shows the departments and people that match the search of the
// form without scripts.
func (h *handlers) findTargets(w http.ResponseWriter, r *http.Request, page policyviews.Edit) error {
	found, err := h.foundTargets(r, page.Form.Find)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		page.Fields = queries.FieldErrors{"find": refused}
		return h.showPolicy(w, r, http.StatusUnprocessableEntity, page)
	}
	if err != nil {
		return err
	}
	page.Found = found
	return h.showPolicy(w, r, http.StatusOK, page)
}

// foundTargets returns the departments and people that match a search; none for an
// empty one. It refuses as lists.ParseSearch does.
func (h *handlers) foundTargets(r *http.Request, text string) (found []policy.Target, err error) {
	ctx, companyID := r.Context(), person(r).CompanyID
	search, err := lists.ParseSearch(text)
	if err != nil || search.Empty() {
		return nil, err
	}
	departments, err := h.db.Directory.Departments(ctx, companyID, directory.Scope{Everybody: true}, search)
	if err != nil {
		return nil, err
	}
	for _, d := range departments[:min(mostFound, len(departments))] {
		found = append(found, policy.Target{Type: policy.DepartmentTarget, ID: d.ID, IncludeChildren: true, Name: d.Path})
	}
	people, err := h.db.Directory.Users(ctx, directory.UserFilter{CompanyID: companyID, Scope: directory.Scope{Everybody: true}, Search: search, Limit: mostFound})
	if err != nil {
		return nil, err
	}
	for _, p := range people.Rows {
		if !p.Bot {
			found = append(found, policy.Target{Type: policy.UserTarget, ID: p.ID, IncludeChildren: true, Name: p.Name})
		}
	}
	return found, nil
}

// takenEntry is a target that a policy holds, as the target dialog reads it.
type takenEntry struct {
	Type   policy.TargetType `json:"type"`
	ID     int64             `json:"id"`
	Policy views.TakenPolicy `json:"policy"`
}

// takenTargets returns to the target dialog the targets that other policies of
// the kind hold, with dates in the language of the page.
func (h *handlers) takenTargets(w http.ResponseWriter, r *http.Request) error {
	except, err := strconv.ParseInt(cmp.Or(r.URL.Query().Get("except"), "0"), 10, 64)
	if err != nil {
		return errPageNotFound
	}
	taken, err := h.db.Policies.TakenTargets(r.Context(), person(r).CompanyID, string(policyKind(r)), except)
	if err != nil {
		return err
	}
	entries, now := make([]takenEntry, len(taken)), h.db.Now().In(zone(person(r)))
	for i, t := range taken {
		entries[i] = takenEntry{t.Type, t.ID, policyviews.NewTakenPolicy(r.Context(), t, now)}
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]any{"data": entries})
}
