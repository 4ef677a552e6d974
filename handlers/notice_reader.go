package handlers

import (
	"net/http"

	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	noticeviews "officeconsole/views/notice"
)

// readerPages are how many notices the list of unread ones and that of read ones
// show at once.
const (
	unreadPage = 30
	readPage   = 20
)

// readerNotices lists the notices that the reader may read: those unread, then
// those read. A cursor continues one of the two lists.
func (h *handlers) readerNotices(w http.ResponseWriter, r *http.Request) error {
	return h.showReader(w, r, nil)
}

// readerNotice opens a notice, which marks it as read. The list beside it is as it
// was before, so that the notice stays where the reader has found it.
func (h *handlers) readerNotice(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	reader := person(r)
	open, err := h.db.Notices.Read(r.Context(), reader.CompanyID, reader.ID, id)
	if err != nil {
		return err
	}
	return h.showReader(w, r, &open)
}

func (h *handlers) showReader(w http.ResponseWriter, r *http.Request, open *notice.Readable) error {
	view := noticeviews.Reader{Frame: h.frame(r), Open: open}
	var err error
	view.Filter, err = notice.ReadReadableFilter(r.URL.Query())
	if view.Refused, err = refusedFilter(err); err != nil {
		return err
	}
	if err := h.listReadables(r, &view); err != nil {
		return err
	}
	if open != nil && open.ReadAt == nil {
		if err := h.db.Notices.MarkRead(r.Context(), person(r).CompanyID, person(r).ID, open.ID); err != nil {
			return err
		}
	}
	return h.renderStatus(w, r, statusOf(view.Refused), noticeviews.ReaderPage(view))
}

// listReadables reads the list that the cursor continues, or the beginning of both.
func (h *handlers) listReadables(r *http.Request, view *noticeviews.Reader) error {
	unread, read := view.Filter, view.Filter
	unread.Unread, unread.Limit = true, unreadPage
	read.Read, read.Limit = true, readPage
	start := view.Filter.Cursor.IsStart()
	var err error
	if start || view.Filter.Cursor.List == unread.Name() {
		if view.Unread, err = h.readables(r, unread); err != nil {
			return err
		}
	}
	if start || view.Filter.Cursor.List == read.Name() {
		view.Read, err = h.readables(r, read)
	}
	return err
}

func (h *handlers) readables(r *http.Request, f notice.ReadableFilter) (lists.Page[notice.ReadableRow], error) {
	reader := person(r)
	return h.db.Notices.Readables(r.Context(), reader.CompanyID, reader.ID, f)
}
