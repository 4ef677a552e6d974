package handlers

import (
	"net/http"
	"slices"

	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	policyviews "officeconsole/views/policy"
)

// recomputations shows how computing records again is getting on, and its results.
// The page reloads itself until it has finished.
func (h *handlers) recomputations(w http.ResponseWriter, r *http.Request) error {
	p, err := h.existingPolicy(r)
	if err != nil {
		return err
	}
	page := policyviews.Recomputations{Frame: h.frame(r), Policy: p}
	page.Frame.Path = policyviews.RecomputationsURL(policyKind(r), p.ID)
	if page.Rows, err = h.db.Attendance.Recomputations(r.Context(), person(r).CompanyID, p.ID); err != nil {
		return err
	}
	if slices.ContainsFunc(page.Rows, func(r attendance.Recomputation) bool { return r.FinishedAt == nil }) {
		w.Header().Set("Refresh", "3")
	}
	return h.render(w, r, policyviews.RecomputationsPage(page))
}

// previewPast adds to a review what the change does to records of the past, and
// compares it with the version that applied then.
func (h *handlers) previewPast(r *http.Request, review *policyviews.Review, p *policy.Policy) (before policy.Version, err error) {
	change, companyID := review.Preview.Past, person(r).CompanyID
	past, err := h.db.Attendance.PreviewPast(r.Context(), companyID, *change)
	if err != nil {
		return before, err
	}
	review.Past = &past
	if p == nil {
		return policy.Version{Enabled: true, Settings: firstSettings(r).Differences()}, nil
	}
	versions, err := h.db.Policies.Versions(r.Context(), companyID, p.ID)
	if err != nil {
		return before, err
	}
	if at := slices.IndexFunc(versions, func(v policy.Version) bool { return v.No == change.Before }); at >= 0 {
		return versions[at], nil
	}
	return p.Version, nil
}

// addPast completes the page of an attendance policy with what is about the past.
func (h *handlers) addPast(r *http.Request, page *policyviews.Edit) (err error) {
	if page.Kind != settings.WorkingAttitude {
		return nil
	}
	if page.EarliestDate, err = h.db.Policies.EarliestStart(r.Context(), person(r).CompanyID); err != nil || page.Policy == nil {
		return err
	}
	rows, err := h.db.Attendance.Recomputations(r.Context(), person(r).CompanyID, page.Policy.ID)
	if err == nil && len(rows) > 0 {
		page.Recomputation = &rows[0]
	}
	return err
}

// startsInPast reports whether the newest version of a policy has records computed
// again.
func (h *handlers) startsInPast(r *http.Request, saved policy.Policy) (bool, error) {
	rows, err := h.db.Attendance.Recomputations(r.Context(), person(r).CompanyID, saved.ID)
	return err == nil && len(rows) > 0 && rows[0].VersionNo == saved.LastNo, err
}
