package handlers

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/export"
	"officeconsole/views"
	attendanceviews "officeconsole/views/attendance"
)

// mostExports is the number of files that are written for a person at the same time.
const mostExports = 2

// enterExport counts a file that is written for a person until leave is called.
func (h *handlers) enterExport(r *http.Request) (leave func(), err error) {
	leave, ok := h.exports.Enter(strconv.FormatInt(person(r).ID, 10))
	if !ok {
		return nil, export.ErrTooMany
	}
	return leave, nil
}

// ofUnit returns a handler for the list of a unit, one of exports.Units.
func ofUnit(unit attendance.Unit, do func(http.ResponseWriter, *http.Request, attendance.Unit) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return do(w, r, unit) }
}

// exportAttendance answers with the list of a page as a file.
func (h *handlers) exportAttendance(w http.ResponseWriter, r *http.Request, unit attendance.Unit) error {
	request, err := h.exportRequest(r, unit)
	if err != nil {
		return err
	}
	scope, err := h.db.Attendance.RecordScope(r.Context(), person(r).Person)
	if err != nil {
		return err
	}
	if _, err := h.db.Attendance.DepartmentChoices(r.Context(), person(r).Person, scope, request.DepartmentIDs); err != nil {
		return err
	}
	return h.sendExport(w, r, request, attendanceviews.ListPath(unit))
}

// sendExport answers with a list as a file. A list that is too large for one
// response is written in the background, and its page below the address of the list
// shows the progress.
func (h *handlers) sendExport(w http.ResponseWriter, r *http.Request, request exports.List, listPath string) error {
	leave, err := h.enterExport(r)
	if err != nil {
		return err
	}
	defer leave()
	allowLongAnswer(w)
	// The file is sent once it is complete, so that an error cannot truncate it.
	file, err := os.CreateTemp("", "officeconsole-export-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	rows, err := exports.Write(r.Context(), file, h.db, person(r).Person, request, exports.Options{MaxRows: exports.MaxImmediateRows})
	if errors.Is(err, exports.ErrTooLarge) {
		id, err := h.db.Exports.Request(r.Context(), actor(r), request.FileName(), request)
		if err != nil {
			return err
		}
		return redirect(w, r, exportPath(listPath, id))
	}
	if err != nil {
		return err
	}
	if err := h.db.Exports.NoteDownload(r.Context(), actor(r), request.FileName(), request); err != nil {
		return err
	}
	h.noteRead(r, exports.ReadOf(request, rows))
	return sendWritten(w, r, file, request.FileName())
}

// sendWritten sends a file that has been written to its end.
func sendWritten(w http.ResponseWriter, r *http.Request, file *os.File, name string) error {
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	attach(w, name, exports.FormatOf(name))
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	if _, err := io.Copy(w, file); err != nil {
		slog.DebugContext(r.Context(), "client closed the connection", "err", err)
	}
	return nil
}

// attach marks the response as a file to download.
func attach(w http.ResponseWriter, name, format string) {
	header := w.Header()
	header.Set("Content-Type", exports.ContentType(format))
	header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	header.Set("Cache-Control", "no-store")
}

// exportRequest reads the URL of the page with an additional format. Invalid
// values, and filters that the list does not have, are errPageNotFound, so that
// no file holds more or less than the request names.
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

// exportsPart is the part of the path between a list and one of its exports.
const exportsPart = "/exports/"

// exportPath is the page of an export below the address of its list.
func exportPath(listPath string, id int64) string {
	return listPath + exportsPart + strconv.FormatInt(id, 10)
}

// exportedList returns the address of the list that a page of an export is below.
func exportedList(r *http.Request) string {
	listPath, _, _ := strings.Cut(r.URL.Path, exportsPart)
	return listPath
}

// export shows the progress of an export in the background. The page reloads itself
// until the file is ready.
func (h *handlers) export(w http.ResponseWriter, r *http.Request) error {
	e, err := h.exportOf(r)
	if err != nil {
		return err
	}
	if e.State == "waiting" || e.State == "running" {
		w.Header().Set("Refresh", "2")
	}
	listPath := exportedList(r)
	return h.render(w, r, views.ExportPage(h.frame(r), views.Export{
		FileName: e.FileName, State: e.State, Rows: e.Rows, Bytes: e.Bytes, Total: exports.TotalOf(e), ExpiresAt: e.ExpiresAt,
		Path: exportPath(listPath, e.ID), List: listPath,
	}))
}

// cancelExport stops writing an export. A complete one stays.
func (h *handlers) cancelExport(w http.ResponseWriter, r *http.Request) error {
	e, err := h.exportOf(r)
	if err != nil {
		return err
	}
	err = h.db.Exports.Cancel(r.Context(), actor(r), e.ID)
	if errors.Is(err, queries.NotFound) {
		return redirect(w, r, exportPath(exportedList(r), e.ID))
	}
	if err != nil {
		return err
	}
	return h.redirectWithToast(w, r, exportedList(r), "export.cancelled")
}

// exportPages registers the pages of the exports of a list. The list may be one of
// an object, whose id is in its path too.
func (h *handlers) exportPages(r chi.Router, listPath string) {
	const one = exportsPart + "{export:[0-9]+}"
	r.Get(listPath+one, h.page(h.export))
	r.Get(listPath+one+"/file", h.page(h.exportFile))
	r.Post(listPath+one+"/cancellation", h.page(h.cancelExport))
}

// exportFile sends a finished export.
func (h *handlers) exportFile(w http.ResponseWriter, r *http.Request) error {
	e, err := h.exportOf(r)
	if err != nil {
		return err
	}
	if e.State != "done" {
		return errPageNotFound
	}
	if err := exports.CheckReader(r.Context(), h.db, person(r).Person, e); err != nil {
		return err
	}
	if err := h.db.Exports.NoteDownload(r.Context(), actor(r), e.FileName, e.Request); err != nil {
		return err
	}
	read, err := exports.ReadOfExport(e)
	if err != nil {
		return err
	}
	h.noteRead(r, read)
	allowLongAnswer(w)
	attach(w, e.FileName, exports.FormatOf(e.FileName))
	w.Header().Set("Content-Length", strconv.FormatInt(e.Bytes, 10))
	if err := h.db.Exports.Send(r.Context(), e, w); err != nil {
		slog.ErrorContext(r.Context(), "export interrupted, closing the connection", "err", err)
		panic(http.ErrAbortHandler) // so that the client does not take a part for the whole file
	}
	return nil
}

// exportOf returns the reader's own export that the URL names, unless it has
// expired.
func (h *handlers) exportOf(r *http.Request) (export.Export, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "export"), 10, 64)
	if err != nil {
		return export.Export{}, errPageNotFound
	}
	p := person(r)
	return h.db.Exports.ByID(r.Context(), export.ByIDParams{CompanyID: p.CompanyID, UserID: p.ID, ID: id, Now: h.db.Now()})
}
