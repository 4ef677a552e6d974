package handlers

import (
	"context"
	"net/http"
	"net/url"

	"github.com/a-h/templ"

	"officeconsole/locales"
)

// backToLog returns the attendance list that a form or a link came from, or ""
// for none that the reader may enter.
func backToLog(r *http.Request, back string) string {
	u, err := url.Parse(back)
	if err != nil || u.Scheme != "" || u.Host != "" || attendanceListAt(u.Path, person(r)) == nil {
		return ""
	}
	return u.RequestURI()
}

// cameFrom returns the page of the console that links here according to the
// Referer header, or "".
func cameFrom(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host {
		return ""
	}
	_, path := locales.SplitPath(u.Path)
	return (&url.URL{Path: path, RawQuery: u.RawQuery}).RequestURI()
}

// underDialog is the status and dialog that a page under a dialog is rendered
// with.
type underDialog struct {
	status int // instead of 200
	dialog templ.Component
}

type underDialogKey struct{}

// renderUnderDialog renders the attendance list at a path with a dialog above
// it. If the list cannot be shown, its own error response is sent.
func (h *handlers) renderUnderDialog(w http.ResponseWriter, r *http.Request, status int, path string, dialog templ.Component) error {
	u, err := url.Parse(path)
	if err != nil {
		return errPageNotFound
	}
	list := attendanceListAt(u.Path, person(r))
	if list == nil {
		return errPageNotFound
	}
	h.page(func(w http.ResponseWriter, r *http.Request) error { return list(h, w, r) })(w, underDialog{status, dialog}.above(requestFor(r, u)))
	return nil
}

// above returns a request whose page is rendered under the dialog.
func (d underDialog) above(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), underDialogKey{}, d))
}

// requestFor returns a GET request by the same reader for another URL.
func requestFor(r *http.Request, u *url.URL) *http.Request {
	r = r.Clone(r.Context())
	r.Method, r.URL = http.MethodGet, u
	return r
}

// dialogOf returns the dialog above the page of a request, or false if there is
// none.
func dialogOf(r *http.Request) (underDialog, bool) {
	under, found := r.Context().Value(underDialogKey{}).(underDialog)
	return under, found
}
