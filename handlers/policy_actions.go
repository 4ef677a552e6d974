package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/views"
)

// backTo is the page of policies that a form came from, else the list.
func backTo(r *http.Request, back string) string {
	u, err := url.Parse(back)
	if err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/policies/"+string(policyKind(r))+"/") {
		return u.RequestURI()
	}
	return listPath(r)
}

func listPath(r *http.Request) string { return "/policies/" + string(policyKind(r)) + "/management" }

// plainly makes the first refusal of a field the refusal of the whole, for
// forms without fields.
func plainly(err error) error {
	var fields queries.FieldErrors
	if !errors.As(err, &fields) || len(fields) == 0 {
		return err
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	return fields[slices.Min(names)]
}

// duplicatePolicy copies a policy and leads to the copy.
func (h *handlers) duplicatePolicy(w http.ResponseWriter, r *http.Request) error {
	p, err := h.existingPolicy(r)
	if err != nil {
		return err
	}
	copied, err := h.db.DuplicatePolicy(r.Context(), actor(r), p.ID)
	if err != nil {
		return plainly(err)
	}
	return h.done(w, r, "/policies/"+copied.Kind+"/"+strconv.FormatInt(copied.ID, 10), "policy.duplicated")
}

// changePolicies does one thing to all policies that were picked.
func (h *handlers) changePolicies(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ids, err := h.pickedPolicies(r)
	if err != nil {
		return err
	}
	switch action := r.PostForm.Get("action"); {
	case action == "enable", action == "disable":
		return h.enablePolicies(w, r, ids, action == "enable")
	case action == "delete" && r.PostForm.Get("confirmed") == "1":
		return h.deletePolicies(w, r, ids)
	case action == "delete":
		query := url.Values{"back": {r.PostForm.Get("back")}}
		for _, id := range ids {
			query.Add("id", strconv.FormatInt(id, 10))
		}
		return redirect(w, r, "/policies/"+string(policyKind(r))+"/delete?"+query.Encode())
	}
	return errUnreachable
}

// pickedPolicies are the policies whose boxes were ticked, or all that the list
// chooses but the default, which nothing can be done with.
func (h *handlers) pickedPolicies(r *http.Request) ([]int64, error) {
	var ids []int64
	for _, text := range r.PostForm["id"] {
		id, err := rowID(text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if r.PostForm.Get("all") == "1" {
		return h.listedPolicies(r, backTo(r, r.PostForm.Get("back")))
	}
	if len(ids) == 0 {
		return nil, queries.Invalid("policy.bulk.none")
	}
	return ids, nil
}

func (h *handlers) listedPolicies(r *http.Request, list string) ([]int64, error) {
	u, err := url.Parse(list)
	if err != nil {
		return nil, errUnreachable
	}
	_, filter, err := h.chosenPolicies(r, u.Query())
	if err != nil {
		return nil, err
	}
	filter.Limit, filter.After, filter.Before = 1<<30, queries.PolicyKey{}, queries.PolicyKey{}
	page, err := h.db.Policies(r.Context(), person(r).Person, string(policyKind(r)), filter)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, p := range page.Policies {
		if !p.IsDefault {
			ids = append(ids, p.ID)
		}
	}
	return ids, nil
}

// askToDelete asks before a policy is deleted, askToDeleteAll before several
// are: id=5&id=6.
func (h *handlers) askToDelete(w http.ResponseWriter, r *http.Request) error {
	p, err := h.existingPolicy(r)
	if err != nil {
		return err
	}
	return h.showDeletion(w, r, http.StatusOK, []queries.Policy{p}, r.URL.Query().Get("back"), false)
}

func (h *handlers) askToDeleteAll(w http.ResponseWriter, r *http.Request) error {
	var policies []queries.Policy
	for _, text := range r.URL.Query()["id"] {
		id, err := rowID(text)
		if err != nil {
			return err
		}
		p, err := h.db.Policy(r.Context(), person(r).CompanyID, id)
		if err != nil {
			return err
		}
		if p.Kind != string(policyKind(r)) {
			return errUnreachable
		}
		policies = append(policies, p)
	}
	if len(policies) == 0 {
		return errUnreachable
	}
	return h.showDeletion(w, r, http.StatusOK, policies, r.URL.Query().Get("back"), false)
}

// showDeletion shows the question above the list.
func (h *handlers) showDeletion(w http.ResponseWriter, r *http.Request, status int, policies []queries.Policy, back string, unconfirmed bool) error {
	if slices.ContainsFunc(policies, func(p queries.Policy) bool { return p.IsDefault }) {
		return queries.Invalid("policy.default.deleted")
	}
	back = backTo(r, back)
	view, err := h.listBehind(r, back)
	if err != nil {
		return err
	}
	deletion := views.PolicyDeletion{Policies: policies, Back: back, Unconfirmed: unconfirmed}
	ids := make([]int64, len(policies))
	for i, p := range policies {
		ids[i] = p.ID
	}
	if deletion.Preview, err = h.db.DeletionPreview(r.Context(), actor(r), ids...); err != nil {
		return err
	}
	if deletion.People, err = h.nameWarned(r.Context(), person(r).CompanyID, deletion.Preview.Warnings); err != nil {
		return err
	}
	view.Delete = &deletion
	return h.renderStatus(w, r, status, views.Policies(view))
}

// listBehind is the list behind a question that leads back to an address: as it
// was chosen there, or all of it.
func (h *handlers) listBehind(r *http.Request, back string) (views.PolicyList, error) {
	chosen := url.Values{}
	if u, err := url.Parse(back); err == nil && u.Path == listPath(r) {
		chosen = u.Query()
	}
	return h.policyList(r, chosen)
}

func (h *handlers) nameWarned(ctx context.Context, companyID int64, warnings []queries.Warning) (views.People, error) {
	var targets []queries.Target
	for _, warning := range warnings {
		for _, id := range warning.UserIDs {
			targets = append(targets, queries.Target{Type: queries.UserTarget, ID: id})
		}
	}
	named, err := h.db.NamedTargets(ctx, companyID, targets)
	people := views.People{}
	for _, t := range named {
		people[t.ID] = t.Name
	}
	return people, err
}

// deletePolicy deletes the policy that the question was about, unless somebody
// changed it in the meantime: then the question is another one.
func (h *handlers) deletePolicy(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	p, err := h.existingPolicy(r)
	if err != nil {
		return err
	}
	if r.PostForm.Get("version_no") != strconv.Itoa(int(p.LastNo)) {
		return h.showDeletion(w, r, http.StatusConflict, []queries.Policy{p}, r.PostForm.Get("back"), false)
	}
	return h.deletePolicies(w, r, []int64{p.ID})
}

// deletePolicies deletes and offers to take it back.
func (h *handlers) deletePolicies(w http.ResponseWriter, r *http.Request, ids []int64) error {
	ctx := r.Context()
	var policies []queries.Policy
	for _, id := range ids {
		p, err := h.db.Policy(ctx, person(r).CompanyID, id)
		if err != nil {
			return err
		}
		if p.Kind != string(policyKind(r)) {
			return errUnreachable
		}
		policies = append(policies, p)
	}
	undo := url.Values{}
	for _, p := range policies {
		_, err := h.db.DeletePolicy(ctx, actor(r), p.ID, p.LastNo, r.PostForm.Get("risk") == "1")
		var lockOut *queries.LockOut
		if errors.As(err, &lockOut) {
			return h.showDeletion(w, r, http.StatusUnprocessableEntity, policies, r.PostForm.Get("back"), true)
		}
		if err != nil {
			return err
		}
		undo.Add("id", strconv.FormatInt(p.ID, 10))
	}
	text := locales.N(ctx, "policy.deleted.several", len(policies))
	if len(policies) == 1 {
		text = locales.T(ctx, "policy.deleted", "Policy", policies[0].Version.Name)
	}
	return h.doneUndoable(w, r, h.backToList(r), text, "/policies/"+string(policyKind(r))+"/restore?"+undo.Encode())
}

// backToList is the list as a form was on it: never the page of a policy, which
// may be gone.
func (h *handlers) backToList(r *http.Request) string {
	back := backTo(r, r.PostForm.Get("back"))
	if path, _, _ := strings.Cut(back, "?"); path != listPath(r) {
		return listPath(r)
	}
	return back
}

// restorePolicies brings deleted policies back and says which of their targets
// belong to others by now.
func (h *handlers) restorePolicies(w http.ResponseWriter, r *http.Request) error {
	texts := r.URL.Query()["id"]
	if id, err := policyID(r); err == nil {
		texts = []string{strconv.FormatInt(id, 10)}
	}
	if len(texts) == 0 {
		return errUnreachable
	}
	var lost []queries.Target
	var restored queries.Policy
	for _, text := range texts {
		id, err := rowID(text)
		if err != nil {
			return err
		}
		gone, err := h.restorePolicy(r, id, &restored)
		if err != nil {
			return plainly(err)
		}
		lost = append(lost, gone...)
	}
	ctx, path := r.Context(), listPath(r)
	if len(texts) == 1 && restored.Version.Unconfirmed() {
		path = "/policies/" + restored.Kind + "/" + strconv.FormatInt(restored.ID, 10) // which asks to confirm it
	}
	text := locales.N(ctx, "policy.restored.several", len(texts))
	if len(texts) == 1 {
		text = locales.T(ctx, "policy.restored", "Policy", restored.Version.Name)
	}
	if len(lost) > 0 {
		text = locales.T(ctx, "policy.restored.lost", "Text", text, "Targets", views.TargetNames(ctx, lost))
	}
	return h.doneUndoable(w, r, path, text, "")
}

func (h *handlers) restorePolicy(r *http.Request, id int64, restored *queries.Policy) (lost []queries.Target, err error) {
	deleted, err := h.db.DeletedPolicy(r.Context(), person(r).CompanyID, id)
	if err != nil {
		return nil, err
	}
	if deleted.Kind != string(policyKind(r)) {
		return nil, errUnreachable
	}
	if *restored, lost, err = h.db.RestorePolicy(r.Context(), actor(r), id, true); err != nil {
		return nil, err
	}
	return h.db.NamedTargets(r.Context(), person(r).CompanyID, lost)
}
