package handlers

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/link"
	linkviews "officeconsole/views/link"
)

// links lists the common links. The filters are in the URL. With new=1, edit=ID
// or preview=1 a dialog is above the list.
func (h *handlers) links(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	switch {
	case query.Has("edit"):
		id, err := rowID(query.Get("edit"))
		if err != nil {
			return err
		}
		stored, err := h.db.Links.Link(r.Context(), link.LinkParams{CompanyID: person(r).CompanyID, ID: id})
		if errors.Is(err, queries.NotFound) {
			deleted, err := h.lastChange(r, "link", id, "link.deleted")
			if err != nil {
				return err
			}
			return h.showLinks(w, withToast(r, changedText(r, "link.gone", deleted)), http.StatusOK, nil)
		}
		if err != nil {
			return err
		}
		return h.showLinkForm(w, r, http.StatusOK, linkviews.LinkForm{ID: id, Version: stored.VersionNo, Draft: stored.Draft()})
	case query.Has("new"):
		return h.showLinks(w, r, http.StatusOK, func(links []link.Link, below link.Filter) templ.Component {
			return linkviews.FormDialog(linkviews.NewLinkForm(links, person(r).CompanyHost), below)
		})
	case query.Has("preview"):
		return h.showLinks(w, r, http.StatusOK, func(links []link.Link, below link.Filter) templ.Component {
			return linkviews.PreviewDialog(links, person(r).CompanyHost, below)
		})
	}
	return h.showLinks(w, r, http.StatusOK, nil)
}

// showLinkForm shows the dialog of a link above the list.
func (h *handlers) showLinkForm(w http.ResponseWriter, r *http.Request, status int, form linkviews.LinkForm) error {
	form.Host = person(r).CompanyHost
	return h.showLinks(w, r, status, func(_ []link.Link, below link.Filter) templ.Component { return linkviews.FormDialog(form, below) })
}

// showLinks shows the list, below the dialog that dialog returns for all links and
// the filter of the list, unless it is nil.
func (h *handlers) showLinks(w http.ResponseWriter, r *http.Request, status int, dialog func(links []link.Link, below link.Filter) templ.Component) error {
	view := linkviews.LinkList{Frame: h.frame(r), ReadAt: h.db.Now()}
	links, err := h.db.Links.Links(r.Context(), person(r).CompanyID)
	if err != nil {
		return err
	}
	view.Count = len(links)
	view.Filter, err = link.ReadFilter(r.URL.Query())
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	if !view.Filter.Deleted {
		view.Links = view.Filter.Apply(links)
	} else if view.Deleted, err = h.db.Links.Deleted(r.Context(), person(r).CompanyID, view.Filter, link.MaxLinks); err != nil {
		return err
	}
	if dialog != nil {
		view.Frame.Dialog = dialog(links, view.Filter)
	}
	return h.renderStatus(w, r, status, linkviews.CommonPage(view))
}

// linkID returns the id in the URL of a link.
func linkID(r *http.Request) (int64, error) { return rowID(chi.URLParam(r, "id")) }

// setLinkVisibility switches the visibility of a link or of its service icon.
func (h *handlers) setLinkVisibility(w http.ResponseWriter, r *http.Request) error {
	id, err := linkID(r)
	if err != nil {
		return err
	}
	if err := readForm(r); err != nil {
		return err
	}
	field, shown, hidden := "visible", "link.shown", "link.hidden"
	if r.Form.Has("icon_visible") {
		field, shown, hidden = "icon_visible", "link.icon.shown", "link.icon.hidden"
	}
	if !r.Form.Has(field) {
		return errPageNotFound
	}
	on := r.Form.Get(field) == "true"
	var name string
	err = h.db.Links.Update(r.Context(), actor(r), id, 0, func(d link.Draft) link.Draft {
		name = d.Name
		if field == "visible" {
			d.Visible = on
		} else {
			d.IconVisible = on
		}
		return d
	})
	list := backToListAt(r, linkviews.CommonPath)
	if errors.Is(err, queries.NotFound) {
		return h.redirectFromGoneLink(w, r, id, list)
	}
	if err != nil {
		return err
	}
	message, undo := hidden, linkviews.Action(id, "visibility")+"?"+field+"="+strconv.FormatBool(!on)
	if on {
		message = shown
	}
	return h.redirectWithUndo(w, r, list, locales.T(r.Context(), message, "Name", name), withBack(undo, list))
}

// moveLink puts a link after another one, or first.
func (h *handlers) moveLink(w http.ResponseWriter, r *http.Request) error {
	id, err := linkID(r)
	if err != nil {
		return err
	}
	if err := readForm(r); err != nil {
		return err
	}
	after, err := strconv.ParseInt(r.Form.Get("after"), 10, 64)
	if err != nil {
		return errPageNotFound
	}
	list := backToListAt(r, linkviews.CommonPath)
	moved, err := h.db.Links.Move(r.Context(), actor(r), id, after)
	if conflict := queries.Conflict(""); errors.As(err, &conflict) {
		return h.redirectWithToast(w, r, list, string(conflict))
	}
	if errors.Is(err, queries.NotFound) {
		return h.redirectFromGoneLink(w, r, id, list)
	}
	if err != nil {
		return err
	}
	text := locales.T(r.Context(), "link.moved", "Name", moved.Link.Name)
	other, err := h.movedByOther(r)
	if err != nil {
		return err
	}
	if other != nil {
		text = locales.T(r.Context(), "link.moved.both", "Name", moved.Link.Name, "Person", other.ActorName, "Other", other.ObjectName)
	}
	undo := linkviews.Action(id, "position") + "?after=" + strconv.FormatInt(moved.AfterID, 10)
	return h.redirectWithUndo(w, r, list, text, withBack(undo, list))
}

// movedByOther returns the last time somebody else moved a link since the reader's
// list was made, or nil.
func (h *handlers) movedByOther(r *http.Request) (*audit.Change, error) {
	seen, err := strconv.ParseInt(r.URL.Query().Get("seen"), 10, 64)
	if err != nil {
		return nil, nil // a client that does not say how old its list is
	}
	changes, err := h.db.Audit.Changes(r.Context(), audit.ChangeFilter{CompanyID: person(r).CompanyID, ObjectType: "link", Since: time.UnixMicro(seen), Limit: link.MaxLinks})
	if err != nil {
		return nil, err
	}
	for _, change := range changes.Rows {
		if change.Action == "link.moved" && (change.ActorUserID == nil || *change.ActorUserID != person(r).ID) {
			return &change, nil
		}
	}
	return nil, nil
}

func (h *handlers) deleteLink(w http.ResponseWriter, r *http.Request) error {
	id, err := linkID(r)
	if err != nil {
		return err
	}
	deleted, err := h.db.Links.Delete(r.Context(), actor(r), id, 0)
	list := backToListAt(r, linkviews.CommonPath)
	if errors.Is(err, queries.NotFound) { // nothing is left to do if somebody else has deleted it
		return h.redirectFromGoneLink(w, r, id, list)
	}
	if err != nil {
		return err
	}
	text := locales.T(r.Context(), "link.deleted", "Name", deleted.Name)
	return h.redirectWithUndo(w, r, list, text, withBack(linkviews.Action(id, "restoration"), list))
}

// redirectFromGoneLink redirects to the list, which no longer has a link that somebody has
// deleted, and says who it was and when; NotFound if there was no such link.
func (h *handlers) redirectFromGoneLink(w http.ResponseWriter, r *http.Request, id int64, list string) error {
	deleted, err := h.lastChange(r, "link", id, "link.deleted")
	if err != nil {
		return err
	}
	return h.redirectWithUndo(w, r, list, changedText(r, "link.gone", deleted), "")
}

func (h *handlers) restoreLink(w http.ResponseWriter, r *http.Request) error {
	id, err := linkID(r)
	if err != nil {
		return err
	}
	err = h.db.Links.Restore(r.Context(), actor(r), id)
	list := backToListAt(r, linkviews.CommonPath)
	if refused := queries.Invalid(""); errors.As(err, &refused) {
		return h.redirectWithToast(w, r, list, string(refused))
	}
	if errors.Is(err, queries.NotFound) { // also if somebody else has restored it
		return h.redirectFromRestoredLink(w, r, id, list)
	}
	if err != nil {
		return err
	}
	return h.redirectWithToast(w, r, list, "link.restored")
}

// redirectFromRestoredLink redirects to the list and says who has restored a link and when;
// NotFound if it is not there, or was never deleted.
func (h *handlers) redirectFromRestoredLink(w http.ResponseWriter, r *http.Request, id int64, list string) error {
	if _, err := h.db.Links.Link(r.Context(), link.LinkParams{CompanyID: person(r).CompanyID, ID: id}); err != nil {
		return err
	}
	restored, err := h.newestChange(r, "link", id, "link.restored")
	if err != nil {
		return err
	}
	return h.redirectWithUndo(w, r, list, changedText(r, "deleted.restored", restored), "")
}

// linkBanner serves a banner of the company by its hash, so its URL never
// changes its content.
func (h *handlers) linkBanner(w http.ResponseWriter, r *http.Request) error {
	return h.servePicture(w, r, chi.URLParam(r, "hash"))
}
