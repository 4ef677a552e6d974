package handlers

import (
	"net/http"
	"slices"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	policyviews "officeconsole/views/policy"
)

// exportStatus answers with the list of the page as a file: everybody, or every
// department, that matches its filters.
func (h *handlers) exportStatus(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	format := query.Get("format")
	query.Del("cursor") // a file has every page
	if !slices.Contains([]string{exports.XLSX, exports.CSV}, format) {
		return errPageNotFound
	}
	view, err := h.statusChoice(r, query)
	if err != nil {
		return err
	}
	if view.Refused != "" {
		return queries.Invalid(view.Refused)
	}
	request := exports.NewStatusRequest(view.Kind, view.StatusFilter, format, locales.FromContext(r.Context()))
	return h.sendExport(w, r, request, policyviews.StatusPath(view.Kind))
}
