package handlers

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

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
