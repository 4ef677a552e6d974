// Package handlers serves the pages of the console.
package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/a-h/templ"
	"github.com/alexedwards/scs/v2"

	"officeconsole/backup"
	"officeconsole/blobs"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/export"
	"officeconsole/queries/identity"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	"officeconsole/queries/replica"
	"officeconsole/traffic"
	"officeconsole/views"
)

// Config is what the pages need besides the database.
type Config struct {
	ProductName    string // shown instead of the catalogue's name where not empty
	Version        string
	PublicURL      string                   // how browsers reach the console, without a final slash; "" where that is the host of each request
	Secure         bool                     // the console is reached by https
	TrustedProxies []netip.Prefix           // reverse proxies whose X-Forwarded-For counts
	Asset          func(name string) string // the URL of a stylesheet, script or image
	Static         http.Handler             // answers /static/
	API            http.Handler             // answers /api/
	SCIM           http.Handler             // answers /scim/v2/; nil for nothing
	Blobs          blobs.Store              // files outside of the database

	// The host of the company whose administrators see what concerns the whole console;
	// "" for none.
	OperatingCompany string
	ExternalDatabase bool             // the database is not the built-in one
	Backups          *backup.Schedule // the console's own backups; nil for none

	Stopping <-chan struct{} // closed when the program is about to stop; nil for never
}

type handlers struct {
	Config
	db       *areas.Areas
	sessions *scs.SessionManager
	exports  *traffic.Limit

	companyExists atomic.Bool // see hasCompany
}

// handler serves a request or returns an error. Only page turns the error into
// a response.
type handler func(w http.ResponseWriter, r *http.Request) error

func (h *handlers) page(do handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(w, r); err != nil {
			h.fail(w, r, err)
		}
	}
}

// fail answers with an error: to a script as JSON, whose message the error
// dialog shows unchanged, and to a browser as a page. A link to a missing page
// shows the error page even if a script follows the link.
func (h *handlers) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, message := explain(r, err)
	w.Header().Set("Cache-Control", "no-store")
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", retryAfter)
	}
	text := locales.T(r.Context(), message)
	if broken := (*policy.CheckRefusal)(nil); errors.As(err, &broken) {
		text = locales.T(r.Context(), "check.broken.sentence", "Sentence", brokenSentence(r.Context(), broken.Broken))
	}
	if strings.HasPrefix(r.URL.Path, "/api/") { // called with a session that could not be read
		answerCall(w, r, status, message)
		return
	}
	if fromScript(r) && !(status == http.StatusNotFound && followsLink(r)) {
		answerJSON(w, status, problem{text, message})
		return
	}
	h.write(w, r, status, views.Error(h.frame(r), status, text, views.ErrorAdvice(status, message)))
}

// retryAfter is the number of seconds after which a client may repeat a request
// that found the database busy or the storage of files unavailable, or was one too
// many at the same time.
const retryAfter = "5"

// statusEnded is the status for a script whose session has ended (spec §4).
const statusEnded = 419

var (
	errEnded        = errors.New("the session has ended")
	errPageNotFound = errors.New("no such page")
	errCrossSite    = errors.New("sent from another site")
)

// explain returns the HTTP status and message id for an error. The details of
// an unexpected error go to the log only.
func explain(r *http.Request, err error) (status int, message string) {
	var invalid queries.Invalid
	var conflict queries.Conflict
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &invalid):
		return http.StatusUnprocessableEntity, string(invalid)
	case errors.As(err, &conflict):
		return http.StatusConflict, string(conflict)
	case errors.Is(err, export.ErrTooMany):
		return http.StatusTooManyRequests, "error.too_many"
	case errors.Is(err, notice.ErrExpired):
		return http.StatusNotFound, "attachment.expired"
	case errors.As(err, new(*notice.Gone)):
		return http.StatusNotFound, "notice.removed"
	case errors.Is(err, queries.NotFound), errors.Is(err, errPageNotFound):
		return http.StatusNotFound, "error.not_found"
	case errors.Is(err, errCrossSite):
		return http.StatusForbidden, views.InvalidAccess
	case errors.Is(err, errProof):
		return http.StatusForbidden, "proof.required"
	case errors.Is(err, errEnded):
		return statusEnded, "error.ended"
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge, "error.too_large"
	case errors.Is(err, notice.ErrStorageFull), blobs.IsFull(err):
		slog.ErrorContext(r.Context(), "cannot store a file: the storage is full", "path", r.URL.Path, "err", err)
		return http.StatusInsufficientStorage, "error.storage_full"
	case errors.Is(err, blobs.ErrUnavailable):
		slog.ErrorContext(r.Context(), "cannot store a file: the storage is not available", "path", r.URL.Path, "err", err)
		return http.StatusServiceUnavailable, "error.storage_unavailable"
	case errors.Is(err, blobs.ErrInfected):
		slog.WarnContext(r.Context(), "a file was refused", "path", r.URL.Path, "err", err)
		return http.StatusUnprocessableEntity, "error.infected"
	case errors.Is(err, blobs.ErrNotScanned):
		slog.ErrorContext(r.Context(), "cannot store a file: the virus scanner is not available", "path", r.URL.Path, "err", err)
		return http.StatusServiceUnavailable, "error.not_scanned"
	case queries.Unreadable(err):
		return http.StatusUnprocessableEntity, "error.unreadable"
	case errors.Is(err, context.Canceled): // the client has left, or the time for the request is over
		slog.DebugContext(r.Context(), "request ended before its answer", "method", r.Method, "path", r.URL.Path, "err", err)
		return http.StatusServiceUnavailable, "server.busy"
	case queries.Outage(err) == "server.full":
		slog.ErrorContext(r.Context(), "request refused: the disk of the database is full", "method", r.Method, "path", r.URL.Path, "err", err)
		return http.StatusInsufficientStorage, "server.full"
	case queries.Outage(err) != "":
		message = queries.Outage(err)
		slog.WarnContext(r.Context(), "request refused: the database is busy or not available", "method", r.Method, "path", r.URL.Path, "outage", message, "err", err)
		return http.StatusServiceUnavailable, message
	}
	slog.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path, "err", err)
	return http.StatusInternalServerError, "error.unexpected"
}

// render answers 200 with a view.
func (h *handlers) render(w http.ResponseWriter, r *http.Request, view templ.Component) error {
	return h.renderStatus(w, r, http.StatusOK, view)
}

// renderStatus answers with a view, or with an error page if rendering fails.
// For a page under a dialog, the dialog's status replaces 200.
func (h *handlers) renderStatus(w http.ResponseWriter, r *http.Request, status int, view templ.Component) error {
	body := templ.GetBuffer()
	defer templ.ReleaseBuffer(body)
	if err := view.Render(r.Context(), body); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	w.Header().Set("Cache-Control", "no-store")
	if under, found := dialogOf(r); found && status == http.StatusOK {
		status = under.status
	}
	w.WriteHeader(status)
	_, err := body.WriteTo(w)
	if err != nil {
		slog.DebugContext(r.Context(), "client closed the connection", "err", err)
	}
	return nil
}

// write is renderStatus without a fallback to an error page.
func (h *handlers) write(w http.ResponseWriter, r *http.Request, status int, view templ.Component) {
	if err := h.renderStatus(w, r, status, view); err != nil {
		if errors.Is(err, context.Canceled) { // nobody waits for it, or not any more
			http.Error(w, http.StatusText(status), status)
			return
		}
		slog.ErrorContext(r.Context(), "cannot render the error page", "err", err)
		http.Error(w, http.StatusText(status), status)
	}
}

// frame returns the data for the layout around a page, which then shows the toast,
// unless it may never be seen.
func (h *handlers) frame(r *http.Request) views.Frame {
	f := h.frameWithoutToast(r)
	if said, found := r.Context().Value(toastKey{}).(string); found {
		f.Toast = said
		return f
	}
	if f.Person == nil || isPrefetch(r) {
		return f
	}
	if toast := h.sessions.PopString(r.Context(), "toast"); toast != "" {
		f.Toast = locales.T(r.Context(), toast)
	}
	if said := h.sessions.PopString(r.Context(), "said"); said != "" {
		f.Toast, f.Undo = said, h.sessions.PopString(r.Context(), "undo")
	}
	return f
}

// frameWithoutToast is frame for a part of a page, which leaves the toast to the
// next page.
func (h *handlers) frameWithoutToast(r *http.Request) views.Frame {
	f := views.Frame{
		ProductName: h.ProductName,
		Version:     h.Version,
		Asset:       h.Asset,
		Path:        r.URL.RequestURI(),
		Apple:       hasAppleKeyboard(r.UserAgent()),
		Now:         h.db.Now(),
	}
	if from := replica.From(r.Context()); from != nil {
		f.ReplicaLag = from.Status().Lag
	}
	if under, found := dialogOf(r); found {
		f.Dialog = under.dialog
	}
	if person, ok := signedIn(r); ok {
		f.Person, f.IsOperator = &person, h.operates(person)
		f.Now = f.Now.In(zone(person))
	}
	return f
}

type toastKey struct{}

// withToast returns a request whose page shows a toast with a text. A redirection to it would
// lose the toast where the page was prefetched.
func withToast(r *http.Request, text string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), toastKey{}, text))
}

// redirectWithToast redirects to a page in the reader's language, which then
// shows the toast.
func (h *handlers) redirectWithToast(w http.ResponseWriter, r *http.Request, path, toast string) error {
	h.sessions.Remove(r.Context(), "said") // of a page that was not shown
	h.sessions.Put(r.Context(), "toast", toast)
	return redirect(w, r, path)
}

// redirectWithUndo is redirectWithToast with a text in the reader's language and
// the URL of the form that undoes the change, or "" if there is none.
func (h *handlers) redirectWithUndo(w http.ResponseWriter, r *http.Request, path, text, undo string) error {
	h.sessions.Put(r.Context(), "said", text)
	h.sessions.Put(r.Context(), "undo", undo)
	return redirect(w, r, path)
}

// redirect redirects to a page in the reader's language.
func redirect(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, locales.FromContext(r.Context()).Path(path), http.StatusSeeOther)
	return nil
}

// problem is the response to a script whose request failed.
type problem struct {
	Message string `json:"message"`
	Code    string `json:"code"`
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		slog.Debug("client closed the connection", "err", err)
	}
}

// fromScript reports whether a script sent the request, as opposed to a browser
// that loads a page.
func fromScript(r *http.Request) bool {
	return r.Header.Get("HX-Request") != "" || r.Header.Get("Accept") == "application/json"
}

// followsLink reports whether a script requests a whole page, as following a
// link does.
func followsLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("HX-Request-Type") == "full"
}

// readForm parses the body into r.PostForm. It returns an error for a body that
// is not a form.
func readForm(r *http.Request) error {
	err := r.ParseForm()
	var tooLarge *http.MaxBytesError
	if err == nil || errors.As(err, &tooLarge) {
		return err
	}
	return queries.Invalid("error.unreadable")
}

// zone returns the time zone of the person's company. The name was validated
// when it was stored.
func zone(person identity.SignedIn) *time.Location {
	if known, ok := zones.Load(person.TimeZone); ok {
		return known.(*time.Location)
	}
	location, err := time.LoadLocation(person.TimeZone)
	if err != nil {
		return time.UTC
	}
	zones.Store(person.TimeZone, location)
	return location
}

// zones caches time zones by name. There are some hundred; loading one takes as
// long as a short statement.
var zones sync.Map
