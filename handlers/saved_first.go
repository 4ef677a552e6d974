package handlers

import (
	"errors"
	"net/http"

	"officeconsole/queries"
	"officeconsole/views"
)

// savedFirst returns who saved an object last, for a form that was open meanwhile. url is
// the page of what is saved; actions are those that change what the form has.
func (h *handlers) savedFirst(r *http.Request, url, objectType string, id int64, actions ...string) (*views.SavedFirst, error) {
	saved := &views.SavedFirst{URL: url}
	for _, action := range actions {
		change, err := h.newestChange(r, objectType, id, action)
		if err != nil && !errors.Is(err, queries.NotFound) {
			return nil, err
		}
		if change.At.After(saved.At) {
			saved.Name, saved.At = change.ActorName, change.At
		}
	}
	return saved, nil
}
