package handlers

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/views"
	"officeconsole/workday"
)

// ofUnit is a handler for the list of a unit, one of exports.Units.
func ofUnit(unit string, do func(http.ResponseWriter, *http.Request, string) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return do(w, r, unit) }
}

// exportAttendance answers with what a page shows as a file. A list that is too
// large for that is written in the background, and the page of it says so.
func (h *handlers) exportAttendance(w http.ResponseWriter, r *http.Request, unit string) error {
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
		id, err := h.db.RequestExport(r.Context(), actor(r), request.FileName(), request)
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
	if err := h.db.NoteDownload(r.Context(), actor(r), request.FileName(), request); err != nil {
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
// What cannot have been chosen is no page.
func (h *handlers) exportRequest(r *http.Request, unit string) (exports.Request, error) {
	query := r.URL.Query()
	e := exports.Request{
		Unit: unit, Format: query.Get("format"), Locale: locales.FromContext(r.Context()), Query: query.Get("q"),
		Status: workday.Status(query.Get("status")), Device: query.Get("device"), Edited: query.Get("edited") == "1", Deleted: query.Get("deleted") == "1",
	}
	e.Order, e.Descending = queries.ParseAttendanceOrder(query.Get("sort"))
	orders := queries.AttendanceOrders
	if unit == exports.Week || unit == exports.Month {
		orders = views.Period{Unit: unit}.Orders()
	}
	if !slices.Contains([]string{exports.XLSX, exports.CSV}, e.Format) || e.Order != "" && !slices.Contains(orders, e.Order) ||
		e.Status != "" && !slices.Contains(views.AttendanceStatuses, e.Status) || e.Device != "" && !slices.Contains(views.AttendanceDevices, e.Device) {
		return e, errPageNotFound
	}
	var err error
	if e.DepartmentID, err = idIn(query, "department_id"); err != nil {
		return e, err
	}
	if over := query.Get("over"); over != "" {
		if e.Over, err = strconv.Atoi(over); err != nil || !slices.Contains(queries.PeriodOvers, e.Over) {
			return e, errPageNotFound
		}
	}
	e.First, e.Last, err = h.exportDates(r, e.Unit, query)
	return e, err
}

func (h *handlers) exportDates(r *http.Request, unit string, query url.Values) (first, last workday.Date, err error) {
	today := h.db.Now().In(zone(person(r)))
	if unit == exports.Month {
		month, err := monthOf(r, today)
		return workday.DateOf(month), workday.DateOf(month.AddDate(0, 1, -1)), err
	}
	if unit == exports.Log {
		return periodOf(query, workday.DateOf(today))
	}
	day, err := dayOf(r, today)
	if err != nil {
		return 0, 0, err
	}
	first, last = workday.DateOf(day), workday.DateOf(day)
	if unit == exports.Week {
		start, err := h.db.WeekStart(r.Context(), person(r).Person)
		if err != nil {
			return 0, 0, err
		}
		first = workday.WeekOf(first, start)
		last = first + 6
	}
	return first, last, nil
}

// export says how far a file is that is written in the background. Until it is
// there, the browser asks again by itself.
func (h *handlers) export(w http.ResponseWriter, r *http.Request, unit string) error {
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
	if err := h.db.NoteDownload(r.Context(), actor(r), e.FileName, e.Request); err != nil {
		return err
	}
	allowLongAnswer(w)
	attach(w, e.FileName, exports.FormatOf(e.FileName))
	w.Header().Set("Content-Length", strconv.FormatInt(e.Bytes, 10))
	if err := h.db.SendExport(r.Context(), e, w); err != nil {
		slog.ErrorContext(r.Context(), "export broke off", "err", err)
		panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
	}
	return nil
}

// exportOf finds the reader's own export of the address, until it expires.
func (h *handlers) exportOf(r *http.Request) (queries.Export, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return queries.Export{}, errPageNotFound
	}
	p := person(r)
	return h.db.ExportOf(r.Context(), queries.ExportOfParams{CompanyID: p.CompanyID, UserID: p.ID, ID: id, Now: h.db.Now()})
}
