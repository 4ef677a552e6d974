package handlers

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries/link"
	linkviews "officeconsole/views/link"
)

// services lists the convenience services with a preview of the platform in the
// URL, the first by default.
func (h *handlers) services(w http.ResponseWriter, r *http.Request) error {
	view := linkviews.ServiceList{Frame: h.frame(r)}
	var err error
	if view.Platform, err = platformIn(r); err != nil {
		return err
	}
	if view.Services, err = h.db.Links.Services(r.Context(), person(r).CompanyID); err != nil {
		return err
	}
	return h.render(w, r, linkviews.ServicePage(view))
}

func platformIn(r *http.Request) (string, error) {
	platform := r.URL.Query().Get("platform")
	if platform == "" {
		return link.Platforms[0], nil
	}
	if !slices.Contains(link.Platforms, platform) {
		return "", errPageNotFound
	}
	return platform, nil
}

// serviceForm is a form about a service: which one, and the page to return to.
type serviceForm struct {
	id, page string
}

func readServiceForm(r *http.Request) (serviceForm, error) {
	platform, err := platformIn(r)
	if err != nil {
		return serviceForm{}, err
	}
	return serviceForm{chi.URLParam(r, "id"), linkviews.ServicePath + "?platform=" + platform}, readForm(r)
}

// setServiceVisibility shows or hides a service on the platforms in the form.
func (h *handlers) setServiceVisibility(w http.ResponseWriter, r *http.Request) error {
	form, err := readServiceForm(r)
	if err != nil {
		return err
	}
	visible := link.Visibility{}
	for _, platform := range link.Platforms {
		if r.Form.Has(platform) {
			visible[platform] = r.Form.Get(platform) == "true"
		}
	}
	if len(visible) == 0 {
		return errPageNotFound
	}
	if err := h.db.Links.SetServiceVisibility(r.Context(), actor(r), form.id, visible); err != nil {
		return withoutField(err)
	}
	message, undo := "link.hidden", linkviews.ServicePath+"/"+form.id+"/visibility?platform="+r.URL.Query().Get("platform")
	for platform, shown := range maps.All(visible) {
		if shown {
			message = "link.shown"
		}
		undo += "&" + platform + "=" + strconv.FormatBool(!shown)
	}
	return h.redirectWithUndo(w, r, form.page, locales.T(r.Context(), message, "Name", locales.T(r.Context(), "service."+form.id)), undo)
}

// moveService puts a service after another one.
func (h *handlers) moveService(w http.ResponseWriter, r *http.Request) error {
	form, err := readServiceForm(r)
	if err != nil {
		return err
	}
	followed, err := h.db.Links.MoveService(r.Context(), actor(r), form.id, r.Form.Get("after"))
	if err != nil {
		return withoutField(err)
	}
	undo := linkviews.ServicePath + "/" + form.id + "/position?platform=" + r.URL.Query().Get("platform") + "&after=" + followed
	return h.redirectWithUndo(w, r, form.page, locales.T(r.Context(), "link.moved", "Name", locales.T(r.Context(), "service."+form.id)), undo)
}
