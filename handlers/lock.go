package handlers

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries/identity"
	usageviews "officeconsole/views/usage"
)

// locks lists the accounts and addresses that are locked.
func (h *handlers) locks(w http.ResponseWriter, r *http.Request) error {
	locks, err := h.db.Identity.Locks(r.Context(), person(r).CompanyID)
	if err != nil {
		return err
	}
	return h.render(w, r, usageviews.LocksPage(usageviews.Locks{Frame: h.frame(r), Locks: locks}))
}

// unlockPerson lets somebody whose account is locked try again. An account that is not
// locked any more is no error.
func (h *handlers) unlockPerson(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	unlocked, err := h.db.Identity.Unlock(r.Context(), actor(r), id)
	if err != nil {
		return err
	}
	return h.backToLocks(w, r, unlocked)
}

// unlockAddress is unlockPerson for an address.
func (h *handlers) unlockAddress(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	address, err := identity.ParseLockedAddress(r.PostForm.Get("address"))
	if err != nil {
		return err
	}
	unlocked, err := h.db.Identity.UnlockAddress(r.Context(), actor(r), address)
	if err != nil {
		return err
	}
	return h.backToLocks(w, r, unlocked)
}

func (h *handlers) backToLocks(w http.ResponseWriter, r *http.Request, unlocked bool) error {
	if !unlocked {
		return h.redirectWithToast(w, r, usageviews.LocksPath, "lock.gone")
	}
	return h.redirectWithToast(w, r, usageviews.LocksPath, "lock.unlocked")
}
