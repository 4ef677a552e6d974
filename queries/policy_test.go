package queries_test

import (
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

// The policies of the cast, by name.
const (
	byDefault = "기본 정책"
	sales     = "영업본부 외근 정책"
	research  = "연구소 보안 정책"
	audit     = "감사 대응 정책"
)

func person(t *testing.T, db *queries.DB, companyID, id int64) queries.Person {
	t.Helper()
	p, err := db.Person(t.Context(), queries.PersonParams{CompanyID: companyID, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(page queries.PolicyPage) []string {
	var names []string
	for _, p := range page.Rows {
		names = append(names, p.Name)
	}
	return names
}

func search(t *testing.T, text string) queries.Search {
	t.Helper()
	s, err := queries.ParseSearch(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPolicies(t *testing.T) {
	db := queriestest.New(t)
	admin := person(t, db, queriestest.Hanbit, queriestest.Admin)
	yes, no := true, false
	branch := func(id int64) []int64 {
		b, err := db.Branch(t.Context(), queries.BranchParams{CompanyID: queriestest.Hanbit, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return b.Lineage
	}
	for _, test := range []struct {
		name   string
		filter queries.PolicyFilter
		want   []string
	}{
		{"the latest modified first, after the default", queries.PolicyFilter{Order: queries.PolicyByModified, Descending: true}, []string{byDefault, research, audit, sales}},
		{"by name", queries.PolicyFilter{Order: queries.PolicyByName}, []string{byDefault, audit, research, sales}},
		{"by name, descending", queries.PolicyFilter{Order: queries.PolicyByName, Descending: true}, []string{byDefault, sales, research, audit}},
		{"by configuration date", queries.PolicyFilter{Order: queries.PolicyByConfigured}, []string{byDefault, research, sales, audit}},
		{"by number of targets", queries.PolicyFilter{Order: queries.PolicyByTargets, Descending: true}, []string{byDefault, sales, research, audit}},
		{"enabled", queries.PolicyFilter{Enabled: &yes, Order: queries.PolicyByName}, []string{byDefault, research, sales}},
		{"disabled", queries.PolicyFilter{Enabled: &no, Order: queries.PolicyByName}, []string{audit}},
		{"with a planned change", queries.PolicyFilter{Planned: true}, []string{research}},
		{"by name of the policy", queries.PolicyFilter{Search: search(t, "외근")}, []string{sales}},
		{"by name of a department", queries.PolicyFilter{Search: search(t, "해외")}, []string{sales}},
		{"by initials of a department", queries.PolicyFilter{Search: search(t, "ㅎㅇㅇㅇ")}, []string{sales}},
		{"by name of a person", queries.PolicyFilter{Search: search(t, "佐藤")}, []string{research}},
		{"by two words", queries.PolicyFilter{Search: search(t, "연구소 佐藤")}, []string{research}},
		{"nothing", queries.PolicyFilter{Search: search(t, "없는정책")}, nil},
		{"a branch with targets in it", queries.PolicyFilter{Branch: branch(queriestest.Sales), Order: queries.PolicyByName}, []string{byDefault, sales}},
		{"a branch that follows its own policy", queries.PolicyFilter{Branch: branch(queriestest.Overseas)}, []string{sales}},
		{"a branch that follows the one above", queries.PolicyFilter{Branch: branch(queriestest.Messenger)}, []string{research}},
		{"a branch of somebody with a policy", queries.PolicyFilter{Branch: branch(queriestest.Japan), Order: queries.PolicyByName}, []string{byDefault, research}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.filter.Limit = 50
			page, err := db.Policies(t.Context(), admin, "communication", test.filter)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(page); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestPolicySummary(t *testing.T) {
	db := queriestest.New(t)
	page, err := db.Policies(t.Context(), person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", queries.PolicyFilter{Order: queries.PolicyByName, Limit: 50})
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
	case r.Name != research, r.OwnerName != "연구소", !r.OwnerDepartment, r.TargetCount != 2:
		t.Errorf("got %+v", r)
	case !r.ConfiguredAt.Equal(date("2026-04-01")), !r.LastModified.Equal(date("2026-11-18")), !r.PlannedAt.Equal(date("2026-12-01")):
		t.Errorf("dates: configured %s, modified %s, planned %s", r.ConfiguredAt, r.LastModified, r.PlannedAt)
	case r.Targets[0].Name != "연구소", r.Targets[1].UserID != queriestest.Japanese:
		t.Errorf("targets: %+v", r.Targets)
	}
}

func TestPoliciesFollowTheClock(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	admin := person(t, db, queriestest.Hanbit, queriestest.Admin)
	planned := func() int {
		t.Helper()
		page, err := db.Policies(t.Context(), admin, "communication", queries.PolicyFilter{Planned: true, Limit: 50})
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
	admin := person(t, db, queriestest.Hanbit, queriestest.Admin)
	find := func(text string) int {
		t.Helper()
		page, err := db.Policies(t.Context(), admin, "communication", queries.PolicyFilter{Search: search(t, text), Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return page.Total
	}
	if find("글로벌팀") != 0 {
		t.Fatal("found a department that there is not")
	}
	text, _ := queries.SearchKey("글로벌팀")
	if _, err := db.Pool().Exec(t.Context(), "update departments set name = '글로벌팀', search_text = $1 where id = $2", text, queriestest.Overseas); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool().Exec(t.Context(), "update companies set directory_version = directory_version + 1 where id = 1"); err != nil {
		t.Fatal(err)
	}
	admin = person(t, db, queriestest.Hanbit, queriestest.Admin)
	if find("글로벌팀") != 1 {
		t.Error("the list still knows the department by its old name")
	}
}

func TestPoliciesStayInTheirCompany(t *testing.T) {
	db := queriestest.New(t)
	page, err := db.Policies(t.Context(), person(t, db, queriestest.Other, queriestest.OtherAdmin), "communication", queries.PolicyFilter{Order: queries.PolicyByName, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(page), []string{byDefault, "영업팀 정책"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever the order, going forward page by page and then back shows every
// policy once each way, in the same order.
func TestPoliciesByPages(t *testing.T) {
	db := queriestest.New(t)
	admin := person(t, db, queriestest.Hanbit, queriestest.Admin)
	for _, order := range queries.PolicyOrders {
		for _, descending := range []bool{false, true} {
			filter := queries.PolicyFilter{Order: order, Descending: descending}
			list := func(change func(*queries.PolicyFilter)) queries.PolicyPage {
				t.Helper()
				f := filter
				change(&f)
				page, err := db.Policies(t.Context(), admin, "communication", f)
				if err != nil {
					t.Fatal(err)
				}
				return page
			}
			want := names(list(func(f *queries.PolicyFilter) { f.Limit = 50 }))
			page := list(func(f *queries.PolicyFilter) { f.Limit = 1 })
			got := names(page)
			for page.Next != nil {
				page = list(func(f *queries.PolicyFilter) { f.Limit, f.Cursor = 1, page.Next })
				got = append(got, names(page)...)
			}
			if !slices.Equal(got, want) || page.First != len(want) {
				t.Errorf("%s: forward %q, want %q; the last page begins at %d", order, got, want, page.First)
			}
			back := names(page)
			for page.Previous != nil {
				page = list(func(f *queries.PolicyFilter) { f.Limit, f.Cursor = 1, page.Previous })
				back = append(names(page), back...)
			}
			if !slices.Equal(back, want) || page.First != 1 {
				t.Errorf("%s: backward %q, want %q", order, back, want)
			}
		}
	}
}
