package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/search"
	"officeconsole/views"
)

// A result group shows mostFoundRows. It counts people and notices up to
// mostFoundCount.
const (
	mostFoundRows  = 5
	mostFoundCount = 20
)

// search finds people, departments, policies, settings, pages and more. A script
// gets the results alone. Who is no administrator finds the pages of their menu,
// and the people whose attendance they may see.
func (h *handlers) search(w http.ResponseWriter, r *http.Request) error {
	f := finder{h: h, r: r, reader: person(r), locale: locales.FromContext(r.Context())}
	view, err := f.find(r.URL.Query().Get("q"))
	if err != nil {
		return err
	}
	if fromScript(r) && !followsLink(r) {
		return h.render(w, r, views.SearchResults(view))
	}
	status := http.StatusOK
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, views.SearchPage(h.frame(r), view))
}

// finder finds what a reader may see.
type finder struct {
	h      *handlers
	r      *http.Request
	reader identity.SignedIn
	locale locales.Locale

	scope  directory.Scope
	query  string
	search search.Search
}

func (f *finder) find(query string) (view views.Found, err error) {
	if f.scope, err = f.h.db.Attendance.Scope(f.r.Context(), f.reader.Person); err != nil {
		return view, err
	}
	view.Text = "search.text.pages"
	switch {
	case f.reader.IsAdmin:
		view.Text = "search.text.all"
	case f.seesPeople():
		view.Text = "search.text.people"
	}
	f.query = strings.TrimSpace(query)
	if utf8.RuneCountInString(f.query) > search.MaxText {
		view.Refused = "search.too_long"
		return view, nil
	}
	view.Query = f.query
	if f.search, view.Refused = search.Parse(f.query); view.Refused != "" {
		return view, nil
	}
	if f.search.Empty() {
		view.Groups = shownGroups(f.allPages())
		return view, nil
	}
	view.Groups, err = f.groups()
	return view, err
}

func (f *finder) seesPeople() bool { return f.scope.Everybody || len(f.scope.DepartmentIDs) > 0 }

// groups returns the groups that are not empty. Those with a name that was typed
// as it is come first.
func (f *finder) groups() ([]views.FoundGroup, error) {
	var found []foundGroup
	for _, find := range f.kinds() {
		group, err := find()
		if err != nil {
			return nil, err
		}
		found = append(found, group)
	}
	exact := func(g foundGroup) bool { return g.best == search.Exact }
	return shownGroups(append(only(found, exact), only(found, func(g foundGroup) bool { return !exact(g) })...)...), nil
}

// kinds returns what finds the groups, in their usual order.
func (f *finder) kinds() []func() (foundGroup, error) {
	if f.reader.IsAdmin {
		return []func() (foundGroup, error){f.people, f.departments, f.policies, f.settings, f.pages, f.notices, f.links, f.lists}
	}
	if f.seesPeople() {
		return []func() (foundGroup, error){f.people, f.pages, f.lists}
	}
	return []func() (foundGroup, error){f.pages}
}

// lists are the pages on which the same text can be searched.
func (f *finder) lists() (foundGroup, error) {
	g := foundGroup{FoundGroup: views.FoundGroup{Name: views.SearchInLists}, best: search.Elsewhere}
	entries := []searchEntry{{title: "frame.side.day", path: "/logs/workingattitude/day", icon: "calendar"}}
	if f.reader.IsAdmin {
		entries = append(entries, searchEntry{title: "file.title", path: "/logs/communication/file", icon: "file"})
	}
	for _, e := range entries {
		g.add(views.FoundRow{Title: f.plain(f.locale.T(e.title)), Text: f.plain(f.locale.T("search.in_list")), Path: f.withQuery(e.path), Icon: e.icon})
	}
	return g, nil
}

// withQuery returns the address of a list with the text that was typed.
func (f *finder) withQuery(path string) string {
	return path + "?" + url.Values{"q": {f.query}}.Encode()
}

// plain returns a text without marks.
func (f *finder) plain(text string) []search.Part { return []search.Part{{Text: text}} }

// detail joins texts that say more about a result.
func (f *finder) detail(texts ...string) []search.Part {
	joined := strings.Join(only(texts, func(s string) bool { return s != "" }), " · ")
	if joined == "" {
		return nil
	}
	return f.search.Parts(joined)
}
