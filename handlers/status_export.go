package handlers

import (
	"encoding/csv"
	"log/slog"
	"net/http"
	"strings"

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
	view, filter, err := h.statusChoice(r)
	if err != nil {
		return err
	}
	if view.Refused != "" {
		return queries.Invalid(view.Refused)
	}
	filter.Limit = statusExportSize
	read := h.peopleRows
	if view.View == "departments" {
		read = h.departmentRows
	}
	rows, err := read(r, view, &filter)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "text/csv; charset=utf-8")
	header.Set("Content-Disposition", `attachment; filename="status-`+view.Kind+`-`+view.Frame.Now.Format("20060102-1504")+`.csv"`)
	header.Set("Cache-Control", "no-store")
	file := newSpreadsheet(w)
	file.write(views.StatusHeads(r.Context(), view)...)
	for {
		for _, row := range rows {
			file.write(row...)
		}
		if file.Flush(); len(rows) < filter.Limit || file.Error() != nil {
			return nil
		}
		if rows, err = read(r, view, &filter); err != nil {
			slog.ErrorContext(r.Context(), "export broke off", "err", err)
			panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
		}
	}
}

// peopleRows are the next people as cells; the filter moves behind them.
func (h *handlers) peopleRows(r *http.Request, view views.StatusList, filter *queries.StatusFilter) ([][]string, error) {
	people, err := h.db.PolicyStatus(r.Context(), person(r).Person, view.Kind, *filter)
	if err != nil || len(people) == 0 {
		return nil, err
	}
	ids := make([]int64, len(people))
	for i, p := range people {
		ids[i] = p.DepartmentID
	}
	paths, err := h.db.DepartmentPaths(r.Context(), person(r).CompanyID, ids...)
	rows := make([][]string, len(people))
	for i, p := range people {
		rows[i] = []string{p.Name, p.EmployeeID, p.DepartmentName, paths[p.DepartmentID], p.PolicyName, sourceWord(r, p.Source), p.SourceDepartmentName}
	}
	last := people[len(people)-1]
	filter.After = queries.DirectoryPlace{Name: last.Name, ID: last.UserID}
	return rows, err
}

// departmentRows are the next departments as cells; the filter moves behind them.
func (h *handlers) departmentRows(r *http.Request, view views.StatusList, filter *queries.StatusFilter) ([][]string, error) {
	departments, err := h.db.DepartmentStatuses(r.Context(), person(r).Person, view.Kind, *filter)
	if err != nil || len(departments) == 0 {
		return nil, err
	}
	rows := make([][]string, len(departments))
	for i, d := range departments {
		rows[i] = []string{d.Name, d.Path, d.PolicyName, sourceWord(r, d.Source), d.SourceDepartmentName}
	}
	filter.After.ID = departments[len(departments)-1].ID
	return rows, nil
}

func sourceWord(r *http.Request, source queries.Source) string {
	return locales.T(r.Context(), "status.source."+string(source))
}

// spreadsheet writes rows that spreadsheets open as they are: UTF-8 with its
// mark, and no cell a formula.
type spreadsheet struct{ *csv.Writer }

func newSpreadsheet(w http.ResponseWriter) spreadsheet {
	file := spreadsheet{csv.NewWriter(w)}
	file.UseCRLF = true
	if _, err := w.Write([]byte("\ufeff")); err != nil {
		slog.Debug("answer not taken", "err", err)
	}
	return file
}

func (s spreadsheet) write(cells ...string) {
	harmless := make([]string, len(cells))
	for i, cell := range cells {
		harmless[i] = cell
		if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
			harmless[i] = "'" + cell
		}
	}
	if err := s.Write(harmless); err != nil {
		slog.Debug("answer not taken", "err", err)
	}
}
