package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// askToInherit asks above the list before a target of a policy inherits again:
// ?type=user&id=4.
func (h *handlers) askToInherit(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	release, err := h.releaseOf(r, query)
	if err != nil {
		return err
	}
	return h.showInheritance(w, r, http.StatusOK, policyviews.Inheritance{Effect: policyviews.Effect{Back: backToStatus(r, query.Get("back"))}}, release)
}

// release is a target that leaves the policy that lists it.
type release struct {
	target policy.Target
	policy policy.Policy
}

// releaseOf reads the target from a form and finds its policy. A target that no policy in
// force lists is errPageNotFound.
func (h *handlers) releaseOf(r *http.Request, form url.Values) (found release, err error) {
	target := policy.Target{Type: policy.TargetType(form.Get("type")), IncludeChildren: true}
	if target.ID, err = rowID(form.Get("id")); err != nil {
		return found, err
	}
	holder, err := h.db.Policies.Holder(r.Context(), person(r).CompanyID, string(policyKind(r)), target)
	if errors.Is(err, queries.NotFound) {
		err = errPageNotFound
	}
	if err != nil {
		return found, err
	}
	if found.policy, err = h.policyOfKind(r, holder); err != nil {
		return found, err
	}
	at := slices.IndexFunc(found.policy.Version.Targets, func(t policy.Target) bool { return t.Type == target.Type && t.ID == target.ID })
	if at < 0 || !found.policy.InForce || found.policy.Version.Targets[at].Name == policy.HiddenName {
		return found, errPageNotFound
	}
	found.target = found.policy.Version.Targets[at]
	return found, nil
}

// draft is the version of the policy without the target.
func (f release) draft() policy.Draft {
	d := f.policy.Version.Draft(f.policy)
	d.Targets = slices.DeleteFunc(slices.Clone(d.Targets), func(t policy.Target) bool { return t.Type == f.target.Type && t.ID == f.target.ID })
	return d
}

// showInheritance shows the question with the effects.
func (h *handlers) showInheritance(w http.ResponseWriter, r *http.Request, status int, question policyviews.Inheritance, f release) error {
	ctx := r.Context()
	chosen := url.Values{}
	if u, err := url.Parse(question.Back); err == nil && strings.HasSuffix(u.Path, "/status") {
		chosen = u.Query()
	}
	view, err := h.statusList(r, chosen)
	if err != nil {
		return err
	}
	view.Frame.Path = question.Back
	question.Target, question.Policy = f.target, f.policy.Version.Name
	if question.Preview, err = h.db.Policies.PreviewDraft(ctx, actor(r), f.draft(), f.policy.ID); err != nil {
		return withoutField(err)
	}
	fall, err := h.db.Policies.FallOf(ctx, actor(r), f.draft(), f.policy.ID, f.target)
	if err != nil {
		return withoutField(err)
	}
	question.Next = fall.PolicyName
	if question.People, err = h.nameUsers(r, warnedPeople(question.Preview.Warnings)); err != nil {
		return err
	}
	view.Inherit = &question
	return h.renderStatus(w, r, status, policyviews.StatusPage(view))
}

// inheritPolicy removes a target from the policy that lists it, so that it inherits again,
// and offers to undo it. If that may lock somebody out it has to be confirmed.
func (h *handlers) inheritPolicy(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ctx, back := r.Context(), backToStatus(r, r.PostForm.Get("back"))
	f, err := h.releaseOf(r, r.PostForm)
	if err != nil {
		return err
	}
	outcome, err := h.db.Policies.AssignTargets(ctx, actor(r), f.policy.ID, f.policy.LastNo, policy.Assignment{
		Release: []policy.Target{f.target}, Confirmed: r.PostForm.Get("risk") == "1",
	})
	if asksAgain(err) {
		return h.showInheritance(w, r, http.StatusUnprocessableEntity, policyviews.Inheritance{Effect: policyviews.Effect{Back: back, Unconfirmed: true}}, f)
	}
	if err != nil {
		return withoutField(err)
	}
	text := "status.inherit.done"
	if usualStart(policyKind(r)) != string(policy.StartNow) {
		text = "status.inherit.done.later"
	}
	undo := revertURL(string(policyKind(r)), []policy.VersionKey{{PolicyID: f.policy.ID, No: outcome.Policy.LastNo}}) + "&back=" + url.QueryEscape(back)
	return h.redirectWithUndo(w, r, back, withBrokenCheck(ctx, locales.T(ctx, text, "Name", f.target.Name), outcome.Policy.Broken), undo)
}

// backToStatus returns the path of the list or the explanation that a form came from.
func backToStatus(r *http.Request, back string) string {
	list := "/policies/" + string(policyKind(r)) + "/status"
	if path := backTo(r, back); strings.HasPrefix(path, list) {
		return path
	}
	return list
}
