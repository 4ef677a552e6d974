package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"officeconsole/demo"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// The policy of a department is the one that applies to those of its people who
// are not targets themselves. The pages have all departments of a subtree,
// ordered by path.
func TestDepartmentStatuses(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(400), nil); err != nil {
		t.Fatal(err)
	}
	admin := demoAdmin(t, db)
	people, err := db.Policies.PersonStatuses(t.Context(), admin, "communication", policy.StatusFilter{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	followed := map[int64]int64{} // by department
	for _, p := range people.Rows {
		if p.Source != policy.Own {
			followed[p.DepartmentID] = p.PolicyID
		}
	}
	all := departmentPages(t, db, admin, policy.StatusFilter{Limit: 7})
	if !slices.IsSortedFunc(all, func(a, b policy.DepartmentStatus) int { return strings.Compare(a.Path, b.Path) }) || len(all) < 20 {
		t.Fatalf("%d departments, not by path", len(all))
	}
	checked := 0
	for _, d := range all {
		if policyID, ok := followed[d.ID]; ok {
			checked++
			if policyID != d.PolicyID {
				t.Errorf("%s follows policy %d, its people %d", d.Path, d.PolicyID, policyID)
			}
		}
		subtree := departmentPages(t, db, admin, policy.StatusFilter{DepartmentID: d.ID, Limit: 3})
		want := slices.DeleteFunc(slices.Clone(all), func(other policy.DepartmentStatus) bool {
			return other.ID != d.ID && !strings.HasPrefix(other.Path, d.Path+"/")
		})
		if !slices.Equal(subtree, want) {
			t.Errorf("below %s are %v, want %v", d.Path, subtree, want)
		}
	}
	if checked < 10 {
		t.Errorf("only %d departments have people to compare with", checked)
	}
}

// departmentPages reads all pages forward, and checks that reading them
// backward gives the same.
func departmentPages(t *testing.T, db *areas.Areas, p directory.Person, f policy.StatusFilter) []policy.DepartmentStatus {
	t.Helper()
	read := func(f policy.StatusFilter) lists.Page[policy.DepartmentStatus] {
		t.Helper()
		page, err := db.Policies.DepartmentStatuses(t.Context(), p, "communication", f)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	var all []policy.DepartmentStatus
	var pages []lists.Page[policy.DepartmentStatus]
	for more := true; more; {
		page := read(f)
		if (page.Previous != nil) != (len(pages) > 0) || page.Next != nil && len(page.Rows) != f.Limit {
			t.Fatalf("page %d of %+v has %d rows, before it %v, behind it %v", len(pages), f, len(page.Rows), page.Previous, page.Next)
		}
		all, pages = append(all, page.Rows...), append(pages, page)
		f.Cursor = page.Next
		more = page.Next != nil
	}
	for i := len(pages) - 2; i >= 0; i-- {
		f.Cursor = pages[i+1].Previous
		if page := read(f); !slices.Equal(page.Rows, pages[i].Rows) || (page.Previous != nil) != (i > 0) || page.Next == nil {
			t.Fatalf("page %d of %+v is another on the way back", i, f)
		}
	}
	return all
}

func TestDepartmentStatusesOfTheCast(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	// This name sorts between the name of its sibling and the paths below that.
	if _, err := db.Pool().Exec(t.Context(), `insert into departments (company_id, parent_id, name) values ($1, $2, '영업본부 지원')`, queriestest.Hanbit, queriestest.Root); err != nil {
		t.Fatal(err)
	}
	sales := []string{"영업본부 0 기본 정책 default()", "국내영업팀 1 영업본부 외근 정책 own()", "해외영업팀 1 영업본부 외근 정책 own()"}
	search, err := lists.ParseSearch("ㅁㅅㅈ")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		filter policy.StatusFilter
		want   []string
	}{
		{"subtree", policy.StatusFilter{DepartmentID: queriestest.Sales, Limit: 9}, []string{sales[0], sales[1], sales[2]}},
		{"own", policy.StatusFilter{DepartmentID: queriestest.Sales, Source: policy.Own, Limit: 9}, sales[1:]},
		{"policy", policy.StatusFilter{PolicyID: 6, Limit: 9}, []string{"연구소 0 연구소 보안 정책 own()", "메신저팀 1 연구소 보안 정책 inherited(연구소)"}},
		{"inherited", policy.StatusFilter{Source: policy.Inherited, Limit: 9}, []string{"메신저팀 1 연구소 보안 정책 inherited(연구소)"}},
		{"search", policy.StatusFilter{Search: search, Limit: 9}, []string{"메신저팀 1 연구소 보안 정책 inherited(연구소)"}},
		{"of another company", policy.StatusFilter{PolicyID: 8, Limit: 9}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows, err := db.Policies.DepartmentStatuses(t.Context(), admin, "communication", test.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range rows.Rows {
				got = append(got, fmt.Sprintf("%s %d %s %s(%s)", d.Name, d.Depth-1, d.PolicyName, d.Source, d.SourceDepartmentName))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	for _, id := range []int64{queriestest.OtherSales, 99_999} {
		if _, err := db.Policies.DepartmentStatuses(t.Context(), admin, "communication", policy.StatusFilter{DepartmentID: id, Limit: 9}); err == nil {
			t.Errorf("department %d of another company is there", id)
		}
	}
}

// For every filter, the count is the number of rows.
func TestPolicyStatusCount(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(400), nil); err != nil {
		t.Fatal(err)
	}
	admin := demoAdmin(t, db)
	for _, subtree := range []int64{0, 1, 2, 7} {
		for _, source := range []policy.Source{"", policy.Own, policy.Inherited, policy.Default} {
			for _, policyID := range []int64{0, 1, 3, 5} {
				f := policy.StatusFilter{DepartmentID: subtree, Source: source, PolicyID: policyID, Limit: 10_000}
				rows, err := db.Policies.PersonStatuses(t.Context(), admin, "communication", f)
				if err != nil {
					t.Fatal(err)
				}
				count, err := db.Policies.StatusCount(t.Context(), admin, "communication", f)
				if err != nil || count != len(rows.Rows) {
					t.Errorf("%+v: counted %d of %d, %v", f, count, len(rows.Rows), err)
				}
			}
		}
	}
}
