package queries

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// PolicyFilter is what somebody chose for a list of policies of a kind. Its zero
// value chooses all of them, the latest modified last.
type PolicyFilter struct {
	Query        string // what is searched for, as typed
	Search       Search
	Enabled      *bool
	Planned      bool
	DepartmentID int64   // 0 for every department
	Branch       []int64 // lineage of the department: policies that list somebody in it, and the one it follows itself
	Order        PolicyOrder
	Descending   bool
	Cursor       *Cursor
	Limit        int
}

const (
	enabledPolicies  = "enabled"
	disabledPolicies = "disabled"
	plannedPolicies  = "planned"
	usualPolicySort  = "-" + string(PolicyByModified)
)

// ReadPolicyFilter reads the address of a list: department_id, q, status, plan,
// sort and cursor. What cannot have been chosen is refused by FieldErrors. The
// lineage of the department is not looked up.
func ReadPolicyFilter(query url.Values) (PolicyFilter, error) {
	r := addressReader{query: query}
	f := PolicyFilter{
		DepartmentID: r.id("department_id"),
		Planned:      oneOf(&r, "plan", []string{plannedPolicies}) != "",
	}
	if status := oneOf(&r, "status", []string{enabledPolicies, disabledPolicies}); status != "" {
		enabled := status == enabledPolicies
		f.Enabled = &enabled
	}
	var order string
	order, f.Descending = strings.CutPrefix(cmp.Or(query.Get("sort"), usualPolicySort), "-")
	if f.Order = PolicyOrder(order); !slices.Contains(PolicyOrders, f.Order) {
		r.refuse("sort")
	}
	f.Query, f.Search = r.search("q")
	f.Cursor = r.cursor(f.list())
	if _, err := f.cursorKey(); err != nil {
		r.refuse("cursor")
	}
	return f, r.err()
}

// Values is the filter as an address, without the cursor.
func (f PolicyFilter) Values() url.Values {
	query := url.Values{}
	setText(query, "q", f.Query)
	setText(query, "status", f.Status())
	setText(query, "plan", f.Plan())
	setID(query, "department_id", f.DepartmentID)
	if sort := f.Sort(); sort != usualPolicySort {
		setText(query, "sort", sort)
	}
	return query
}

// Status is enabled or disabled, as an address has it; "" for both.
func (f PolicyFilter) Status() string {
	switch {
	case f.Enabled == nil:
		return ""
	case *f.Enabled:
		return enabledPolicies
	}
	return disabledPolicies
}

// Plan is planned, as an address has it, or "".
func (f PolicyFilter) Plan() string {
	if f.Planned {
		return plannedPolicies
	}
	return ""
}

// Sort is the order as an address has it.
func (f PolicyFilter) Sort() string {
	if f.Descending {
		return "-" + string(f.Order)
	}
	return string(f.Order)
}

// list names the list and its order, for its cursors.
func (f PolicyFilter) list() string { return "policies:" + f.Sort() }

func (f PolicyFilter) cursor(p sortedPolicy) Cursor {
	return Cursor{List: f.list(), Value: strconv.FormatInt(p.key.value, 10), ID: p.key.id}
}

// cursorKey is what the policy of the cursor is sorted by; zero at the beginning.
func (f PolicyFilter) cursorKey() (policyKey, error) {
	if f.Cursor.IsStart() {
		return policyKey{}, nil
	}
	if err := f.Cursor.Check(f.list()); err != nil {
		return policyKey{}, err
	}
	value, err := strconv.ParseInt(f.Cursor.Value, 10, 64)
	if err != nil {
		return policyKey{}, fmt.Errorf("policy at %q: %w", f.Cursor.Value, ErrCursor)
	}
	return policyKey{value, f.Cursor.ID}, nil
}
