// Package download sends files that people uploaded, so that nothing in them can
// run in the pages of the console.
package download

import (
	"context"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// File is a file to send. Open returns its content, which is closed after use; it
// fails with fs.ErrNotExist if there is none.
type File struct {
	Name        string // as its owner named it
	ContentType string // as it was detected
	Tag         string // other content has another one
	Modified    time.Time
	Open        func(ctx context.Context) (io.ReadSeekCloser, error)
}

// Send answers a request with a file, or with the part of it that is asked for.
// If it returns an error, nothing has been answered yet.
func Send(w http.ResponseWriter, r *http.Request, f File) error {
	content, err := f.Open(r.Context())
	if err != nil {
		return err
	}
	defer content.Close()
	setHeader(w, f.Name, SafeType(f.ContentType))
	w.Header().Set("Etag", strconv.Quote(f.Tag))
	http.ServeContent(w, r, "", f.Modified, content)
	return nil
}

// SendZip answers a request with an archive of files, which is written as they
// are read: it needs the memory of a buffer. If it returns an error, nothing has
// been answered yet; if a later file cannot be read, the connection is closed, so
// that nobody takes a part for the whole.
func SendZip(w http.ResponseWriter, r *http.Request, name string, files []File) error {
	if len(files) > 0 { // most of what can fail is the same for every file
		first, err := files[0].Open(r.Context())
		if err != nil {
			return err
		}
		first.Close()
	}
	setHeader(w, name, "application/zip")
	if err := WriteZip(r.Context(), w, files); err != nil {
		slog.ErrorContext(r.Context(), "archive interrupted, closing the connection", "name", name, "err", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// setHeader sets what every file is sent with. A browser saves it under its name
// and never shows it, and if it did, as a document without scripts and an origin
// of its own.
func setHeader(w http.ResponseWriter, name, contentType string) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Disposition", Disposition(name))
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "private, no-cache")
	header.Set(gzhttp.HeaderNoCompression, "1") // parts of a file and its length are those of the file
}

// SafeType returns the content type that a file is sent with: the detected one
// unless browsers run such content.
func SafeType(detected string) string {
	kind, _, err := mime.ParseMediaType(detected)
	if err != nil {
		return "application/octet-stream"
	}
	switch {
	case kind == "text/plain", kind == "text/csv":
		return kind + "; charset=utf-8"
	case strings.HasPrefix(kind, "image/") && !strings.Contains(kind, "xml"),
		strings.HasPrefix(kind, "audio/"), strings.HasPrefix(kind, "video/"), strings.HasPrefix(kind, "font/"),
		kind == "application/pdf", kind == "application/zip", kind == "application/msword",
		strings.HasPrefix(kind, "application/vnd.") && !strings.HasSuffix(kind, "xml"):
		return kind
	}
	return "application/octet-stream"
}
