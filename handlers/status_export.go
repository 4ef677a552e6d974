package handlers

import (
	"io"
	"log/slog"
	"net/http"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/views"
)

// statusExportSize is how many rows are read at once.
const statusExportSize = 1000

// statusExport answers with everything that the filters of the page show, as a
// file for spreadsheets. It reads on while it writes: a hundred thousand people
// are never in memory together.
func (h *handlers) statusExport(w http.ResponseWriter, r *http.Request) error {
	allowLongAnswer(w)
	view, err := h.statusChoice(r)
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
	attach(w, "status-"+view.Kind+"-"+view.Frame.Now.Format("20060102-1504")+".csv", exports.CSV)
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
		if r.Context().Err() == nil { // nobody has gone away
			slog.ErrorContext(r.Context(), "export broke off", "err", err)
		}
		panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
	}
	return nil
}

// newStatusFile begins a file with the heads of its columns.
func newStatusFile(r *http.Request, w io.Writer, view views.StatusList) (exports.File, error) {
	file, err := exports.NewFile(w, exports.CSV, "")
	if err != nil {
		return nil, err
	}
	var heads []any
	for _, head := range views.StatusHeads(r.Context(), view) {
		heads = append(heads, head)
	}
	return file, file.Row(heads...)
}

// statusReader gives the rows of a page as cells, and the cursor of the next one.
type statusReader func(r *http.Request, view views.StatusList) ([][]any, *queries.Cursor, error)

func (h *handlers) peopleRows(r *http.Request, view views.StatusList) ([][]any, *queries.Cursor, error) {
	page, err := h.db.Policies.PersonStatuses(r.Context(), person(r).Person, view.Kind, view.StatusFilter)
	if err != nil || len(page.Rows) == 0 {
		return nil, nil, err
	}
	ids := make([]int64, len(page.Rows))
	for i, p := range page.Rows {
		ids[i] = p.DepartmentID
	}
	paths, err := h.db.Policies.DepartmentPaths(r.Context(), person(r).CompanyID, ids...)
	rows := make([][]any, len(page.Rows))
	for i, p := range page.Rows {
		rows[i] = []any{p.Name, p.EmployeeID, p.DepartmentName, paths[p.DepartmentID], p.PolicyName, sourceWord(r, p.Source), p.SourceDepartmentName}
	}
	return rows, page.Next, err
}

func (h *handlers) departmentRows(r *http.Request, view views.StatusList) ([][]any, *queries.Cursor, error) {
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
