package policy_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/demo"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

func demoAdmin(t *testing.T, db *areas.Areas) directory.Person {
	t.Helper()
	return queriestest.Person(t, db, 1, 1)
}

// For every filter, the pages have exactly the people to whom the resolver
// gives such a policy, ordered by name.
func TestPolicyStatus(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(400), nil); err != nil {
		t.Fatal(err)
	}
	all, err := db.Policies.ResolveCompany(t.Context(), 1, "communication", queriestest.Now)
	if err != nil {
		t.Fatal(err)
	}
	resolved := map[int64]policy.Resolution{}
	policies := map[int64]bool{0: true, 9999: true}
	for _, r := range all {
		resolved[r.UserID] = r
		policies[r.PolicyID] = true
	}
	rows, err := db.Pool().Query(t.Context(), `select u.id, d.ancestors, u.search_text from users u join departments d on d.company_id = u.company_id and d.id = u.department_id
		where u.company_id = 1 and not u.bot and u.hidden_at is null order by u.name, u.id`)
	if err != nil {
		t.Fatal(err)
	}
	type candidate struct {
		id        int64
		ancestors []int64
		text      string
	}
	var people []candidate
	for rows.Next() {
		var c candidate
		if err := rows.Scan(&c.id, &c.ancestors, &c.text); err != nil {
			t.Fatal(err)
		}
		people = append(people, c)
	}
	several := 0
	for _, text := range []string{"", "김"} {
		for _, subtree := range []int64{0, 1, 2, 7} {
			for _, source := range []policy.Source{"", policy.Own, policy.Inherited, policy.Default} {
				for policyID := range policies {
					f := policy.StatusFilter{DepartmentID: subtree, Source: source, PolicyID: policyID, Limit: 17}
					if text != "" {
						f.Search = search.Search{Keywords: []search.Keyword{{text + "민"}}, Grams: []string{text + "민"}}
					}
					var want []int64
					for _, c := range people {
						r := resolved[c.id]
						if (source == "" || r.Source == source) && (policyID == 0 || r.PolicyID == policyID) && (subtree == 0 || slices.Contains(c.ancestors, subtree)) && f.Search.Match(c.text) {
							want = append(want, c.id)
						}
					}
					got := statusPages(t, db, f, resolved)
					if !slices.Equal(got, want) {
						t.Errorf("%+v: got %v, want %v", f, got, want)
					}
					if len(got) > 20 {
						several++
					}
				}
			}
		}
	}
	if several < 10 {
		t.Errorf("only %d lists have several pages", several)
	}
}

// statusPages reads all pages forward, and checks that reading them backward
// gives the same.
func statusPages(t *testing.T, db *areas.Areas, f policy.StatusFilter, resolved map[int64]policy.Resolution) []int64 {
	t.Helper()
	admin := demoAdmin(t, db)
	read := func(f policy.StatusFilter) lists.Page[policy.PersonStatus] {
		t.Helper()
		page, err := db.Policies.PersonStatuses(t.Context(), admin, "communication", f)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	var pages []lists.Page[policy.PersonStatus]
	var ids []int64
	for more := true; more; {
		page := read(f)
		for _, row := range page.Rows {
			r := resolved[row.UserID]
			if row.PolicyID != r.PolicyID || row.VersionNo != r.VersionNo || row.Source != r.Source || row.SourceDepartmentID != r.SourceDepartmentID || row.DepartmentName == "" {
				t.Fatalf("got %+v, want %+v", row, r)
			}
			ids = append(ids, row.UserID)
		}
		if (page.Previous != nil) != (len(pages) > 0) || page.Next != nil && len(page.Rows) != f.Limit {
			t.Fatalf("page %d of %+v has %d rows, before it %v, behind it %v", len(pages), f, len(page.Rows), page.Previous, page.Next)
		}
		pages = append(pages, page)
		f.Cursor = page.Next
		more = page.Next != nil
	}
	for i := len(pages) - 2; i >= 0; i-- {
		f.Cursor = pages[i+1].Previous
		if page := read(f); !reflect.DeepEqual(page.Rows, pages[i].Rows) || (page.Previous != nil) != (i > 0) || page.Next == nil {
			t.Fatalf("page %d of %+v is another on the way back", i, f)
		}
	}
	return ids
}

// Reading backward finds the rare matches that are separated from the cursor by
// many people.
func TestPolicyStatusBackwardToRareMatches(t *testing.T) {
	db := queriestest.New(t)
	ctx := t.Context()
	for _, statement := range []string{
		`insert into users (company_id, department_id, name, email, search_text, search_grams)
			select 1, 5, '가' || lpad(n::text, 5, '0'), 'rare' || n || '@hanbit.example', '가희귀', '{가희,희귀}' from generate_series(1, 120) n`,
		`insert into users (company_id, department_id, name, email, search_text, search_grams)
			select 1, 5, '나' || lpad(n::text, 5, '0'), 'many' || n || '@hanbit.example', '나', '{}' from generate_series(1, 4100) n`,
		`insert into users (company_id, department_id, name, email, search_text, search_grams)
			values (1, 5, '다', 'last@hanbit.example', '다희귀', '{다희,희귀}')`,
	} {
		if _, err := db.Pool().Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	search, err := lists.ParseSearch("희귀")
	if err != nil {
		t.Fatal(err)
	}
	all, err := db.Policies.ResolveCompany(ctx, 1, "communication", queriestest.Now)
	if err != nil {
		t.Fatal(err)
	}
	resolved := map[int64]policy.Resolution{}
	for _, r := range all {
		resolved[r.UserID] = r
	}
	for _, limit := range []int{30, 60, 120} {
		if ids := statusPages(t, db, policy.StatusFilter{Search: search, Limit: limit}, resolved); len(ids) != 121 {
			t.Errorf("found %d people", len(ids))
		}
	}
}

// Reading backward from a cursor before which nobody is left returns the first
// page.
func TestPolicyStatusBackwardToTheStart(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	for _, name := range []string{"", "김서연"} {
		before := &lists.Cursor{List: "status:people", Value: name, ID: queriestest.Admin, Backward: true}
		page, err := db.Policies.PersonStatuses(t.Context(), admin, "communication", policy.StatusFilter{Cursor: before, Limit: 3})
		if err != nil || len(page.Rows) != 3 || page.Previous != nil || page.Next == nil {
			t.Errorf("before %v: %+v, %v", before, page, err)
		}
	}
	page, err := db.Policies.DepartmentStatuses(t.Context(), admin, "communication", policy.StatusFilter{Cursor: &lists.Cursor{List: "status:departments", ID: queriestest.Root, Backward: true}, Limit: 3})
	if err != nil || len(page.Rows) != 3 || page.Previous != nil || page.Next == nil {
		t.Errorf("before the root: %+v, %v", page, err)
	}
}

// The members of a department that was created after a first read are listed by
// the next one.
func TestPolicyStatusInNewDepartment(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	inherited := func() int {
		t.Helper()
		page, err := db.Policies.PersonStatuses(t.Context(), admin, "communication", policy.StatusFilter{Source: policy.Inherited, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Rows)
	}
	before := inherited()
	var added int64
	if err := db.Pool().QueryRow(t.Context(), "insert into departments (company_id, parent_id, name) values ($1, $2, '신설팀') returning id",
		queriestest.Hanbit, queriestest.Research).Scan(&added); err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "insert into users (company_id, department_id, name, email, search_text, search_grams) values ($1, $2, '신입', 'new@hanbit.example', '신입', '{신입}')", queriestest.Hanbit, added)
	if after := inherited(); after != before+1 {
		t.Errorf("%d people inherit a policy, before the newcomer %d", after, before)
	}
}

func TestPolicyStatusOfTheCast(t *testing.T) {
	db := queriestest.New(t)
	page, err := db.Policies.PersonStatuses(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", policy.StatusFilter{Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range page.Rows {
		got = append(got, fmt.Sprintf("%s/%s %s %s(%s)", s.DepartmentName, s.Name, s.PolicyName, s.Source, s.SourceDepartmentName))
	}
	want := []string{
		"한빛테크/김서연 기본 정책 default()",
		"국내영업팀/김철수 영업본부 외근 정책 inherited(국내영업팀)",
		"영업본부/박지민 기본 정책 default()",
		"메신저팀/이준호 연구소 보안 정책 inherited(연구소)",
		"일본지사/佐藤ひろし 연구소 보안 정책 own()",
		"영업본부/최유진 기본 정책 default()",
		"해외영업팀/Olivia Martin 영업본부 외근 정책 inherited(해외영업팀)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// Filtering by policy shows the result of every change, also of those that
// happen as time passes.
func TestPolicyStatusAfterChanges(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	followers := func(policyID int64) int {
		t.Helper()
		page, err := db.Policies.PersonStatuses(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), "communication", policy.StatusFilter{PolicyID: policyID, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Rows)
	}
	if n := followers(queriestest.DefaultPolicyID); n != 3 {
		t.Errorf("%d people follow the default", n)
	}
	p := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("영업", queriestest.DepartmentTarget(queriestest.Sales)))
	if n := followers(p.ID); n != 2 {
		t.Errorf("%d people follow the new policy", n)
	}
	later := queriestest.PolicyDraft("본사", queriestest.DepartmentTarget(queriestest.Root))
	later.EffectiveFrom = queriestest.StartIn(time.Hour)
	planned := queriestest.CreatePolicy(t, db, later)
	if n := followers(planned.ID); n != 0 {
		t.Errorf("%d people follow a planned version before its start", n)
	}
	clock.Advance(time.Hour)
	if n := followers(planned.ID); n != 1 {
		t.Errorf("%d people follow a planned version that has started", n)
	}
}

// Without a filter, users come from a cache until the version of the directory changes.
func TestPolicyStatusIsCachedByTheVersionOfTheDirectory(t *testing.T) {
	db := queriestest.New(t)
	reader := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	first := func(version int64) string {
		t.Helper()
		reader.DirectoryVersion = version
		page, err := db.Policies.PersonStatuses(t.Context(), reader, "communication", policy.StatusFilter{Limit: 50})
		if err != nil || len(page.Rows) == 0 {
			t.Fatalf("%d rows (%v)", len(page.Rows), err)
		}
		return page.Rows[0].EmployeeID
	}
	before := first(7)
	queriestest.Exec(t, db, "update users set employee_id = 'E-' || id where company_id = $1", queriestest.Hanbit)
	if got := first(7); got != before {
		t.Errorf("the same version: %s, not %s", got, before)
	}
	if got := first(8); got == before || !strings.HasPrefix(got, "E-") {
		t.Errorf("the next version: %s", got)
	}
}
