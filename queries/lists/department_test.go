package lists

import (
	"encoding/json"
	"net/url"
	"slices"
	"testing"
)

func TestDepartmentsOfAnAddress(t *testing.T) {
	for address, want := range map[string]DepartmentIDs{
		"": nil, "d=": nil, "d=2": {2}, "d=3&d=": {3}, "d=3&d=2&d=3": {3, 2}, "d=1&d=2&d=3": {1, 2, 3},
	} {
		query, _ := url.ParseQuery(address)
		r := AddressReader{Query: query}
		if got := r.Departments("d"); !slices.Equal(got, want) || r.Err() != nil {
			t.Errorf("%q: %v, not %v (%v)", address, got, want, r.Err())
		}
	}
	for address, want := range map[string]string{
		"d=x": "api.field.invalid", "d=0": "api.field.invalid", "d=2&d=-1": "api.field.invalid", "d=1&d=2&d=3&d=4": "department.filter.limit",
	} {
		query, _ := url.ParseQuery(address)
		r := AddressReader{Query: query}
		if got := r.Departments("d"); got != nil || string(r.refused["d"]) != want {
			t.Errorf("%q: %v, refused with %q", address, got, r.refused["d"])
		}
	}
}

func TestDepartmentsOfStoredFilters(t *testing.T) {
	for stored, want := range map[string]DepartmentIDs{`7`: {7}, `0`: nil, `[7,2]`: {7, 2}, `null`: nil} {
		var got DepartmentIDs
		if err := json.Unmarshal([]byte(stored), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v (%v)", stored, got, want, err)
		}
	}
	if err := json.Unmarshal([]byte(`"7"`), new(DepartmentIDs)); err == nil {
		t.Error("a text was read")
	}
	ids := DepartmentIDs{4, 5, 6}
	if ids.Last() != 6 || !slices.Equal(ids.Earlier(), DepartmentIDs{4, 5}) || !slices.Equal(ids.Without(5), DepartmentIDs{4, 6}) {
		t.Errorf("%d, %v, %v", ids.Last(), ids.Earlier(), ids.Without(5))
	}
}
