package notice

import (
	"net/url"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/search"
	"officeconsole/workday"
)

// Deleted is the status of a filter for deleted notices that can be restored.
const Deleted Status = "deleted"

// Statuses are the statuses that a filter can choose.
var Statuses = []Status{Published, Reserved, Expired, Deleted}

// Everyone is the target of a filter for notices to the whole company.
const Everyone = "everyone"

// Filter is what somebody chose for the list of notices.
type Filter struct {
	Status       Status // "" for every notice that is not deleted
	Query        string // as typed
	Search       search.Search
	Everyone     bool  // only those for the whole company
	DepartmentID int64 // only those that list it or a department below it; 0 for all
	AuthorID     int64 // 0 for all
	From, To     workday.Date
	Ascending    bool // the earliest publication first
	Cursor       *lists.Cursor
	Limit        int
}

// ReadFilter reads the address of the list: status, q, target, author, from, to,
// sort and cursor. What cannot have been chosen is refused by FieldErrors; the
// rest is read all the same.
func ReadFilter(query url.Values) (Filter, error) {
	r := lists.AddressReader{Query: query}
	f := Filter{
		Status: lists.OneOf(&r, "status", Statuses), AuthorID: r.Id("author"), From: r.Date("from", 0), To: r.Date("to", 0),
		Ascending: lists.OneOf(&r, "sort", []string{"published", "-published"}) == "published",
	}
	f.Query, f.Search = r.Search("q")
	if f.Everyone = query.Get("target") == Everyone; !f.Everyone {
		f.DepartmentID = r.Id("target")
	}
	f.Cursor = r.Cursor(f.list())
	return f, r.Err()
}

// Values returns the address of the list as ReadFilter reads it, without the
// cursor.
func (f Filter) Values() url.Values {
	v := url.Values{}
	lists.SetText(v, "status", string(f.Status))
	lists.SetText(v, "q", f.Query)
	if f.Everyone {
		v.Set("target", Everyone)
	}
	lists.SetID(v, "target", f.DepartmentID)
	lists.SetID(v, "author", f.AuthorID)
	for name, date := range map[string]workday.Date{"from": f.From, "to": f.To} {
		if date != 0 {
			v.Set(name, date.String())
		}
	}
	if f.Ascending {
		v.Set("sort", "published")
	}
	return v
}

// OnlyStatus reports whether the filter chooses all notices of its status.
func (f Filter) OnlyStatus() bool {
	return f.Search.Empty() && !f.Everyone && f.DepartmentID == 0 && f.AuthorID == 0 && f.From == 0 && f.To == 0
}

// list is the list name of the filter's cursors.
func (f Filter) list() string {
	name := "notices"
	if f.Status == Deleted {
		name = "deleted-notices"
	}
	if f.Ascending {
		name += ":ascending"
	}
	return name
}

// published returns the times of publication that the filter chooses: from the
// first, before the second. A zero time is no limit.
func (f Filter) published(now time.Time, zone *time.Location) (from, before time.Time) {
	if f.From != 0 {
		from = f.From.At(0, zone)
	}
	if f.To != 0 {
		before = (f.To + 1).At(0, zone)
	}
	instant := now.Truncate(time.Microsecond).Add(time.Microsecond) // the first time after now that is stored
	later := func(t time.Time) {
		if t.After(from) {
			from = t
		}
	}
	earlier := func(t time.Time) {
		if before.IsZero() || t.Before(before) {
			before = t
		}
	}
	switch f.Status {
	case Reserved:
		later(instant)
	case Published:
		earlier(instant)
		later(instant.Add(-DownloadTime))
	case Expired:
		earlier(instant.Add(-DownloadTime))
	}
	return from, before
}
