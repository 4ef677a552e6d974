package attendance

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/search"
	"officeconsole/workday"
)

// DeskKind is a kind of what needs a person.
type DeskKind string

// The kinds, in the order of the desk.
const (
	DeskMissingDeparture DeskKind = "missing_departure"
	DeskMissingArrival   DeskKind = "missing_arrival"
	DeskCorrection       DeskKind = "correction" // a pending request
	DeskUnproven         DeskKind = "unproven"   // clocked without a proof and without a reason, or at a made-up position
	DeskRefused          DeskKind = "refused"    // a policy refused to clock
	DeskUncounted        DeskKind = "uncounted"  // events that have no part in any figure
)

// DeskKinds lists the kinds.
var DeskKinds = []DeskKind{DeskMissingDeparture, DeskMissingArrival, DeskCorrection, DeskUnproven, DeskRefused, DeskUncounted}

// Field returns the time of the record that approving an item sets, or "" for none.
func (k DeskKind) Field() workday.Field {
	switch k {
	case DeskMissingArrival:
		return workday.FieldArrival
	case DeskMissingDeparture, DeskUncounted:
		return workday.FieldDeparture
	}
	return ""
}

// MayBeAsIs reports whether an item can be reviewed without changing its record.
func (k DeskKind) MayBeAsIs() bool {
	return k == DeskUnproven || k == DeskRefused || k == DeskUncounted
}

// deskFlags are the flags of a record that items of the desk are about.
const deskFlags = workday.FlagOutside | workday.FlagUnproven | workday.FlagMock

const (
	// MostDesk is the greatest number of items of a kind that are counted exactly and
	// listed, and of items that are decided at once.
	MostDesk = 300
	// usualDeskDays is the number of days of the desk if none were chosen, and
	// MostDeskDays the maximum.
	usualDeskDays = 7
	MostDeskDays  = 31
)

// DeskKey identifies an item of the desk, in URLs and calls too. The only record of a
// refusal is that of its date.
type DeskKey struct {
	Kind DeskKind
	RecordKey
}

// String returns "missing_departure:12-2026-11-20".
func (k DeskKey) String() string { return string(k.Kind) + ":" + k.RecordKey.String() }

// ParseDeskKey parses the result of String; anything else is NotFound.
func ParseDeskKey(text string) (DeskKey, error) {
	kind, record, _ := strings.Cut(text, ":")
	if !slices.Contains(DeskKinds, DeskKind(kind)) {
		return DeskKey{}, fmt.Errorf("item %q: %w", text, queries.NotFound)
	}
	key, err := ParseRecordKey(record)
	return DeskKey{DeskKind(kind), key}, err
}

// DeskItem is something that needs a person.
type DeskItem struct {
	DeskKey
	Name         string // of the person, on the date
	DepartmentID int64  // on the date
	Department   string
	Device       string // of the arrival, or of the last attempt that was refused
	Status       string // of the record; "" without one
	Flags        int32
	Uncounted    int32

	ArrivalAt, DepartureAt *time.Time
	StartsAt, EndsAt       *time.Time
	OpensAt, ClosesAt      *time.Time // nil without a record

	CorrectionID     int64 // 0 for none
	AskedArrivalAt   *time.Time
	AskedDepartureAt *time.Time
	Reason           string // of the request

	Code      string // why the last attempt was refused
	EventKind string // of that attempt
	Attempts  int32

	At         *time.Time // of the request or the last attempt
	LastEditID int64      // of the record; 0 for none
	Locked     bool       // whether the month of the record is locked
	MayDecide  bool
	Suggestion Suggestion
}

// DeskFilter is what somebody chose for the desk.
type DeskFilter struct {
	First, Last  workday.Date // the work dates; pending requests of every date are listed
	DepartmentID int64        // the department on the date, with its subtree; 0 for every department
	Kind         DeskKind     // "" for every kind
	Query        string       // the search text as typed
	Everything   bool         // also what the reader may see but not decide
	Unfolded     DeskKind     // the kind whose items are all listed; "" for none

	Search     search.Search
	UnfoldsAll bool // lists the items of every kind
}

// ReadDeskFilter reads the filter from a URL: from, department_id, kind, q, everything and more.
// Values that no page offers are refused with FieldErrors.
func ReadDeskFilter(query url.Values, today workday.Date) (DeskFilter, error) {
	f := DeskFilter{Last: today}
	r := lists.AddressReader{Query: query}
	f.First = r.Date("from", today-usualDeskDays+1)
	if !isBetween(f.First, today-MostDeskDays+1, today) {
		r.Refuse("from")
	}
	f.DepartmentID = r.Id("department_id")
	f.Kind, f.Unfolded = lists.OneOf(&r, "kind", DeskKinds), lists.OneOf(&r, "more", DeskKinds)
	f.Query, f.Search = r.Search("q")
	f.Everything = query.Get("everything") == "1"
	return f, r.Err()
}

// Values returns the filter as parameters of a URL: what ReadDeskFilter reads.
func (f DeskFilter) Values() url.Values {
	query := url.Values{}
	set := func(name, value string, has bool) {
		if has && value != "" {
			query.Set(name, value)
		}
	}
	set("from", f.First.String(), f.First != f.Last-usualDeskDays+1)
	set("department_id", strconv.FormatInt(f.DepartmentID, 10), f.DepartmentID != 0)
	set("kind", string(f.Kind), true)
	set("q", f.Query, true)
	set("everything", "1", f.Everything)
	set("more", string(f.Unfolded), true)
	return query
}

// IsUsual reports whether the filter has the usual days.
func (f DeskFilter) IsUsual() bool { return f.First == f.Last-usualDeskDays+1 }

// OldestDesk is the first date that the desk can show on a day.
func OldestDesk(today workday.Date) workday.Date { return today - MostDeskDays + 1 }
