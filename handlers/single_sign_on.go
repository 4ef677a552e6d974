package handlers

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/views"
	providerviews "officeconsole/views/provider"
)

// visitCookie begins the name of a cookie with the secret with which only this browser
// comes back from a provider. Each visit has its own, so that two tabs can be at a
// provider at once; more than mostVisits are given up.
const (
	visitCookie = "officeconsole_visit_"
	mostVisits  = 5
)

// visitCookieOf is the cookie of the visit with a state.
func (h *handlers) visitCookieOf(state string) *http.Cookie {
	return &http.Cookie{
		Name: h.cookieName(visitCookie) + state[:min(len(state), 8)], Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: h.Secure,
	}
}

func (h *handlers) singleSignOn(w http.ResponseWriter, r *http.Request) error {
	form := views.SignOnForm{Email: h.rememberedEmail(r), Next: pathAfterSignIn(r.URL.Query().Get("next"))}
	return h.render(w, r, views.SignOn(h.frame(r), form))
}

// beginSignOn leads to the provider of an email's domain.
func (h *handlers) beginSignOn(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form := views.SignOnForm{Email: r.PostForm.Get("email"), Next: pathAfterSignIn(r.PostForm.Get("next"))}
	request := h.signOnRequest(r)
	request.Email, request.Next = form.Email, form.Next
	visit, err := h.db.Identity.BeginSignOn(r.Context(), request)
	var refused queries.Invalid
	if errors.As(err, &refused) || errors.As(err, &form.Refused) {
		form.Error = string(refused)
		return h.renderStatus(w, r, http.StatusUnprocessableEntity, views.SignOn(h.frame(r), form))
	}
	if err != nil {
		return err
	}
	return h.visitProvider(w, r, visit)
}

func (h *handlers) signOnRequest(r *http.Request) identity.SignOnRequest {
	return identity.SignOnRequest{
		Locale: string(locales.FromContext(r.Context())), BaseURL: h.baseURL(r), Address: address(r), UserAgent: r.UserAgent(),
	}
}

// visitProvider sends the browser to a provider, from where it comes back to /oauth, by way of
// takeSAMLResponse if the provider is one of SAML.
func (h *handlers) visitProvider(w http.ResponseWriter, r *http.Request, visit identity.Visit) error {
	others := slices.DeleteFunc(r.Cookies(), func(c *http.Cookie) bool { return !strings.HasPrefix(c.Name, h.cookieName(visitCookie)) })
	if len(others) >= mostVisits {
		for _, other := range others {
			h.endVisit(w, strings.TrimPrefix(other.Name, h.cookieName(visitCookie)))
		}
	}
	cookie := h.visitCookieOf(visit.State)
	cookie.Value = visit.Browser
	http.SetCookie(w, cookie)
	return h.leave(w, r, "sso.leaving", "sso.leaving.text", visit.URL)
}

// endVisit deletes the cookie of a visit.
func (h *handlers) endVisit(w http.ResponseWriter, state string) {
	cookie := h.visitCookieOf(state)
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
}

// leave shows a page that goes on to an address of another site. A form must not be
// redirected there, because the Content-Security-Policy has form-action 'self'.
func (h *handlers) leave(w http.ResponseWriter, r *http.Request, title, text, address string) error {
	w.Header().Set("Refresh", "0; url="+address)
	frame := h.frameWithoutToast(r)
	frame.Path = "/"
	return h.render(w, r, views.Leaving(frame, title, text, address))
}

// oauth has two uses. A provider sends a browser back with a state, and with a code
// or an error of its own. The messenger opens it with a code of the console and
// without a state.
func (h *handlers) oauth(w http.ResponseWriter, r *http.Request) error {
	if isHead(r) { // a code works once, for who opens the page
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	query := r.URL.Query()
	switch {
	case query.Has("state"):
		return h.completeSignOn(w, r)
	case query.Has("code"):
		return h.takeHandover(w, r)
	}
	if p, ok := signedIn(r); ok && !p.IsAdmin {
		return redirect(w, r, employeeHome)
	}
	return redirect(w, r, "/login")
}

// completeSignOn answers in the language in which somebody left for the provider.
func (h *handlers) completeSignOn(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	answer := identity.ProviderAnswer{
		State: query.Get("state"), Code: query.Get("code"), Error: query.Get("error"), Issuer: query.Get("iss"), Address: address(r), UserAgent: r.UserAgent(),
	}
	if cookie, err := r.Cookie(h.visitCookieOf(answer.State).Name); err == nil {
		answer.Browser = cookie.Value
		h.endVisit(w, answer.State)
	}
	done, err := h.db.Identity.CompleteSignOn(r.Context(), answer)
	if locale, ok := locales.Parse(done.Locale); ok {
		r = r.WithContext(locales.NewContext(r.Context(), locale))
	}
	var required identity.FactorRequired
	switch {
	case errors.As(err, &required):
		return h.askForFactor(w, r, required, done.Next, false)
	case err != nil:
		return h.refuseSignOn(w, r, err, done.Next)
	case done.Trial != nil:
		return h.showTrial(w, r, done.ProviderID, *done.Trial)
	}
	return h.startSignOn(w, r, done.SignedIn, done.Next)
}

func (h *handlers) takeHandover(w http.ResponseWriter, r *http.Request) error {
	person, err := h.db.Identity.TakeHandover(r.Context(), r.URL.Query().Get("code"), address(r), r.UserAgent())
	var required identity.FactorRequired
	if errors.As(err, &required) {
		return h.askForFactor(w, r, required, "", false)
	}
	var refused queries.Invalid
	if errors.As(err, &refused) {
		frame := h.frameWithoutToast(r)
		frame.Path = "/login" // the address of this page is of no use in another language
		return h.renderStatus(w, r, http.StatusUnprocessableEntity, views.HandoverRefused(frame, string(refused)))
	}
	if err != nil {
		return err
	}
	return h.startSignOn(w, r, person, "")
}

func (h *handlers) startSignOn(w http.ResponseWriter, r *http.Request, person identity.SignedIn, next string) error {
	if err := h.startSession(r, person); err != nil {
		return err
	}
	return redirect(w, r, cmp.Or(next, "/"))
}

func (h *handlers) refuseSignOn(w http.ResponseWriter, r *http.Request, err error, next string) error {
	var refused queries.Invalid
	if !errors.As(err, &refused) {
		return err
	}
	frame := h.frameWithoutToast(r)
	frame.Path = "/sso" // the address of this page is of no use in another language
	return h.renderStatus(w, r, http.StatusUnprocessableEntity, views.SignOnRefused(frame, string(refused), next))
}

// trialKey is where the session has what came of testing a provider until the next
// page shows it.
const trialKey = "provider_trial"

// showTrial leads to the page of a provider, which shows what came of testing it.
func (h *handlers) showTrial(w http.ResponseWriter, r *http.Request, id int64, trial identity.Trial) error {
	text, err := json.Marshal(trial)
	if err != nil {
		return err
	}
	h.sessions.Put(r.Context(), trialKey, string(text))
	return redirect(w, r, providerviews.Path+"/"+strconv.FormatInt(id, 10)+"#trial")
}
