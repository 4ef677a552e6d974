package handlers

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	attendanceviews "officeconsole/views/attendance"
)

const viewerPageSize = 50

// viewers lists the registrations of viewers. The search, the filter and the
// cursor are in the URL. With new=1 or edit=ID it shows the form of a
// registration instead.
func (h *handlers) viewers(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	switch {
	case query.Has("edit"):
		return h.editViewer(w, r)
	case query.Has("new"):
		return h.newViewer(w, r)
	}
	view := attendanceviews.ViewerList{Frame: h.frame(r)}
	var err error
	view.ViewerFilter, err = attendance.ReadViewerFilter(query)
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	view.Limit = viewerPageSize
	if view.Page, err = h.db.Attendance.Viewers(r.Context(), person(r).CompanyID, view.ViewerFilter); err != nil {
		return err
	}
	status := http.StatusOK
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, attendanceviews.ViewersPage(view))
}

func (h *handlers) deleteViewer(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := h.db.Attendance.DeleteViewer(r.Context(), actor(r), id, 0); err != nil {
		return err
	}
	undo := attendanceviews.ViewersPath + "/" + strconv.FormatInt(id, 10) + "/restoration"
	return h.redirectWithUndo(w, r, attendanceviews.ViewersPath, locales.T(r.Context(), "viewer.deleted"), undo)
}

func (h *handlers) restoreViewer(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if _, err := h.db.Attendance.RestoreViewer(r.Context(), actor(r), id, 0); err != nil {
		return err
	}
	return h.redirectWithToast(w, r, attendanceviews.ViewersPath, "viewer.restored")
}
