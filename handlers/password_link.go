package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/views"
	usageviews "officeconsole/views/usage"
)

// passwordPath is the page of a password link.
const passwordPath = "/password"

// passwordLinkCookie has the secret of the link that a browser has opened, for at most
// passwordLinkSeconds.
const (
	passwordLinkCookie  = "officeconsole_password_link"
	passwordLinkSeconds = 30 * 60
	maxPasswordLink     = 100 // bytes of a secret that may be one
	linkCharacters      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// newPassword asks somebody who has a link for a new password. The secret moves from
// the address to a cookie first, so that it is neither in the history of the browser
// nor in the Referer header, and a link that a program opens is not used up.
func (h *handlers) newPassword(w http.ResponseWriter, r *http.Request) error {
	if query := r.URL.Query(); query.Has("token") {
		h.setPasswordLink(w, query.Get("token"))
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		return redirect(w, r, passwordPath)
	}
	of, err := h.db.Identity.PersonOfPasswordLink(r.Context(), h.passwordLink(r))
	if err != nil {
		return h.refusePasswordLink(w, r, err)
	}
	return h.showNewPassword(w, r, http.StatusOK, of, nil)
}

// resetPassword sets the new password. It leads to the sign-in page, because only that
// asks for everything that signing in needs.
func (h *handlers) resetPassword(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	link := h.passwordLink(r)
	err := h.db.Identity.ResetPassword(r.Context(), identity.PasswordReset{
		PresentedLink: link, New: r.PostForm.Get("new"), Confirmation: r.PostForm.Get("confirmation"),
	})
	var refused queries.FieldErrors
	if errors.As(err, &refused) {
		of, err := h.db.Identity.PersonOfPasswordLink(r.Context(), link)
		if err != nil {
			return h.refusePasswordLink(w, r, err)
		}
		return h.showNewPassword(w, r, http.StatusUnprocessableEntity, of, refused)
	}
	if err != nil {
		return h.refusePasswordLink(w, r, err)
	}
	h.setPasswordLink(w, "")
	if err := h.leaveSession(r); err != nil {
		return err
	}
	return redirect(w, r, "/login?password=new")
}

// leaveSession signs out whoever is signed in to the browser.
func (h *handlers) leaveSession(r *http.Request) error {
	p, ok := signedIn(r)
	if !ok {
		return nil
	}
	if err := h.db.Identity.SignOut(r.Context(), p.CompanyID, p.ID, p.SignInID); err != nil && !errors.Is(err, queries.NotFound) {
		return err
	}
	return h.sessions.Destroy(r.Context())
}

func (h *handlers) showNewPassword(w http.ResponseWriter, r *http.Request, status int, of directory.Person, refused queries.FieldErrors) error {
	return h.renderStatus(w, r, status, views.NewPassword(h.frameWithoutToast(r), of.Name, of.Email, refused))
}

// refusePasswordLink says why a link cannot be used.
func (h *handlers) refusePasswordLink(w http.ResponseWriter, r *http.Request, err error) error {
	var refused queries.Invalid
	if !errors.As(err, &refused) {
		return err
	}
	return h.renderStatus(w, r, http.StatusUnprocessableEntity, views.PasswordLinkRefused(h.frameWithoutToast(r), string(refused)))
}

// passwordLink returns the link that the browser has opened.
func (h *handlers) passwordLink(r *http.Request) identity.PresentedLink {
	link := identity.PresentedLink{Address: address(r), UserAgent: r.UserAgent()}
	if cookie, err := r.Cookie(h.cookieName(passwordLinkCookie)); err == nil {
		link.Secret = cookie.Value
	}
	return link
}

// setPasswordLink stores the secret of a link in the browser; "" deletes it.
func (h *handlers) setPasswordLink(w http.ResponseWriter, secret string) {
	cookie := &http.Cookie{
		Name: h.cookieName(passwordLinkCookie), Value: secret, Path: "/", MaxAge: passwordLinkSeconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: h.Secure,
	}
	if len(secret) > maxPasswordLink || strings.Trim(secret, linkCharacters) != "" || secret == "" {
		cookie.Value, cookie.MaxAge = "", -1
	}
	http.SetCookie(w, cookie)
}

// createPasswordLink shows a new link for a person above the page that the form came
// from. The response is the only page that ever contains it, so the form does not
// redirect. The reader's own password is changed on the profile page.
func (h *handlers) createPasswordLink(w http.ResponseWriter, r *http.Request) error {
	userID, _, err := accessIDs(r)
	if err != nil {
		return err
	}
	if userID == person(r).ID {
		return redirect(w, r, profilePath)
	}
	link, err := h.db.Identity.CreatePasswordLink(r.Context(), actor(r), userID)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		return h.backToAccess(w, r, string(refused))
	}
	if err != nil {
		return err
	}
	back := backToListAt(r, usageviews.AccessPath)
	u, err := url.Parse(back)
	if err != nil {
		return errPageNotFound
	}
	name, err := h.nameOf(r, userID)
	if err != nil {
		return err
	}
	dialog := usageviews.PasswordLinkDialog(usageviews.PasswordLink{
		Name: name, URL: h.baseURL(r) + link.Path(), ExpiresAt: link.ExpiresAt.In(zone(person(r))), Back: back,
	})
	return h.accessHistory(w, underDialog{http.StatusOK, dialog}.above(requestFor(r, u)))
}

// withdrawPasswordLink ends the link of a person. One that was used meanwhile is no
// error.
func (h *handlers) withdrawPasswordLink(w http.ResponseWriter, r *http.Request) error {
	userID, _, err := accessIDs(r)
	if err != nil {
		return err
	}
	withdrawn, err := h.db.Identity.WithdrawPasswordLink(r.Context(), actor(r), userID)
	if err != nil {
		return err
	}
	if !withdrawn {
		return h.backToAccess(w, r, "password_link.gone")
	}
	return h.backToAccess(w, r, "password_link.withdrawn")
}
