package handlers

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	policyviews "officeconsole/views/policy"
)

// newPolicy shows the page that creates a policy.
func (h *handlers) newPolicy(w http.ResponseWriter, r *http.Request) error {
	return h.showPolicy(w, r, http.StatusOK, policyviews.Edit{Kind: policyKind(r), Form: newPolicyForm(r)})
}

// policy shows the page of a policy; with a date, that of policyAt.
func (h *handlers) policy(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Get("at") != "" {
		return h.policyAt(w, r)
	}
	page, err := h.policyPage(r)
	if isDeleted(err) {
		return h.showDeletedPolicy(w, r)
	}
	if err != nil {
		return err
	}
	page.All = r.URL.Query().Get("history") == "all"
	return h.showPolicy(w, r, http.StatusOK, page)
}

// existingPolicy returns the policy that the URL names, of its kind and
// company.
func (h *handlers) existingPolicy(r *http.Request) (policy.Policy, error) {
	id, err := policyID(r)
	if err != nil {
		return policy.Policy{}, err
	}
	return h.policyOfKind(r, id)
}

// policyOfKind returns a policy of the kind that the URL names. A policy of
// another kind is errPageNotFound rather than deleted, because no page links to
// it.
func (h *handlers) policyOfKind(r *http.Request, id int64) (policy.Policy, error) {
	p, err := h.db.Policies.Policy(r.Context(), person(r).CompanyID, id)
	if err == nil && p.Kind != string(policyKind(r)) {
		err = errPageNotFound
	}
	return p, err
}

// selectedPolicies returns policies of the kind that the URL names, and those of them that
// are deleted.
func (h *handlers) selectedPolicies(r *http.Request, ids []int64) (policy.Selection, error) {
	return h.db.Policies.Selected(r.Context(), person(r).CompanyID, string(policyKind(r)), ids)
}

// savePolicy handles the form of a new or existing policy. Its action previews
// the change, applies it, returns to editing, searches without scripts, or
// merges the change with another administrator's.
func (h *handlers) savePolicy(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	page := policyviews.Edit{Kind: policyKind(r)}
	if chi.URLParam(r, "policy") != "" {
		p, err := h.existingPolicy(r)
		if isDeleted(err) {
			return h.saveDeletedPolicy(w, r, page)
		}
		if err != nil {
			return err
		}
		page.Policy = &p
	}
	var err error
	if page.Form, err = typedPolicyForm(r, page.Kind); err != nil {
		return err
	}
	if page.Policy != nil && page.Policy.IsDefault {
		page.Form.Enabled = true // its switch is not sent
	}
	if _, err := parseOwner(page.Form.Owner); err != nil {
		return h.refusePolicy(w, r, page, nil, err)
	}
	switch r.PostForm.Get("action") {
	case "edit":
		return h.showPolicy(w, r, http.StatusOK, page)
	case "find":
		return h.findTargets(w, r, page)
	case "merge":
		return h.mergePolicy(w, r, page)
	case "apply":
		return h.applyPolicy(w, r, page)
	}
	return h.reviewPolicy(w, r, page)
}

// applyPolicy saves a change that was previewed as it is; any other change is
// previewed first.
func (h *handlers) applyPolicy(w http.ResponseWriter, r *http.Request, page policyviews.Edit) error {
	draft, refused := policyDraft(page.Form, page.Kind, r.PostForm)
	if len(refused) > 0 || searchesPerson(r) || r.PostForm.Get("reviewed") != draftDigest(draft, page.Form.LastNo) {
		return h.reviewPolicy(w, r, page)
	}
	var saved policy.Policy
	var err error
	if page.Policy == nil {
		saved, err = h.db.Policies.Create(r.Context(), actor(r), draft)
	} else {
		saved, err = h.db.Policies.Update(r.Context(), actor(r), page.Policy.ID, max(page.Form.LastNo, 1), draft)
	}
	if page.Policy != nil && isDeleted(err) {
		return h.saveDeletedPolicy(w, r, policyviews.Edit{Kind: page.Kind})
	}
	if err != nil {
		return h.refusePolicy(w, r, page, nil, err)
	}
	return h.savedPolicy(w, r, page, saved)
}

// savedPolicy redirects to the list, or back to the page if the saved version
// still needs the user's attention.
func (h *handlers) savedPolicy(w http.ResponseWriter, r *http.Request, before policyviews.Edit, saved policy.Policy) error {
	toPast, err := h.startsInPast(r, saved)
	switch {
	case err != nil:
		return err
	case len(saved.Broken) > 0:
		return h.redirectWithUndo(w, r, policyPath(saved), locales.T(r.Context(), "check.warned", "Sentence", brokenSentence(r.Context(), saved.Broken)), "")
	case before.Policy != nil && saved.LastNo == before.Policy.LastNo:
		return h.redirectWithToast(w, r, policyPath(saved), "policy.unchanged")
	case toPast:
		return h.redirectWithToast(w, r, policyviews.RecomputationsURL(policyKind(r), saved.ID), "policy.past.saved")
	case before.Policy == nil:
		path := listPath(r)
		if saved.Version.IsProvisional() {
			path = policyPath(saved)
		}
		return h.redirectWithUndo(w, r, path, locales.T(r.Context(), "policy.created", "Policy", saved.Version.Name), "")
	case saved.Planned != nil && saved.Planned.No == saved.LastNo:
		return h.redirectWithToast(w, r, policyPath(saved), "policy.planned")
	}
	return h.redirectWithToast(w, r, policyPath(saved), "policy.saved")
}

// refusePolicy shows the form again with its errors and everything that was
// typed.
func (h *handlers) refusePolicy(w http.ResponseWriter, r *http.Request, page policyviews.Edit, refused settings.Errors, err error) error {
	page.Settings = refused
	var draft *policy.DraftErrors
	var fields queries.FieldErrors
	var taken *policy.TargetConflict
	var edited *policy.EditConflict
	if errors.As(err, &page.Locked) {
		page.Fields = queries.FieldErrors{"effective_from": "policy.effective_from.locked"}
	}
	switch {
	case errors.As(err, &edited):
		return h.showEdit(w, r, page, edited)
	case errors.As(err, &taken):
		page.Taken = taken.Taken
		return h.showPolicy(w, r, http.StatusConflict, page)
	case asksAgain(err), errors.Is(err, policy.ErrPastUnconfirmed):
		return h.askAgain(w, r, page)
	case errors.As(err, &draft):
		if page.Form.Reason != "" && len(draft.Fields) == 1 && draft.Fields["reason"] != "" && len(refused)+len(draft.Settings) == 0 {
			return h.askForReason(w, r, page, draft.Fields)
		}
		page.Fields = draft.Fields
		if len(refused) == 0 {
			page.Settings = draft.Settings
		}
	case errors.As(err, &fields):
		page.Fields = fields
	default:
		return err
	}
	return h.showPolicy(w, r, http.StatusUnprocessableEntity, page)
}
