package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// askToDelete shows the dialog that confirms deleting a policy; askToDeleteAll
// does so for several: id=5&id=6.
func (h *handlers) askToDelete(w http.ResponseWriter, r *http.Request) error {
	id, err := policyID(r)
	if err != nil {
		return err
	}
	return h.askToDeletePolicies(w, r, []int64{id})
}

func (h *handlers) askToDeleteAll(w http.ResponseWriter, r *http.Request) error {
	ids, err := rowIDs(r.URL.Query()["id"])
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return errPageNotFound
	}
	return h.askToDeletePolicies(w, r, ids)
}

func (h *handlers) askToDeletePolicies(w http.ResponseWriter, r *http.Request, ids []int64) error {
	selected, err := h.selectedPolicies(r, ids)
	if err != nil {
		return err
	}
	return h.showDeletion(w, r, http.StatusOK, policyviews.Deletion{Selection: selected, Back: r.URL.Query().Get("back")})
}

// showDeletion shows the confirmation above the list, with the effects of
// deleting the policies, or that none of them is left.
func (h *handlers) showDeletion(w http.ResponseWriter, r *http.Request, status int, deletion policyviews.Deletion) error {
	if slices.ContainsFunc(deletion.Policies, func(p policy.Policy) bool { return p.IsDefault }) {
		return queries.Invalid("policy.default.deleted")
	}
	deletion.Back = backTo(r, deletion.Back)
	if len(deletion.Policies) == 0 {
		deletion.Back = backToListIn(r, deletion.Back)
	}
	view, err := h.listBehind(r, deletion.Back)
	if err != nil {
		return err
	}
	view.Delete = &deletion
	if len(deletion.Policies) == 0 {
		return h.renderStatus(w, r, status, policyviews.ListPage(view))
	}
	if deletion.Preview, err = h.db.Policies.PreviewDeletion(r.Context(), actor(r), idsOf(deletion.Policies)...); err != nil {
		return err
	}
	people := warnedPeople(deletion.Preview.Warnings)
	for _, c := range deletion.Changed {
		people = append(people, c.People...)
	}
	if deletion.People, err = h.nameUsers(r, people); err != nil {
		return err
	}
	return h.renderStatus(w, r, status, policyviews.ListPage(view))
}

// deletePolicy deletes the policy of the confirmation.
func (h *handlers) deletePolicy(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	id, err := policyID(r)
	if err != nil {
		return err
	}
	return h.deletePolicies(w, r, []int64{id})
}

// deletePolicies deletes policies and offers to undo it. If one of them changed, or was
// deleted, after the confirmation was shown, the user is asked again.
func (h *handlers) deletePolicies(w http.ResponseWriter, r *http.Request, ids []int64) error {
	ctx := r.Context()
	selected, err := h.selectedPolicies(r, ids)
	if err != nil {
		return err
	}
	policies := selected.Policies
	if len(selected.Gone) > 0 || slices.ContainsFunc(policies, func(p policy.Policy) bool { return p.LastNo != shownVersion(r, p.ID) }) {
		return h.askAboutChanged(w, r, selected)
	}
	broken, err := h.db.Policies.DeleteAll(ctx, actor(r), string(policyKind(r)), policies, r.PostForm.Get("risk") == "1")
	switch {
	case asksAgain(err):
		return h.showDeletion(w, r, http.StatusUnprocessableEntity, policyviews.Deletion{Selection: selected, Back: r.PostForm.Get("back"), Unconfirmed: true})
	case errors.As(err, new(*policy.EditConflict)), isDeleted(err): // since they were read above
		if selected, err = h.selectedPolicies(r, ids); err != nil {
			return err
		}
		return h.askAboutChanged(w, r, selected)
	case err != nil:
		return err
	}
	undo := url.Values{}
	for _, p := range policies {
		undo.Add("id", strconv.FormatInt(p.ID, 10))
	}
	text := locales.N(ctx, "policy.deleted.several", len(policies))
	if len(policies) == 1 {
		text = locales.T(ctx, "policy.deleted", "Policy", policies[0].Version.Name)
	}
	list := h.backToList(r)
	return h.redirectWithUndo(w, r, list, withBrokenCheck(ctx, text, broken), withBack("/policies/"+string(policyKind(r))+"/restore?"+undo.Encode(), list))
}

// shownVersion is the version of a policy that the confirmation has shown; 0 for none.
func shownVersion(r *http.Request, id int64) int32 {
	text := cmp.Or(r.PostForm.Get(policyviews.VersionField(id)), r.PostForm.Get("version_no"))
	no, _ := strconv.ParseInt(text, 10, 32)
	return int32(no)
}

// askAboutChanged shows the confirmation again, with what somebody saved, or deleted, after
// it was shown.
func (h *handlers) askAboutChanged(w http.ResponseWriter, r *http.Request, selected policy.Selection) error {
	deletion := policyviews.Deletion{Selection: selected, Back: r.PostForm.Get("back")}
	for _, p := range selected.Policies {
		shown := shownVersion(r, p.ID)
		if shown == p.LastNo || shown == 0 {
			continue
		}
		versions, err := h.db.Policies.Versions(r.Context(), person(r).CompanyID, p.ID)
		if err != nil {
			return err
		}
		newest := versions[0]
		changed := policyviews.ChangedPolicy{Name: p.Version.Name, Conflict: policyviews.Conflict{By: newest.CreatedByName, At: newest.CreatedAt}}
		if base, ok := versionNo(versions, shown); ok {
			changed.Changes = policy.Compare(p.Kind, base, newest)
			changed.Changes.Fields = slices.DeleteFunc(changed.Changes.Fields, func(f policy.FieldDifference) bool { return f.Field == "effective_from" })
			changed.People = append(peopleOf(base.Values(p.Kind)), peopleOf(newest.Values(p.Kind))...)
		}
		deletion.Changed = append(deletion.Changed, changed)
	}
	return h.showDeletion(w, r, http.StatusConflict, deletion)
}

// restorePolicies restores deleted policies and shows which of their targets
// belong to other policies by now. It leads to the page in back, or to the list.
func (h *handlers) restorePolicies(w http.ResponseWriter, r *http.Request) error {
	texts := r.URL.Query()["id"]
	if id, err := policyID(r); err == nil {
		texts = []string{strconv.FormatInt(id, 10)}
	}
	ids, err := rowIDs(texts)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return errPageNotFound
	}
	restored, lost, err := h.db.Policies.RestoreAll(r.Context(), actor(r), string(policyKind(r)), ids, true)
	if err != nil {
		return withoutField(err)
	}
	if lost, err = h.db.Policies.NameTargets(r.Context(), person(r).CompanyID, lost); err != nil {
		return err
	}
	ctx, path := r.Context(), backTo(r, r.URL.Query().Get("back"))
	text := locales.N(ctx, "policy.restored.several", len(restored))
	if len(restored) == 1 {
		text = locales.T(ctx, "policy.restored", "Policy", restored[0].Version.Name)
		if restored[0].Version.IsProvisional() {
			path = policyPath(restored[0]) // which asks to confirm it
		}
	}
	if len(lost) > 0 {
		text = locales.T(ctx, "policy.restored.lost", "Text", text, "Targets", policyviews.TargetNames(ctx, lost))
	}
	return h.redirectWithUndo(w, r, path, withBrokenCheck(ctx, text, restored[0].Broken), "")
}
