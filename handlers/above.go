package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
)

// logPages are the pages of attendance above which a record is shown. The last
// is for administrators.
var logPages = []string{
	"/logs/workingattitude/day", "/logs/workingattitude/week", "/logs/workingattitude/month",
	"/logs/workingattitude/day/corrections", "/logs/workingattitude/management",
}

// backToLog is the page of attendance that a form or a link came from, "" for
// none.
func backToLog(r *http.Request, back string) string {
	u, err := url.Parse(back)
	if err != nil || u.Scheme != "" || u.Host != "" || !slices.Contains(logPages, u.Path) {
		return ""
	}
	if u.Path == logPages[len(logPages)-1] && !person(r).IsAdmin {
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

type aboveKey struct{}

// above answers with a page of the console and a dialog above it. Where that
// page cannot be shown, its own answer counts.
func (h *handlers) above(w http.ResponseWriter, r *http.Request, status int, path string, dialog templ.Component) error {
	u, err := url.Parse(path)
	if err != nil {
		return errUnreachable
	}
	ctx := context.WithValue(r.Context(), aboveKey{}, dialog)
	below := r.Clone(context.WithValue(ctx, chi.RouteCtxKey, (*chi.Context)(nil)))
	below.Method, below.URL, below.Body = http.MethodGet, u, http.NoBody
	below.Form, below.PostForm = nil, nil
	h.site.ServeHTTP(&answering{w, status}, below)
	return nil
}

// dialogAbove is the dialog above the page of a request; nil for none.
func dialogAbove(r *http.Request) templ.Component {
	dialog, _ := r.Context().Value(aboveKey{}).(templ.Component)
	return dialog
}

// answering answers with another status instead of 200.
type answering struct {
	http.ResponseWriter
	status int
}

func (a *answering) WriteHeader(status int) {
	if status == http.StatusOK {
		status = a.status
	}
	a.ResponseWriter.WriteHeader(status)
}
