package handlers

import (
	"net/http"
	"officeconsole/views"
)

// support is the page of customer support, for readers without scripts: with
// them a drawer has the same.
func (h *handlers) support(w http.ResponseWriter, r *http.Request) error {
	return h.render(w, r, views.SupportPage(h.frame(r), r.UserAgent()))
}
