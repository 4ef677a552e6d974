package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// backTo returns the path of the policy page that a form came from, or else of
// the list.
func backTo(r *http.Request, back string) string {
	u, err := url.Parse(back)
	if err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/policies/"+string(policyKind(r))+"/") {
		return u.RequestURI()
	}
	return listPath(r)
}

func listPath(r *http.Request) string { return "/policies/" + string(policyKind(r)) + "/management" }

func policyPath(p policy.Policy) string {
	return "/policies/" + p.Kind + "/" + strconv.FormatInt(p.ID, 10)
}

// withoutField returns the first field error as an error of the whole request,
// for forms without fields.
func withoutField(err error) error {
	var fields queries.FieldErrors
	if !errors.As(err, &fields) || len(fields) == 0 {
		return err
	}
	return fields.First()
}

// duplicatePolicy copies a policy and redirects to the copy.
func (h *handlers) duplicatePolicy(w http.ResponseWriter, r *http.Request) error {
	p, err := h.existingPolicy(r)
	if err != nil {
		return err
	}
	copied, err := h.db.Policies.Duplicate(r.Context(), actor(r), p.ID)
	if err != nil {
		return withoutField(err)
	}
	return h.redirectWithToast(w, r, policyPath(copied), "policy.duplicated")
}

// changePolicies applies one action to all selected policies.
func (h *handlers) changePolicies(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ids, err := h.pickedPolicies(r)
	if err != nil {
		return err
	}
	back := backTo(r, r.PostForm.Get("back"))
	if r.PostForm.Get("asked") != "1" && r.PostForm.Get("confirmed") != "1" {
		back = withPicked(back, r.PostForm["id"], r.PostForm.Get("all") == "1")
	}
	switch action := r.PostForm.Get("action"); {
	case action == "enable", action == "disable":
		return h.enablePolicies(w, r, ids, action == "enable", back)
	case action == "delete" && r.PostForm.Get("confirmed") == "1":
		return h.deletePolicies(w, r, ids)
	case action == "delete":
		query := url.Values{"back": {back}}
		for _, id := range ids {
			query.Add("id", strconv.FormatInt(id, 10))
		}
		return redirect(w, r, "/policies/"+string(policyKind(r))+"/delete?"+query.Encode())
	}
	return errPageNotFound
}

// pickedPolicies returns the ids of the ticked policies, or of all that the
// list's filter matches except the default, which has no actions.
func (h *handlers) pickedPolicies(r *http.Request) ([]int64, error) {
	ids, err := rowIDs(r.PostForm["id"])
	if err != nil {
		return nil, err
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
		return nil, errPageNotFound
	}
	view, err := h.chosenPolicies(r, u.Query())
	if err != nil {
		return nil, err
	}
	filter := view.Filter
	filter.Limit, filter.Cursor = 1<<30, nil
	page, err := h.db.Policies.List(r.Context(), person(r).Person, string(policyKind(r)), filter)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, p := range page.Rows {
		if !p.IsDefault {
			ids = append(ids, p.ID)
		}
	}
	return ids, nil
}

// listBehind returns the list to render behind a dialog, with the filter of the
// URL that the dialog returns to, or else without a filter.
func (h *handlers) listBehind(r *http.Request, back string) (policyviews.List, error) {
	chosen := url.Values{}
	if u, err := url.Parse(back); err == nil && u.Path == listPath(r) {
		chosen = u.Query()
	}
	return h.policyList(r, chosen)
}

func warnedPeople(warnings []policy.Warning) []int64 {
	var ids []int64
	for _, w := range warnings {
		ids = append(ids, w.UserIDs...)
	}
	return ids
}

// backToList returns the path of the list that a form came from, with no row ticked;
// never that of a policy, which may be deleted.
func (h *handlers) backToList(r *http.Request) string {
	return backToListIn(r, r.PostForm.Get("back"))
}

// backToListIn is backToList for the address back.
func backToListIn(r *http.Request, back string) string {
	back = backTo(r, back)
	if path, _, _ := strings.Cut(back, "?"); path != listPath(r) {
		return listPath(r)
	}
	return withoutPicked(back)
}
