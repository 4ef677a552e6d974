package policy

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"officeconsole/queries/lists"
	"officeconsole/search"
)

// Filter chooses and sorts the policies of a list. Its zero value chooses all
// of them, the latest change last.
type Filter struct {
	Query        string // the search text as typed
	Search       search.Search
	Enabled      *bool
	Deleted      bool // chooses deleted policies instead, by the search alone
	Planned      bool
	DepartmentID int64   // 0 for every department
	Ancestors    []int64 // the ancestors of the department and itself: chooses the policies that list one of its users, and the one that it follows
	Order        Order
	Descending   bool
	Cursor       *lists.Cursor
	Limit        int
}

const (
	statusEnabled  = "enabled"
	statusDisabled = "disabled"
	statusDeleted  = "deleted"
	deletedList    = "deleted-policies"
	planPlanned    = "planned"
	defaultSort    = "-" + string(ByModified)
)

// ReadFilter reads the filter of a list from a URL: department_id, q, status,
// plan, sort and cursor. Values that the page does not offer are refused with
// FieldErrors. The ancestors of the department are not set.
func ReadFilter(query url.Values) (Filter, error) {
	r := lists.AddressReader{Query: query}
	f := Filter{
		DepartmentID: r.Id("department_id"),
		Planned:      lists.OneOf(&r, "plan", []string{planPlanned}) != "",
	}
	switch status := lists.OneOf(&r, "status", []string{statusEnabled, statusDisabled, statusDeleted}); status {
	case "":
	case statusDeleted:
		f.Deleted, f.DepartmentID, f.Planned = true, 0, false
	default:
		enabled := status == statusEnabled
		f.Enabled = &enabled
	}
	var order string
	order, f.Descending = strings.CutPrefix(cmp.Or(query.Get("sort"), defaultSort), "-")
	if f.Order = Order(order); !slices.Contains(Orders, f.Order) {
		r.Refuse("sort")
	}
	f.Query, f.Search = r.Search("q")
	f.Cursor = r.Cursor(f.list())
	if f.checkCursor() != nil {
		r.Refuse("cursor")
	}
	return f, r.Err()
}

// Values returns the filter as parameters of a URL, without the cursor.
func (f Filter) Values() url.Values {
	query := url.Values{}
	lists.SetText(query, "q", f.Query)
	lists.SetText(query, "status", f.Status())
	lists.SetText(query, "plan", f.Plan())
	lists.SetID(query, "department_id", f.DepartmentID)
	if sort := f.Sort(); sort != defaultSort {
		lists.SetText(query, "sort", sort)
	}
	return query
}

// Status returns enabled, disabled or deleted, as it is in URLs; "" for every
// policy that is not deleted.
func (f Filter) Status() string {
	switch {
	case f.Deleted:
		return statusDeleted
	case f.Enabled == nil:
		return ""
	case *f.Enabled:
		return statusEnabled
	}
	return statusDisabled
}

// Plan returns planned, as it is in URLs, or "".
func (f Filter) Plan() string {
	if f.Planned {
		return planPlanned
	}
	return ""
}

// Sort returns the order as it is in URLs.
func (f Filter) Sort() string {
	if f.Descending {
		return "-" + string(f.Order)
	}
	return string(f.Order)
}

// list returns the name of the list and its order, for cursors.
func (f Filter) list() string {
	if f.Deleted {
		return deletedList
	}
	return "policies:" + f.Sort()
}

func (f Filter) cursor(p sortedSummary) lists.Cursor {
	return lists.Cursor{List: f.list(), Value: strconv.FormatInt(p.key.value, 10), ID: p.key.id}
}

func (f Filter) checkCursor() error {
	if f.Deleted {
		return lists.CheckDeleted(f.list(), f.Cursor)
	}
	_, err := f.cursorKey()
	return err
}

// cursorKey returns the sort key of the policy of the cursor; zero for the
// beginning.
func (f Filter) cursorKey() (sortKey, error) {
	if f.Cursor.IsStart() {
		return sortKey{}, nil
	}
	if err := f.Cursor.Check(f.list()); err != nil {
		return sortKey{}, err
	}
	value, err := strconv.ParseInt(f.Cursor.Value, 10, 64)
	if err != nil {
		return sortKey{}, fmt.Errorf("policy at %q: %w", f.Cursor.Value, lists.ErrCursor)
	}
	return sortKey{value, f.Cursor.ID}, nil
}
