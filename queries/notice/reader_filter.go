package notice

import (
	"net/url"

	"officeconsole/queries/lists"
)

// ReadReadableFilter reads the address of the page of notices to read: q and
// cursor. What cannot have been chosen is refused by FieldErrors.
func ReadReadableFilter(query url.Values) (ReadableFilter, error) {
	r := lists.AddressReader{Query: query}
	var f ReadableFilter
	f.Query, f.Search = r.Search("q")
	cursor, err := lists.ParseCursor(query.Get("cursor"))
	known := cursor.IsStart() || cursor.List == (ReadableFilter{Unread: true}).Name() || cursor.List == (ReadableFilter{Read: true}).Name()
	if err != nil || !known || cursor.IsBackward() {
		r.Refuse("cursor")
	} else {
		f.Cursor = cursor
	}
	return f, r.Err()
}
