package handlers

import (
	"errors"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	policyviews "officeconsole/views/policy"
)

// compareStatus explains side by side which policies apply to a few people:
// ?user_id=4&user_id=7&at=2026-12-01. With q it lists people to add.
func (h *handlers) compareStatus(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	ids, err := rowIDs(query["user_id"])
	if err != nil || len(ids) == 0 {
		return errPageNotFound
	}
	ids = withoutRepeated(ids)
	view := policyviews.Comparison{Frame: h.frame(r), Kind: chi.URLParam(r, "kind"), Query: query.Get("q"), At: query.Get("at")}
	status := http.StatusOK
	if len(ids) > policyviews.MostCompared {
		ids, status = ids[:policyviews.MostCompared], http.StatusUnprocessableEntity
	}
	for _, id := range ids {
		reason, err := h.reasonOf(r, id)
		if err != nil {
			return err
		}
		view.People = append(view.People, reason)
	}
	if !view.IsFull() {
		if err := h.findCompared(r, &view); err != nil {
			return err
		}
		if view.Refused != "" {
			status = http.StatusUnprocessableEntity
		}
	}
	return h.renderStatus(w, r, status, policyviews.ComparisonPage(view))
}

// withoutRepeated returns ids in their order, each once.
func withoutRepeated(ids []int64) (once []int64) {
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}

// findCompared finds people by the search text who are not compared yet.
func (h *handlers) findCompared(r *http.Request, view *policyviews.Comparison) error {
	search, err := lists.ParseSearch(view.Query)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		view.Refused = string(refused)
		return nil
	}
	if err != nil || search.Empty() {
		return err
	}
	filter := directory.UserFilter{CompanyID: person(r).CompanyID, Scope: directory.Scope{Everybody: true}, Search: search, Limit: mostFound}
	found, err := h.db.Directory.Users(r.Context(), filter)
	for _, user := range found.Rows {
		isCompared := slices.ContainsFunc(view.People, func(v policyviews.StatusReason) bool { return v.Person.ID == user.ID })
		if !user.Bot && !isCompared {
			view.Found = append(view.Found, user)
		}
	}
	return err
}
