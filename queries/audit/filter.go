package audit

import (
	"net/url"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// ReadFilter reads the filter of the change log's page from a URL: object, which
// is a type, id, which is that of an object of the type, action, actor, q, from and
// to, which are dates in zone, deleted, and cursor. What cannot have been chosen
// is refused with FieldErrors; the rest is read all the same.
func ReadFilter(query url.Values, zone *time.Location) (ChangeFilter, error) {
	r := lists.AddressReader{Query: query}
	types := make([]string, len(Objects))
	for i, object := range Objects {
		types[i] = object.Type
	}
	f := ChangeFilter{ObjectType: lists.OneOf(&r, "object", types), ActorID: r.Id("actor")}
	if f.ObjectType != "" {
		f.ObjectID = r.Id("id")
		f.Action = lists.OneOf(&r, "action", ActionsOf(f.ObjectType))
	}
	f.From, f.To = r.Period()
	f.Deleted = lists.OneOf(&r, "deleted", []string{"1"}) != ""
	f.Query, f.Search = r.Search("q")
	f.Cursor = r.Cursor(changeList)
	if f.From != 0 {
		f.Since = f.From.At(0, zone)
	}
	if f.To != 0 {
		f.Until = (f.To + 1).At(0, zone)
	}
	return f, r.Err()
}

// Values returns the parameters that ReadFilter reads, without the cursor.
func (f ChangeFilter) Values() url.Values {
	query := url.Values{}
	lists.SetText(query, "object", f.ObjectType)
	lists.SetID(query, "id", f.ObjectID)
	lists.SetText(query, "action", f.Action)
	lists.SetID(query, "actor", f.ActorID)
	lists.SetText(query, "q", f.Query)
	for name, date := range map[string]workday.Date{"from": f.From, "to": f.To} {
		if date != 0 {
			query.Set(name, date.String())
		}
	}
	if f.Deleted {
		query.Set("deleted", "1")
	}
	return query
}
