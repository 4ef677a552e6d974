package handlers

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"officeconsole/picture"
	"officeconsole/queries/identity"
)

// userImage serves a user's picture. A URL with the picture's hash in ?v= never
// changes its content, so browsers may cache it.
func (h *handlers) userImage(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return errPageNotFound
	}
	image, err := h.db.Identity.UserImage(r.Context(), identity.UserImageParams{CompanyID: person(r).CompanyID, UserID: id})
	if err != nil {
		return err
	}
	if !isPicture(image.ContentType) {
		return errPageNotFound
	}
	header := w.Header()
	header.Set("Content-Type", image.ContentType)
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	header.Set("Etag", strconv.Quote(image.Hash))
	header.Set("Cache-Control", "private, no-cache")
	if r.URL.Query().Get("v") == image.Hash {
		header.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(image.Content))
	return nil
}

func isPicture(contentType string) bool {
	return contentType == "image/svg+xml" || contentType == "image/png" || contentType == "image/jpeg"
}

// servePicture answers with a PNG or JPEG whose URL never changes its content.
func servePicture(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) error {
	head := make([]byte, 512)
	n, err := io.ReadFull(content, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	contentType := http.DetectContentType(head[:n])
	if contentType != picture.PNG && contentType != picture.JPEG {
		return errPageNotFound
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, content)
	return nil
}
