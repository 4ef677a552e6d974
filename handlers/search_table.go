package handlers

import (
	"strings"
	"sync"

	"officeconsole/locales"
	"officeconsole/search"
	"officeconsole/settings"
	"officeconsole/views"
)

// searchEntry is a page or a setting. It is found by its title in every language.
type searchEntry struct {
	title, group string // message ids
	path, icon   string
	text         string // what is searched
	key          string // of a setting of a policy
	kind         settings.Kind
}

// searchTable holds what every company has.
type searchTable struct {
	administrator, operator, employee []searchEntry // pages
	settings                          []searchEntry
}

var searchTables = sync.OnceValue(func() searchTable {
	var t searchTable
	t.administrator, t.operator, t.employee = pageEntries(true, false), pageEntries(true, true), pageEntries(false, false)
	for _, kind := range []settings.Kind{settings.Communication, settings.WorkingAttitude} {
		for _, group := range settings.Groups(kind) {
			for _, s := range group.Settings {
				e := newSearchEntry(s.LabelID(), group.LabelID(), "", "edit")
				e.key, e.kind = s.Key, kind
				t.settings = append(t.settings, e)
			}
		}
	}
	t.settings = append(t.settings, fieldEntries()...)
	return t
})

// pageWords are messages with other words that people type for a page, by the message
// of its title.
var pageWords = map[string][]string{
	"frame.side.policies":            {"search.also.policies"},
	"frame.side.attendance_policies": {"search.also.policies"},
	"frame.side.viewers":             {"search.also.viewers"},
	"frame.side.day":                 {"search.also.logs", "search.also.attendance"},
	"period.week":                    {"search.also.logs", "search.also.attendance"},
	"period.month":                   {"search.also.logs", "search.also.attendance"},
	"attendance.log":                 {"search.also.logs", "search.also.attendance"},
	"file.title":                     {"search.also.logs"},
	"access.title":                   {"search.also.logs", "search.also.audit", "search.also.sign_in"},
	"change.title":                   {"search.also.logs", "search.also.audit"},
	"read.title":                     {"search.also.logs", "search.also.audit"},
	"installation.title":             {"search.also.clients"},
	"client.title.pc":                {"search.also.clients"},
	"client.title.mobile":            {"search.also.clients"},
	"notice.title":                   {"search.also.notices"},
	"reader.title":                   {"search.also.notices"},
	"lock.title":                     {"search.also.sign_in"},
	"provider.title":                 {"search.also.sign_in"},
	"factor.rule.title":              {"search.also.sign_in"},
	"frame.profile":                  {"search.also.profile"},
}

func pageEntries(isAdmin, isOperator bool) []searchEntry {
	var entries []searchEntry
	for _, page := range views.MenuPages(isAdmin, isOperator) {
		entries = append(entries, newSearchEntry(page.Title, page.Group, page.Path, "book", pageWords[page.Title]...))
	}
	return entries
}

func newSearchEntry(title, group, path, icon string, also ...string) searchEntry {
	var titles []string
	for _, l := range locales.All() {
		for _, id := range append([]string{title}, also...) {
			titles = append(titles, l.T(id), strings.ReplaceAll(l.T(id), " ", "")) // Korean is often typed without spaces
		}
	}
	return searchEntry{title: title, group: group, path: path, icon: icon, text: search.Text(titles...)}
}

// rank returns how well a search finds the title in the reader's language, or else
// in another one.
func (e searchEntry) rank(s search.Search, reader locales.Locale) search.Rank {
	rank := s.Rank(reader.T(e.title))
	for _, l := range locales.All() {
		if rank == search.Elsewhere || s.Rank(l.T(e.title)) == search.Exact {
			rank = min(rank, s.Rank(l.T(e.title)))
		}
	}
	return rank
}

// pages finds pages of the menus.
func (f *finder) pages() (foundGroup, error) {
	return newGroup("pages", "", f.rows(f.menuPages())), nil
}

// menuPages are the pages of the reader's menus.
func (f *finder) menuPages() []searchEntry {
	table := searchTables()
	switch {
	case f.h.operates(f.reader):
		return table.operator
	case f.reader.IsAdmin:
		return table.administrator
	}
	return table.employee
}

// allPages is the group of all pages, from which a reader begins.
func (f *finder) allPages() foundGroup {
	g := foundGroup{FoundGroup: views.FoundGroup{Name: "pages"}}
	for _, e := range f.menuPages() {
		g.add(views.FoundRow{Title: f.plain(f.locale.T(e.title)), Text: f.plain(f.locale.T(e.group)), Path: e.path, Icon: e.icon})
	}
	return g
}

// settings finds settings. Those of policies lead to the default policy of their kind,
// which holds for everybody who has no other.
func (f *finder) settings() (foundGroup, error) {
	found := only(searchTables().settings, func(e searchEntry) bool { return f.search.Match(e.text) })
	if len(found) == 0 {
		return foundGroup{}, nil
	}
	defaults, err := f.defaultPolicies()
	if err != nil {
		return foundGroup{}, err
	}
	for i, e := range found {
		if e.kind != "" {
			found[i].path = defaults[e.kind] + "#setting-" + e.key
		}
	}
	return newGroup("settings", "", f.rows(found)), nil
}

// rows returns the entries that the search finds.
func (f *finder) rows(entries []searchEntry) []rankedRow {
	var rows []rankedRow
	for _, e := range entries {
		if !f.search.Match(e.text) {
			continue
		}
		text := f.locale.T(e.group)
		if e.kind != "" {
			text = f.locale.T(kindTitle(e.kind)) + " · " + text
		}
		rows = append(rows, rankedRow{views.FoundRow{
			Title: f.search.Parts(f.locale.T(e.title)), Text: f.plain(text), Path: e.path, Icon: e.icon,
		}, e.rank(f.search, f.locale)})
	}
	return rows
}

// kindTitle is the id of the message that names a kind of policy.
func kindTitle(kind settings.Kind) string {
	if kind == settings.WorkingAttitude {
		return "frame.side.attendance_policies"
	}
	return "frame.side.policies"
}
