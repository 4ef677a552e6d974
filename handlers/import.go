package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/exports"
	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	attendanceviews "officeconsole/views/attendance"
)

// maxImportForm is the maximum size of a form with the files of an import.
const maxImportForm = 2*attendance.MaxImportBytes + maxBody

// imports lists the imports, with the form for another one. With replace, it replaces the
// import of that number.
func (h *handlers) imports(w http.ResponseWriter, r *http.Request) error {
	replaces, err := strconv.ParseInt(cmp.Or(r.URL.Query().Get("replace"), "0"), 10, 64)
	if err != nil {
		return errPageNotFound
	}
	return h.showImports(w, r, http.StatusOK, attendanceviews.ImportForm{ReplacesID: replaces, Wide: r.URL.Query().Get("wide") != ""})
}

func (h *handlers) showImports(w http.ResponseWriter, r *http.Request, status int, form attendanceviews.ImportForm) error {
	view := attendanceviews.ImportList{Frame: h.frame(r), Form: form}
	view.Frame.Path = attendanceviews.ImportsPath
	companyID := person(r).CompanyID
	if form.ReplacesID != 0 {
		replaced, err := h.db.Attendance.Imported(r.Context(), attendance.ImportedParams{CompanyID: companyID, ID: form.ReplacesID})
		if err != nil {
			return err
		}
		view.Replaced = &replaced
	}
	cursor, err := attendance.ReadImportCursor(r.URL.Query())
	if err != nil {
		return errPageNotFound
	}
	if view.Page, err = h.db.Attendance.Imports(r.Context(), companyID, attendance.ImportFilter{Cursor: cursor, Limit: attendanceviews.PageSize}); err != nil {
		return err
	}
	return h.renderStatus(w, r, status, attendanceviews.ImportsPage(view))
}

// uploadImport stores the files of a form, and shows how they are understood.
func (h *handlers) uploadImport(w http.ResponseWriter, r *http.Request) error {
	allowLongAnswer(w)
	if err := readMultipart(r); err != nil {
		return err
	}
	defer r.MultipartForm.RemoveAll()
	f := url.Values(r.MultipartForm.Value)
	form := attendanceviews.ImportForm{Wide: f.Get("wide") != "", Refused: queries.FieldErrors{}}
	form.ReplacesID, _ = strconv.ParseInt(f.Get("replace"), 10, 64)
	fields := []string{"file"}
	if form.Wide {
		fields = []string{"arrivals", "departures"}
	}
	var files []attendance.StoredFile
	for _, field := range fields {
		file, err := h.importFile(r, field)
		var refused queries.Invalid
		switch {
		case errors.As(err, &refused):
			form.Refused[field] = refused
		case err != nil:
			return err
		}
		files = append(files, file)
	}
	if len(form.Refused) > 0 {
		return h.showImports(w, r, http.StatusUnprocessableEntity, form)
	}
	id, err := h.db.Attendance.CreateImport(r.Context(), actor(r), files, attendance.ImportOptions{ReplacesID: form.ReplacesID}, attendance.ImportDraft)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		form.Refused[fields[0]] = refused
		return h.showImports(w, r, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	return redirect(w, r, attendanceviews.ImportPath(id))
}

// importFile stores the file of a field. It is Invalid without one.
func (h *handlers) importFile(r *http.Request, field string) (attendance.StoredFile, error) {
	headers := r.MultipartForm.File[field]
	if len(headers) == 0 || headers[0].Filename == "" {
		return attendance.StoredFile{}, queries.Invalid("import.files")
	}
	content, err := headers[0].Open()
	if err != nil {
		return attendance.StoredFile{}, err
	}
	defer content.Close()
	return h.db.Attendance.UploadImportFile(r.Context(), actor(r), h.Blobs, attendance.ImportFile{Name: headers[0].Filename, Content: content})
}

// importOf returns the import of the path.
func (h *handlers) importOf(r *http.Request) (attendance.Import, error) {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return attendance.Import{}, err
	}
	return h.db.Attendance.Imported(r.Context(), attendance.ImportedParams{CompanyID: person(r).CompanyID, ID: id})
}

// showImport shows how an import is understood, its dry run, its progress or what it has
// done. The page reloads itself while a job works on it.
func (h *handlers) showImport(w http.ResponseWriter, r *http.Request) error {
	row, err := h.importOf(r)
	if err != nil {
		return err
	}
	return h.renderImport(w, r, http.StatusOK, attendanceviews.Import{Import: row, Waited: cameFrom(r) == attendanceviews.ImportPath(row.ID)})
}

func (h *handlers) renderImport(w http.ResponseWriter, r *http.Request, status int, view attendanceviews.Import) error {
	var err error
	view.Frame = h.frame(r)
	view.Frame.Path = attendanceviews.ImportPath(view.ID)
	if view.IsRunning() {
		w.Header().Set("Refresh", "2")
	}
	switch view.State {
	case attendance.ImportDraft, attendance.ImportChecked, attendance.ImportFailed:
		if view.Preview, err = h.db.Attendance.PreviewImport(r.Context(), view.Import, view.ImportOptions(), h.Blobs); err != nil {
			return err
		}
	case attendance.ImportDone, attendance.ImportReverted:
		_, view.Reversal, err = h.db.Attendance.PreviewReversal(r.Context(), actor(r), view.ID)
		var refused queries.Invalid
		if errors.As(err, &refused) {
			view.NotRevertible = refused
		} else if err != nil {
			return err
		}
	}
	return h.renderStatus(w, r, status, attendanceviews.ImportPage(view))
}

// checkImport lets a job check the import as the form says, or import it if the form
// says the same as when it was checked.
func (h *handlers) checkImport(w http.ResponseWriter, r *http.Request) error {
	row, err := h.importOf(r)
	if err != nil {
		return err
	}
	if err := readForm(r); err != nil {
		return err
	}
	options, begin := importOptions(r.PostForm, row), attendance.ImportChecking
	if r.PostForm.Get("action") == "import" && row.State == attendance.ImportChecked && attendanceviews.SameReading(options, row.ImportOptions()) {
		begin, options.SkipBad = attendance.ImportImporting, true
	}
	if remedied, known := attendanceviews.Remedy(options, r.PostForm.Get("remedy")); known {
		options, begin = remedied, attendance.ImportChecking
	}
	if r.PostForm.Get("action") == "read" { // shows the beginning again, and checks nothing yet
		begin = attendance.ImportDraft
	}
	err = h.db.Attendance.BeginImport(r.Context(), actor(r), row.ID, options, begin)
	if attendance.IsImportRefusal(err) { // somebody else has begun it in the meantime
		return h.redirectWithToast(w, r, attendanceviews.ImportPath(row.ID), "import.state")
	}
	if err != nil {
		return err
	}
	return redirect(w, r, attendanceviews.ImportPath(row.ID))
}

// importOptions reads how the files of an import are read. The columns of a file are
// numbered as they were shown.
func importOptions(f url.Values, row attendance.Import) attendance.ImportOptions {
	before := row.ImportOptions()
	o := attendance.ImportOptions{
		Encoding: importfile.EncodingName(f.Get("encoding")), Separator: attendanceviews.Separator(f.Get("separator")), Sheet: f.Get("sheet"),
		DateFormat: f.Get("date_format"), TimeFormat: before.TimeFormat, AllowMissing: f.Get("allow_missing") != "", Overnight: f.Get("overnight") != "", FillDays: f.Get("fill_days") != "", ReplacesID: before.ReplacesID,
	}
	headings, names := f["heading"], f["column"]
	for i := range min(len(headings), len(names)) {
		if o.Columns == nil {
			o.Columns = map[string]string{}
		}
		o.Columns[headings[i]] = names[i]
	}
	return o
}

// deleteImport deletes an import that was not imported.
func (h *handlers) deleteImport(w http.ResponseWriter, r *http.Request) error {
	row, err := h.importOf(r)
	if err != nil {
		return err
	}
	err = h.db.Attendance.DeleteImport(r.Context(), actor(r), row.ID)
	if attendance.IsImportRefusal(err) {
		return h.redirectWithToast(w, r, attendanceviews.ImportPath(row.ID), "import.state")
	}
	if err != nil {
		return err
	}
	return h.redirectWithToast(w, r, attendanceviews.ImportsPath, "import.page.deleted")
}

// askToRevertImport asks before an import is reverted.
func (h *handlers) askToRevertImport(w http.ResponseWriter, r *http.Request) error {
	row, err := h.importOf(r)
	if err != nil {
		return err
	}
	return h.renderImport(w, r, http.StatusOK, attendanceviews.Import{Import: row, Asks: true})
}

// revertImport reverts an import, at once or by a job.
func (h *handlers) revertImport(w http.ResponseWriter, r *http.Request) error {
	row, err := h.importOf(r)
	if err != nil {
		return err
	}
	allowLongAnswer(w)
	_, isDone, err := h.db.Attendance.RequestReversal(r.Context(), actor(r), row.ID)
	switch {
	case attendance.IsImportRefusal(err):
		return h.renderImport(w, r, http.StatusUnprocessableEntity, attendanceviews.Import{Import: row, Asks: true})
	case err != nil:
		return err
	case isDone:
		return h.redirectWithToast(w, r, attendanceviews.ImportPath(row.ID), "import.page.reverted")
	}
	return redirect(w, r, attendanceviews.ImportPath(row.ID))
}

// importReport sends the refusals of an import as a file.
func (h *handlers) importReport(w http.ResponseWriter, r *http.Request) error {
	row, err := h.importOf(r)
	if err != nil {
		return err
	}
	attach(w, "import-"+strconv.FormatInt(row.ID, 10)+".csv", exports.CSV)
	file, err := exports.NewFile(w, exports.CSV, "")
	if err != nil {
		return err
	}
	words := locales.FromContext(r.Context())
	heading := []any{}
	for _, id := range []string{"file", "line", "column", "value", "reason"} {
		heading = append(heading, words.T("import.report."+id))
	}
	if err := file.Row(heading...); err != nil {
		return err
	}
	for _, refused := range row.ImportReport().Refused {
		if err := file.Row(cmp.Or(refused.File, row.FileNames()), refused.Line, refused.Column, refused.Value, words.T(refused.Reason)); err != nil {
			return err
		}
	}
	return file.Finish()
}
