package handlers

import (
	"cmp"
	"errors"
	"net/http"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

// Where the session has the sign-in that waits for the second factor, and what the
// page before asked for.
const (
	pendingKey         = "pending"
	pendingNextKey     = "pending_next"
	pendingRememberKey = "pending_remember"
)

// askForFactor leads somebody to the page of the second factor.
func (h *handlers) askForFactor(w http.ResponseWriter, r *http.Request, required identity.FactorRequired, next string, remember bool) error {
	// A new id keeps a session that somebody else may have planted from being signed in.
	if err := h.sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	h.sessions.Put(r.Context(), pendingKey, required.Pending)
	h.sessions.Put(r.Context(), pendingNextKey, next)
	h.sessions.Put(r.Context(), pendingRememberKey, remember)
	return redirect(w, r, views.FactorPath)
}

// factor asks for the second factor of somebody who is signing in.
func (h *handlers) factor(w http.ResponseWriter, r *http.Request) error {
	if !h.sessions.Exists(r.Context(), pendingKey) {
		return redirect(w, r, "/login")
	}
	return h.showFactor(w, r, http.StatusOK, views.FactorForm{Recovery: r.URL.Query().Has("recovery")})
}

func (h *handlers) showFactor(w http.ResponseWriter, r *http.Request, status int, form views.FactorForm) error {
	of, factors, err := h.db.Identity.PendingPerson(r.Context(), h.sessions.GetString(r.Context(), pendingKey))
	if errors.As(err, new(queries.Invalid)) {
		return h.beginAgain(w, r)
	}
	if err != nil {
		return err
	}
	form.Email, form.App, form.Codes = of.Email, factors.App, factors.Codes > 0
	form.Recovery = form.Recovery || !factors.App && factors.Codes > 0 && (form.Error != "" || !h.site(r).SupportsPasskeys())
	if factors.Passkeys > 0 && h.site(r).SupportsPasskeys() && !form.Recovery {
		if form.Options, err = h.db.Identity.AskPendingPasskey(r.Context(), of, h.site(r)); err != nil {
			return err
		}
	}
	frame := h.frame(r)
	frame.Path = views.FactorPath
	return h.renderStatus(w, r, status, views.LoginFactor(frame, form))
}

// beginAgain leads to the sign-in page, which says that too much time has passed.
func (h *handlers) beginAgain(w http.ResponseWriter, r *http.Request) error {
	next := h.sessions.PopString(r.Context(), pendingNextKey)
	h.sessions.Remove(r.Context(), pendingKey)
	frame := h.frame(r)
	frame.Path = "/login"
	email := h.rememberedEmail(r)
	form := views.LoginForm{Email: email, Remember: email != "", Next: next, Error: "session.factor.expired", Passkeys: h.site(r).SupportsPasskeys()}
	return h.renderStatus(w, r, http.StatusUnprocessableEntity, views.Login(frame, form))
}

// completeSignIn takes the second factor.
func (h *handlers) completeSignIn(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ctx, credentials := r.Context(), h.credentials(r)
	signedIn, err := h.db.Identity.CompleteSignIn(ctx, h.sessions.GetString(ctx, pendingKey), credentials, identity.FactorProof{
		Code: r.PostForm.Get("code"), Passkey: r.PostForm.Get("passkey"), Site: h.site(r),
	})
	var refused queries.Invalid
	switch {
	case errors.As(err, &refused) && refused == "session.factor.expired":
		return h.beginAgain(w, r)
	case errors.As(err, &refused):
		form := views.FactorForm{Code: r.PostForm.Get("code"), Error: string(refused), Recovery: r.PostForm.Has("recovery")}
		return h.showFactor(w, r, http.StatusUnprocessableEntity, form)
	case err != nil:
		return err
	}
	next := h.sessions.PopString(ctx, pendingNextKey)
	remember := h.sessions.PopBool(ctx, pendingRememberKey)
	h.sessions.Remove(ctx, pendingKey)
	if err := h.startSession(r, signedIn); err != nil {
		return err
	}
	h.rememberDevice(w, credentials.Device)
	h.rememberEmail(w, signedIn.Email, remember)
	return redirect(w, r, cmp.Or(next, "/"))
}

// passkeySignIn asks for a passkey alone.
func (h *handlers) passkeySignIn(w http.ResponseWriter, r *http.Request) error {
	return h.showPasskeySignIn(w, r, http.StatusOK, views.PasskeyForm{Next: pathAfterSignIn(r.URL.Query().Get("next"))})
}

func (h *handlers) showPasskeySignIn(w http.ResponseWriter, r *http.Request, status int, form views.PasskeyForm) (err error) {
	if !h.site(r).SupportsPasskeys() {
		return errPageNotFound
	}
	form.Options, err = h.db.Identity.AskPasskey(r.Context(), h.site(r), client(r))
	var refused queries.Invalid
	if errors.As(err, &refused) {
		form.Error, status = string(refused), http.StatusTooManyRequests
		w.Header().Set("Retry-After", "60")
	} else if err != nil {
		return err
	}
	frame := h.frame(r)
	frame.Path = views.PasskeyPath
	return h.renderStatus(w, r, status, views.LoginPasskey(frame, form))
}

// signInByPasskey signs in without a password.
func (h *handlers) signInByPasskey(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	credentials, next := h.credentials(r), pathAfterSignIn(r.PostForm.Get("next"))
	signedIn, err := h.db.Identity.SignInByPasskey(r.Context(), credentials, h.site(r), r.PostForm.Get("passkey"))
	var refused queries.Invalid
	if errors.As(err, &refused) {
		return h.showPasskeySignIn(w, r, http.StatusUnprocessableEntity, views.PasskeyForm{Next: next, Error: string(refused)})
	}
	if err != nil {
		return err
	}
	if err := h.startSession(r, signedIn); err != nil {
		return err
	}
	h.rememberDevice(w, credentials.Device)
	return redirect(w, r, cmp.Or(next, "/"))
}
