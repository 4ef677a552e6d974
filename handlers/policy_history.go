package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// movePlan changes the start of the planned version.
func (h *handlers) movePlan(w http.ResponseWriter, r *http.Request) error {
	p, seen, err := h.seenPolicy(r)
	if err != nil {
		return err
	}
	move := policyviews.PlanMove{At: r.PostForm.Get("at")}
	start := policy.Start{When: policy.StartAt, Local: move.At}
	moved, err := h.db.Policies.MovePlannedVersion(r.Context(), actor(r), p.ID, seen, start)
	if errors.As(err, &move.Refused) {
		page, err := h.policyPage(r)
		if err != nil {
			return err
		}
		page.Move = &move
		return h.showPolicy(w, r, http.StatusUnprocessableEntity, page)
	}
	if err != nil {
		return err
	}
	return h.redirectWithUndo(w, r, policyPath(p), withBrokenCheck(r.Context(), locales.T(r.Context(), "policy.plan.moved"), moved.Broken), "")
}

// cancelPlan cancels the planned version. It asks first if that affects anybody or breaks
// a check, and offers to undo it.
func (h *handlers) cancelPlan(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	p, seen, err := h.seenPolicy(r)
	if err != nil {
		return err
	}
	if p.Planned != nil && p.InForce && r.PostForm.Get("asked") != "1" {
		preview, err := h.previewCancellation(r, p)
		if err != nil {
			return err
		}
		if preview.People() > 0 || len(preview.Broken) > 0 {
			return h.showCancellation(w, r, http.StatusOK, preview)
		}
	}
	cancelled, err := h.db.Policies.CancelPlannedVersion(ctx, actor(r), p.ID, seen)
	if asksAgain(err) {
		preview, err := h.previewCancellation(r, p)
		if err != nil {
			return err
		}
		return h.showCancellation(w, r, http.StatusUnprocessableEntity, preview)
	}
	if err != nil {
		return withoutField(err)
	}
	undo := policyPath(p) + "/plan/restore?no=" + strconv.Itoa(int(p.Planned.No))
	return h.redirectWithUndo(w, r, policyPath(p), withBrokenCheck(ctx, locales.T(ctx, "policy.plan.cancelled"), cancelled.Broken), undo)
}

// previewCancellation returns what cancelling the planned version of a policy would do.
func (h *handlers) previewCancellation(r *http.Request, p policy.Policy) (policy.Preview, error) {
	preview, err := h.db.Policies.PreviewCancellation(r.Context(), actor(r), policy.VersionKey{PolicyID: p.ID, No: p.Planned.No})
	return preview, withoutField(err)
}

// showCancellation shows the dialog that confirms cancelling the planned version.
func (h *handlers) showCancellation(w http.ResponseWriter, r *http.Request, status int, preview policy.Preview) error {
	page, err := h.policyPage(r)
	if err != nil {
		return err
	}
	page.Cancel = &preview
	return h.showPolicy(w, r, status, page)
}

// restorePlan restores the planned version that was cancelled: ?no=3.
func (h *handlers) restorePlan(w http.ResponseWriter, r *http.Request) error {
	p, err := h.existingPolicy(r)
	if err != nil {
		return err
	}
	no, err := rowID(r.URL.Query().Get("no"))
	if err != nil {
		return err
	}
	reversal := policy.VersionReversal{PolicyID: p.ID, No: int32(min(no, 1<<31-1)), Confirmed: true}
	broken, err := h.db.Policies.RevertCancellation(r.Context(), actor(r), reversal)
	if err != nil {
		return withoutField(err)
	}
	return h.redirectWithUndo(w, r, policyPath(p), withBrokenCheck(r.Context(), locales.T(r.Context(), "policy.reverted"), broken), "")
}

// seenPolicy returns the policy that a form is about, and the version number
// that the form was rendered with.
func (h *handlers) seenPolicy(r *http.Request) (policy.Policy, int32, error) {
	if err := readForm(r); err != nil {
		return policy.Policy{}, 0, err
	}
	p, err := h.existingPolicy(r)
	if err != nil {
		return p, 0, err
	}
	seen, err := strconv.ParseInt(r.PostForm.Get("version_no"), 10, 32)
	if err != nil || seen < 1 {
		return p, 0, queries.Invalid("error.unreadable")
	}
	return p, int32(seen), nil
}

// askToRestore shows the dialog that confirms restoring an earlier version.
func (h *handlers) askToRestore(w http.ResponseWriter, r *http.Request) error {
	page, err := h.restoringPage(r)
	if err != nil {
		return err
	}
	return h.showRestoration(w, r, http.StatusOK, page)
}

// showRestoration shows the dialog with the effects of restoring the version, or with why
// that is refused.
func (h *handlers) showRestoration(w http.ResponseWriter, r *http.Request, status int, page policyviews.Edit) error {
	question := page.Restore
	var err error
	if question.Preview, err = h.db.Policies.PreviewRestoration(r.Context(), actor(r), page.Policy.ID, restorationOf(page)); err != nil {
		return h.refusePolicy(w, r, page, nil, err)
	}
	page.Taken = question.Preview.Taken
	if question.People, err = h.nameUsers(r, warnedPeople(question.Preview.Warnings)); err != nil {
		return err
	}
	return h.showPolicy(w, r, status, page)
}

// restorationOf returns what the dialog of a page restores, from the default start of the
// kind.
func restorationOf(page policyviews.Edit) policy.VersionRestoration {
	return policy.VersionRestoration{No: page.Restore.No, Start: policy.Start{When: policy.StartKind(page.Form.When)}}
}

func (h *handlers) restoringPage(r *http.Request) (policyviews.Edit, error) {
	page, err := h.policyPage(r)
	if err != nil {
		return page, err
	}
	no, err := rowID(chi.URLParam(r, "no"))
	if err != nil {
		return page, err
	}
	versions, err := h.db.Policies.Versions(r.Context(), person(r).CompanyID, page.Policy.ID)
	if err != nil {
		return page, err
	}
	v, ok := versionNo(versions, int32(min(no, 1<<31-1)))
	if !ok {
		return page, errPageNotFound
	}
	page.Restore = &policyviews.Restoration{Version: v, Effect: policyviews.Effect{Back: policyPath(*page.Policy)}}
	return page, nil
}

// restoreVersion saves an earlier version as a new one. If that may lock somebody out it
// has to be confirmed.
func (h *handlers) restoreVersion(w http.ResponseWriter, r *http.Request) error {
	p, seen, err := h.seenPolicy(r)
	if err != nil {
		return err
	}
	page, err := h.restoringPage(r)
	if err != nil {
		return err
	}
	restoration := restorationOf(page)
	restoration.Confirmed = r.PostForm.Get("risk") == "1"
	restored, err := h.db.Policies.RestoreVersion(r.Context(), actor(r), p.ID, seen, restoration)
	var edited *policy.EditConflict
	switch {
	case err == nil && restored.LastNo == seen:
		return h.redirectWithToast(w, r, policyPath(p), "policy.version.same")
	case err == nil:
		text := withBrokenCheck(r.Context(), locales.T(r.Context(), "policy.version.restored"), restored.Broken)
		return h.redirectWithUndo(w, r, policyPath(p), text, "")
	case asksAgain(err):
		page.Restore.Unconfirmed = true
		return h.showRestoration(w, r, http.StatusUnprocessableEntity, page)
	case errors.As(err, &edited):
		page.Form.BasedOn, page.Restore = seen, nil
	}
	return h.refusePolicy(w, r, page, nil, err)
}
