package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	usageviews "officeconsole/views/usage"
)

// factorRule shows of whom the company requires a second factor.
func (h *handlers) factorRule(w http.ResponseWriter, r *http.Request) error {
	stored, err := h.db.Identity.FactorRule(r.Context(), person(r).CompanyID)
	if err != nil {
		return err
	}
	page := usageviews.FactorRule{Stored: stored, RequiredOf: string(stored.RequiredOf), GraceDays: strconv.Itoa(stored.GraceDays), TrustsSignOn: stored.TrustsSignOn, Version: stored.VersionNo}
	return h.showFactorRule(w, r, http.StatusOK, page)
}

// saveFactorRule changes of whom the company requires a second factor. A rule that cuts
// people off at once is saved once it is confirmed.
func (h *handlers) saveFactorRule(w http.ResponseWriter, r *http.Request) error {
	form := r.PostForm // requireProof has read it
	version, err := strconv.ParseInt(form.Get("version"), 10, 32)
	if err != nil {
		return queries.Invalid("error.unreadable")
	}
	page := usageviews.FactorRule{
		RequiredOf: form.Get("required_of"), GraceDays: form.Get("grace_days"), TrustsSignOn: form.Has("trusts_sign_on"), Version: int32(version),
	}
	days, err := strconv.Atoi(page.GraceDays)
	if err != nil {
		days = -1 // is refused beside the field
	}
	draft := identity.FactorRuleDraft{RequiredOf: identity.RequiredOf(page.RequiredOf), GraceDays: days, TrustsSignOn: page.TrustsSignOn}
	if form.Get("confirmed") == "" {
		if page.CutOff, err = h.db.Identity.CountCutOff(r.Context(), person(r).CompanyID, draft); err != nil {
			return err
		}
	}
	status := http.StatusUnprocessableEntity
	if page.CutOff == 0 {
		err = h.db.Identity.SaveFactorRule(r.Context(), actor(r), page.Version, draft)
		switch {
		case err == nil:
			return h.redirectWithToast(w, r, usageviews.FactorRulePath, "factor.rule.saved")
		case errors.As(err, new(queries.Conflict)):
			status, page.Conflict = http.StatusConflict, true
		case !errors.As(err, &page.Refused):
			return err
		}
	}
	if page.Stored, err = h.db.Identity.FactorRule(r.Context(), person(r).CompanyID); err != nil {
		return err
	}
	if page.Conflict {
		page.Version = page.Stored.VersionNo
	}
	return h.showFactorRule(w, r, status, page)
}

func (h *handlers) showFactorRule(w http.ResponseWriter, r *http.Request, status int, page usageviews.FactorRule) (err error) {
	if page.Counts, err = h.db.Identity.CountFactors(r.Context(), person(r).CompanyID); err != nil {
		return err
	}
	page.Frame = h.frame(r)
	page.Frame.Path = usageviews.FactorRulePath
	return h.renderStatus(w, r, status, usageviews.FactorRulePage(page))
}

// resetFactors removes the second factors of a person who has lost them. The reader's own are
// removed on the profile page.
func (h *handlers) resetFactors(w http.ResponseWriter, r *http.Request) error {
	userID, _, err := accessIDs(r)
	if err != nil {
		return err
	}
	reset, err := h.db.Identity.ResetFactors(r.Context(), actor(r), userID)
	var conflict queries.Conflict
	switch {
	case errors.As(err, &conflict):
		return h.backToAccess(w, r, string(conflict))
	case err != nil:
		return err
	case !reset:
		return h.backToAccess(w, r, "factor.reset.none")
	}
	return h.backToAccess(w, r, "factor.reset.done")
}
