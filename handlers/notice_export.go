package handlers

import (
	"net/http"
	"slices"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/notice"
	noticeviews "officeconsole/views/notice"
)

// exportReaders answers with the people of a notice as a file: everybody who
// matches the filters of the page.
func (h *handlers) exportReaders(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	n, err := h.db.Notices.Notice(r.Context(), person(r).CompanyID, id)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	format := query.Get("format")
	query.Del("cursor") // a file has every page
	filter, err := notice.ReadReaderFilter(query)
	refused, err := refusedFilter(err)
	switch {
	case err != nil:
		return err
	case refused != "":
		return queries.Invalid(refused)
	case !slices.Contains([]string{exports.XLSX, exports.CSV}, format) || n.StatusAt(h.db.Now()) == notice.Reserved:
		return errPageNotFound
	}
	request := exports.NewReaderRequest(id, filter, format, locales.FromContext(r.Context()))
	return h.sendExport(w, r, request, noticeviews.Action(id, string(noticeviews.ReadersTab)))
}
