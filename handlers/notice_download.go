package handlers

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"

	"officeconsole/download"
	"officeconsole/queries/notice"
)

// noticeFile sends a file of a notice to somebody who may read the notice, or to
// an administrator.
func (h *handlers) noticeFile(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	attachmentID, err := rowID(chi.URLParam(r, "attachment"))
	if err != nil {
		return err
	}
	file, err := h.db.Notices.File(r.Context(), person(r).Person, attachmentID)
	if file.NoticeID != 0 && file.NoticeID != id {
		return errPageNotFound
	}
	if err != nil {
		return err
	}
	if err := h.noteDownload(r, id); err != nil {
		return err
	}
	allowLongAnswer(w)
	return missingBlob(r, download.Send(w, r, file.Sendable(h.Blobs)))
}

// noticeFiles sends the files of a notice in one archive.
func (h *handlers) noticeFiles(w http.ResponseWriter, r *http.Request) error {
	id, err := noticeID(r)
	if err != nil {
		return err
	}
	files, err := h.db.Notices.Files(r.Context(), person(r).Person, id)
	if err != nil {
		return err
	}
	if err := h.noteDownload(r, id); err != nil {
		return err
	}
	allowLongAnswer(w)
	return missingBlob(r, download.SendZip(w, r, notice.ArchiveName(id), notice.SendableFiles(files, h.Blobs)))
}

func (h *handlers) noteDownload(r *http.Request, noticeID int64) error {
	return h.db.Notices.NoteDownload(r.Context(), person(r).CompanyID, person(r).ID, noticeID)
}

// missingBlob answers a file without content as one that is not there.
func missingBlob(r *http.Request, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		slog.ErrorContext(r.Context(), "the content of an attachment is missing in the blobs", "path", r.URL.Path, "err", err)
		return errPageNotFound
	}
	return err
}
