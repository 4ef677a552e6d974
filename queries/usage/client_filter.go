package usage

import (
	"net/url"
	"strconv"

	"officeconsole/queries/lists"
	"officeconsole/search"
)

// ClientState is a state of a person's client by which a list is filtered.
type ClientState string

// The states. The zero value is any.
const (
	AnyClient       ClientState = ""
	InstalledClient ClientState = "installed"
	NeverInstalled  ClientState = "never"    // or removed by now
	OutdatedClient  ClientState = "outdated" // below the minimum version
	IdleClient      ClientState = "idle"     // installed, but neither used nor installed for some days
	UnableClient    ClientState = "unable"   // outdated, with a system that does not take the newest release
)

var clientStates = []ClientState{InstalledClient, NeverInstalled, OutdatedClient, IdleClient, UnableClient}

// IdleDays are the numbers of days that a page offers for IdleClient.
var IdleDays = []int{7, 30, 60, 90}

// DefaultIdleDays is the number of days without another choice.
const DefaultIdleDays = 30

// ClientFilter is what somebody chose for the list of people with their clients.
type ClientFilter struct {
	Platform     string        `json:"platform"`
	State        ClientState   `json:"state,omitempty"`
	Days         int           `json:"days,omitempty"` // of IdleClient; 0 for DefaultIdleDays
	Release      string        `json:"release,omitempty"`
	DepartmentID int64         `json:"department_id,omitempty"` // with those below it; 0 for all
	Query        string        `json:"q,omitempty"`             // as typed
	Search       search.Search `json:"-"`
	Cursor       *lists.Cursor `json:"-"`
	Limit        int           `json:"-"`
}

// ReadClientFilter reads the address of the list of a platform: state, days, release,
// department_id, q and cursor. What cannot have been chosen is refused by FieldErrors.
func ReadClientFilter(query url.Values, platform string) (ClientFilter, error) {
	r := lists.AddressReader{Query: query}
	f := ClientFilter{
		Platform: platform, State: lists.OneOf(&r, "state", clientStates), Days: r.Number("days", IdleDays),
		DepartmentID: r.Id("department_id"), Release: query.Get("release"),
	}
	if version, ok := ParseVersion(f.Release); f.Release != "" && (!ok || version.Release() != f.Release) {
		r.Refuse("release")
		f.Release = ""
	}
	f.Query, f.Search = r.Search("q")
	f.Cursor = r.Cursor(f.list())
	return f, r.Err()
}

// Values returns the address of the list as ReadClientFilter reads it, without the
// cursor.
func (f ClientFilter) Values() url.Values {
	v := url.Values{}
	lists.SetText(v, "state", string(f.State))
	if f.Days != 0 && f.Days != DefaultIdleDays {
		v.Set("days", strconv.Itoa(f.Days))
	}
	lists.SetText(v, "release", f.Release)
	lists.SetID(v, "department_id", f.DepartmentID)
	lists.SetText(v, "q", f.Query)
	return v
}

// IdleFor is the number of days after which a client counts as idle.
func (f ClientFilter) IdleFor() int {
	if f.Days == 0 {
		return DefaultIdleDays
	}
	return f.Days
}

// IsEmpty reports whether the filter selects everybody.
func (f ClientFilter) IsEmpty() bool {
	v := f.Values()
	v.Del("days")
	return len(v) == 0
}

// list is the list name of the cursors.
func (f ClientFilter) list() string { return "clients:" + f.Platform }
