package handlers

import (
	"io"
	"log/slog"
	"net/http"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/views"
)

// statusExportSize is how many rows are read at once.
const statusExportSize = 1000

// statusExport answers with everything that the filters of the page show, as a
// file for spreadsheets. It reads on while it writes: a hundred thousand people
// are never in memory together.
func (h *handlers) statusExport(w http.ResponseWriter, r *http.Request) error {
	allowLongAnswer(w)
	view, filter, err := h.statusChoice(r)
	if err != nil {
		return err
	}
	if view.Refused != "" {
		return queries.Invalid(view.Refused)
	}
	filter.Limit, filter.After, filter.Before = statusExportSize, queries.DirectoryPlace{}, queries.DirectoryPlace{}
	read := statusReader(h.peopleRows)
	if view.View == "departments" {
		read = h.departmentRows
	}
	rows, err := read(r, view, &filter)
	if err != nil {
		return err
	}
	attach(w, "status-"+view.Kind+"-"+view.Frame.Now.Format("20060102-1504")+".csv", exports.CSV)
	if err := h.sendStatus(r, w, view, &filter, read, rows); err != nil {
		if r.Context().Err() == nil { // nobody has gone away
			slog.ErrorContext(r.Context(), "export broke off", "err", err)
		}
		panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
	}
	return nil
}

// statusReader gives the next rows as cells; the filter moves behind them.
type statusReader func(r *http.Request, view views.StatusList, filter *queries.StatusFilter) ([][]any, error)

func (h *handlers) sendStatus(r *http.Request, w io.Writer, view views.StatusList, filter *queries.StatusFilter, read statusReader, rows [][]any) error {
	file, err := exports.NewFile(w, exports.CSV, "")
	if err != nil {
		return err
	}
	var heads []any
	for _, head := range views.StatusHeads(r.Context(), view) {
		heads = append(heads, head)
	}
	if err := file.Row(heads...); err != nil {
		return err
	}
	for {
		for _, row := range rows {
			if err := file.Row(row...); err != nil {
				return err
			}
		}
		if len(rows) < filter.Limit {
			return file.Finish()
		}
		if rows, err = read(r, view, filter); err != nil {
			return err
		}
	}
}

// peopleRows are the next people as cells; the filter moves behind them.
func (h *handlers) peopleRows(r *http.Request, view views.StatusList, filter *queries.StatusFilter) ([][]any, error) {
	page, err := h.db.PolicyStatus(r.Context(), person(r).Person, view.Kind, *filter)
	if err != nil || len(page.Rows) == 0 {
		return nil, err
	}
	people := page.Rows
	ids := make([]int64, len(people))
	for i, p := range people {
		ids[i] = p.DepartmentID
	}
	paths, err := h.db.DepartmentPaths(r.Context(), person(r).CompanyID, ids...)
	rows := make([][]any, len(people))
	for i, p := range people {
		rows[i] = []any{p.Name, p.EmployeeID, p.DepartmentName, paths[p.DepartmentID], p.PolicyName, sourceWord(r, p.Source), p.SourceDepartmentName}
	}
	last := people[len(people)-1]
	filter.After = queries.DirectoryPlace{Name: last.Name, ID: last.UserID}
	return rows, err
}

// departmentRows are the next departments as cells; the filter moves behind them.
func (h *handlers) departmentRows(r *http.Request, view views.StatusList, filter *queries.StatusFilter) ([][]any, error) {
	page, err := h.db.DepartmentStatuses(r.Context(), person(r).Person, view.Kind, *filter)
	if err != nil || len(page.Rows) == 0 {
		return nil, err
	}
	departments := page.Rows
	rows := make([][]any, len(departments))
	for i, d := range departments {
		rows[i] = []any{d.Name, d.Path, d.PolicyName, sourceWord(r, d.Source), d.SourceDepartmentName}
	}
	filter.After.ID = departments[len(departments)-1].ID
	return rows, nil
}

func sourceWord(r *http.Request, source queries.Source) string {
	return locales.T(r.Context(), "status.source."+string(source))
}
