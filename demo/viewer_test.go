package demo

import (
	"fmt"
	"slices"
	"testing"
)

func TestViewersMakeSense(t *testing.T) {
	for _, employees := range []int{10, 300, 1200, 20_000} {
		c := companies(t, employees)[0]
		if employees == 1200 && len(c.Viewers) != 8 {
			t.Errorf("%d registrations", len(c.Viewers))
		}
		seen := map[string]bool{}
		for _, v := range c.Viewers {
			if len(v.Departments) == 0 || (v.Rank == 0) == (len(v.People) == 0) || len(v.People) > 2 || v.Rank != 0 && !v.WholeCompany && len(v.Within) == 0 {
				t.Errorf("%d employees: %+v", employees, v)
			}
			if v.Created.After(c.today) || v.By < 1 || slices.ContainsFunc(v.People, func(n int) bool { return n < 1 || n > c.staff }) {
				t.Errorf("%d employees: %+v", employees, v)
			}
			for _, d := range append(slices.Clone(v.Departments), v.Within...) {
				if d.Department < 1 || d.Department > len(c.Departments) {
					t.Errorf("%d employees: %+v", employees, v)
				}
			}
			for _, d := range v.Departments {
				key := fmt.Sprint(v.Rank, v.WholeCompany, v.Within, v.People, d.Department)
				if seen[key] {
					t.Errorf("%d employees: %+v is registered twice", employees, v)
				}
				seen[key] = true
			}
		}
	}
}
