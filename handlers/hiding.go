package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/lists"
	hidingviews "officeconsole/views/hiding"
	"officeconsole/workday"
)

const hiddenPageSize = 50

// hiddenUsers lists the hidden users. The search, the filter and the cursor are
// in the URL, see hiding.Filter. With new=1 it shows the form instead.
func (h *handlers) hiddenUsers(w http.ResponseWriter, r *http.Request) error {
	ctx, companyID, status := r.Context(), person(r).CompanyID, http.StatusOK
	query := r.URL.Query()
	if query.Has("new") {
		return h.newHiding(w, r, query)
	}
	view := hidingviews.List{}
	var err error
	view.Filter, err = hiding.ReadFilter(query)
	if view.Refused, err = refusedSearch(err); err != nil {
		return err
	}
	view.Limit = hiddenPageSize
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	} else {
		if view.Page, err = h.db.Hidings.List(ctx, companyID, view.Filter); err != nil {
			return err
		}
		if view.Count, err = h.db.Hidings.Count(ctx, companyID, view.Filter); err != nil {
			return err
		}
		if view.Count <= hiding.MaxCount {
			view.Page.Total = int(view.Count)
		}
	}
	view.Frame = h.frame(r)
	view.Frame.Path = strings.Replace(view.Frame.Path, "/organization/hidden", hidingviews.Path, 1)
	return h.renderStatus(w, r, status, hidingviews.ListPage(view))
}

// newHiding shows the form with what is in the URL: the selections of a search
// without scripts, or of the page that asked.
func (h *handlers) newHiding(w http.ResponseWriter, r *http.Request, query url.Values) error {
	draft, err := hidingDraft(query)
	if err != nil {
		return errPageNotFound
	}
	form := hidingviews.Form{Draft: draft, ShowAgainOn: query.Get("show_again_on"), Query: query.Get("people_q"), Typed: query.Has("kind")}
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
	return h.showHidingForm(w, r, http.StatusOK, form)
}

func (h *handlers) showHidingForm(w http.ResponseWriter, r *http.Request, status int, form hidingviews.Form) (err error) {
	if form.Chosen, err = h.db.Hidings.People(r.Context(), person(r).CompanyID, form.Draft.UserIDs); err != nil {
		return err
	}
	form.Frame = h.frame(r)
	form.Frame.Path = hidingviews.Path + "?new=1"
	return h.renderStatus(w, r, status, hidingviews.FormPage(form))
}

// hideUsers asks with what it would end, or hides people once it is confirmed.
func (h *handlers) hideUsers(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	draft, err := hidingDraft(r.PostForm)
	if err != nil {
		return h.refuseHiding(w, r, draft, err)
	}
	if r.PostForm.Get("confirmed") == "" {
		return h.askToHide(w, r, draft)
	}
	hidden, err := h.db.Hidings.Hide(r.Context(), actor(r), draft)
	if err != nil {
		return h.refuseHiding(w, r, draft, err)
	}
	text := locales.N(r.Context(), "hiding.hidden", len(hidden.People))
	return h.redirectWithUndo(w, r, hidingviews.Path, text, hidingviews.UndoPath(hidden.Set))
}

func (h *handlers) askToHide(w http.ResponseWriter, r *http.Request, draft hiding.Draft) (err error) {
	if err := h.db.Hidings.Check(r.Context(), actor(r), draft); err != nil {
		return h.refuseHiding(w, r, draft, err)
	}
	form := hidingviews.Form{Draft: draft, ShowAgainOn: r.PostForm.Get("show_again_on")}
	if form.Chosen, err = h.db.Hidings.People(r.Context(), person(r).CompanyID, draft.UserIDs); err != nil {
		return err
	}
	if form.Ends, err = h.db.Hidings.Consequences(r.Context(), person(r).CompanyID, draft.UserIDs); err != nil {
		return err
	}
	form.Frame = h.frame(r)
	form.Frame.Path = form.BackURL()
	return h.render(w, r, hidingviews.ConfirmPage(form))
}

// refuseHiding shows the form again with everything that was typed.
func (h *handlers) refuseHiding(w http.ResponseWriter, r *http.Request, draft hiding.Draft, err error) error {
	form := hidingviews.Form{Draft: draft, ShowAgainOn: r.PostForm.Get("show_again_on"), Typed: true}
	if !errors.As(err, &form.Refused) {
		return err
	}
	var refusal *hiding.Refusal
	if errors.As(err, &refusal) {
		form.Names = refusal.People
	}
	return h.showHidingForm(w, r, http.StatusUnprocessableEntity, form)
}

// showUsers shows people again: one, or those that are selected in the list.
func (h *handlers) showUsers(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ids, err := rowIDs(r.PostForm["id"])
	if err != nil {
		return err
	}
	shown, err := h.db.Hidings.Show(r.Context(), actor(r), ids)
	var refused queries.FieldErrors
	switch {
	case errors.As(err, &refused):
		return refused.First()
	case errors.Is(err, queries.NotFound):
		return h.redirectWithToast(w, r, hidingviews.Path, "hiding.shown.nobody")
	case err != nil:
		return err
	}
	text := locales.N(r.Context(), "hiding.shown", len(shown.People))
	return h.redirectWithUndo(w, r, hidingviews.Path, text, hidingviews.UndoPath(shown.Set))
}

// undoHiding reverts what a request has hidden or shown.
func (h *handlers) undoHiding(w http.ResponseWriter, r *http.Request) error {
	set, err := rowID(chi.URLParam(r, "set"))
	if err != nil {
		return err
	}
	result, hides, err := h.db.Hidings.Undo(r.Context(), actor(r), set)
	var refused queries.FieldErrors
	switch {
	case errors.As(err, &refused):
		return queries.Conflict(refused.First())
	case errors.Is(err, queries.NotFound):
		return h.redirectWithToast(w, r, hidingviews.Path, "hiding.undo.nobody")
	case err != nil:
		return err
	}
	message := "hiding.shown"
	if hides {
		message = "hiding.hidden"
	}
	text := locales.N(r.Context(), message, len(result.People))
	return h.redirectWithUndo(w, r, hidingviews.Path, text, hidingviews.UndoPath(result.Set))
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
