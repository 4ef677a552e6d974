package handlers

import (
	"io"
	"log/slog"
	"net/http"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// statusExportSize is the number of rows read at once.
const statusExportSize = 1000

// statusExport answers with all rows that match the page's filters as a
// spreadsheet file. It writes each page of rows before it reads the next, so
// that memory does not grow with the company.
func (h *handlers) statusExport(w http.ResponseWriter, r *http.Request) error {
	leave, err := h.enterExport(r)
	if err != nil {
		return err
	}
	defer leave()
	allowLongAnswer(w)
	view, err := h.statusChoice(r, r.URL.Query())
	if err != nil {
		return err
	}
	if view.Refused != "" {
		return queries.Invalid(view.Refused)
	}
	view.Limit, view.Cursor = statusExportSize, nil
	read := statusReader(h.peopleRows)
	if view.OfDepartments {
		read = h.departmentRows
	}
	rows, next, err := read(r, view)
	if err != nil {
		return err
	}
	name := "status-" + view.Kind + "-" + view.Frame.Now.Format("20060102-1504") + ".csv"
	h.noteRead(r, audit.Read{Kind: audit.ReadStatus, Via: audit.ViaExport, Query: view.Values(), ObjectName: name})
	attach(w, name, exports.CSV)
	send := func() error {
		file, err := newStatusFile(r, w, view)
		for err == nil {
			for _, row := range rows {
				if err := file.Row(row...); err != nil {
					return err
				}
			}
			if next == nil {
				return file.Finish()
			}
			view.Cursor = next
			rows, next, err = read(r, view)
		}
		return err
	}
	if err := send(); err != nil {
		if r.Context().Err() == nil { // the client is still connected
			slog.ErrorContext(r.Context(), "export interrupted, closing the connection", "err", err)
		}
		panic(http.ErrAbortHandler) // so that the client does not take a part for the whole file
	}
	return nil
}

// newStatusFile starts a file with its header row.
func newStatusFile(r *http.Request, w io.Writer, view policyviews.StatusList) (exports.File, error) {
	file, err := exports.NewFile(w, exports.CSV, "")
	if err != nil {
		return nil, err
	}
	var heads []any
	for _, head := range policyviews.StatusHeads(r.Context(), view) {
		heads = append(heads, head)
	}
	return file, file.Row(heads...)
}

// statusReader returns the rows of a page as cells, and the cursor of the next
// page.
type statusReader func(r *http.Request, view policyviews.StatusList) ([][]any, *lists.Cursor, error)

func (h *handlers) peopleRows(r *http.Request, view policyviews.StatusList) ([][]any, *lists.Cursor, error) {
	page, err := h.db.Policies.PersonStatuses(r.Context(), person(r).Person, view.Kind, view.StatusFilter)
	if err != nil || len(page.Rows) == 0 {
		return nil, nil, err
	}
	rows := make([][]any, len(page.Rows))
	for i, p := range page.Rows {
		rows[i] = []any{p.Name, p.EmployeeID, p.DepartmentName, p.DepartmentPath, p.PolicyName, sourceWord(r, p.Source), p.SourceDepartmentName}
	}
	return rows, page.Next, nil
}

func (h *handlers) departmentRows(r *http.Request, view policyviews.StatusList) ([][]any, *lists.Cursor, error) {
	page, err := h.db.Policies.DepartmentStatuses(r.Context(), person(r).Person, view.Kind, view.StatusFilter)
	rows := make([][]any, len(page.Rows))
	for i, d := range page.Rows {
		rows[i] = []any{d.Name, d.Path, d.PolicyName, sourceWord(r, d.Source), d.SourceDepartmentName}
	}
	return rows, page.Next, err
}

func sourceWord(r *http.Request, source policy.Source) string {
	return locales.T(r.Context(), "status.source."+string(source))
}
