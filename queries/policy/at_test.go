package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
	"officeconsole/workday"
)

func policiesAt(t *testing.T, db *areas.Areas, at time.Time, text string) policy.PoliciesAt {
	t.Helper()
	person, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: queriestest.Admin})
	if err != nil {
		t.Fatal(err)
	}
	chosen, _ := search.Parse(text)
	found, err := db.Policies.PoliciesAt(t.Context(), person, "communication", at, chosen)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func policyAt(t *testing.T, found policy.PoliciesAt, id int64) policy.PolicyAt {
	t.Helper()
	for _, row := range found.Rows {
		if row.ID == id {
			return row
		}
	}
	t.Fatalf("policy %d is not among %+v", id, found.Rows)
	return policy.PolicyAt{}
}

func TestPoliciesAtAPlannedChange(t *testing.T) {
	db := queriestest.New(t)
	found := policiesAt(t, db, time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC), "")
	row := found.Rows[0]
	if row.ID != queriestest.ResearchPolicyID || row.Then.No != 2 || row.Now.No != 1 || len(row.Differences.Settings) == 0 || found.Differing != 1 {
		t.Errorf("got %d differing, first %+v", found.Differing, row)
	}
	if found.People != row.PeopleThen || row.PeopleThen != row.PeopleNow || row.PeopleNow == 0 || len(row.Moves) != 0 {
		t.Errorf("%d people are affected, %d of %d follow it", found.People, row.PeopleThen, row.PeopleNow)
	}
	for _, other := range found.Rows[1:] {
		if other.Differs() {
			t.Errorf("%s differs: %+v", other.Version().Name, other)
		}
	}
}

func TestPoliciesAtADateBeforeThem(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft("새 정책", queriestest.UserTarget(queriestest.Employee))
	fresh := queriestest.CreatePolicy(t, db, d)
	found := policiesAt(t, db, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), "")
	sales := policyAt(t, found, queriestest.SalesPolicyID)
	if sales.Then.No != 1 || sales.Now.No != 2 || sales.PeopleThen == sales.PeopleNow {
		t.Errorf("got %+v", sales)
	}
	row := policyAt(t, found, fresh.ID)
	if row.Then != nil || row.PeopleThen != 0 || row.PeopleNow != 1 || len(row.Moves) != 1 || row.Moves[0] != (policy.PolicyMove{PolicyID: queriestest.ResearchPolicyID, Name: queriestest.ResearchPolicyName, People: 1}) {
		t.Errorf("got %+v", row)
	}
}

// What a deleted policy was, and to whom it applied, remains visible at its time.
func TestPoliciesAtKeepsDeletedOnes(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	before := policyAt(t, policiesAt(t, db, queriestest.Now, ""), queriestest.SalesPolicyID)
	clock.Advance(time.Hour)
	if _, err := db.Policies.Delete(t.Context(), queriestest.AdminActor(t, db), queriestest.SalesPolicyID, 0, true); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	row := policyAt(t, policiesAt(t, db, queriestest.Now, ""), queriestest.SalesPolicyID)
	if row.Now != nil || row.Then == nil || row.DeletedAt == nil || row.PeopleThen != before.PeopleNow || row.PeopleNow != 0 {
		t.Errorf("got %+v, before the deletion %+v", row, before)
	}
	if len(row.Then.Targets) == 0 || row.Then.Targets[0].Name == "" {
		t.Errorf("its targets are %+v", row.Then.Targets)
	}
}

// The numbers of people equal what the resolution of everybody says.
func TestPoliciesAtCountsEverybody(t *testing.T) {
	db := queriestest.New(t)
	own := queriestest.PolicyDraft("개인", queriestest.UserTarget(queriestest.Employee), queriestest.UserTarget(queriestest.Kim))
	own.EffectiveFrom = queriestest.StartIn(time.Hour)
	queriestest.CreatePolicy(t, db, own)
	queriestest.Exec(t, db, hide, queriestest.Kim)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = $1", queriestest.Hanbit)
	for _, at := range []time.Time{queriestest.Now, queriestest.Now.Add(2 * time.Hour), time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)} {
		then, now := appliedTo(t, db, at), appliedTo(t, db, queriestest.Now)
		found := policiesAt(t, db, at, "")
		counts := map[int64][2]int{}
		for id, applied := range then {
			pair := counts[applied.PolicyID]
			pair[0]++
			counts[applied.PolicyID] = pair
			pair = counts[now[id].PolicyID]
			pair[1]++
			counts[now[id].PolicyID] = pair
		}
		for _, row := range found.Rows {
			if got := [2]int{row.PeopleThen, row.PeopleNow}; got != counts[row.ID] {
				t.Errorf("%s: %s has %v, want %v", at, row.Version().Name, got, counts[row.ID])
			}
		}
		if found.Total != len(then) {
			t.Errorf("%s: %d people, want %d", at, found.Total, len(then))
		}
	}
}

func appliedTo(t *testing.T, db *areas.Areas, at time.Time) map[int64]policy.Resolution {
	t.Helper()
	all, err := db.Policies.ResolveCompany(t.Context(), queriestest.Hanbit, "communication", at)
	if err != nil {
		t.Fatal(err)
	}
	byUser := map[int64]policy.Resolution{}
	for _, one := range all {
		byUser[one.UserID] = one
	}
	return byUser
}

func TestPoliciesAtFindsTargets(t *testing.T) {
	db := queriestest.New(t)
	found := policiesAt(t, db, time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC), "해외영업")
	if len(found.Rows) != 1 || found.Rows[0].ID != queriestest.SalesPolicyID || found.Differing != 1 {
		t.Errorf("got %+v", found)
	}
}

func TestStatusAtADate(t *testing.T) {
	db := queriestest.New(t)
	person, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: queriestest.Admin})
	if err != nil {
		t.Fatal(err)
	}
	filter := policy.StatusFilter{Date: 0, Limit: 50, PolicyID: queriestest.ResearchPolicyID}
	now, err := db.Policies.PersonStatuses(t.Context(), person, "communication", filter)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range now.Rows {
		if row.Now != nil {
			t.Errorf("without a date, %+v", row)
		}
	}
	filter.Date = workday.DateOf(time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC))
	then, err := db.Policies.PersonStatuses(t.Context(), person, "communication", filter)
	if err != nil || len(then.Rows) != len(now.Rows) {
		t.Fatalf("%d people, want %d: %v", len(then.Rows), len(now.Rows), err)
	}
	for _, row := range then.Rows {
		if got := fmt.Sprintf("%d → %+v", row.VersionNo, row.Now); row.VersionNo != 2 || row.Now == nil || row.Now.VersionNo != 1 || row.Now.PolicyID != queriestest.ResearchPolicyID {
			t.Errorf("%s: got %s", row.Name, got)
		}
	}
	filter.Date = workday.DateOf(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	filter.PolicyID = queriestest.SalesPolicyID
	before, err := db.Policies.PersonStatuses(t.Context(), person, "communication", filter)
	if n, countErr := db.Policies.StatusCount(t.Context(), person, "communication", filter); err != nil || countErr != nil || n != len(before.Rows) || slices.ContainsFunc(before.Rows, func(row policy.PersonStatus) bool { return row.UserID == queriestest.Foreigner }) {
		t.Errorf("before the change: %+v, counted %d: %v, %v", before.Rows, n, err, countErr)
	}
	departments, err := db.Policies.DepartmentStatuses(t.Context(), person, "communication", policy.StatusFilter{Date: workday.DateOf(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)), Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	differing := 0
	for _, row := range departments.Rows {
		if row.ID == queriestest.Overseas && row.PolicyName == queriestest.DefaultPolicyName && row.Now != nil && row.Now.PolicyID == queriestest.SalesPolicyID {
			differing++
		}
	}
	if differing != 1 {
		t.Errorf("no department differs: %+v", departments.Rows)
	}
}

// Who can save files now and cannot at the date is counted, in both directions of time.
func TestPoliciesAtCountsWhoCannotSave(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft("보기만", queriestest.DepartmentTarget(queriestest.Sales))
	d.Settings, d.EffectiveFrom = json.RawMessage(`{"file_save":{"mobile":"view_only"}}`), queriestest.StartIn(time.Hour)
	queriestest.CreatePolicy(t, db, d)
	after := policiesAt(t, db, queriestest.Now.Add(2*time.Hour), "")
	if after.Saving != 2 || after.People != 2 {
		t.Errorf("%d of %d people can no longer save", after.Saving, after.People)
	}
	if before := policiesAt(t, db, queriestest.Now.Add(-time.Hour), ""); before.Saving != 0 {
		t.Errorf("before, %d could not save", before.Saving)
	}
}

// One policy is compared as it is in the list.
func TestPolicyAtIsTheRowOfTheList(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	for _, at := range []time.Time{time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)} {
		for _, want := range policiesAt(t, db, at, "").Rows {
			got, err := db.Policies.PolicyAt(t.Context(), admin, "communication", at, want.ID)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %+v, want %+v: %v", want.Version().Name, got, want, err)
			}
		}
	}
	if _, err := db.Policies.PolicyAt(t.Context(), admin, "communication", queriestest.Now, 999); !errors.Is(err, queries.NotFound) {
		t.Errorf("an unknown policy: %v", err)
	}
}

// The list of those to whom something else applies now has everybody of the whole list who
// has it, also those whom a policy lists at one of the times only.
func TestStatusThatDiffersFromNow(t *testing.T) {
	db := queriestest.New(t)
	ending := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("개인", queriestest.UserTarget(queriestest.Manager)))
	coming := queriestest.PolicyDraft("예정", queriestest.UserTarget(queriestest.Employee))
	coming.EffectiveFrom = queriestest.StartIn(time.Hour)
	queriestest.CreatePolicy(t, db, coming)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	for _, date := range []workday.Date{workday.NewDate(2026, 5, 1), workday.NewDate(2026, 12, 2)} {
		for _, filter := range []policy.StatusFilter{{}, {DepartmentID: queriestest.Sales}, {PolicyID: queriestest.ResearchPolicyID}, {Source: policy.Own}} {
			filter.Date, filter.Limit = date, 50
			whole, err := db.Policies.PersonStatuses(t.Context(), admin, "communication", filter)
			if err != nil {
				t.Fatal(err)
			}
			filter.Differing = true
			differing, err := db.Policies.PersonStatuses(t.Context(), admin, "communication", filter)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(whole.Rows, func(p policy.PersonStatus) bool { return p.Now == nil })
			if !reflect.DeepEqual(differing.Rows, want) && len(want)+len(differing.Rows) > 0 {
				t.Errorf("%+v: got %+v, want %+v", filter, differing.Rows, want)
			}
			if n, err := db.Policies.StatusCount(t.Context(), admin, "communication", filter); err != nil || n != len(want) {
				t.Errorf("%+v: counted %d, want %d: %v", filter, n, len(want), err)
			}
			if date == workday.NewDate(2026, 5, 1) && filter.DepartmentID+filter.PolicyID == 0 && filter.Source == "" && !slices.ContainsFunc(want, func(p policy.PersonStatus) bool {
				return p.UserID == queriestest.Manager && p.Now.PolicyID == ending.ID
			}) {
				t.Errorf("%+v", want)
			}
		}
	}
	departments, err := db.Policies.DepartmentStatuses(t.Context(), admin, "communication", policy.StatusFilter{Date: workday.NewDate(2026, 5, 1), Differing: true, Limit: 100})
	if err != nil || len(departments.Rows) == 0 || slices.ContainsFunc(departments.Rows, func(d policy.DepartmentStatus) bool { return d.Now == nil }) {
		t.Errorf("departments %+v: %v", departments.Rows, err)
	}
}

// The list counts the people of each policy as the comparison does.
func TestListCountsPeople(t *testing.T) {
	db := queriestest.New(t)
	queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("개인", queriestest.UserTarget(queriestest.Employee), queriestest.UserTarget(queriestest.Kim)))
	queriestest.Exec(t, db, hide, queriestest.Kim)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = $1", queriestest.Hanbit)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	page, err := db.Policies.List(t.Context(), admin, "communication", policy.Filter{Order: policy.ByName, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	found, people := policiesAt(t, db, queriestest.Now, ""), 0
	for _, p := range page.Rows {
		if want := policyAt(t, found, p.ID).PeopleNow; p.People != want {
			t.Errorf("%s has %d people, want %d", p.Name, p.People, want)
		}
		people += p.People
	}
	if people != found.Total || people == 0 {
		t.Errorf("%d people, want %d", people, found.Total)
	}
}
