package handlers

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	usageviews "officeconsole/views/usage"
)

// serviceTokens lists the service tokens of the company. The dialogs for a new one, for
// a rotation and for an end are in the URL.
func (h *handlers) serviceTokens(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	switch {
	case query.Has("create"):
		return h.showTokens(w, r, http.StatusOK, usageviews.TokenDialog(usageviews.TokenForm{}))
	case query.Has("rotate"):
		return h.askAboutToken(w, r, query.Get("rotate"), usageviews.TokenRotationDialog)
	case query.Has("end"):
		return h.askAboutToken(w, r, query.Get("end"), usageviews.TokenEndDialog)
	}
	return h.showTokens(w, r, http.StatusOK, nil)
}

func (h *handlers) askAboutToken(w http.ResponseWriter, r *http.Request, text string, dialog func(identity.Token) templ.Component) error {
	id, err := rowID(text)
	if err != nil {
		return err
	}
	token, err := h.db.Identity.ServiceToken(r.Context(), identity.ServiceTokenParams{CompanyID: person(r).CompanyID, ID: id})
	if err != nil {
		return err
	}
	return h.showTokens(w, r, http.StatusOK, dialog(token))
}

// showTokens shows the page below a dialog, unless it is nil.
func (h *handlers) showTokens(w http.ResponseWriter, r *http.Request, status int, dialog templ.Component) error {
	page := usageviews.Tokens{Frame: h.frame(r)}
	page.Frame.Path = usageviews.TokensPath // a form has a URL of its own
	page.Frame.Dialog = dialog
	var err error
	if page.Tokens, err = h.db.Identity.ServiceTokens(r.Context(), person(r).CompanyID); err != nil {
		return err
	}
	return h.renderStatus(w, r, status, usageviews.TokensPage(page))
}

// createServiceToken shows the new token. The response is the only page that ever
// contains it, so the form does not redirect.
func (h *handlers) createServiceToken(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form := usageviews.TokenForm{
		Name: r.PostForm.Get("name"), Scopes: r.PostForm["scopes"], Expires: r.PostForm.Get("expires_at"), Addresses: r.PostForm.Get("allowed_addresses"),
	}
	draft := identity.ServiceTokenDraft{Name: form.Name, Scopes: form.Scopes, Addresses: filledLines(form.Addresses)}
	if form.Expires != "" {
		var err error
		if draft.ExpiresAt, err = identity.TokenEnd(form.Expires, zone(person(r))); err != nil {
			draft.ExpiresAt = &time.Time{} // is refused beside the other fields
		}
	}
	issued, err := h.db.Identity.IssueServiceToken(r.Context(), actor(r), draft)
	if errors.As(err, &form.Refused) {
		return h.showTokens(w, r, http.StatusUnprocessableEntity, usageviews.TokenDialog(form))
	}
	if err != nil {
		return err
	}
	return h.showTokens(w, r, http.StatusOK, usageviews.TokenSecretDialog(issued.Token))
}

// filledLines returns the lines of a text area that are not blank.
func filledLines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
}

// rotateServiceToken replaces a token, and shows the new one as createServiceToken.
func (h *handlers) rotateServiceToken(w http.ResponseWriter, r *http.Request) error {
	id, err := tokenID(r)
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(r.PostForm.Get("overlap"), 10, 32)
	if err != nil {
		return queries.Invalid("token.overlap.invalid")
	}
	issued, err := h.db.Identity.RotateServiceToken(r.Context(), actor(r), id, time.Duration(seconds)*time.Second)
	var refused queries.FieldErrors
	var conflict queries.Conflict
	switch {
	case errors.As(err, &refused):
		return refused.First()
	case errors.As(err, &conflict):
		return h.redirectWithToast(w, r, usageviews.TokensPath, string(conflict))
	case err != nil:
		return err
	}
	return h.showTokens(w, r, http.StatusOK, usageviews.TokenSecretDialog(issued.Token))
}

// endServiceToken ends a token. One that has ended meanwhile is no error.
func (h *handlers) endServiceToken(w http.ResponseWriter, r *http.Request) error {
	id, err := tokenID(r)
	if err != nil {
		return err
	}
	ended, err := h.db.Identity.EndServiceToken(r.Context(), actor(r), id)
	if err != nil {
		return err
	}
	if !ended {
		return h.redirectWithToast(w, r, usageviews.TokensPath, "token.gone")
	}
	return h.redirectWithToast(w, r, usageviews.TokensPath, "token.ended")
}

// tokenID reads the form and the id of a token in the URL.
func tokenID(r *http.Request) (int64, error) {
	if err := readForm(r); err != nil {
		return 0, err
	}
	return rowID(chi.URLParam(r, "id"))
}
