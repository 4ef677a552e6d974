package handlers

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/export"
	"officeconsole/views"
)

// ofUnit is a handler for the list of a unit, one of exports.Units.
func ofUnit(unit attendance.Unit, do func(http.ResponseWriter, *http.Request, attendance.Unit) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return do(w, r, unit) }
}

// exportAttendance answers with what a page shows as a file. A list that is too
// large for that is written in the background, and the page of it says so.
func (h *handlers) exportAttendance(w http.ResponseWriter, r *http.Request, unit attendance.Unit) error {
	allowLongAnswer(w)
	request, err := h.exportRequest(r, unit)
	if err != nil {
		return err
	}
	// A file is sent when it is whole: nobody takes a part for it.
	file, err := os.CreateTemp("", "officeconsole-export-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	_, err = exports.Write(r.Context(), file, h.db, person(r).Person, request, exports.AtOnce, nil)
	if errors.Is(err, exports.ErrTooLarge) {
		id, err := h.db.Exports.Request(r.Context(), actor(r), request.FileName(), request)
		if err != nil {
			return err
		}
		return redirect(w, r, views.ExportPath(unit, id))
	}
	if err != nil {
		return err
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := h.db.Exports.NoteDownload(r.Context(), actor(r), request.FileName(), request); err != nil {
		return err
	}
	attach(w, request.FileName(), request.Format)
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	if _, err := io.Copy(w, file); err != nil {
		slog.DebugContext(r.Context(), "answer not taken", "err", err)
	}
	return nil
}

// attach says that the answer is a file to keep.
func attach(w http.ResponseWriter, name, format string) {
	header := w.Header()
	header.Set("Content-Type", exports.ContentType(format))
	header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	header.Set("Cache-Control", "no-store")
}

// exportRequest reads the address, which is that of the page with a format.
// What cannot have been chosen is no page, nor is a filter that the list does not
// have: nobody takes a file for less than it holds.
func (h *handlers) exportRequest(r *http.Request, unit attendance.Unit) (exports.Request, error) {
	query := r.URL.Query()
	e := exports.Request{Format: query.Get("format"), Locale: locales.FromContext(r.Context())}
	query.Del("cursor") // a file has every page
	var refused string
	var err error
	if e.Filter, refused, err = h.attendanceFilter(r, query, unit); err != nil {
		return e, err
	}
	if refused != "" {
		return e, queries.Invalid(refused)
	}
	if !slices.Contains([]string{exports.XLSX, exports.CSV}, e.Format) || len(e.Foreign) > 0 {
		return e, errPageNotFound
	}
	return e, nil
}

// export says how far a file is that is written in the background. Until it is
// there, the browser asks again by itself.
func (h *handlers) export(w http.ResponseWriter, r *http.Request, unit attendance.Unit) error {
	e, err := h.exportOf(r)
	if err != nil {
		return err
	}
	if e.State == "waiting" || e.State == "running" {
		w.Header().Set("Refresh", "2")
	}
	return h.render(w, r, views.ExportState(h.frame(r), unit, e, exports.TotalOf(e)))
}

// exportFile sends a file that is ready.
func (h *handlers) exportFile(w http.ResponseWriter, r *http.Request) error {
	e, err := h.exportOf(r)
	if err != nil {
		return err
	}
	if e.State != "done" {
		return errPageNotFound
	}
	if err := h.db.Exports.NoteDownload(r.Context(), actor(r), e.FileName, e.Request); err != nil {
		return err
	}
	allowLongAnswer(w)
	attach(w, e.FileName, exports.FormatOf(e.FileName))
	w.Header().Set("Content-Length", strconv.FormatInt(e.Bytes, 10))
	if err := h.db.Exports.Send(r.Context(), e, w); err != nil {
		slog.ErrorContext(r.Context(), "export broke off", "err", err)
		panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
	}
	return nil
}

// exportOf finds the reader's own export of the address, until it expires.
func (h *handlers) exportOf(r *http.Request) (export.Export, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return export.Export{}, errPageNotFound
	}
	p := person(r)
	return h.db.Exports.ByID(r.Context(), export.ByIDParams{CompanyID: p.CompanyID, UserID: p.ID, ID: id, Now: h.db.Now()})
}
