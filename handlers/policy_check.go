package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	policyviews "officeconsole/views/policy"
)

// policyChecks lists the checks of a kind of policies, each with whether it is true now.
func (h *handlers) policyChecks(w http.ResponseWriter, r *http.Request) error {
	states, err := h.db.Policies.CheckStates(r.Context(), person(r).CompanyID, string(policyKind(r)))
	if err != nil {
		return err
	}
	return h.render(w, r, policyviews.ChecksPage(policyviews.Checks{Frame: h.frame(r), Kind: policyKind(r), States: states}))
}

// newPolicyCheck shows the form of a new check.
func (h *handlers) newPolicyCheck(w http.ResponseWriter, r *http.Request) error {
	kind := policyKind(r)
	return h.showCheck(w, r, http.StatusOK, policyviews.CheckForm{Kind: kind, Draft: policyviews.NewCheckDraft(kind)})
}

// policyCheck shows the form of a check, with who breaks it.
func (h *handlers) policyCheck(w http.ResponseWriter, r *http.Request) error {
	form, err := h.checkForm(r)
	if err != nil {
		return err
	}
	form.Draft = form.People.CheckDraft
	return h.showCheck(w, r, http.StatusOK, form)
}

// checkForm returns the form of the check that the URL names, of a new one if it names
// none. Only what is stored is filled in.
func (h *handlers) checkForm(r *http.Request) (policyviews.CheckForm, error) {
	form := policyviews.CheckForm{Kind: policyKind(r)}
	text := chi.URLParam(r, "id")
	if text == "" {
		return form, nil
	}
	var err error
	if form.ID, err = rowID(text); err != nil {
		return form, err
	}
	people, err := h.db.Policies.CheckPeople(r.Context(), person(r).CompanyID, string(form.Kind), form.ID)
	form.People, form.VersionNo = &people, people.VersionNo
	return form, err
}

func (h *handlers) showCheck(w http.ResponseWriter, r *http.Request, status int, form policyviews.CheckForm) error {
	var err error
	if form.Draft.Targets, err = h.db.Policies.NameTargets(r.Context(), person(r).CompanyID, form.Draft.Targets); err != nil {
		return err
	}
	form.Frame = h.frame(r)
	form.Frame.Path = policyviews.CheckPath(form.Kind, form.ID)
	return h.renderStatus(w, r, status, policyviews.CheckPage(form))
}

// savePolicyCheck handles the form of a check: it saves, shows the form for another
// setting, or searches targets without scripts.
func (h *handlers) savePolicyCheck(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form, err := h.checkForm(r)
	if err != nil {
		return err
	}
	form.IsTyped, form.Find = true, r.PostForm.Get("find")
	if form.ID != 0 {
		seen, _ := strconv.ParseInt(r.PostForm.Get("version"), 10, 32)
		form.VersionNo = int32(seen)
	}
	if form.Draft, err = typedCheck(r.PostForm); err != nil {
		return err
	}
	switch r.PostForm.Get("action") {
	case "show":
		form.Draft = policyviews.FitCheck(form.Kind, form.Draft)
		return h.showCheck(w, r, http.StatusOK, form)
	case "find":
		return h.findCheckTargets(w, r, form)
	}
	draft := form.Draft
	if draft.Name == "" {
		if draft.Targets, err = h.db.Policies.NameTargets(r.Context(), person(r).CompanyID, draft.Targets); err != nil {
			return err
		}
		draft.Name = policyviews.CheckSentence(r.Context(), form.Kind, draft)
	}
	saved, err := h.db.Policies.SaveCheck(r.Context(), actor(r), policy.CheckChange{ID: form.ID, Kind: string(form.Kind), VersionNo: form.VersionNo, Draft: &draft})
	switch {
	case errors.As(err, &form.Refused):
		return h.showCheck(w, r, http.StatusUnprocessableEntity, form)
	case errors.As(err, new(queries.Conflict)):
		form.Conflict, form.VersionNo = true, form.People.VersionNo
		return h.showCheck(w, r, http.StatusConflict, form)
	case err != nil:
		return err
	}
	state, err := h.db.Policies.CheckPeople(r.Context(), person(r).CompanyID, saved.Kind, saved.ID)
	if err != nil {
		return err
	}
	if !state.Holds && state.Of > 0 {
		return h.redirectWithToast(w, r, policyviews.ChecksPath(form.Kind), "check.saved.broken")
	}
	return h.redirectWithToast(w, r, policyviews.ChecksPath(form.Kind), "check.saved")
}

// typedCheck reads the form of a check.
func typedCheck(f url.Values) (policy.CheckDraft, error) {
	d := policy.CheckDraft{
		Name: f.Get("name"), Quantifier: policy.Quantifier(f.Get("quantifier")), Severity: policy.Severity(f.Get("severity")),
		Expectation: settings.Expectation{Relation: settings.Relation(f.Get("relation")), Key: f.Get("setting"), Part: f.Get("part"), Value: f.Get("value")},
	}
	if d.Key == "" {
		d.Relation = settings.SignIn
	}
	var err error
	d.Targets, err = typedTargets(f)
	for i := range d.Targets {
		d.Targets[i].IncludeChildren = true
	}
	return d, err
}

func (h *handlers) findCheckTargets(w http.ResponseWriter, r *http.Request, form policyviews.CheckForm) error {
	found, err := h.foundTargets(r, form.Find)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		form.Refused = queries.FieldErrors{"find": refused}
		return h.showCheck(w, r, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	form.Found = found
	return h.showCheck(w, r, http.StatusOK, form)
}

// deletePolicyCheck deletes a check, which the toast can undo.
func (h *handlers) deletePolicyCheck(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	seen, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 32)
	if err != nil {
		return queries.Invalid("error.unreadable")
	}
	kind := policyKind(r)
	if _, err := h.db.Policies.SaveCheck(r.Context(), actor(r), policy.CheckChange{ID: id, Kind: string(kind), VersionNo: int32(seen)}); err != nil {
		return err
	}
	return h.redirectWithUndo(w, r, policyviews.ChecksPath(kind), locales.T(r.Context(), "check.deleted"), policyviews.CheckPath(kind, id)+"/restoration")
}

// restorePolicyCheck restores a deleted check.
func (h *handlers) restorePolicyCheck(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := h.db.Audit.RestoreCheck(r.Context(), actor(r), id); err != nil {
		return err
	}
	return h.redirectWithToast(w, r, policyviews.ChecksPath(policyKind(r)), "check.saved")
}

// asksAgain reports whether a save is refused because of what its question shows: whom
// it may lock out, or which checks it breaks.
func asksAgain(err error) bool {
	return errors.As(err, new(*policy.Lockout)) || errors.As(err, new(*policy.CheckRefusal))
}

// withBrokenCheck adds to what was done the first of the checks that it has broken, if any.
func withBrokenCheck(ctx context.Context, text string, broken []policy.BrokenCheck) string {
	if len(broken) == 0 {
		return text
	}
	return locales.T(ctx, "policy.bulk.also", "Text", text, "More", locales.T(ctx, "check.warning", "Sentence", brokenSentence(ctx, broken)))
}

// brokenSentence is the sentence of the first of some broken checks.
func brokenSentence(ctx context.Context, broken []policy.BrokenCheck) string {
	return policyviews.CheckSentence(ctx, settings.Kind(broken[0].Kind), broken[0].CheckDraft)
}
