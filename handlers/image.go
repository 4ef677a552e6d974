package handlers

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"officeconsole/blobs"
	"officeconsole/picture"
	"officeconsole/queries/identity"
)

const immutable = "private, max-age=31536000, immutable"

// userImage serves a user's picture. A URL with the picture's hash in ?v= never
// changes its content, so browsers may cache it.
func (h *handlers) userImage(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	hash, err := h.db.Identity.UserImage(r.Context(), identity.UserImageParams{CompanyID: person(r).CompanyID, UserID: id, OfHidden: person(r).IsAdmin})
	if err != nil {
		return err
	}
	caching := "private, no-cache"
	if r.URL.Query().Get("v") == hash {
		caching = immutable
	}
	return h.sendPicture(w, r, hash, caching)
}

// servePicture answers with a picture of the reader's company by its hash. Its URL
// contains the hash, so it never changes its content.
func (h *handlers) servePicture(w http.ResponseWriter, r *http.Request, hash string) error {
	return h.sendPicture(w, r, hash, immutable)
}

// sendPicture streams a PNG or JPEG. What the first bytes do not say to be one is not
// served, whatever it was uploaded as.
func (h *handlers) sendPicture(w http.ResponseWriter, r *http.Request, hash, caching string) error {
	content, _, err := h.Blobs.Open(r.Context(), blobs.Key(person(r).CompanyID, hash))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return errPageNotFound
	}
	if err != nil {
		return err
	}
	defer content.Close()
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
	header.Set("Etag", strconv.Quote(hash))
	header.Set("Cache-Control", caching)
	if caching == immutable {
		header.Del("Vary") // so that another session's cookie does not make a browser ask again
	}
	http.ServeContent(w, r, "", time.Time{}, content)
	return nil
}
