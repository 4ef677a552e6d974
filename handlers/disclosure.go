package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	usageviews "officeconsole/views/usage"
)

// saveDisclosure saves which personal data viewers see. The form is on the page of the
// retention of logs.
func (h *handlers) saveDisclosure(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form, companyID := r.PostForm, person(r).CompanyID
	version, err := strconv.ParseInt(form.Get("version"), 10, 32)
	if err != nil {
		return queries.Invalid("error.unreadable")
	}
	typed := directory.Disclosure{PersonalPhones: form.Has("personal_phones"), DeviceIDs: form.Has("device_ids"), IPAddresses: form.Has("ip_addresses")}
	err = h.db.Directory.SaveDisclosure(r.Context(), actor(r), int32(version), typed)
	if errors.As(err, new(queries.Conflict)) {
		stored, err := h.db.Usage.Retention(r.Context(), companyID)
		if err != nil {
			return err
		}
		page := usageviews.Retention{Stored: stored, Typed: stored.Months, Version: stored.VersionNo}
		page.Disclosure = usageviews.Disclosure{Typed: typed, Conflict: true}
		return h.showRetention(w, r, http.StatusConflict, page)
	}
	if err != nil {
		return err
	}
	return h.redirectWithToast(w, r, usageviews.RetentionPath, "disclosure.saved")
}

// readDisclosure reads what is stored, and shows it unless something else was typed.
func (h *handlers) readDisclosure(r *http.Request, page *usageviews.Disclosure) (err error) {
	if page.Stored, err = h.db.Directory.Disclosure(r.Context(), person(r).CompanyID); err == nil && !page.Conflict {
		page.Typed = page.Stored
	}
	return err
}
