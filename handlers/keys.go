package handlers

import (
	"net/http"
)

// keysCookie says "off" in a browser in which single letters are no shortcuts.
const keysCookie = "letter_keys"

const keysOff = "off"

// usesLetterKeys reports whether single letters are shortcuts in the reader's browser.
func (h *handlers) usesLetterKeys(r *http.Request) bool {
	cookie, err := r.Cookie(h.cookieName(keysCookie))
	return err != nil || cookie.Value != keysOff
}

// chooseKeys switches the shortcuts of single letters on or off in this browser.
func (h *handlers) chooseKeys(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	cookie := &http.Cookie{
		Name: h.cookieName(keysCookie), Value: keysOff, Path: "/", MaxAge: oneYear,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: h.Secure,
	}
	toast := "profile.keys.off"
	if r.PostForm.Get("letters") == "on" {
		cookie.Value, cookie.MaxAge, toast = "", -1, "profile.keys.on"
	}
	http.SetCookie(w, cookie)
	return h.redirectWithToast(w, r, profilePath, toast)
}
