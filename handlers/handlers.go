// Package handlers is what answers a browser.
package handlers

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/a-h/templ"
	"github.com/alexedwards/scs/v2"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

// Config is what the pages need besides the database.
type Config struct {
	ProductName    string // shown instead of the catalogue's name where not empty
	Version        string
	Secure         bool                     // the console is reached by https
	TrustedProxies []netip.Prefix           // reverse proxies whose X-Forwarded-For counts
	Asset          func(name string) string // the URL of a stylesheet, script or image
	Static         http.Handler             // answers /static/
	API            http.Handler             // answers /api/v1/
}

type handlers struct {
	Config
	db       *areas.Areas
	sessions *scs.SessionManager

	companyExists atomic.Bool // see hasCompany
}

// A handler answers a request or says why it could not. Only page turns its
// error into an answer.
type handler func(w http.ResponseWriter, r *http.Request) error

func (h *handlers) page(do handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(w, r); err != nil {
			h.fail(w, r, err)
		}
	}
}

// fail answers with an error: to a script as JSON, whose message the error
// dialog shows as it is; to a person as a page. A link that leads nowhere shows
// its page even where a script follows it.
func (h *handlers) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, message := explain(r, err)
	w.Header().Set("Cache-Control", "no-store")
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryAfter)
	}
	if fromScript(r) && !(status == http.StatusNotFound && followsLink(r)) {
		answerJSON(w, status, problem{locales.T(r.Context(), message), message})
		return
	}
	h.write(w, r, status, views.Error(h.frame(r), status, message))
}

// retryAfter is after how many seconds a request that found the database busy
// may be sent again.
const retryAfter = "5"

// statusEnded is what a script is told when its session has ended (spec §4).
const statusEnded = 419

var (
	errEnded        = errors.New("the session has ended")
	errPageNotFound = errors.New("no such page")
	errCrossSite    = errors.New("sent from another site")
)

// explain gives an error's status and message id. The details of an unexpected
// one are for the log, never for the person.
func explain(r *http.Request, err error) (status int, message string) {
	var invalid queries.Invalid
	var conflict queries.Conflict
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &invalid):
		return http.StatusUnprocessableEntity, string(invalid)
	case errors.As(err, &conflict):
		return http.StatusConflict, string(conflict)
	case errors.Is(err, queries.NotFound), errors.Is(err, errPageNotFound):
		return http.StatusNotFound, "error.not_found"
	case errors.Is(err, errCrossSite):
		return http.StatusForbidden, views.InvalidAccess
	case errors.Is(err, errEnded):
		return statusEnded, "error.ended"
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge, "error.too_large"
	case queries.Unreadable(err):
		return http.StatusUnprocessableEntity, "error.unreadable"
	case queries.IsBusy(err):
		slog.WarnContext(r.Context(), "request refused: the database is busy", "method", r.Method, "path", r.URL.Path, "err", err)
		return http.StatusServiceUnavailable, "server.busy"
	}
	slog.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path, "err", err)
	return http.StatusInternalServerError, "error.unexpected"
}

// render answers 200 with a view.
func (h *handlers) render(w http.ResponseWriter, r *http.Request, view templ.Component) error {
	return h.renderStatus(w, r, http.StatusOK, view)
}

// renderStatus answers with a view, whole or not at all: what fails half-way
// becomes an error page. Under a dialog, the dialog's status stands for 200.
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
		slog.DebugContext(r.Context(), "answer not taken", "err", err)
	}
	return nil
}

// write is renderStatus for when there is no other page to fall back on.
func (h *handlers) write(w http.ResponseWriter, r *http.Request, status int, view templ.Component) {
	if err := h.renderStatus(w, r, status, view); err != nil {
		slog.ErrorContext(r.Context(), "error page failed", "err", err)
		http.Error(w, http.StatusText(status), status)
	}
}

// frame is what surrounds a page.
func (h *handlers) frame(r *http.Request) views.Frame {
	f := views.Frame{
		ProductName: h.ProductName,
		Version:     h.Version,
		Asset:       h.Asset,
		Path:        r.URL.RequestURI(),
		Now:         h.db.Now(),
	}
	if under, found := dialogOf(r); found {
		f.Above = under.dialog
	}
	if person, ok := signedIn(r); ok {
		f.Person = &person
		f.Now = f.Now.In(zone(person))
		if toast := h.sessions.PopString(r.Context(), "toast"); toast != "" {
			f.Toast = locales.T(r.Context(), toast)
		}
		if said := h.sessions.PopString(r.Context(), "said"); said != "" {
			f.Toast, f.Undo = said, h.sessions.PopString(r.Context(), "undo")
		}
	}
	return f
}

// done goes to a page, in the reader's language, which then says what was done.
func (h *handlers) done(w http.ResponseWriter, r *http.Request, path, toast string) error {
	h.sessions.Put(r.Context(), "toast", toast)
	return redirect(w, r, path)
}

// doneUndoable is done with a text of its own, in the reader's language, and the
// address to which a form is sent that takes back what was done; "" for none.
func (h *handlers) doneUndoable(w http.ResponseWriter, r *http.Request, path, text, undo string) error {
	h.sessions.Put(r.Context(), "said", text)
	h.sessions.Put(r.Context(), "undo", undo)
	return redirect(w, r, path)
}

// redirect goes to a page in the reader's language.
func redirect(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, locales.FromContext(r.Context()).Path(path), http.StatusSeeOther)
	return nil
}

// problem is the answer to a script whose request failed.
type problem struct {
	Message string `json:"message"`
	Code    string `json:"code"`
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		slog.Debug("answer not taken", "err", err)
	}
}

// fromScript reports whether a script asks, rather than a browser for a page.
func fromScript(r *http.Request) bool {
	return r.Header.Get("HX-Request") != "" || r.Header.Get("Accept") == "application/json"
}

// followsLink reports whether a script asks for a whole page, as a link would.
func followsLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("HX-Request-Type") == "full"
}

// readForm reads the form that was sent into r.PostForm. What is no form is
// refused.
func readForm(r *http.Request) error {
	err := r.ParseForm()
	var tooLarge *http.MaxBytesError
	if err == nil || errors.As(err, &tooLarge) {
		return err
	}
	return queries.Invalid("error.unreadable")
}

// zone is where the person's company is; its name was checked when it was stored.
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

// zones are the time zones by name, of which there are some hundred: reading one
// takes as long as a short statement.
var zones sync.Map
