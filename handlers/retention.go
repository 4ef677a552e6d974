package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"officeconsole/queries"
	"officeconsole/queries/usage"
	usageviews "officeconsole/views/usage"
)

// retention shows for how long the logs stay.
func (h *handlers) retention(w http.ResponseWriter, r *http.Request) error {
	stored, err := h.db.Usage.Retention(r.Context(), person(r).CompanyID)
	if err != nil {
		return err
	}
	return h.showRetention(w, r, http.StatusOK, usageviews.Retention{Stored: stored, Typed: stored.Months, Version: stored.VersionNo})
}

// saveRetention saves for how long the logs stay. A shorter time, after which rows are
// deleted for good, is saved once it is confirmed.
func (h *handlers) saveRetention(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form, companyID := r.PostForm, person(r).CompanyID
	stored, err := h.db.Usage.Retention(r.Context(), companyID)
	if err != nil {
		return err
	}
	version, err := strconv.ParseInt(form.Get("version"), 10, 32)
	if err != nil {
		return queries.Invalid("error.unreadable")
	}
	page := usageviews.Retention{Stored: stored, Typed: usage.RetentionMonths{}, Version: int32(version)}
	for _, log := range usage.Logs {
		months, err := strconv.Atoi(form.Get(string(log)))
		if page.Typed[log] = months; err != nil || months < 0 {
			return queries.Invalid("error.unreadable")
		}
	}
	if page.Shortened = stored.Months.Shortened(page.Typed); len(page.Shortened) > 0 && form.Get("confirmed") == "" {
		return h.showRetention(w, r, http.StatusUnprocessableEntity, page)
	}
	err = h.db.Usage.SaveRetention(r.Context(), actor(r), page.Version, page.Typed)
	switch {
	case errors.As(err, &page.Refused):
		return h.showRetention(w, r, http.StatusUnprocessableEntity, page)
	case errors.As(err, new(queries.Conflict)):
		page.Version, page.Conflict = stored.VersionNo, true
		return h.showRetention(w, r, http.StatusConflict, page)
	case err != nil:
		return err
	}
	return h.redirectWithToast(w, r, usageviews.RetentionPath, "retention.saved")
}

func (h *handlers) showRetention(w http.ResponseWriter, r *http.Request, status int, page usageviews.Retention) (err error) {
	if page.Logs, err = h.db.Usage.LogStates(r.Context(), person(r).CompanyID); err != nil {
		return err
	}
	if err := h.readDisclosure(r, &page.Disclosure); err != nil {
		return err
	}
	page.Frame = h.frame(r)
	page.Frame.Path = usageviews.RetentionPath
	return h.renderStatus(w, r, status, usageviews.RetentionPage(page))
}
