package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/views"
)

const viewerPageSize = 50

// viewers lists the viewing-authority persons. What somebody chose is in the
// address: q, editing and the place in the list. With new=1 or edit=ID it is
// the form of a registration instead.
func (h *handlers) viewers(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	switch {
	case query.Has("edit"):
		return h.editViewer(w, r)
	case query.Has("new"):
		return h.newViewer(w, r)
	}
	view := views.ViewerList{Frame: h.frame(r), Query: query.Get("q"), Editing: query.Get("editing")}
	filter, err := viewerFilter(query, &view)
	if err != nil {
		return err
	}
	view.Page, err = h.db.Viewers(r.Context(), person(r).CompanyID, filter)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, views.Viewers(view))
}

// viewerFilter reads the address. What cannot have been chosen on the page is
// no page; a search that is too short or too long is refused in view.
func viewerFilter(query url.Values, view *views.ViewerList) (queries.ViewerFilter, error) {
	filter := queries.ViewerFilter{Limit: viewerPageSize}
	switch view.Editing {
	case "yes", "no":
		mayEdit := view.Editing == "yes"
		filter.MayEdit = &mayEdit
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
	if filter.After, err = viewerPlace(query, "after"); err != nil {
		return filter, err
	}
	filter.Before, err = viewerPlace(query, "before")
	return filter, err
}

func viewerPlace(query url.Values, name string) (int64, error) {
	if !query.Has(name) {
		return 0, nil
	}
	return viewerID(query.Get(name))
}

// viewerID reads an id. What is none is a page that does not exist.
func viewerID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, errPageNotFound
	}
	return id, nil
}

func (h *handlers) deleteViewer(w http.ResponseWriter, r *http.Request) error {
	id, err := viewerID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := h.db.DeleteViewer(r.Context(), actor(r), id, 0); err != nil {
		return err
	}
	undo := views.ViewersPath + "/" + strconv.FormatInt(id, 10) + "/restoration"
	return h.doneUndoable(w, r, views.ViewersPath, locales.T(r.Context(), "viewer.deleted"), undo)
}

func (h *handlers) restoreViewer(w http.ResponseWriter, r *http.Request) error {
	id, err := viewerID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if _, err := h.db.RestoreViewer(r.Context(), actor(r), id, 0); err != nil {
		return err
	}
	return h.done(w, r, views.ViewersPath, "viewer.restored")
}
