package policy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

// staff is everyone and somebody who is hidden at first.
var staff = append(slices.Clone(everyone), queriestest.Hidden)

// placesOf returns the departments of everybody who is visible, from the root.
func placesOf(t testing.TB, db *areas.Areas) map[int64][]int64 {
	t.Helper()
	places := map[int64][]int64{}
	for _, id := range staff {
		if queriestest.LookUp(t, db, "select hidden_at is null from users where id = $1", id) == "true" {
			places[id] = pathOf(t, db, id)
		}
	}
	return places
}

// change is a change of the directory as statements.
type change struct {
	directory.PeopleChange
	statements []string
}

func drawChange(rt *rapid.T) (c change) {
	departments := []int64{queriestest.Root, queriestest.Sales, queriestest.Domestic, queriestest.Overseas, queriestest.Research, queriestest.Messenger, queriestest.Japan}
	c.By = queries.Actor{CompanyID: queriestest.Hanbit, Name: "인사 시스템"}
	for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(staff), 0, 4, rapid.ID[int64]).Draw(rt, "people") {
		c.UserIDs = append(c.UserIDs, id)
		switch rapid.SampledFrom([]string{"move", "move", "hide", "show"}).Draw(rt, "how") {
		case "move":
			c.statements = append(c.statements, fmt.Sprintf("update users set department_id = %d where id = %d", rapid.SampledFrom(departments).Draw(rt, "to"), id))
		case "hide":
			c.statements = append(c.statements, fmt.Sprintf("update users set hidden_at = now() where id = %d", id))
		case "show":
			c.statements = append(c.statements, fmt.Sprintf("update users set hidden_at = null where id = %d", id))
		}
	}
	if rapid.Bool().Draw(rt, "reorganize") {
		// Departments swap between the first two levels without a cycle.
		id := rapid.SampledFrom([]int64{queriestest.Domestic, queriestest.Overseas, queriestest.Messenger, queriestest.Japan}).Draw(rt, "department")
		c.DepartmentIDs = []int64{id}
		c.statements = append(c.statements, fmt.Sprintf("update departments set parent_id = %d where id = %d", rapid.SampledFrom([]int64{queriestest.Root, queriestest.Sales, queriestest.Research}).Draw(rt, "parent"), id))
	}
	if rapid.Bool().Draw(rt, "all") {
		c.UserIDs, c.DepartmentIDs, c.IsOfAll = nil, nil, true
	}
	return c
}

func hold(t testing.TB, db *areas.Areas, c change) (broken []policy.BrokenCheck, err error) {
	err = db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
		broken, err = db.Policies.HoldPeople(ctx, tx, &c.PeopleChange, func(ctx context.Context) error {
			for _, statement := range c.statements {
				if _, err := tx.Exec(ctx, statement); err != nil {
					return err
				}
			}
			return nil
		})
		return err
	})
	return broken, err
}

// What a change of the directory says about checks is what asking everybody one by one at
// every time says.
func TestChecksOfPeopleAgainstAModel(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	clock.Advance(14 * 24 * time.Hour)
	broke, stops, further := 0, 0, 0
	var policies []int64 // of the case before
	rapid.Check(t, func(rt *rapid.T) {
		startOver(t, db, policies)
		policies = nil
		later := clock.Now().Add(3 * time.Hour)
		for i := range 2 {
			draft := drawDraft(rt, clock, later)
			draft.Name = fmt.Sprint(draft.Name, " ", i)
			if i == 0 { // its targets can move to the other one
				draft.EffectiveFrom = policy.Start{When: policy.StartNow}
			}
			saved, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), draft)
			if err != nil {
				rt.Fatal(err)
			}
			policies = append(policies, saved.ID)
		}
		clock.Advance(2 * time.Hour)
		var checks []policy.Check
		for i := range rapid.IntRange(4, 10).Draw(rt, "checks") {
			draft := drawCheck(rt, fmt.Sprint("점검 ", i))
			checks = append(checks, saveCheck(t, db, policy.CheckChange{Kind: "communication", Draft: &draft}))
		}
		hidden := rapid.SliceOfNDistinct(rapid.SampledFrom(staff), 0, 2, rapid.ID[int64]).Draw(rt, "hidden")
		queriestest.Exec(t, db, "update users set hidden_at = now() where id = any ($1)", hidden)
		queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = $1", queriestest.Hanbit)
		now := clock.Now()
		times := []time.Time{now, later, later.Add(policy.ConfirmTime)}
		before, placesBefore := effectiveAt(t, db, times), placesOf(t, db)
		c := drawChange(rt)
		broken, err := hold(t, db, c)
		var refused *policy.CheckRefusal
		if err != nil && !errors.As(err, &refused) {
			rt.Fatal(err)
		}
		if refused != nil {
			stops++
			if got := placesOf(t, db); fmt.Sprint(got) != fmt.Sprint(placesBefore) {
				rt.Fatalf("a refused change moved people: %v, before %v", got, placesBefore)
			}
			for _, check := range checks {
				check.Severity = policy.Warn
				saveCheck(t, db, policy.CheckChange{ID: check.ID, Kind: check.Kind, Draft: &check.CheckDraft})
			}
			if broken, err = hold(t, db, c); err != nil {
				rt.Fatal(err)
			}
		}
		after, placesAfter := effectiveAt(t, db, times), placesOf(t, db)
		for _, check := range checks {
			want := "holds"
			for i, at := range times {
				m := peopleModel{check.CheckDraft, placesBefore, placesAfter, before[i], after[i]}
				people, same, isBroken := m.broken()
				further += same
				if isBroken {
					want = fmt.Sprintf("broken at %s by %d", at.Sub(now), people)
					broke++
					break
				}
			}
			got := "holds"
			for _, b := range broken {
				if b.ID == check.ID {
					got = fmt.Sprintf("broken at %s by %d", b.At.Sub(now), b.People)
				}
			}
			if got != want {
				rt.Errorf("%+v: got %s, want %s\n%+v\n%v", check.CheckDraft, got, want, c, placesBefore)
			}
		}
	})
	if broke == 0 || stops == 0 || further == 0 { // which no case is then about
		t.Errorf("%d checks were broken, %d changes stopped, and %d people came to a check that was broken", broke, stops, further)
	}
}

func effectiveAt(t *testing.T, db *areas.Areas, times []time.Time) []map[int64]policy.Effective {
	t.Helper()
	var all []map[int64]policy.Effective
	for _, at := range times {
		effective, err := db.Policies.EffectiveOf(t.Context(), queriestest.Hanbit, staff, "communication", at)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, effective)
	}
	return all
}

// peopleModel asks everybody one by one.
type peopleModel struct {
	check                     policy.CheckDraft
	placesBefore, placesAfter map[int64][]int64
	before, after             map[int64]policy.Effective
}

func (m peopleModel) isAbout(id int64, path []int64) bool {
	return path != nil && (len(m.check.Targets) == 0 || slices.ContainsFunc(m.check.Targets, func(target policy.Target) bool {
		return target.Type == policy.UserTarget && target.ID == id || target.Type == policy.DepartmentTarget && slices.Contains(path, target.ID)
	}))
}

// broken returns for how many people the check is newly broken, and how many only come
// to a policy by which it was broken before.
func (m peopleModel) broken() (people, further int, isBroken bool) {
	held, holds := 0, 0
	earlier := map[string]bool{}
	version := func(e policy.Effective) string { return fmt.Sprint(e.PolicyID, " ", e.VersionNo) }
	for _, id := range staff {
		if m.isAbout(id, m.placesBefore[id]) {
			if meets(m.check.Expectation, m.before[id].Settings, id) {
				held++
			} else {
				earlier[version(m.before[id])] = true
			}
		}
	}
	for _, id := range staff {
		if !m.isAbout(id, m.placesAfter[id]) {
			continue
		}
		wasAbout := m.isAbout(id, m.placesBefore[id])
		switch {
		case meets(m.check.Expectation, m.after[id].Settings, id):
			holds++
		case wasAbout && meets(m.check.Expectation, m.before[id].Settings, id):
			people++
		case !wasAbout && earlier[version(m.after[id])]:
			further++
		case !wasAbout:
			people++
		}
	}
	if m.check.Quantifier == policy.Some {
		return 0, 0, held > 0 && holds == 0
	}
	return people, further, people > 0
}

// domesticCheck expects of somebody in 국내영업팀, where only 김철수 is, what the policy of
// the department has.
var domesticCheck = policy.CheckDraft{
	Name: "국내영업팀 세션", Targets: []policy.Target{queriestest.DepartmentTarget(queriestest.Domestic)}, Quantifier: policy.Some, Severity: policy.Stop,
	Expectation: settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: "600"},
}

// Without checks, the people of the change are read before and after it, and a move is
// published. With them, those of the checks are read as well, and nobody else.
func TestChecksOfPeopleAreCheap(t *testing.T) {
	db := queriestest.New(t)
	move := change{PeopleChange: directory.PeopleChange{By: queries.Actor{CompanyID: queriestest.Hanbit}, UserIDs: []int64{queriestest.Kim}}, statements: []string{"update users set department_id = 2 where id = 6"}}
	log := queriestest.LogStatements(t, db)
	names := func() []string {
		return slices.DeleteFunc(log.Take(), func(s string) bool {
			return !slices.ContainsFunc([]string{"-- name", "update"}, func(p string) bool { return len(s) > len(p) && s[:len(p)] == p })
		})
	}
	if _, err := hold(t, db, move); err != nil {
		t.Fatal(err)
	}
	if got := names(); len(got) != 6 {
		t.Errorf("without checks: %q", got)
	}
	queriestest.Exec(t, db, "update users set department_id = 3 where id = 6")
	saveCheck(t, db, policy.CheckChange{Kind: "communication", Draft: &domesticCheck})
	names()
	var refused *policy.CheckRefusal
	if _, err := hold(t, db, move); !errors.As(err, &refused) || len(refused.Broken) != 1 {
		t.Fatalf("got %v", err)
	}
	for _, statement := range names() {
		if slices.ContainsFunc([]string{"peopleByDepartment ", "companyWithAncestors "}, func(name string) bool { return len(statement) > 9+len(name) && statement[9:9+len(name)] == name }) {
			t.Errorf("everybody is read: %s", statement)
		}
	}
}

// Other programs are told who is in another department, whatever moved them; not who comes
// or goes.
func TestMovedPeopleArePublished(t *testing.T) {
	by := queries.Actor{CompanyID: queriestest.Hanbit, Name: "인사 시스템"}
	for name, c := range map[string]struct {
		change
		want string
	}{
		"a person":     {change{directory.PeopleChange{By: by, UserIDs: []int64{queriestest.Kim, queriestest.Admin}}, []string{"update users set department_id = 7 where id = 6"}}, `{"user_ids": [6]}`},
		"renamed":      {change{directory.PeopleChange{By: by, UserIDs: []int64{queriestest.Kim}}, []string{"update users set name = '김' where id = 6"}}, ""},
		"hidden":       {change{directory.PeopleChange{By: by, UserIDs: []int64{queriestest.Kim}}, []string{"update users set hidden_at = now() where id = 6"}}, ""},
		"shown":        {change{directory.PeopleChange{By: by, UserIDs: []int64{queriestest.Hidden}}, []string{"update users set hidden_at = null where id = 5"}}, ""},
		"a department": {change{directory.PeopleChange{By: by, DepartmentIDs: []int64{queriestest.Domestic}}, []string{"update departments set parent_id = 5 where id = 3"}}, `{"user_ids": [6]}`},
		"a file":       {change{directory.PeopleChange{By: by, IsOfAll: true}, []string{"update users set department_id = 7 where id in (2, 6)"}}, `{"user_ids": [2, 6]}`},
	} {
		t.Run(name, func(t *testing.T) {
			db, _ := queriestest.NewWithClock(t)
			if _, err := hold(t, db, c.change); err != nil {
				t.Fatal(err)
			}
			if got := queriestest.LookUp(t, db, "select coalesce(string_agg(payload::text, ' ' order by id), '') from outbox where type = 'user.moved'"); got != c.want {
				t.Errorf("published %q, not %q", got, c.want)
			}
		})
	}
}

// A check that a change breaks names its people as they were before the change hid them,
// and as they are after it showed them again. What was hidden before has no name.
func TestBrokenChecksNameWhomTheChangeHides(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	sessions := settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: "600"}
	queriestest.Exec(t, db, "update users set hidden_at = null where id = $1", queriestest.Hidden)
	check := saveCheck(t, db, policy.CheckChange{Kind: "communication", Draft: &policy.CheckDraft{
		Name: "세션", Targets: []policy.Target{queriestest.UserTarget(queriestest.Kim), queriestest.UserTarget(queriestest.Hidden)}, Quantifier: policy.Some, Severity: policy.Warn, Expectation: sessions,
	}})
	queriestest.Exec(t, db, hide, queriestest.Hidden)
	by := directory.PeopleChange{By: queries.Actor{CompanyID: queriestest.Hanbit, Name: "인사 시스템"}, UserIDs: []int64{queriestest.Kim}}
	names := func(broken []policy.BrokenCheck, err error) string {
		t.Helper()
		if err != nil || len(broken) != 1 {
			t.Fatalf("broken %+v, %v", broken, err)
		}
		return broken[0].Targets[0].Name + ", " + broken[0].Targets[1].Name
	}
	if got := names(hold(t, db, change{by, []string{"update users set hidden_at = now() where id = 6"}})); got != "김철수, —" {
		t.Errorf("hiding names %q", got)
	}
	check.Quantifier, check.Value = policy.Every, "300"
	saveCheck(t, db, policy.CheckChange{ID: check.ID, Kind: check.Kind, Draft: &check.CheckDraft})
	if got := names(hold(t, db, change{by, []string{"update users set hidden_at = null where id = 6"}})); got != "김철수, —" {
		t.Errorf("showing names %q", got)
	}
}
