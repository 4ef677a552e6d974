package link

import (
	"net/url"

	"officeconsole/queries/lists"
	"officeconsole/search"
)

// Filter is what somebody chose for the list of links.
type Filter struct {
	Query   string // as typed
	Search  search.Search
	Visible string        // "yes", "no" or "" for every link
	Icon    string        // the same for the service icon
	Deleted bool          // chooses deleted links instead, by the search alone
	Cursor  *lists.Cursor // of a page of deleted links
}

const (
	statusDeleted = "deleted"
	deletedList   = "deleted-links"
)

// ReadFilter reads the address of the list: q, visible, icon, status and cursor.
// What cannot have been chosen is refused by FieldErrors; the rest is read all the
// same.
func ReadFilter(query url.Values) (Filter, error) {
	r := lists.AddressReader{Query: query}
	f := Filter{Visible: lists.OneOf(&r, "visible", []string{"yes", "no"}), Icon: lists.OneOf(&r, "icon", []string{"yes", "no"})}
	f.Query, f.Search = r.Search("q")
	if f.Deleted = lists.OneOf(&r, "status", []string{statusDeleted}) != ""; f.Deleted {
		f.Visible, f.Icon = "", ""
		f.Cursor = r.Cursor(deletedList)
		if lists.CheckDeleted(deletedList, f.Cursor) != nil {
			r.Refuse("cursor")
		}
	}
	return f, r.Err()
}

// Status returns deleted, as it is in URLs, or "".
func (f Filter) Status() string {
	if f.Deleted {
		return statusDeleted
	}
	return ""
}

// Values returns the filter as parameters of a URL, without the cursor.
func (f Filter) Values() url.Values {
	query := url.Values{}
	lists.SetText(query, "q", f.Query)
	lists.SetText(query, "visible", f.Visible)
	lists.SetText(query, "icon", f.Icon)
	lists.SetText(query, "status", f.Status())
	return query
}

// Apply returns those of some links that the filter leaves. It searches names,
// descriptions and URLs.
func (f Filter) Apply(links []Link) []Link {
	matching := make([]Link, 0, len(links))
	for _, l := range links {
		if f.matches(l) {
			matching = append(matching, l)
		}
	}
	return matching
}

func (f Filter) matches(l Link) bool {
	is := func(choice string, on bool) bool { return choice == "" || (choice == "yes") == on }
	if !is(f.Visible, l.Visible) || !is(f.Icon, l.IconVisible) {
		return false
	}
	return f.Search.Empty() || f.Search.Match(search.Text(l.Name, l.Description, l.URL))
}
