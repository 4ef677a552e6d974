package handlers

import (
	"errors"
	"net/http"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
)

// lastChange returns the last change of an object of the reader's company if it was the
// given action, as "link.deleted" of a "link"; else NotFound. It tells somebody whose form
// is too late who was first.
func (h *handlers) lastChange(r *http.Request, objectType string, id int64, action string) (audit.Change, error) {
	change, err := h.newestChange(r, objectType, id, "")
	if err == nil && change.Action != action {
		err = queries.NotFound
	}
	return change, err
}

// lastChanges returns the newest of the lastChange of several objects; NotFound if that of
// one of them was another action.
func (h *handlers) lastChanges(r *http.Request, objectType string, ids []int64, action string) (newest audit.Change, err error) {
	for _, id := range ids {
		change, err := h.lastChange(r, objectType, id, action)
		if err != nil {
			return audit.Change{}, err
		}
		if change.At.After(newest.At) {
			newest = change
		}
	}
	return newest, nil
}

// redirectIfGone redirects from an action on an object that somebody has deleted to a page
// that says so. Other errors are returned.
func (h *handlers) redirectIfGone(w http.ResponseWriter, r *http.Request, err error, to string, deletion func(*http.Request) (string, error)) error {
	if !errors.Is(err, queries.NotFound) {
		return err
	}
	text, err := deletion(r)
	if err != nil {
		return err
	}
	return h.redirectWithUndo(w, r, to, text, "")
}

// newestChange returns the newest change of an object of the reader's company, of any action
// for "". NotFound means that there is none.
func (h *handlers) newestChange(r *http.Request, objectType string, id int64, action string) (audit.Change, error) {
	changes, err := h.db.Audit.Changes(r.Context(), audit.ChangeFilter{CompanyID: person(r).CompanyID, ObjectType: objectType, ObjectID: id, Action: action, Limit: 1})
	if err != nil {
		return audit.Change{}, err
	}
	if len(changes.Rows) == 0 {
		return audit.Change{}, queries.NotFound
	}
	return changes.Rows[0], nil
}

// changedText is a message with the Name of who made a change and its Time, and with more
// values.
func changedText(r *http.Request, message string, change audit.Change, more ...any) string {
	at := locales.DateTime(r.Context(), change.At.In(zone(person(r))))
	return locales.T(r.Context(), message, append([]any{"Name", change.ActorName, "Time", at}, more...)...)
}
