package handlers

import (
	"context"
	"net/http"
	"net/url"

	"github.com/a-h/templ"

	"officeconsole/locales"
)

// backToLog is the list of attendance that a form or a link came from, "" for
// none that the reader may enter.
func backToLog(r *http.Request, back string) string {
	u, err := url.Parse(back)
	if err != nil || u.Scheme != "" || u.Host != "" || attendanceListAt(u.Path, person(r)) == nil {
		return ""
	}
	return u.RequestURI()
}

// cameFrom is the page of the console on which a link was followed, "" where the
// browser does not say.
func cameFrom(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host {
		return ""
	}
	_, path := locales.SplitPath(u.Path)
	return (&url.URL{Path: path, RawQuery: u.RawQuery}).RequestURI()
}

// underDialog is what a page under a dialog is rendered with.
type underDialog struct {
	status int // instead of 200
	dialog templ.Component
}

type underDialogKey struct{}

// renderUnderDialog answers with the list of attendance at a path and a dialog
// above it. Where the list cannot be shown, its own answer counts.
func (h *handlers) renderUnderDialog(w http.ResponseWriter, r *http.Request, status int, path string, dialog templ.Component) error {
	u, err := url.Parse(path)
	if err != nil {
		return errPageNotFound
	}
	list := attendanceListAt(u.Path, person(r))
	if list == nil {
		return errPageNotFound
	}
	r = requestFor(r, u)
	r = r.WithContext(context.WithValue(r.Context(), underDialogKey{}, underDialog{status, dialog}))
	h.page(func(w http.ResponseWriter, r *http.Request) error { return list(h, w, r) })(w, r)
	return nil
}

// requestFor is a request by the same reader for the page at an address.
func requestFor(r *http.Request, u *url.URL) *http.Request {
	r = r.Clone(r.Context())
	r.Method, r.URL = http.MethodGet, u
	return r
}

// dialogOf is the dialog above the page of a request, if there is one.
func dialogOf(r *http.Request) (underDialog, bool) {
	under, found := r.Context().Value(underDialogKey{}).(underDialog)
	return under, found
}
