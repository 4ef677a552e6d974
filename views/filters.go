package views

import "net/url"

// countFilters counts the filters that are set in a query. A period is one filter, named
// by its beginning.
func countFilters(query url.Values, names []string) int {
	n := 0
	for _, name := range names {
		if query.Get(name) != "" || name == "from" && query.Get("to") != "" {
			n++
		}
	}
	return n
}
