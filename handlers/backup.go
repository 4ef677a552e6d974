package handlers

import (
	"net/http"

	"officeconsole/queries/identity"
	backupviews "officeconsole/views/backup"
)

// operates reports whether a person may see what concerns the whole console, and not
// only their company.
func (h *handlers) operates(p identity.SignedIn) bool {
	return h.OperatingCompany != "" && p.IsAdmin && p.CompanyHost == h.OperatingCompany
}

// requireOperator answers everybody else as if the page did not exist.
func (h *handlers) requireOperator(next http.Handler) http.Handler {
	return h.page(func(w http.ResponseWriter, r *http.Request) error {
		if !h.operates(person(r)) {
			return errPageNotFound
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// backups shows the console's own backups.
func (h *handlers) backups(w http.ResponseWriter, r *http.Request) error {
	page := backupviews.Page{Frame: h.frame(r), IsExternal: h.ExternalDatabase}
	if h.Backups != nil {
		page.IsOn, page.State = true, h.Backups.State()
	}
	return h.render(w, r, backupviews.BackupPage(page))
}
