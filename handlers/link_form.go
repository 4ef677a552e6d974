package handlers

import (
	"context"
	"errors"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"

	"officeconsole/queries"
	"officeconsole/queries/link"
	linkviews "officeconsole/views/link"
)

// formMemory is the number of bytes of a form's files that are held in memory; the
// rest is in temporary files.
const formMemory = 1 << 20

func (h *handlers) createLink(w http.ResponseWriter, r *http.Request) error {
	return h.saveLink(w, r, 0, "link.created", func(form linkviews.LinkForm) error {
		_, err := h.db.Links.Create(r.Context(), actor(r), form.Draft)
		return err
	})
}

func (h *handlers) updateLink(w http.ResponseWriter, r *http.Request) error {
	id, err := linkID(r)
	if err != nil {
		return err
	}
	return h.saveLink(w, r, id, "link.updated", func(form linkviews.LinkForm) error {
		switch r.PostFormValue("action") {
		case linkviews.ActionCreate:
			_, err := h.db.Links.Create(r.Context(), actor(r), form.Draft)
			return err
		case linkviews.ActionRestore:
			return h.restoreAndSaveLink(r, form)
		}
		return h.db.Links.Update(r.Context(), actor(r), id, form.Version, func(link.Draft) link.Draft { return form.Draft })
	})
}

// restoreAndSaveLink restores a deleted link with what was typed. A refused form leaves it
// deleted, and one whose link somebody has restored meanwhile saves as usual.
func (h *handlers) restoreAndSaveLink(r *http.Request, form linkviews.LinkForm) error {
	if _, err := h.db.Links.CheckDraft(r.Context(), person(r).CompanyID, form.Draft); err != nil {
		return err
	}
	seen := form.Version
	err := h.db.Links.Restore(r.Context(), actor(r), form.ID)
	if err == nil {
		seen = 0
	} else if !errors.Is(err, queries.NotFound) {
		return err
	}
	return h.db.Links.Update(r.Context(), actor(r), form.ID, seen, func(link.Draft) link.Draft { return form.Draft })
}

// goneLink returns the deletion of a link that its form was sent for; nil if the link is
// there, and NotFound if there was none.
func (h *handlers) goneLink(r *http.Request, id int64) (*linkviews.Gone, error) {
	_, err := h.db.Links.Link(r.Context(), link.LinkParams{CompanyID: person(r).CompanyID, ID: id})
	if !errors.Is(err, queries.NotFound) {
		return nil, err
	}
	deleted, err := h.lastChange(r, "link", id, "link.deleted")
	if err != nil {
		return nil, err
	}
	return &linkviews.Gone{Text: changedText(r, "link.gone", deleted), CanRestore: h.db.Now().Sub(deleted.At) < link.RestoreTime}, nil
}

// saveLink reads the form, stores its picture and saves. A refused form is
// shown again with everything in it, the picture included, above the list that
// it came from.
func (h *handlers) saveLink(w http.ResponseWriter, r *http.Request, id int64, toast string, save func(linkviews.LinkForm) error) error {
	form, err := h.readLinkForm(r, id)
	if err != nil {
		return err
	}
	if len(form.Refused) == 0 {
		err = save(form)
	} else {
		_, err = h.db.Links.CheckDraft(r.Context(), person(r).CompanyID, form.Draft) // to refuse everything at once
	}
	list := backToListAt(r, linkviews.CommonPath)
	status := http.StatusUnprocessableEntity
	var refused queries.FieldErrors
	var invalid queries.Invalid
	isGone := errors.Is(err, queries.NotFound)
	if id != 0 && err != nil {
		gone, problem := h.goneLink(r, id)
		if problem != nil {
			return problem
		}
		form.Gone = gone
	}
	switch {
	case isGone && form.Gone != nil:
		status = http.StatusConflict
	case errors.As(err, &refused):
		maps.Copy(refused, form.Refused)
		form.Refused = refused
	case errors.As(err, &invalid):
		form.Conflict = string(invalid)
	case errors.As(err, new(queries.Conflict)):
		if err := h.addEarlier(r, &form); err != nil {
			return err
		}
		status = http.StatusConflict
	case err != nil:
		return err
	case len(form.Refused) == 0 && (id == 0 || r.PostFormValue("action") == linkviews.ActionCreate):
		return h.redirectWithToast(w, r, linkviews.CommonPath, toast) // a filter may leave out the new link
	case len(form.Refused) == 0:
		return h.redirectWithToast(w, r, list, toast)
	}
	below, err := url.Parse(list)
	if err != nil {
		return errPageNotFound
	}
	return h.showLinkForm(w, requestFor(r, below), status, form)
}

// addEarlier adds to a form who saved its link first, and what that changed. Saving the
// form again then replaces it.
func (h *handlers) addEarlier(r *http.Request, form *linkviews.LinkForm) error {
	stored, err := h.db.Links.Link(r.Context(), link.LinkParams{CompanyID: person(r).CompanyID, ID: form.ID})
	if err != nil {
		return err
	}
	if form.Changes, err = h.db.Links.DifferencesSince(r.Context(), stored, form.Version); err != nil {
		return err
	}
	form.Version, form.Frame = stored.VersionNo, h.frameWithoutToast(r)
	form.Earlier, err = h.savedFirst(r, linkviews.EditURL(link.Filter{}, form.ID), "link", form.ID, "link.updated", "link.restored")
	return err
}

// readLinkForm reads a form with a picture. A picture that cannot be a banner
// is refused, and the one before stays.
func (h *handlers) readLinkForm(r *http.Request, id int64) (linkviews.LinkForm, error) {
	if err := readMultipart(r); err != nil {
		return linkviews.LinkForm{}, err
	}
	defer r.MultipartForm.RemoveAll()
	f := url.Values(r.MultipartForm.Value)
	version, _ := strconv.ParseInt(f.Get("version"), 10, 32) // 0 saves whatever there is
	form := linkviews.LinkForm{ID: id, Version: int32(version), Draft: link.Draft{
		Name: f.Get("name"), Description: f.Get("description"), URL: f.Get("url"),
		Visible: f.Get("visible") == "true", IconVisible: f.Get("icon_visible") == "true", Banner: f.Get("banner_key"),
	}}
	if f.Get("banner_removed") != "" {
		form.Draft.Banner = ""
	}
	files := r.MultipartForm.File["banner"]
	if len(files) == 0 || files[0].Filename == "" {
		return form, nil
	}
	key, err := h.storeBanner(r.Context(), person(r).CompanyID, files[0])
	var refused queries.Invalid
	if errors.As(err, &refused) {
		form.Refused = queries.FieldErrors{"banner": refused}
		return form, nil
	}
	if err == nil {
		form.Draft.Banner = key
	}
	return form, err
}

// readMultipart reads a form that may have files.
func readMultipart(r *http.Request) error {
	err := r.ParseMultipartForm(formMemory)
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil, errors.As(err, &tooLarge):
		return err
	case errors.Is(err, multipart.ErrMessageTooLarge): // the form's values, which are held in memory
		return &http.MaxBytesError{Limit: formMemory}
	}
	return queries.Invalid("error.unreadable")
}

// storeBanner stores an uploaded picture as a banner.
func (h *handlers) storeBanner(ctx context.Context, companyID int64, header *multipart.FileHeader) (key string, err error) {
	file, err := header.Open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	return link.StoreBanner(ctx, h.Blobs, companyID, file)
}
