package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/notice"
	noticeviews "officeconsole/views/notice"
)

// noticePageSize is the number of notices on a page.
const noticePageSize = 10

// notices lists the notices. The filters are in the URL, see notice.Filter.
func (h *handlers) notices(w http.ResponseWriter, r *http.Request) error {
	ctx, companyID := r.Context(), person(r).CompanyID
	view := noticeviews.List{}
	var err error
	view.Filter, err = notice.ReadFilter(r.URL.Query())
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	if view.Counts, err = h.db.Notices.Counts(ctx, companyID); err != nil {
		return err
	}
	if view.Choices, err = h.db.Notices.Choices(ctx, companyID); err != nil {
		return err
	}
	view.Limit = noticePageSize
	if view.Page, err = h.db.Notices.List(ctx, companyID, zone(person(r)), view.Filter); err != nil {
		return err
	}
	view.Frame = h.frame(r)
	return h.renderStatus(w, r, statusOf(view.Refused), noticeviews.ListPage(view))
}

// noticeID returns the id in the URL of a notice.
func noticeID(r *http.Request) (int64, error) { return rowID(chi.URLParam(r, "id")) }

func (h *handlers) deleteNotice(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	deleted, err := h.db.Notices.Delete(r.Context(), actor(r), id, 0)
	list := backToListAt(r, noticeviews.Path)
	if errors.Is(err, queries.NotFound) { // nothing is left to do if somebody else has deleted it
		return h.redirectFromGoneNotices(w, r, list, id)
	}
	if err != nil {
		return err
	}
	text := locales.T(r.Context(), "notice.was_deleted", "Title", deleted.Title)
	return h.redirectWithUndo(w, r, list, text, withBack(noticeviews.Action(id, "restoration"), list))
}

// deleteNotices deletes the notices that are selected in the list.
func (h *handlers) deleteNotices(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ids, err := rowIDs(r.PostForm["id"])
	if err != nil {
		return err
	}
	deleted, err := h.db.Notices.DeleteAll(r.Context(), actor(r), ids)
	if err != nil {
		return err
	}
	list := backToListAt(r, noticeviews.Path)
	switch {
	case len(ids) == 0:
		return redirect(w, r, list)
	case len(deleted) == 0:
		return h.redirectFromGoneNotices(w, r, list, ids...)
	}
	undo := url.Values{}
	for _, n := range deleted {
		undo.Add("id", strconv.FormatInt(n.ID, 10))
	}
	text := locales.N(r.Context(), "notice.were_deleted", len(deleted))
	return h.redirectWithUndo(w, r, list, text, withBack(noticeviews.Path+"/restoration?"+undo.Encode(), list))
}

// redirectFromGoneNotices redirects to the list, which no longer has notices that somebody
// has deleted, and says who deleted the last of them and when; NotFound if there was none.
func (h *handlers) redirectFromGoneNotices(w http.ResponseWriter, r *http.Request, list string, ids ...int64) error {
	deleted, err := h.lastChanges(r, "notice", ids, "notice.deleted")
	if err != nil {
		return err
	}
	text := "notice.gone"
	if len(ids) > 1 {
		text = "deleted.already"
	}
	return h.redirectWithUndo(w, r, list, changedText(r, text, deleted), "")
}

func (h *handlers) restoreNotice(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	return h.restoreNoticesByID(w, r, id)
}

// restoreNotices restores the notices that were deleted together.
func (h *handlers) restoreNotices(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	ids, err := rowIDs(r.Form["id"])
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return errPageNotFound
	}
	return h.restoreNoticesByID(w, r, ids...)
}

func (h *handlers) restoreNoticesByID(w http.ResponseWriter, r *http.Request, ids ...int64) error {
	list := backToListAt(r, noticeviews.Path)
	restored, err := h.lastChanges(r, "notice", ids, "notice.restored")
	if err == nil { // nothing is left to do if somebody else has restored them
		return h.redirectWithUndo(w, r, list, changedText(r, "deleted.restored", restored), "")
	}
	if !errors.Is(err, queries.NotFound) {
		return err
	}
	err = h.db.Notices.Restore(r.Context(), actor(r), ids...)
	if refused := queries.Invalid(""); errors.As(err, &refused) {
		return h.redirectWithToast(w, r, noticeviews.Path+"?status=deleted", string(refused))
	}
	if err != nil {
		return err
	}
	if len(ids) > 1 {
		return h.redirectWithUndo(w, r, list, locales.N(r.Context(), "notice.were_restored", len(ids)), "")
	}
	return h.redirectWithToast(w, r, list, "notice.restored")
}
