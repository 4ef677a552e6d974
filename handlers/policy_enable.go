package handlers

import (
	"net/http"
	"net/url"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// askToEnable shows above the list what enabling or disabling policies would do:
// ?id=5&id=6&enabled=true.
func (h *handlers) askToEnable(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	ids, err := rowIDs(query["id"])
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return errPageNotFound
	}
	return h.showEnabling(w, r, http.StatusOK, policyviews.Enabling{Enabled: query.Get("enabled") == "true", Effect: policyviews.Effect{Back: query.Get("back")}}, ids)
}

// showEnabling shows the question with the effects.
func (h *handlers) showEnabling(w http.ResponseWriter, r *http.Request, status int, question policyviews.Enabling, ids []int64) error {
	question.Back = backTo(r, question.Back)
	view, err := h.listBehind(r, question.Back)
	if err != nil {
		return err
	}
	view.Frame.Path = withoutPicked(question.Back)
	if question.Policies, err = h.policiesOfKind(r, ids); err != nil {
		return err
	}
	if question.Preview, err = h.db.Policies.PreviewEnabling(r.Context(), actor(r), string(policyKind(r)), ids, question.Enabled); err != nil {
		return withoutField(err)
	}
	if question.People, err = h.nameUsers(r, warnedPeople(question.Preview.Warnings)); err != nil {
		return err
	}
	view.Enable = &question
	return h.renderStatus(w, r, status, policyviews.ListPage(view))
}

// enablePolicy enables or disables a policy; see enablePolicies.
func (h *handlers) enablePolicy(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	p, err := h.existingPolicy(r)
	if err != nil {
		return err
	}
	return h.enablePolicies(w, r, []int64{p.ID}, r.PostForm.Get("enabled") == "true", backTo(r, r.PostForm.Get("back")))
}

// enablePolicies enables or disables policies. It asks first if that affects
// anybody, which can be cancelled to the address back, and offers to undo it. If it may lock somebody out that has to be
// confirmed; the confirmed versions are provisional, and the list asks to confirm
// them again.
func (h *handlers) enablePolicies(w http.ResponseWriter, r *http.Request, ids []int64, enabled bool, back string) error {
	ctx, kind := r.Context(), string(policyKind(r))
	if r.PostForm.Get("asked") != "1" {
		preview, err := h.db.Policies.PreviewEnabling(ctx, actor(r), kind, ids, enabled)
		if err != nil {
			return withoutField(err)
		}
		if preview.People() > 0 || len(preview.Warnings) > 0 {
			query := url.Values{"enabled": {strconv.FormatBool(enabled)}, "back": {back}}
			for _, id := range ids {
				query.Add("id", strconv.FormatInt(id, 10))
			}
			return redirect(w, r, "/policies/"+kind+"/enabling?"+query.Encode())
		}
	}
	added, err := h.db.Policies.EnableAll(ctx, actor(r), kind, ids, enabled, r.PostForm.Get("risk") == "1")
	if asksAgain(err) {
		return h.showEnabling(w, r, http.StatusUnprocessableEntity, policyviews.Enabling{Enabled: enabled, Effect: policyviews.Effect{Back: back, Unconfirmed: true}}, ids)
	}
	if err != nil {
		return withoutField(err)
	}
	policies, err := h.policiesOfKind(r, ids)
	if err != nil {
		return err
	}
	list := h.backToList(r)
	return h.redirectWithUndo(w, r, list, enablingText(r, enabled, policies...), withBack(revertURL(kind, added), list))
}

// revertURL is where the form that reverts versions is sent, or "" for none.
func revertURL(kind string, versions []policy.VersionKey) string {
	if len(versions) == 0 {
		return ""
	}
	query := url.Values{}
	for _, v := range versions {
		query.Add("version", v.String())
	}
	return "/policies/" + kind + "/revert?" + query.Encode()
}

// revertPolicies reverts versions that were just saved: ?version=5-2&version=6-3. It
// leads to the page in back, or to the list.
func (h *handlers) revertPolicies(w http.ResponseWriter, r *http.Request) error {
	var keys []policy.VersionKey
	for _, text := range r.URL.Query()["version"] {
		key, err := policy.ParseVersionKey(text)
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return errPageNotFound
	}
	if err := h.db.Policies.RevertVersions(r.Context(), actor(r), string(policyKind(r)), keys); err != nil {
		return withoutField(err)
	}
	return h.redirectWithToast(w, r, backTo(r, r.URL.Query().Get("back")), "policy.reverted")
}

// enablingText says which policies were enabled or disabled, and when that takes
// effect: attendance policies change tomorrow.
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
