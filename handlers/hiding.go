package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/views"
	hidingviews "officeconsole/views/hiding"
	policyviews "officeconsole/views/policy"
	"officeconsole/workday"
)

const hiddenPageSize = 50

// hiddenUsers lists the hidden or the deactivated users. The search, the filter and the cursor are
// in the URL, see hiding.Filter. With new=1 the form is above the list.
func (h *handlers) hiddenUsers(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	if !query.Has("new") {
		return h.showHiddenUsers(w, r, http.StatusOK, nil)
	}
	state, err := hidingState(query)
	if err != nil {
		return errPageNotFound
	}
	form, err := hidingForm(state, query)
	if err != nil {
		return errPageNotFound
	}
	return h.showHidingForm(w, r, http.StatusOK, form)
}

// showHiddenUsers shows the list that the URL is of, below the dialog that dialog returns
// for the filter of the list, unless it is nil.
func (h *handlers) showHiddenUsers(w http.ResponseWriter, r *http.Request, status int, dialog func(below hiding.Filter) templ.Component) error {
	ctx, companyID := r.Context(), person(r).CompanyID
	view := hidingviews.List{}
	var err error
	view.Filter, err = hiding.ReadFilter(r.URL.Query())
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	view.Limit = hiddenPageSize
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	if view.Page, err = h.db.Hidings.List(ctx, companyID, view.Filter); err != nil {
		return err
	}
	if view.Count, err = h.db.Hidings.Count(ctx, companyID, view.Filter); err != nil {
		return err
	}
	if view.Count <= hiding.MaxCount {
		view.Page.Total = int(view.Count)
	}
	view.Frame = h.frame(r)
	view.Frame.Path = strings.Replace(view.Frame.Path, "/organization/hidden", hidingviews.Path, 1)
	if dialog != nil {
		view.Frame.Dialog = dialog(view.Filter)
	}
	return h.renderStatus(w, r, status, hidingviews.ListPage(view))
}

// showHidingForm shows the form above the list, with the people of its search without
// scripts.
func (h *handlers) showHidingForm(w http.ResponseWriter, r *http.Request, status int, form hidingviews.Form) (err error) {
	form.Frame = h.frameWithoutToast(r)
	if form.Chosen, err = h.db.Hidings.People(r.Context(), person(r).CompanyID, form.Draft.UserIDs); err != nil {
		return err
	}
	search, err := lists.ParseSearch(form.Query)
	if refused := queries.Invalid(""); errors.As(err, &refused) {
		form.Missing = string(refused)
	} else if !search.Empty() {
		filter := directory.UserFilter{CompanyID: person(r).CompanyID, Scope: directory.Scope{Everybody: true}, Search: search, Limit: viewerChoices}
		found, err := h.db.Directory.Users(r.Context(), filter)
		if err != nil {
			return err
		}
		for _, u := range found.Rows {
			if !u.Bot {
				form.Found = append(form.Found, hiding.Person{ID: u.ID, Name: u.Name, Position: u.Position, Department: u.DepartmentName})
			}
		}
	}
	return h.showHiddenUsers(w, r, status, func(below hiding.Filter) templ.Component { return hidingviews.FormDialog(form, below) })
}

// hideUsers asks with what it would end, or hides or deactivates people once it is
// confirmed. The URL is that of the list below; what is typed is in the body.
func (h *handlers) hideUsers(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	state, err := hidingState(r.PostForm)
	if err != nil {
		return err
	}
	form, err := hidingForm(state, r.PostForm)
	form.Typed = true
	if err != nil {
		return h.refuseHiding(w, r, form, err)
	}
	if form.State == hiding.Hidden && form.Draft.Kind == "" {
		form.Draft.Kind = hiding.Other // as hiding.Store.Hide stores it
	}
	switch {
	case r.PostForm.Get("action") == hidingviews.ActionEdit:
		return h.showHidingForm(w, r, http.StatusOK, form)
	case r.PostForm.Get("confirmed") == "":
		return h.askToHide(w, r, form)
	}
	var hidden hiding.Result
	if form.State == hiding.Deactivated {
		hidden, err = h.db.Hidings.Deactivate(r.Context(), actor(r), form.Deactivation())
	} else {
		hidden, err = h.db.Hidings.Hide(r.Context(), actor(r), form.Draft)
	}
	if err != nil {
		return h.refuseHiding(w, r, form, err)
	}
	// A filter may leave out who is hidden now.
	return h.redirectAfterHiding(w, r, hidingviews.ListURL(state), hiding.Undone{Result: hidden, State: state, Hidden: true})
}

// redirectAfterHiding leads to the list, and says what was done and which checks of
// policies it breaks.
func (h *handlers) redirectAfterHiding(w http.ResponseWriter, r *http.Request, list string, done hiding.Undone) error {
	text := hidingviews.Done(r.Context(), done)
	if len(done.Broken) > 0 {
		text += " " + locales.T(r.Context(), "check.warning", "Sentence", brokenSentence(r.Context(), done.Broken))
	}
	return h.redirectWithUndo(w, r, list, text, withBack(hidingviews.UndoPath(done.Set), list))
}

func (h *handlers) askToHide(w http.ResponseWriter, r *http.Request, form hidingviews.Form) (err error) {
	var broken []policy.BrokenCheck
	if form.State == hiding.Deactivated {
		broken, err = h.db.Hidings.CheckDeactivation(r.Context(), actor(r), form.Deactivation())
	} else {
		broken, err = h.db.Hidings.Check(r.Context(), actor(r), form.Draft)
	}
	if err != nil {
		return h.refuseHiding(w, r, form, err)
	}
	if form.Chosen, err = h.db.Hidings.People(r.Context(), person(r).CompanyID, form.Draft.UserIDs); err != nil {
		return err
	}
	if form.Ends, err = h.db.Hidings.Consequences(r.Context(), person(r).CompanyID, form.Draft.UserIDs); err != nil {
		return err
	}
	form.Frame = h.frameWithoutToast(r)
	form.Broken = h.brokenChecks(form.Frame, broken)
	return h.showHiddenUsers(w, r, http.StatusOK, func(below hiding.Filter) templ.Component { return hidingviews.ConfirmDialog(form, below) })
}

// refuseHiding shows the form again with everything that was typed.
func (h *handlers) refuseHiding(w http.ResponseWriter, r *http.Request, form hidingviews.Form, err error) error {
	var broken *policy.CheckRefusal
	if errors.As(err, &broken) {
		form.Broken = h.brokenChecks(h.frameWithoutToast(r), broken.Broken)
	} else if !errors.As(err, &form.Refused) {
		return err
	}
	var refusal *hiding.Refusal
	if errors.As(err, &refusal) {
		form.Names = refusal.People
	}
	return h.showHidingForm(w, r, http.StatusUnprocessableEntity, form)
}

// brokenChecks is the note about the checks of policies that a change at once breaks;
// nil for none.
func (h *handlers) brokenChecks(f views.Frame, broken []policy.BrokenCheck) templ.Component {
	if len(broken) == 0 {
		return nil
	}
	return policyviews.BrokenChecks(broken, f.Now, f.Zone())
}

// showUsers shows or reactivates people: one, or those that are selected in the
// list.
func (h *handlers) showUsers(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ids, err := rowIDs(r.PostForm["id"])
	if err != nil {
		return err
	}
	state, err := hidingState(r.PostForm)
	if err != nil {
		return err
	}
	end, nobody := h.db.Hidings.Show, "hiding.shown.nobody"
	if state == hiding.Deactivated {
		end, nobody = h.db.Hidings.Reactivate, "deactivation.shown.nobody"
	}
	shown, err := end(r.Context(), actor(r), ids)
	list := backToHidden(r, state)
	var refused queries.FieldErrors
	switch {
	case errors.As(err, &refused):
		return refused.First()
	case errors.Is(err, queries.NotFound):
		return h.redirectWithToast(w, r, list, nobody)
	case err != nil:
		return err
	}
	return h.redirectAfterHiding(w, r, list, hiding.Undone{Result: shown, State: state})
}

// undoHiding reverts what a request has hidden, deactivated, shown or reactivated.
func (h *handlers) undoHiding(w http.ResponseWriter, r *http.Request) error {
	set, err := rowID(chi.URLParam(r, "set"))
	if err != nil {
		return err
	}
	done, err := h.db.Hidings.Undo(r.Context(), actor(r), set)
	var refused queries.FieldErrors
	switch {
	case errors.As(err, &refused):
		return queries.Conflict(refused.First())
	case errors.Is(err, queries.NotFound):
		return h.redirectWithToast(w, r, backToHidden(r, hiding.Hidden), "hiding.undo.nobody")
	case err != nil:
		return err
	}
	return h.redirectAfterHiding(w, r, backToHidden(r, done.State), done)
}

// backToHidden returns the list that a form came from, or else that of a state.
func backToHidden(r *http.Request, state hiding.State) string {
	if list := backToListAt(r, hidingviews.Path); list != hidingviews.Path {
		return list
	}
	return hidingviews.ListURL(state)
}

// hidingState reads whether a page or form is about hidden or deactivated users.
func hidingState(form url.Values) (hiding.State, error) {
	switch state := hiding.State(form.Get("state")); state {
	case "", hiding.Hidden:
		return hiding.Hidden, nil
	case hiding.Deactivated:
		return state, nil
	}
	return "", queries.Invalid("error.unreadable")
}

// hidingForm reads what is typed in a form, or given in the URL that asks for one.
func hidingForm(state hiding.State, typed url.Values) (form hidingviews.Form, err error) {
	form = hidingviews.Form{State: state, ShowAgainOn: typed.Get("show_again_on"), Query: typed.Get("people_q")}
	form.Draft, err = hidingDraft(typed)
	return form, err
}

// hidingDraft reads a form. The picker sends one list of ids, its fallback one
// field for each.
func hidingDraft(form url.Values) (d hiding.Draft, err error) {
	d.Kind, d.Reason = hiding.Kind(form.Get("kind")), form.Get("reason")
	texts := form["user_ids"]
	if form.Has("users") {
		texts = strings.FieldsFunc(form.Get("users"), func(c rune) bool { return c == ',' || c == ' ' })
	}
	for _, text := range texts {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return d, queries.Invalid("error.unreadable")
		}
		d.UserIDs = append(d.UserIDs, id)
	}
	if text := form.Get("show_again_on"); text != "" {
		if d.ShowAgainOn, err = workday.ParseDate(text); err != nil {
			return d, queries.FieldErrors{"show_again_on": "hiding.show_again_on.invalid"}
		}
	}
	return d, nil
}
