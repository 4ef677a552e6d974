package lists

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"

	"officeconsole/queries"
)

// MostDepartments is how many departments the filter of a log takes.
const MostDepartments = 3

// TooManyDepartments is the refusal of more than MostDepartments.
const TooManyDepartments = queries.Invalid("department.filter.limit")

// DepartmentIDs are the departments of a filter in the order in which they were
// chosen, each with those below it; none for every department.
type DepartmentIDs []int64

// OneDepartment returns the filter of one department; of every one for 0.
func OneDepartment(id int64) DepartmentIDs {
	if id == 0 {
		return nil
	}
	return DepartmentIDs{id}
}

// Last returns the department that was chosen last; 0 without any.
func (ids DepartmentIDs) Last() int64 {
	if len(ids) == 0 {
		return 0
	}
	return ids[len(ids)-1]
}

// Earlier returns all but the last.
func (ids DepartmentIDs) Earlier() DepartmentIDs { return ids[:max(0, len(ids)-1)] }

// Without returns them without one of them.
func (ids DepartmentIDs) Without(id int64) DepartmentIDs {
	return slices.DeleteFunc(slices.Clone(ids), func(other int64) bool { return other == id })
}

// Set sets a parameter of a URL to them.
func (ids DepartmentIDs) Set(query url.Values, name string) {
	query.Del(name)
	for _, id := range ids {
		query.Add(name, strconv.FormatInt(id, 10))
	}
}

// UnmarshalJSON also reads a single id, which filters of one department were stored
// as and which programs may send.
func (ids *DepartmentIDs) UnmarshalJSON(text []byte) error {
	var one int64
	if json.Unmarshal(text, &one) == nil {
		*ids = OneDepartment(one)
		return nil
	}
	return json.Unmarshal(text, (*[]int64)(ids))
}

// Departments reads the departments of a filter, of which a URL has a parameter
// each. A form without a choice sends an empty one, which does not count.
func (r *AddressReader) Departments(name string) DepartmentIDs {
	var ids DepartmentIDs
	for _, text := range r.Query[name] {
		if text == "" {
			continue
		}
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id <= 0 {
			r.Refuse(name)
			return nil
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) > MostDepartments {
		r.refuseAs(name, TooManyDepartments)
		return nil
	}
	return ids
}
