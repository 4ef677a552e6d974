package handlers

import (
	"net/http"
	"os"
	"slices"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/notice"
)

// exportReaders answers with the people of a notice as a file: everybody who
// matches the filters of the page.
func (h *handlers) exportReaders(w http.ResponseWriter, r *http.Request) error {
	allowLongAnswer(w)
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	n, err := h.db.Notices.Notice(r.Context(), notice.NoticeParams{CompanyID: person(r).CompanyID, ID: id})
	if err != nil {
		return err
	}
	query := r.URL.Query()
	format := query.Get("format")
	query.Del("cursor") // a file has every page
	filter, err := notice.ReadReaderFilter(query)
	refused, err := refusedSearch(err)
	switch {
	case err != nil:
		return err
	case refused != "":
		return queries.Invalid(refused)
	case !slices.Contains([]string{exports.XLSX, exports.CSV}, format) || n.StatusAt(h.db.Now()) == notice.Reserved:
		return errPageNotFound
	}
	request := exports.ReaderRequest{
		NoticeID: id, Read: filter.Read, DepartmentID: filter.DepartmentID, Query: filter.Query, Format: format, Filter: filter, Locale: locales.FromContext(r.Context()),
	}
	// The file is sent once it is complete, so that an error cannot truncate it.
	file, err := os.CreateTemp("", "officeconsole-export-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := exports.WriteReaders(r.Context(), file, h.db, person(r).Person, request); err != nil {
		return err
	}
	if err := h.db.Exports.NoteDownload(r.Context(), actor(r), request.FileName(), request); err != nil {
		return err
	}
	return sendWritten(w, r, file, request.FileName())
}
