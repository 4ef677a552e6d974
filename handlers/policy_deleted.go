package handlers

import (
	"errors"
	"net/http"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// deletedPolicy returns the deleted policy that the URL names, or NotFound if
// there is none that can be restored.
func (h *handlers) deletedPolicy(r *http.Request) (policy.DeletedPolicy, error) {
	id, err := policyID(r)
	if err != nil {
		return policy.DeletedPolicy{}, err
	}
	return h.db.Policies.DeletedPolicy(r.Context(), person(r).CompanyID, string(policyKind(r)), id)
}

// showDeletedPolicy shows in the place of a deleted policy who deleted it, and
// offers to restore it.
func (h *handlers) showDeletedPolicy(w http.ResponseWriter, r *http.Request) error {
	deleted, err := h.deletedPolicy(r)
	if err != nil {
		return err
	}
	page := policyviews.Deleted{Frame: h.frame(r), Kind: policyKind(r), Policy: deleted}
	page.Frame.Path = policyPath(deleted.Policy)
	return h.renderStatus(w, r, http.StatusNotFound, policyviews.DeletedPage(page))
}

// saveDeletedPolicy handles the form of a policy that somebody deleted in the
// meantime. It shows everything that was typed again, or restores the policy, or
// reviews a new one with it.
func (h *handlers) saveDeletedPolicy(w http.ResponseWriter, r *http.Request, page policyviews.Edit) (err error) {
	deleted, err := h.deletedPolicy(r)
	if err != nil {
		return err
	}
	if page.Form, err = typedPolicyForm(r, page.Kind); err != nil {
		return err
	}
	if _, err := parseOwner(page.Form.Owner); err != nil {
		page.Form.Owner = ""
	}
	switch r.PostForm.Get("action") {
	case "create":
		page.Form.LastNo, page.Form.BasedOn = 0, 0
		return h.reviewPolicy(w, r, page)
	case "restore":
		return h.restoreAndEdit(w, r, page, deleted.ID)
	}
	page.Policy, page.Deleted = &deleted.Policy, &deleted
	return h.showPolicy(w, r, http.StatusConflict, page)
}

// restoreAndEdit restores a policy and shows the form as it was typed, which is
// not saved yet.
func (h *handlers) restoreAndEdit(w http.ResponseWriter, r *http.Request, page policyviews.Edit, id int64) error {
	restored, _, err := h.db.Policies.RestoreAll(r.Context(), actor(r), string(page.Kind), []int64{id}, true)
	if err != nil {
		return withoutField(err)
	}
	p := restored[0]
	page.Policy, page.Restored = &p, true
	page.Form.LastNo, page.Form.BasedOn = p.LastNo, p.Version.No
	return h.showPolicy(w, r, http.StatusOK, page)
}

// isDeleted reports whether an error says that a policy does not exist, which it
// also does for one that was deleted.
func isDeleted(err error) bool { return errors.Is(err, queries.NotFound) }
