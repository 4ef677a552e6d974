package link

import (
	"net/url"
	"strings"

	"officeconsole/queries/lists"
)

// Filter is what somebody chose for the list of links.
type Filter struct {
	Query   string // as typed
	Visible string // "yes", "no" or "" for every link
	Icon    string // the same for the service icon
	terms   []string
}

// IsEmpty reports whether every link is chosen.
func (f Filter) IsEmpty() bool { return f.Query == "" && f.Visible == "" && f.Icon == "" }

// ReadFilter reads the address of the list: q, visible and icon. What cannot
// have been chosen is refused by FieldErrors; the rest is read all the same.
func ReadFilter(query url.Values) (Filter, error) {
	r := lists.AddressReader{Query: query}
	f := Filter{Visible: lists.OneOf(&r, "visible", []string{"yes", "no"}), Icon: lists.OneOf(&r, "icon", []string{"yes", "no"})}
	f.Query, _ = r.Search("q")
	f.terms = strings.Fields(strings.ToLower(f.Query))
	return f, r.Err()
}

// Values is the filter as an address, as ReadFilter reads it.
func (f Filter) Values() url.Values {
	query := url.Values{}
	lists.SetText(query, "q", f.Query)
	lists.SetText(query, "visible", f.Visible)
	lists.SetText(query, "icon", f.Icon)
	return query
}

// Apply returns those of some links that the filter leaves: every word of the
// search is in their name, description or URL.
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
	text := strings.ToLower(l.Name + "\n" + l.Description + "\n" + l.URL)
	for _, term := range f.terms {
		if !strings.Contains(text, term) {
			return false
		}
	}
	return true
}
