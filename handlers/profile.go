package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/usage"
	"officeconsole/views"
)

const profilePath = "/profile"

func (h *handlers) profile(w http.ResponseWriter, r *http.Request) error {
	return h.showProfile(w, r, http.StatusOK, nil)
}

// showProfile shows the page with the refused fields of one of its forms. They name
// the field password in that of the devices only.
func (h *handlers) showProfile(w http.ResponseWriter, r *http.Request, status int, refused queries.FieldErrors) error {
	p := person(r)
	scope, err := h.db.Attendance.Scope(r.Context(), p.Person)
	if err != nil {
		return err
	}
	about, err := h.db.Identity.Profile(r.Context(), p.Person, scope)
	if err != nil {
		return err
	}
	signIns, err := h.db.Identity.SignIns(r.Context(), identity.SignInsParams{CompanyID: p.CompanyID, UserID: p.ID, Now: h.db.Now()})
	if err != nil {
		return err
	}
	clients, err := h.db.Usage.ClientsOf(r.Context(), usage.ClientsOfParams{CompanyID: p.CompanyID, UserID: p.ID})
	if err != nil {
		return err
	}
	privacy, err := h.privacy(r)
	if err != nil {
		return err
	}
	hasPassword, err := h.db.Identity.HasPassword(r.Context(), identity.HasPasswordParams{CompanyID: p.CompanyID, UserID: p.ID})
	if err != nil {
		return err
	}
	frame := h.frame(r)
	frame.Path = profilePath // a refused form has a URL of its own
	page := views.ProfilePage{About: about, Clients: clients, SignIns: signIns, Privacy: privacy, HasPassword: hasPassword, LetterKeys: h.usesLetterKeys(r), Refused: refused}
	return h.renderStatus(w, r, status, views.Profile(frame, page))
}

func (h *handlers) changePassword(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	err := h.db.Identity.ChangePassword(r.Context(), person(r), identity.PasswordChange{
		Current:      confirmation(r, "current"),
		New:          r.PostForm.Get("new"),
		Confirmation: r.PostForm.Get("confirmation"),
	})
	var refused queries.FieldErrors
	if errors.As(err, &refused) {
		return h.showProfile(w, r, http.StatusUnprocessableEntity, refused)
	}
	if err != nil {
		return err
	}
	if err := h.sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	return h.redirectWithToast(w, r, profilePath, "password.changed")
}

// confirmation reads the user's own password from a field of a form.
func confirmation(r *http.Request, field string) identity.Confirmation {
	return identity.Confirmation{Password: r.PostForm.Get(field), SignInID: person(r).SignInID, Address: address(r), UserAgent: r.UserAgent()}
}

func (h *handlers) signOutThere(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return errPageNotFound
	}
	return h.endOwn(w, r, "profile.device.signed_out", func(own identity.Confirmation) error {
		ended, err := h.db.Identity.EndSession(r.Context(), actor(r), own, person(r).ID, id)
		if err == nil && !ended {
			return queries.NotFound
		}
		return err
	})
}

func (h *handlers) signOutElsewhere(w http.ResponseWriter, r *http.Request) error {
	return h.endOwn(w, r, "profile.devices.signed_out", func(own identity.Confirmation) error {
		return h.db.Identity.SignOutElsewhere(r.Context(), actor(r), own, person(r).SignInID)
	})
}

// endOwn ends sessions of the reader. A wrong password is shown beside its field; who has
// none is asked for another proof.
func (h *handlers) endOwn(w http.ResponseWriter, r *http.Request, toast string, end func(identity.Confirmation) error) error {
	if err := readForm(r); err != nil {
		return err
	}
	hasPassword, err := h.db.Identity.HasPassword(r.Context(), identity.HasPasswordParams{CompanyID: person(r).CompanyID, UserID: person(r).ID})
	if err == nil && !hasPassword {
		r, err = h.proveFirst(w, r)
	}
	if err != nil || r == nil {
		return err
	}
	own := confirmation(r, "password")
	own.HasProved = !hasPassword
	err = end(own)
	var refused queries.FieldErrors
	if errors.As(err, &refused) {
		return h.showProfile(w, r, http.StatusUnprocessableEntity, refused)
	}
	if err != nil {
		return err
	}
	return h.redirectWithToast(w, r, profilePath, toast)
}
