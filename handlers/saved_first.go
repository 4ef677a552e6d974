package handlers

import (
	"net/http"

	"officeconsole/queries/audit"
	"officeconsole/views"
)

// savedFirst returns who saved an object last, for a form that was open meanwhile. url is
// the page of what is saved; actions are those that change what the form has.
func (h *handlers) savedFirst(r *http.Request, url, objectType string, id int64, actions ...string) (*views.SavedFirst, error) {
	saved := &views.SavedFirst{URL: url}
	for _, action := range actions {
		latest, err := h.db.Audit.Changes(r.Context(), audit.ChangeFilter{
			CompanyID: person(r).CompanyID, ObjectType: objectType, ObjectID: id, Action: action, Limit: 1,
		})
		if err != nil {
			return nil, err
		}
		for _, change := range latest.Rows {
			if change.At.After(saved.At) {
				saved.Name, saved.At = change.ActorName, change.At
			}
		}
	}
	return saved, nil
}
