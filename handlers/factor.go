package handlers

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

// site is the site that passkeys belong to.
func (h *handlers) site(r *http.Request) identity.Site {
	name := h.ProductName
	if name == "" {
		name = locales.T(r.Context(), "frame.product")
	}
	return identity.Site{Name: name, URL: h.baseURL(r)}
}

// client is from where a request comes.
func client(r *http.Request) identity.Client {
	return identity.Client{Address: address(r), UserAgent: r.UserAgent()}
}

// factors shows the reader's own second factors. The forms for a new passkey and for a
// new name of one, and the question before deleting one, are in the URL.
func (h *handlers) factors(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	page := views.FactorsPage{Adding: query.Has("passkey"), Deleting: query.Get("delete")}
	if query.Has("rename") {
		var err error
		if page.Renaming, err = rowID(query.Get("rename")); err != nil {
			return err
		}
	}
	return h.showFactors(w, r, http.StatusOK, page)
}

func (h *handlers) showFactors(w http.ResponseWriter, r *http.Request, status int, page views.FactorsPage) (err error) {
	ctx, p := r.Context(), person(r)
	site := h.site(r)
	page.Site, page.Supported = site.Name, site.SupportsPasskeys()
	if page.Factors, err = h.db.Identity.Factors(ctx, p.CompanyID, p.ID); err != nil {
		return err
	}
	if page.App, err = h.db.Identity.App(ctx, p.CompanyID, p.ID); err != nil {
		return err
	}
	if page.Passkeys, err = h.db.Identity.Passkeys(ctx, p.CompanyID, p.ID); err != nil {
		return err
	}
	if page.Adding = page.Adding && page.Supported; page.Adding {
		if page.Options, err = h.db.Identity.BeginPasskey(ctx, p, site); err != nil {
			return err
		}
	}
	page.Confined = p.IsConfined(h.db.Now())
	frame := h.frame(r)
	frame.Path = views.FactorsPath // a refused form has a URL of its own
	return h.renderStatus(w, r, status, views.FactorsOf(frame, page))
}

func (h *handlers) enrolApp(w http.ResponseWriter, r *http.Request) error {
	return h.changeFactor(w, r, "", func() error { return h.db.Identity.EnrolApp(r.Context(), person(r).Person) })
}

func (h *handlers) cancelApp(w http.ResponseWriter, r *http.Request) error {
	return h.changeFactor(w, r, "", func() error { return h.db.Identity.CancelApp(r.Context(), person(r).Person) })
}

// confirmApp completes the enrolment of an app. The response is the only page that ever
// contains the recovery codes, so the form does not redirect if there are any.
func (h *handlers) confirmApp(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	codes, err := h.db.Identity.ConfirmApp(r.Context(), person(r), client(r), r.PostForm.Get("code"))
	var refused queries.Invalid
	if errors.As(err, &refused) {
		return h.showFactors(w, r, http.StatusUnprocessableEntity, views.FactorsPage{Code: r.PostForm.Get("code"), Refused: queries.FieldErrors{"code": refused}})
	}
	return h.showCodes(w, r, codes, "factor.app.added", err)
}

func (h *handlers) deleteApp(w http.ResponseWriter, r *http.Request) error {
	return h.changeFactor(w, r, "factor.app.deleted", func() error { return h.db.Identity.DeleteApp(r.Context(), person(r), client(r)) })
}

// addPasskey stores a passkey. The recovery codes are as for confirmApp.
func (h *handlers) addPasskey(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	name := r.PostForm.Get("name")
	codes, err := h.db.Identity.AddPasskey(r.Context(), person(r), client(r), h.site(r), name, r.PostForm.Get("passkey"))
	page := views.FactorsPage{Adding: true, Name: name}
	if errors.As(err, &page.Refused) {
		return h.showFactors(w, r, http.StatusUnprocessableEntity, page)
	}
	return h.showCodes(w, r, codes, "factor.passkey.added", err)
}

func (h *handlers) renamePasskey(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := readForm(r); err != nil {
		return err
	}
	name := r.PostForm.Get("name")
	err = h.db.Identity.RenamePasskey(r.Context(), person(r).Person, id, name)
	page := views.FactorsPage{Renaming: id, Name: name}
	if errors.As(err, &page.Refused) {
		return h.showFactors(w, r, http.StatusUnprocessableEntity, page)
	}
	if err != nil {
		return err
	}
	return h.redirectWithToast(w, r, views.FactorsPath, "factor.passkey.renamed")
}

func (h *handlers) deletePasskey(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	return h.changeFactor(w, r, "factor.passkey.deleted", func() error {
		return h.db.Identity.DeletePasskey(r.Context(), person(r), client(r), id)
	})
}

func (h *handlers) renewCodes(w http.ResponseWriter, r *http.Request) error {
	codes, err := h.db.Identity.RenewCodes(r.Context(), person(r), client(r))
	return h.showCodes(w, r, codes, "", err)
}

// acknowledgeReset hides that somebody else has removed the reader's factors.
func (h *handlers) acknowledgeReset(w http.ResponseWriter, r *http.Request) error {
	return h.changeFactor(w, r, "", func() error { return h.db.Identity.AcknowledgeReset(r.Context(), person(r).Person) })
}

// showCodes shows new recovery codes, or goes back where there are none.
func (h *handlers) showCodes(w http.ResponseWriter, r *http.Request, codes []string, toast string, err error) error {
	if err != nil || len(codes) == 0 {
		return h.changeFactor(w, r, toast, func() error { return err })
	}
	p, err := h.db.Identity.SignedIn(r.Context(), person(r).CompanyID, person(r).SignInID)
	if err != nil {
		return err
	}
	r = r.WithContext(identity.WithSignedIn(r.Context(), p)) // has a second factor by now
	return h.showFactors(w, r, http.StatusOK, views.FactorsPage{Codes: codes})
}

// changeFactor changes the reader's factors and goes back to them. A refusal is shown
// there, too.
func (h *handlers) changeFactor(w http.ResponseWriter, r *http.Request, toast string, change func() error) error {
	err := change()
	var refused queries.Invalid
	var conflict queries.Conflict
	switch {
	case errors.As(err, &refused):
		return h.showFactors(w, r, http.StatusUnprocessableEntity, views.FactorsPage{Refusal: string(refused)})
	case errors.As(err, &conflict):
		return h.redirectWithToast(w, r, views.FactorsPath, string(conflict))
	case err != nil:
		return err
	case toast == "":
		return redirect(w, r, views.FactorsPath)
	}
	return h.redirectWithToast(w, r, views.FactorsPath, toast)
}
