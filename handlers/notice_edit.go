package handlers

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"

	"officeconsole/markdown"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	noticeviews "officeconsole/views/notice"
)

// newNotice shows the page on which a notice is written; with from=ID it begins
// with a copy of another one.
func (h *handlers) newNotice(w http.ResponseWriter, r *http.Request) error {
	page := noticeviews.Edit{Form: noticeviews.Form{Targets: notice.Targets{Everyone: true}}}
	if from := r.URL.Query().Get("from"); from != "" {
		id, err := rowID(from)
		if err != nil {
			return err
		}
		draft, lost, err := h.db.Notices.Duplicate(r.Context(), person(r).CompanyID, id)
		if err != nil {
			return err
		}
		page.Form, page.Lost = noticeForm(draft, zone(person(r))), lost
	}
	return h.showNotice(w, r, http.StatusOK, page)
}

// editNotice shows a reservation. A published notice is errPageNotFound, because
// no page links to it.
func (h *handlers) editNotice(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	n, err := h.db.Notices.Notice(r.Context(), person(r).CompanyID, id)
	if err != nil {
		return err
	}
	if n.StatusAt(h.db.Now()) != notice.Reserved {
		return errPageNotFound
	}
	draft, err := h.db.Notices.Draft(r.Context(), n)
	if err != nil {
		return err
	}
	page := noticeviews.Edit{ID: id, Form: noticeForm(draft, zone(person(r)))}
	page.Form.Version = n.VersionNo
	return h.showNotice(w, r, http.StatusOK, page)
}

func (h *handlers) createNotice(w http.ResponseWriter, r *http.Request) error {
	return h.saveNotice(w, r, 0)
}

func (h *handlers) updateNotice(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	return h.saveNotice(w, r, id)
}

// saveNotice handles the form: it saves, or without scripts searches targets or
// shows a preview. Files that came with the form are stored first, so that a form
// that is shown again has them.
func (h *handlers) saveNotice(w http.ResponseWriter, r *http.Request, id int64) error {
	form, refused, err := h.readNoticeForm(w, r)
	if err != nil {
		return err
	}
	page := noticeviews.Edit{ID: id, Form: form, Refused: refused}
	action := r.MultipartForm.Value["action"][0]
	if action == "enter" { // no key but the button publishes, which cannot be undone
		action = "preview"
		if strings.TrimSpace(form.Find) != "" {
			action = "find"
		}
	}
	switch action {
	case "find":
		return h.findNoticeTargets(w, r, page)
	case "preview":
		return h.showNotice(w, r, http.StatusOK, page)
	case noticeviews.ActionCopy:
		page.ID, page.Form.Version = 0, 0 // it is the form of a new notice from here on
	}
	draft, refusal := noticeDraft(form, zone(person(r)))
	maps.Copy(page.Refused, refusal)
	var saved notice.Notice
	if len(page.Refused) == 0 {
		saved, err = h.saveNoticeDraft(r, page, action, draft)
	} else {
		err = h.db.Notices.CheckDraft(r.Context(), person(r).CompanyID, page.ID, draft) // to refuse everything at once
	}
	var fields queries.FieldErrors
	switch {
	case errors.As(err, &fields):
		maps.Copy(fields, page.Refused)
		page.Refused = fields
	case err != nil:
		return h.showNoticeConflict(w, r, page, err)
	case len(page.Refused) == 0 && saved.StatusAt(h.db.Now()) == notice.Reserved:
		return h.redirectWithToast(w, r, noticeviews.Path, "notice.reserved")
	case len(page.Refused) == 0:
		return h.redirectWithToast(w, r, noticeviews.Path, "notice.registered")
	}
	return h.showNotice(w, r, http.StatusUnprocessableEntity, page)
}

func (h *handlers) saveNoticeDraft(r *http.Request, page noticeviews.Edit, action string, draft notice.Draft) (notice.Notice, error) {
	ctx, by, store := r.Context(), actor(r), h.db.Notices
	switch {
	case page.ID == 0:
		return store.Create(ctx, by, draft)
	case action == noticeviews.ActionRestore:
		return store.RestoreAndUpdate(ctx, by, page.ID, page.Form.Version, draft)
	}
	return store.Update(ctx, by, page.ID, page.Form.Version, func(notice.Draft) notice.Draft { return draft })
}

// showNotice shows the page with the names of what its form refers to.
func (h *handlers) showNotice(w http.ResponseWriter, r *http.Request, status int, page noticeviews.Edit) (err error) {
	ctx, companyID := r.Context(), person(r).CompanyID
	if page.Files, err = h.db.Notices.AttachmentsByID(ctx, notice.AttachmentsByIDParams{CompanyID: companyID, Ids: page.Form.AttachmentIDs}); err != nil {
		return err
	}
	if page.Targets, err = h.db.Notices.NameTargets(ctx, companyID, page.Form.Targets); err != nil {
		return err
	}
	if page.Recipients, err = h.db.Notices.CountRecipients(ctx, companyID, page.Form.Targets); err != nil {
		return err
	}
	page.Frame = h.frame(r)
	page.Frame.Path = page.Path() // also after a refused form, which has an address of its own
	return h.renderStatus(w, r, status, noticeviews.EditPage(page))
}

// findNoticeTargets shows the departments and people that match the search of the
// form without scripts.
func (h *handlers) findNoticeTargets(w http.ResponseWriter, r *http.Request, page noticeviews.Edit) error {
	found, err := h.searchTargets(r.Context(), person(r).CompanyID, page.Form.Find)
	if refused := queries.Invalid(""); errors.As(err, &refused) {
		page.Refused["find"] = refused
		return h.showNotice(w, r, http.StatusUnprocessableEntity, page)
	}
	if err != nil {
		return err
	}
	page.Found, page.Searched = found, strings.TrimSpace(page.Form.Find) != ""
	return h.showNotice(w, r, http.StatusOK, page)
}

// searchTargets returns the first departments and people that match a search
// text. It refuses with Invalid a text that is too short or too long.
func (h *handlers) searchTargets(ctx context.Context, companyID int64, text string) (found []notice.NamedTarget, err error) {
	search, err := lists.ParseSearch(text)
	if err != nil || search.Empty() {
		return nil, err
	}
	everybody := directory.Scope{Everybody: true}
	departments, err := h.db.Directory.Departments(ctx, companyID, everybody, search)
	if err != nil {
		return nil, err
	}
	for _, d := range departments[:min(mostFound, len(departments))] {
		found = append(found, notice.NamedTarget{DepartmentID: d.ID, IncludeChildren: true, Name: d.Path})
	}
	people, err := h.db.Directory.Users(ctx, directory.UserFilter{CompanyID: companyID, Scope: everybody, Search: search, Limit: mostFound})
	for _, p := range people.Rows {
		if !p.Bot {
			found = append(found, notice.NamedTarget{UserID: p.ID, Name: p.Name, Department: p.DepartmentName, Rank: p.Position})
		}
	}
	return found, err
}

// previewNotice answers the page's script with a body as readers see it.
func (h *handlers) previewNotice(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err := io.WriteString(w, markdown.HTML(r.PostForm.Get("body")))
	return err
}

// summarizeNotice answers the page's script with the sentence that says whom the
// form reaches, when, and how far away that is.
func (h *handlers) summarizeNotice(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form, err := noticeFormOf(r.PostForm)
	if err != nil {
		return err
	}
	page := noticeviews.Edit{Frame: h.frameWithoutToast(r), Form: form}
	if page.Recipients, err = h.db.Notices.CountRecipients(r.Context(), person(r).CompanyID, form.Targets); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err = io.WriteString(w, page.Summary(r.Context()))
	return err
}
