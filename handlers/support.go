package handlers

import (
	"net/http"
	"officeconsole/views"
)

// support is the page of customer support, and for scripts the drawer that has the same.
func (h *handlers) support(w http.ResponseWriter, r *http.Request) error {
	if fromScript(r) && !followsLink(r) {
		return h.render(w, r, views.SupportDrawer(h.frame(r)))
	}
	return h.render(w, r, views.SupportPage(h.frame(r), r.UserAgent()))
}
