package policy_test

import (
	"slices"
	"testing"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

func parsedSearch(t *testing.T, text string) search.Search {
	t.Helper()
	s, err := lists.ParseSearch(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPolicies(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	yes, no := true, false
	ancestors := func(id int64) []int64 {
		b, err := db.Policies.Department(t.Context(), policy.DepartmentParams{CompanyID: queriestest.Hanbit, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return b.Ancestors
	}
	for _, test := range []struct {
		name   string
		filter policy.Filter
		want   []string
	}{
		{"the latest modified first, after the default", policy.Filter{Order: policy.ByModified, Descending: true}, []string{queriestest.DefaultPolicyName, queriestest.ResearchPolicyName, queriestest.AuditPolicyName, queriestest.SalesPolicyName}},
		{"by name", policy.Filter{Order: policy.ByName}, []string{queriestest.DefaultPolicyName, queriestest.AuditPolicyName, queriestest.ResearchPolicyName, queriestest.SalesPolicyName}},
		{"by name, descending", policy.Filter{Order: policy.ByName, Descending: true}, []string{queriestest.DefaultPolicyName, queriestest.SalesPolicyName, queriestest.ResearchPolicyName, queriestest.AuditPolicyName}},
		{"by configuration date", policy.Filter{Order: policy.ByConfigured}, []string{queriestest.DefaultPolicyName, queriestest.ResearchPolicyName, queriestest.SalesPolicyName, queriestest.AuditPolicyName}},
		{"by number of targets", policy.Filter{Order: policy.ByTargets, Descending: true}, []string{queriestest.DefaultPolicyName, queriestest.SalesPolicyName, queriestest.ResearchPolicyName, queriestest.AuditPolicyName}},
		{"enabled", policy.Filter{Enabled: &yes, Order: policy.ByName}, []string{queriestest.DefaultPolicyName, queriestest.ResearchPolicyName, queriestest.SalesPolicyName}},
		{"disabled", policy.Filter{Enabled: &no, Order: policy.ByName}, []string{queriestest.AuditPolicyName}},
		{"with a planned change", policy.Filter{Planned: true}, []string{queriestest.ResearchPolicyName}},
		{"by name of the policy", policy.Filter{Search: parsedSearch(t, "외근")}, []string{queriestest.SalesPolicyName}},
		{"by name of a department", policy.Filter{Search: parsedSearch(t, "해외")}, []string{queriestest.SalesPolicyName}},
		{"by initials of a department", policy.Filter{Search: parsedSearch(t, "ㅎㅇㅇㅇ")}, []string{queriestest.SalesPolicyName}},
		{"by name of a person", policy.Filter{Search: parsedSearch(t, "佐藤")}, []string{queriestest.ResearchPolicyName}},
		{"by two words", policy.Filter{Search: parsedSearch(t, "연구소 佐藤")}, []string{queriestest.ResearchPolicyName}},
		{"nothing", policy.Filter{Search: parsedSearch(t, "없는정책")}, nil},
		{"a department with targets in it", policy.Filter{Ancestors: ancestors(queriestest.Sales), Order: policy.ByName}, []string{queriestest.DefaultPolicyName, queriestest.SalesPolicyName}},
		{"a department that follows its own policy", policy.Filter{Ancestors: ancestors(queriestest.Overseas)}, []string{queriestest.SalesPolicyName}},
		{"a department that follows the one above", policy.Filter{Ancestors: ancestors(queriestest.Messenger)}, []string{queriestest.ResearchPolicyName}},
		{"a department of somebody with a policy", policy.Filter{Ancestors: ancestors(queriestest.Japan), Order: policy.ByName}, []string{queriestest.DefaultPolicyName, queriestest.ResearchPolicyName}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.filter.Limit = 50
			page, err := db.Policies.List(t.Context(), admin, "communication", test.filter)
			if err != nil {
				t.Fatal(err)
			}
			if got := queriestest.PolicyNames(page); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestPolicySummary(t *testing.T) {
	db := queriestest.New(t)
	page, err := db.Policies.List(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", policy.Filter{Order: policy.ByName, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	r := page.Rows[2]
	date := func(text string) time.Time {
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return day
	}
	switch {
	case r.Name != queriestest.ResearchPolicyName, r.OwnerName != "연구소", !r.OwnerDepartment, r.TargetCount != 2:
		t.Errorf("got %+v", r)
	case !r.ConfiguredAt.Equal(date("2026-04-01")), !r.LastModified.Equal(date("2026-11-18")), !r.PlannedAt.Equal(date("2026-12-01")):
		t.Errorf("dates: configured %s, modified %s, planned %s", r.ConfiguredAt, r.LastModified, r.PlannedAt)
	case r.Targets[0].Name != "연구소", r.Targets[1].UserID != queriestest.Japanese:
		t.Errorf("targets: %+v", r.Targets)
	}
}

func TestPoliciesFollowTheClock(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	planned := func() int {
		t.Helper()
		page, err := db.Policies.List(t.Context(), admin, "communication", policy.Filter{Planned: true, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return page.Total
	}
	if planned() != 1 {
		t.Error("the planned change is not listed")
	}
	clock.Advance(11 * 24 * time.Hour)
	if planned() != 0 {
		t.Error("a change that has taken effect is still listed as planned")
	}
}

func TestPoliciesFollowTheDirectory(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	find := func(text string) int {
		t.Helper()
		page, err := db.Policies.List(t.Context(), admin, "communication", policy.Filter{Search: parsedSearch(t, text), Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return page.Total
	}
	if find("글로벌팀") != 0 {
		t.Fatal("found a department that there is not")
	}
	text, _ := search.Key("글로벌팀")
	if _, err := db.Pool().Exec(t.Context(), "update departments set name = '글로벌팀', search_text = $1 where id = $2", text, queriestest.Overseas); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool().Exec(t.Context(), "update companies set directory_version = directory_version + 1 where id = 1"); err != nil {
		t.Fatal(err)
	}
	admin = queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	if find("글로벌팀") != 1 {
		t.Error("the list still has the old name of the department")
	}
}

func TestPoliciesStayInTheirCompany(t *testing.T) {
	db := queriestest.New(t)
	page, err := db.Policies.List(t.Context(), queriestest.Person(t, db, queriestest.Other, queriestest.OtherAdmin), "communication", policy.Filter{Order: policy.ByName, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := queriestest.PolicyNames(page), []string{queriestest.DefaultPolicyName, "영업팀 정책"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// In every order, reading the pages forward and then backward shows each policy
// once each way, in the same order.
func TestPoliciesByPages(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	for _, order := range policy.Orders {
		for _, descending := range []bool{false, true} {
			filter := policy.Filter{Order: order, Descending: descending}
			list := func(change func(*policy.Filter)) policy.ListPage {
				t.Helper()
				f := filter
				change(&f)
				page, err := db.Policies.List(t.Context(), admin, "communication", f)
				if err != nil {
					t.Fatal(err)
				}
				return page
			}
			want := queriestest.PolicyNames(list(func(f *policy.Filter) { f.Limit = 50 }))
			page := list(func(f *policy.Filter) { f.Limit = 1 })
			got := queriestest.PolicyNames(page)
			for page.Next != nil {
				page = list(func(f *policy.Filter) { f.Limit, f.Cursor = 1, page.Next })
				got = append(got, queriestest.PolicyNames(page)...)
			}
			if !slices.Equal(got, want) || page.First != len(want) {
				t.Errorf("%s: forward %q, want %q; the last page begins at %d", order, got, want, page.First)
			}
			back := queriestest.PolicyNames(page)
			for page.Previous != nil {
				page = list(func(f *policy.Filter) { f.Limit, f.Cursor = 1, page.Previous })
				back = append(queriestest.PolicyNames(page), back...)
			}
			if !slices.Equal(back, want) || page.First != 1 {
				t.Errorf("%s: backward %q, want %q", order, back, want)
			}
		}
	}
}
