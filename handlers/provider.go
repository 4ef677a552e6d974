package handlers

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	providerviews "officeconsole/views/provider"
)

// providers shows the first provider; with new=oidc or new=saml, the form of another one
// of that kind.
func (h *handlers) providers(w http.ResponseWriter, r *http.Request) error {
	all, err := h.db.Identity.Providers(r.Context(), person(r).CompanyID)
	if err != nil {
		return err
	}
	if r.URL.Query().Has("new") {
		draft := identity.ProviderDraft{Kind: identity.OpenIDConnect, Enabled: true}
		if r.URL.Query().Get("new") == identity.SAML {
			draft.Kind = identity.SAML
		}
		return h.showProviders(w, r, http.StatusOK, all, identity.Provider{}, providerviews.Form{ProviderDraft: draft})
	}
	if len(all) == 0 {
		return h.render(w, r, providerviews.EmptyPage(h.frame(r)))
	}
	return h.showProviders(w, r, http.StatusOK, all, all[0], providerviews.NewForm(all[0]))
}

// provider shows a provider; with delete=1 there is a dialog above the page. In the place of
// one that somebody has deleted it shows the others, and who it was and when.
func (h *handlers) provider(w http.ResponseWriter, r *http.Request) error {
	p, all, err := h.findProvider(r)
	if errors.Is(err, queries.NotFound) {
		text, err := h.providerDeletion(r)
		if err != nil {
			return err
		}
		return h.providers(w, withToast(requestFor(r, &url.URL{Path: providerviews.Path}), text))
	}
	if err != nil {
		return err
	}
	return h.showProviders(w, r, http.StatusOK, all, p, providerviews.NewForm(p))
}

// findProvider returns the provider of the path, and all of the company.
func (h *handlers) findProvider(r *http.Request) (p identity.Provider, all []identity.Provider, err error) {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return p, nil, err
	}
	if p, err = h.db.Identity.Provider(r.Context(), identity.ProviderParams{CompanyID: person(r).CompanyID, ID: id}); err != nil {
		return p, nil, err
	}
	all, err = h.db.Identity.Providers(r.Context(), p.CompanyID)
	return p, all, err
}

// showProviders shows a provider, or a new one without an id, with a form that may
// be refused.
func (h *handlers) showProviders(w http.ResponseWriter, r *http.Request, status int, all []identity.Provider, p identity.Provider, form providerviews.Form) error {
	view := providerviews.View{Frame: h.frame(r), Providers: all, Provider: p, Form: form, RedirectURL: h.baseURL(r) + "/oauth", Service: identity.SAMLService(h.baseURL(r))}
	if text := h.sessions.PopString(r.Context(), trialKey); text != "" && p.ID != 0 {
		view.Trial = &identity.Trial{}
		if err := json.Unmarshal([]byte(text), view.Trial); err != nil {
			return err
		}
	}
	if p.ID != 0 && r.URL.Query().Has("delete") {
		view.Frame.Dialog = providerviews.DeleteDialog(p)
	}
	return h.renderStatus(w, r, status, providerviews.Page(view))
}

func (h *handlers) createProvider(w http.ResponseWriter, r *http.Request) error {
	form, err := readProviderForm(r)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{"", identity.OpenIDConnect, identity.SAML}, form.Kind) {
		return queries.Invalid("error.unreadable")
	}
	id, err := h.db.Identity.CreateProvider(r.Context(), actor(r), form.ProviderDraft)
	if err != nil {
		all, failed := h.db.Identity.Providers(r.Context(), person(r).CompanyID)
		if failed != nil {
			return failed
		}
		return h.refuseProvider(w, r, err, all, identity.Provider{}, form)
	}
	return h.redirectWithToast(w, r, providerPath(id), "provider.created")
}

func (h *handlers) updateProvider(w http.ResponseWriter, r *http.Request) error {
	form, err := readProviderForm(r)
	if err != nil {
		return err
	}
	p, all, err := h.findProvider(r)
	if err == nil {
		err = h.db.Identity.UpdateProvider(r.Context(), actor(r), p.ID, form.Version, form.ProviderDraft)
	}
	if errors.Is(err, queries.NotFound) {
		return h.refuseGoneProvider(w, r, form)
	}
	if err != nil {
		return h.refuseProvider(w, r, err, all, p, form)
	}
	return h.redirectWithToast(w, r, providerPath(p.ID), "provider.updated")
}

// refuseProvider shows a refused form again, without the secret that was typed. After
// somebody else has saved, saving again replaces that.
func (h *handlers) refuseProvider(w http.ResponseWriter, r *http.Request, err error, all []identity.Provider, p identity.Provider, form providerviews.Form) error {
	switch {
	case errors.As(err, &form.Refused):
		return h.showProviders(w, r, http.StatusUnprocessableEntity, all, p, form)
	case errors.As(err, new(queries.Conflict)):
		if p, all, err = h.findProvider(r); err != nil {
			return err
		}
		if form.Earlier, err = h.savedFirst(r, providerPath(p.ID), "provider", p.ID, "provider.updated", "provider.restored"); err != nil {
			return err
		}
		form.Version = p.VersionNo
		return h.showProviders(w, r, http.StatusConflict, all, p, form)
	}
	return err
}

// refuseGoneProvider shows the form of a provider that somebody has deleted. The next save
// adds it anew.
func (h *handlers) refuseGoneProvider(w http.ResponseWriter, r *http.Request, form providerviews.Form) (err error) {
	if form.Gone, err = h.providerDeletion(r); err != nil {
		return err
	}
	all, err := h.db.Identity.Providers(r.Context(), person(r).CompanyID)
	if err != nil {
		return err
	}
	form.Version = 0
	return h.showProviders(w, requestFor(r, &url.URL{Path: providerviews.Path}), http.StatusConflict, all, identity.Provider{}, form)
}

// providerDeletion says who deleted the provider of the path and when; NotFound if nobody
// did.
func (h *handlers) providerDeletion(r *http.Request) (string, error) {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return "", err
	}
	deleted, err := h.lastChange(r, "provider", id, "provider.deleted")
	if err != nil {
		return "", err
	}
	return changedText(r, "provider.gone", deleted), nil
}

// failProvider says of an action on a provider that somebody has deleted who it was and
// when. Other errors are returned.
func (h *handlers) failProvider(w http.ResponseWriter, r *http.Request, err error) error {
	return h.redirectIfGone(w, r, err, providerviews.Path, h.providerDeletion)
}

func (h *handlers) deleteProvider(w http.ResponseWriter, r *http.Request) error {
	form, err := readProviderForm(r)
	if err != nil {
		return err
	}
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := h.db.Identity.DeleteProvider(r.Context(), actor(r), id, form.Version); err != nil {
		return h.failProvider(w, r, err)
	}
	return h.redirectWithToast(w, r, providerviews.Path, "provider.deleted")
}

// testProvider leads to the provider, where the administrator signs in with their own
// account, or back to the page if the provider cannot be reached.
func (h *handlers) testProvider(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	visit, trial, err := h.db.Identity.BeginTrial(r.Context(), actor(r), id, h.signOnRequest(r))
	if err != nil {
		return h.failProvider(w, r, err)
	}
	if !trial.OK() {
		return h.showTrial(w, r, id, trial)
	}
	return h.visitProvider(w, r, visit)
}

func readProviderForm(r *http.Request) (providerviews.Form, error) {
	if err := readForm(r); err != nil {
		return providerviews.Form{}, err
	}
	version, _ := strconv.ParseInt(r.PostForm.Get("version"), 10, 32) // 0 of a new provider
	isSeparator := func(c rune) bool { return strings.ContainsRune(", \t\r\n;、", c) }
	return providerviews.Form{Version: int32(version), ProviderDraft: identity.ProviderDraft{
		Name: r.PostForm.Get("name"), Kind: r.PostForm.Get("kind"), MetadataURL: r.PostForm.Get("metadata_url"), Metadata: r.PostForm.Get("metadata"),
		Issuer: r.PostForm.Get("issuer"), ClientID: r.PostForm.Get("client_id"), ClientSecret: r.PostForm.Get("client_secret"),
		Domains: strings.FieldsFunc(r.PostForm.Get("domains"), isSeparator), CreatePeople: r.PostForm.Get("create_people") == "true", Enabled: r.PostForm.Has("enabled"),
		DepartmentClaim: r.PostForm.Get("department_claim"), RankClaim: r.PostForm.Get("rank_claim"),
		AdminClaim: r.PostForm.Get("admin_claim"), AdminValue: r.PostForm.Get("admin_value"),
	}}, nil
}

func providerPath(id int64) string { return providerviews.Path + "/" + strconv.FormatInt(id, 10) }
