package handlers

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

const (
	localeCookie = "locale"
	emailCookie  = "email"
	deviceCookie = "officeconsole_device"
	oneYear      = 365 * 24 * 60 * 60 // in seconds
)

// cookieName returns the name of a cookie. Behind https it has a prefix with which
// browsers take the cookie from this host only, and not from one beside it.
func (h *handlers) cookieName(name string) string {
	if h.Secure {
		return "__Host-" + name
	}
	return name
}

// home redirects to the user's first page (spec §2).
func (h *handlers) home(w http.ResponseWriter, r *http.Request) error {
	return redirect(w, r, "/policies/communication/management")
}

func (h *handlers) login(w http.ResponseWriter, r *http.Request) error {
	email := h.rememberedEmail(r)
	exists, err := h.hasCompany(r.Context())
	if err != nil {
		return err
	}
	query := r.URL.Query()
	form := views.LoginForm{
		Email: email, Remember: email != "", Next: pathAfterSignIn(query.Get("next")), WithoutCompany: !exists, NewPassword: query.Get("password") == "new",
		Passkeys: h.site(r).SupportsPasskeys(),
	}
	return h.render(w, r, views.Login(h.frame(r), form))
}

// hasCompany reports whether a company exists. It caches true, because
// companies are never deleted.
func (h *handlers) hasCompany(ctx context.Context) (bool, error) {
	if h.companyExists.Load() {
		return true, nil
	}
	exists, err := h.db.Directory.HasCompany(ctx)
	h.companyExists.Store(exists)
	return exists, err
}

// toLogin redirects to the sign-in page, which redirects back afterwards.
func toLogin(w http.ResponseWriter, r *http.Request) error {
	path := "/login"
	if next := r.URL.RequestURI(); r.Method == http.MethodGet && next != "/" {
		path += "?next=" + url.QueryEscape(next)
	}
	return redirect(w, r, path)
}

// signIn answers a form with a page, and a script (signing in again in place)
// with 204 or the reason of the refusal. Whoever has a second factor is asked for it on
// the next page; the script asks for a code and sends it with the password.
func (h *handlers) signIn(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	credentials := h.credentials(r)
	credentials.Email, credentials.Password = r.PostForm.Get("email"), r.PostForm.Get("password")
	credentials.Code, credentials.InPlace = r.PostForm.Get("code"), fromScript(r)
	person, err := h.db.Identity.SignIn(r.Context(), credentials)
	var required identity.FactorRequired
	if errors.As(err, &required) {
		return h.askForFactor(w, r, required, pathAfterSignIn(r.PostForm.Get("next")), r.PostForm.Has("remember"))
	}
	var refused queries.Invalid
	if errors.As(err, &refused) && !fromScript(r) {
		form := views.LoginForm{
			Email:    r.PostForm.Get("email"),
			Next:     pathAfterSignIn(r.PostForm.Get("next")),
			Error:    string(refused),
			Remember: r.PostForm.Has("remember"),
			Passkeys: h.site(r).SupportsPasskeys(),
		}
		status := http.StatusUnprocessableEntity
		if refused == identity.ErrBusy {
			status = http.StatusTooManyRequests
			w.Header().Set("Retry-After", "5")
		}
		return h.renderStatus(w, r, status, views.Login(h.frame(r), form))
	}
	if err != nil {
		return err
	}
	if err := h.startSession(r, person); err != nil {
		return err
	}
	h.rememberDevice(w, credentials.Device)
	if fromScript(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	h.rememberEmail(w, person.Email, r.PostForm.Has("remember"))
	return redirect(w, r, cmp.Or(pathAfterSignIn(r.PostForm.Get("next")), "/"))
}

// device returns the cookie by which a browser is known, or a new one, and whether the
// browser has sent it.
func (h *handlers) device(r *http.Request) (device string, sent bool) {
	if cookie, err := r.Cookie(h.cookieName(deviceCookie)); err == nil && cookie.Value != "" {
		return cookie.Value, true
	}
	return identity.NewDevice(), false
}

// rememberDevice stores the cookie by which a browser is known again.
func (h *handlers) rememberDevice(w http.ResponseWriter, device string) {
	http.SetCookie(w, &http.Cookie{
		Name: h.cookieName(deviceCookie), Value: device, Path: "/", MaxAge: oneYear,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: h.Secure,
	})
}

// credentials are the client of somebody who signs in, without what they sign in with.
func (h *handlers) credentials(r *http.Request) identity.Credentials {
	device, sent := h.device(r)
	return identity.Credentials{Address: address(r), UserAgent: r.UserAgent(), Device: device, SentDevice: sent}
}

// startSession starts a new session for a person who signed in, replacing the
// browser's previous one.
func (h *handlers) startSession(r *http.Request, person identity.SignedIn) error {
	if before, ok := signedIn(r); ok {
		err := h.db.Identity.SignOut(r.Context(), before.CompanyID, before.ID, before.SignInID)
		if err != nil && !errors.Is(err, queries.NotFound) {
			return err
		}
	}
	// A new id keeps a session that somebody else may have planted from being signed in.
	if err := h.sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	h.sessions.Put(r.Context(), "company", person.CompanyID)
	h.sessions.Put(r.Context(), "sign_in", person.SignInID)
	return nil
}

func (h *handlers) signOut(w http.ResponseWriter, r *http.Request) error {
	p := person(r)
	if err := h.db.Identity.SignOut(r.Context(), p.CompanyID, p.ID, p.SignInID); err != nil && !errors.Is(err, queries.NotFound) {
		return err
	}
	if err := h.sessions.Destroy(r.Context()); err != nil {
		return err
	}
	home := locales.FromContext(r.Context()).Path("/")
	address, err := h.db.Identity.SignOutAtProvider(r.Context(), p.CompanyID, p.SignInID, h.baseURL(r)+home)
	if err != nil {
		return err
	}
	if address != "" {
		return h.leave(w, r, "sso.signed_out", "sso.signed_out.text", address)
	}
	return redirect(w, r, "/")
}

// sessionState is what the page needs to detect an idle session (domain §9.4).
type sessionState struct {
	UserID      int64     `json:"user_id"`
	CompanyID   int64     `json:"company_id"`
	ExpiredAt   time.Time `json:"expired_at"`
	IdleSeconds int32     `json:"idle_seconds"`
}

func (h *handlers) session(w http.ResponseWriter, r *http.Request) error {
	p := person(r)
	answerJSON(w, http.StatusOK, sessionState{p.ID, p.CompanyID, p.ExpiresAt, p.IdleSeconds})
	return nil
}

// noteActivity answers a page that reports typing or clicks. The request itself
// extends the session.
func (h *handlers) noteActivity(w http.ResponseWriter, r *http.Request) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// chooseLocale stores the language in a cookie and shows the same page in it.
func (h *handlers) chooseLocale(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	chosen, ok := locales.Parse(r.PostForm.Get("locale"))
	if !ok {
		return errPageNotFound
	}
	http.SetCookie(w, &http.Cookie{
		Name: h.cookieName(localeCookie), Value: string(chosen), Path: "/", MaxAge: oneYear,
		SameSite: http.SameSiteLaxMode, Secure: h.Secure,
	})
	http.Redirect(w, r, chosen.Path(cmp.Or(localPath(r.PostForm.Get("next")), "/")), http.StatusSeeOther)
	return nil
}

// rememberEmail stores the email address for the next sign-in, or deletes the
// stored one.
func (h *handlers) rememberEmail(w http.ResponseWriter, email string, remember bool) {
	cookie := &http.Cookie{
		Name: h.cookieName(emailCookie), Value: url.QueryEscape(email), Path: "/", MaxAge: oneYear,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: h.Secure,
	}
	if !remember {
		cookie.Value, cookie.MaxAge = "", -1
	}
	http.SetCookie(w, cookie)
}

func (h *handlers) rememberedEmail(r *http.Request) string {
	cookie, err := r.Cookie(h.cookieName(emailCookie))
	if err != nil {
		return ""
	}
	email, err := url.QueryUnescape(cookie.Value)
	if err != nil || !utf8.ValidString(email) {
		return ""
	}
	return email
}

// pathAfterSignIn returns the localPath that somebody who signs in wanted, or "" for the
// pages of signing in and out.
func pathAfterSignIn(next string) string {
	next = localPath(next)
	if path, _, _ := strings.Cut(next, "?"); path == "/login" || path == "/logout" {
		return ""
	}
	return next
}

// localPath returns the path without its language if it leads to a page of this
// site, or else "". It rejects \ and control characters, because browsers read
// \ as / and drop control characters.
func localPath(path string) string {
	isUnsafe := func(r rune) bool { return r == '\\' || unicode.IsControl(r) }
	_, path = locales.SplitPath(path)
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, isUnsafe) {
		return ""
	}
	return path
}
