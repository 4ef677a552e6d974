package handlers

import (
	"errors"
	"net/http"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// enablePolicy enables or disables a policy.
func (h *handlers) enablePolicy(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	page, err := h.policyPage(r)
	if err != nil {
		return err
	}
	enabled := r.PostForm.Get("enabled") == "true"
	err = h.db.Policies.EnableAll(r.Context(), actor(r), string(page.Kind), []int64{page.Policy.ID}, enabled, false)
	var lockOut *policy.Lockout
	if errors.As(err, &lockOut) {
		page.Form.Enabled, page.Form.Typed = enabled, true
		return h.askAgain(w, r, page)
	}
	if err != nil {
		return withoutField(err)
	}
	return h.redirectWithUndo(w, r, backTo(r, r.PostForm.Get("back")), enablingText(r, enabled, *page.Policy), "")
}

// enablingText says which policies were enabled or disabled, and when that takes
// effect: attendance policies change at the next work date.
func enablingText(r *http.Request, enabled bool, policies ...policy.Policy) string {
	id := "policy.disabled"
	if enabled {
		id = "policy.enabled"
	}
	if usualStart(policyKind(r)) != string(policy.StartNow) {
		id += ".later"
	}
	if len(policies) == 1 {
		return locales.T(r.Context(), id, "Policy", policies[0].Version.Name)
	}
	return locales.N(r.Context(), id+".several", len(policies))
}

// enablePolicies enables or disables several policies. If that may lock
// somebody out it asks for a confirmation first; the confirmed versions are
// provisional, and the list asks to confirm them again.
func (h *handlers) enablePolicies(w http.ResponseWriter, r *http.Request, ids []int64, enabled bool) error {
	ctx, kind := r.Context(), string(policyKind(r))
	err := h.db.Policies.EnableAll(ctx, actor(r), kind, ids, enabled, r.PostForm.Get("risk") == "1")
	var lockOut *policy.Lockout
	if errors.As(err, &lockOut) {
		return h.askToEnable(w, r, ids, enabled, lockOut)
	}
	if err != nil {
		return withoutField(err)
	}
	policies, err := h.policiesOfKind(r, ids)
	if err != nil {
		return err
	}
	return h.redirectWithUndo(w, r, h.backToList(r), enablingText(r, enabled, policies...), "")
}

// askToEnable shows above the list who may be locked out.
func (h *handlers) askToEnable(w http.ResponseWriter, r *http.Request, ids []int64, enabled bool, lockOut *policy.Lockout) error {
	back := backTo(r, r.PostForm.Get("back"))
	view, err := h.listBehind(r, back)
	if err != nil {
		return err
	}
	view.Frame.Path = back
	question := policyviews.Enabling{Enabled: enabled, Warnings: lockOut.Warnings, Back: back, Unconfirmed: r.PostForm.Get("asked") == "1"}
	if question.Policies, err = h.policiesOfKind(r, ids); err != nil {
		return err
	}
	if question.People, err = h.nameUsers(r, warnedPeople(lockOut.Warnings)); err != nil {
		return err
	}
	view.Enable = &question
	return h.renderStatus(w, r, http.StatusUnprocessableEntity, policyviews.ListPage(view))
}
