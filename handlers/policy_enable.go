package handlers

import (
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

// showEnabling shows the question about the policies that would change, with the effects
// and with what prevents the others from changing.
func (h *handlers) showEnabling(w http.ResponseWriter, r *http.Request, status int, question policyviews.Enabling, ids []int64) error {
	found, err := h.db.Policies.PreviewEnabling(r.Context(), actor(r), string(policyKind(r)), ids, question.Enabled)
	if err != nil {
		return withoutField(err)
	}
	question.Preview, question.Selection, question.Already, question.Waiting = found.Preview, found.Selection, found.Already, found.Waiting
	question.Back = backTo(r, question.Back)
	if len(question.Policies) == 0 {
		question.Back = backToListIn(r, question.Back)
	}
	view, err := h.listBehind(r, question.Back)
	if err != nil {
		return err
	}
	view.Frame.Path = withoutPicked(question.Back)
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
	id, err := policyID(r)
	if err != nil {
		return err
	}
	return h.enablePolicies(w, r, []int64{id}, r.PostForm.Get("enabled") == "true", backTo(r, r.PostForm.Get("back")))
}

// enablePolicies enables or disables policies, and offers to undo it. It asks first if
// that affects anybody or breaks a check, or if a policy is deleted, has a planned change, or none would
// change; the question can be cancelled to the address back. It asks again if a policy of
// the answer would not change any more, because what the question said is not what would
// happen. If it may lock somebody out that has to be confirmed; the confirmed versions are
// provisional, and the list asks to confirm them again.
func (h *handlers) enablePolicies(w http.ResponseWriter, r *http.Request, ids []int64, enabled bool, back string) error {
	ctx, kind := r.Context(), string(policyKind(r))
	var policies, already []policy.Policy
	if r.PostForm.Get("asked") == "1" {
		var err error
		if policies, already, err = h.answeredPolicies(r, ids, enabled); err != nil {
			return err
		}
	} else {
		preview, err := h.db.Policies.PreviewEnabling(ctx, actor(r), kind, ids, enabled)
		if err != nil {
			return withoutField(err)
		}
		if preview.People() > 0 || len(preview.Warnings) > 0 || len(preview.Broken) > 0 || len(preview.Gone) > 0 || len(preview.Waiting) > 0 || len(preview.Policies) == 0 {
			query := url.Values{"enabled": {strconv.FormatBool(enabled)}, "back": {back}}
			for _, id := range ids {
				query.Add("id", strconv.FormatInt(id, 10))
			}
			return redirect(w, r, "/policies/"+kind+"/enabling?"+query.Encode())
		}
		policies, already = preview.Policies, preview.Already
		ids = idsOf(policies)
	}
	outcome, err := h.db.Policies.EnableAll(ctx, actor(r), kind, ids, enabled, r.PostForm.Get("risk") == "1")
	question := policyviews.Enabling{Enabled: enabled, Effect: policyviews.Effect{Back: back}}
	switch all := slices.Concat(ids, idsOf(already)); {
	case asksAgain(err):
		question.Unconfirmed = true
		return h.showEnabling(w, r, http.StatusUnprocessableEntity, question, all)
	case isDeleted(err), errors.Is(err, queries.Conflict("policy.changed")):
		question.Again = true
		return h.showEnabling(w, r, http.StatusConflict, question, all)
	case err != nil:
		return withoutField(err)
	}
	list := h.backToList(r)
	text := withBrokenCheck(ctx, enablingText(r, enabled, policies, already), outcome.Broken)
	return h.redirectWithUndo(w, r, list, text, withBack(revertURL(kind, outcome.Added), list))
}

// answeredPolicies returns the policies with the ids of an answer, and those that the
// question has named as enabled, or disabled, and that still are.
func (h *handlers) answeredPolicies(r *http.Request, ids []int64, enabled bool) (policies, already []policy.Policy, err error) {
	answered, err := h.selectedPolicies(r, ids)
	if err != nil {
		return nil, nil, err
	}
	if ids, err = rowIDs(r.PostForm["already"]); err != nil {
		return nil, nil, err
	}
	unchanged, err := h.selectedPolicies(r, ids)
	return answered.Policies, slices.DeleteFunc(unchanged.Policies, func(p policy.Policy) bool {
		return !p.IsAlready(enabled, h.db.Now(), zone(person(r)))
	}), err
}

func idsOf(policies []policy.Policy) []int64 {
	ids := make([]int64, len(policies))
	for i, p := range policies {
		ids[i] = p.ID
	}
	return ids
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
	broken, err := h.db.Policies.RevertVersions(r.Context(), actor(r), string(policyKind(r)), keys)
	if err != nil {
		return withoutField(err)
	}
	return h.redirectWithUndo(w, r, backTo(r, r.URL.Query().Get("back")), withBrokenCheck(r.Context(), locales.T(r.Context(), "policy.reverted"), broken), "")
}

// enablingText says which policies were enabled or disabled, and when that takes
// effect: attendance policies change tomorrow. It adds which were so already.
func enablingText(r *http.Request, enabled bool, policies, already []policy.Policy) string {
	ctx, id := r.Context(), "policy.disabled"
	if enabled {
		id = "policy.enabled"
	}
	if usualStart(policyKind(r)) != string(policy.StartNow) {
		id += ".later"
	}
	text := locales.N(ctx, id+".several", len(policies))
	if len(policies) == 1 {
		text = locales.T(ctx, id, "Policy", policies[0].Version.Name)
	}
	for _, more := range policyviews.AlreadyTexts(ctx, enabled, already) {
		text = locales.T(ctx, "policy.bulk.also", "Text", text, "More", more)
	}
	return text
}
