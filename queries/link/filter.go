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
	Visible string // "yes", "no" or "" for every link
	Icon    string // the same for the service icon
}

// ReadFilter reads the address of the list: q, visible and icon. What cannot
// have been chosen is refused by FieldErrors; the rest is read all the same.
func ReadFilter(query url.Values) (Filter, error) {
	r := lists.AddressReader{Query: query}
	f := Filter{Visible: lists.OneOf(&r, "visible", []string{"yes", "no"}), Icon: lists.OneOf(&r, "icon", []string{"yes", "no"})}
	f.Query, f.Search = r.Search("q")
	return f, r.Err()
}

// Apply returns those of some links that the filter leaves. It searches names,
// descriptions and URLs.
func (f Filter) Apply(links []Link) []Link {
	left := make([]Link, 0, len(links))
	for _, l := range links {
		if f.matches(l) {
			left = append(left, l)
		}
	}
	return left
}

func (f Filter) matches(l Link) bool {
	is := func(choice string, on bool) bool { return choice == "" || (choice == "yes") == on }
	if !is(f.Visible, l.Visible) || !is(f.Icon, l.IconVisible) {
		return false
	}
	text, _ := search.Key(l.Name, l.Description, l.URL)
	return f.Search.Match(text)
}
