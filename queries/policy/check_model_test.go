package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"officeconsole/queries/areas"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

// everyone is the people of 한빛테크 whom the model asks one by one.
var everyone = []int64{queriestest.Admin, queriestest.Employee, queriestest.Viewer, queriestest.Manager, queriestest.Kim, queriestest.Foreigner, queriestest.Japanese}

// pathOf returns the departments of a person of the cast from the root.
func pathOf(t testing.TB, db *areas.Areas, id int64) []int64 {
	t.Helper()
	text := queriestest.LookUp(t, db, "select array_to_json(d.ancestors) from users u join departments d on d.company_id = u.company_id and d.id = u.department_id where u.id = $1", id)
	var path []int64
	if err := json.Unmarshal([]byte(text), &path); err != nil {
		t.Fatal(err)
	}
	return path
}

// What a save says about checks is what asking everybody one by one at every time says.
func TestChecksAgainstAModel(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	clock.Advance(14 * 24 * time.Hour) // the planned version of 연구소 보안 정책 has begun, so that its targets can move
	paths := map[int64][]int64{}
	for _, id := range everyone {
		paths[id] = pathOf(t, db, id)
	}
	broke, stops := 0, 0
	var policies []int64 // of the case before
	rapid.Check(t, func(rt *rapid.T) {
		startOver(t, db, policies)
		policies = nil
		inForce := drawDraft(rt, clock, clock.Now())
		inForce.EffectiveFrom = policy.Start{When: policy.StartNow}
		inForce.Targets = []policy.Target{queriestest.DepartmentTarget(rapid.SampledFrom([]int64{queriestest.Root, queriestest.Sales, queriestest.Research}).Draw(rt, "covered"))}
		earlier, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), inForce)
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, earlier.ID)
		var checks []policy.Check
		for i := range rapid.IntRange(4, 12).Draw(rt, "checks") {
			draft := drawCheck(rt, fmt.Sprint("점검 ", i))
			checks = append(checks, saveCheck(t, db, policy.CheckChange{Kind: "communication", Draft: &draft}))
		}
		clock.Advance(2 * time.Hour) // planned versions have begun, and provisional ones have ended
		now := clock.Now()
		later := now.Add(time.Hour)
		times := []time.Time{now, now.Add(policy.ConfirmTime), later, later.Add(policy.ConfirmTime)}
		before := settingsAt(t, db, times)
		draft := drawDraft(rt, clock, later)
		saved, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), draft)
		var refused *policy.CheckRefusal
		if err != nil && !errors.As(err, &refused) {
			rt.Fatal(err)
		}
		if refused != nil {
			stops++
			stopping := refused.Broken
			// The same is said of checks that only warn, which lets the save happen.
			for _, c := range checks {
				c.Severity = policy.Warn
				saveCheck(t, db, policy.CheckChange{ID: c.ID, Kind: c.Kind, Draft: &c.CheckDraft})
			}
			if saved, err = db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), draft); err != nil {
				rt.Fatal(err)
			}
			for _, b := range stopping {
				if !slices.ContainsFunc(saved.Broken, func(w policy.BrokenCheck) bool { return w.ID == b.ID && w.People == b.People }) {
					rt.Fatalf("refused %s for %d people, then warned of %+v", b.Name, b.People, saved.Broken)
				}
			}
		}
		policies = append(policies, saved.ID)
		after := settingsAt(t, db, times)
		for _, c := range checks {
			want := "holds"
			for i, at := range times {
				if people, isBroken := brokenOneByOne(c.CheckDraft, paths, before[i], after[i]); isBroken {
					want = fmt.Sprintf("broken at %s by %d", at.Sub(now), people)
					broke++
					break
				}
			}
			got := "holds"
			for _, b := range saved.Broken {
				if b.ID == c.ID {
					got = fmt.Sprintf("broken at %s by %d", b.At.Sub(now), b.People)
				}
			}
			if got != want {
				rt.Errorf("%+v: got %s, want %s\n%+v", c.CheckDraft, got, want, draft)
			}
		}
	})
	if broke < 10 || stops < 5 {
		t.Errorf("only %d checks were broken, and %d saves stopped", broke, stops)
	}
}

// settingsAt returns the settings of everyone at times.
func settingsAt(t *testing.T, db *areas.Areas, times []time.Time) []map[int64]policy.Effective {
	t.Helper()
	var all []map[int64]policy.Effective
	for _, at := range times {
		effective, err := db.Policies.EffectiveOf(t.Context(), queriestest.Hanbit, everyone, "communication", at)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, effective)
	}
	return all
}

func brokenOneByOne(c policy.CheckDraft, paths map[int64][]int64, before, after map[int64]policy.Effective) (people int, isBroken bool) {
	held, holds := 0, 0
	for _, id := range everyone {
		isAbout := len(c.Targets) == 0 || slices.ContainsFunc(c.Targets, func(target policy.Target) bool {
			return target.Type == policy.UserTarget && target.ID == id || target.Type == policy.DepartmentTarget && slices.Contains(paths[id], target.ID)
		})
		if !isAbout {
			continue
		}
		was, is := meets(c.Expectation, before[id].Settings, id), meets(c.Expectation, after[id].Settings, id)
		if was {
			held++
		}
		if is {
			holds++
		}
		if was && !is {
			people++
		}
	}
	if c.Quantifier == policy.Some {
		return 0, held > 0 && holds == 0
	}
	return people, people > 0
}

// meets asks for what the checks of drawCheck expect, address by address.
func meets(e settings.Expectation, v settings.Values, id int64) bool {
	switch e.Key {
	case "file_save":
		return (v.FileSaving(e.Part) == e.Value) == (e.Relation == settings.Is)
	case "session_time_sec":
		limit := map[string]time.Duration{"1800": 30 * time.Minute, "3600": time.Hour}[e.Value]
		return e.Relation == settings.AtMost && v.SessionTime() <= limit || e.Relation == settings.AtLeast && v.SessionTime() >= limit
	}
	r, _ := settings.ParseRange(e.Value)
	for _, platform := range settings.Platforms() {
		if e.Part != "" && platform != e.Part || !v.LoginAllowed(platform) {
			continue
		}
		isOpen := true
		for a := r.Start; a.Compare(r.End) <= 0; a = a.Next() {
			isOpen = isOpen && v.AddressAllowed(platform, a, id)
		}
		if isOpen {
			return true
		}
	}
	return false
}

func drawTargets(rt *rapid.T, most int) (targets []policy.Target) {
	departments := []int64{queriestest.Root, queriestest.Sales, queriestest.Domestic, queriestest.Research, queriestest.Messenger, queriestest.Japan}
	for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(departments), 0, most, rapid.ID[int64]).Draw(rt, "departments") {
		targets = append(targets, queriestest.DepartmentTarget(id))
	}
	for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(everyone), 0, most, rapid.ID[int64]).Draw(rt, "people") {
		targets = append(targets, queriestest.UserTarget(id))
	}
	return targets
}

func drawCheck(rt *rapid.T, name string) policy.CheckDraft {
	return policy.CheckDraft{
		Name: name, Targets: drawTargets(rt, 2),
		Quantifier: rapid.SampledFrom([]policy.Quantifier{policy.Every, policy.Some}).Draw(rt, "quantifier"),
		Severity:   rapid.SampledFrom([]policy.Severity{policy.Stop, policy.Warn}).Draw(rt, "severity"),
		Expectation: rapid.SampledFrom([]settings.Expectation{
			{Relation: settings.Is, Key: "file_save", Part: "mobile", Value: "block"},
			{Relation: settings.IsNot, Key: "file_save", Part: "mobile", Value: "allow"},
			{Relation: settings.IsNot, Key: "file_save", Part: "pc", Value: "block"},
			{Relation: settings.AtMost, Key: "session_time_sec", Value: "1800"},
			{Relation: settings.AtLeast, Key: "session_time_sec", Value: "3600"},
			{Relation: settings.SignIn, Part: "web", Value: "203.0.113.4/30"},
			{Relation: settings.SignIn, Value: "203.0.113.0-203.0.113.9"},
		}).Draw(rt, "expectation"),
	}
}

func drawDraft(rt *rapid.T, clock *queriestest.Clock, later time.Time) policy.Draft {
	word := func(label string, words ...string) string { return rapid.SampledFrom(words).Draw(rt, label) }
	var parts []string
	parts = append(parts, fmt.Sprintf(`"file_save":{"mobile":%q,"pc":%q}`, word("mobile", "allow", "view_only", "block"), word("pc", "allow", "block")))
	parts = append(parts, `"session_time_sec":`+word("session", "1200", "1800", "3600", "7200"))
	if word("ranges", "any", "listed") == "listed" {
		first := netip.MustParseAddr(word("first", "203.0.113.0", "203.0.113.4", "203.0.113.5"))
		parts = append(parts, fmt.Sprintf(`"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"본사","range":"%s-203.0.113.6"},{"location_name":"지사","range":"%s-203.0.113.20"}],"allowed_ip_platforms":%s,"ip_exempt_user_ids":%s`,
			first, word("second", "203.0.113.7", "203.0.113.8"), word("platforms", `["web"]`, `["pc","web","mobile","mobile_web"]`), word("exempt", `[]`, `[6]`, `[1,6]`)))
	}
	parts = append(parts, `"login_platforms":`+word("login", `["pc","web","mobile","mobile_web"]`, `["pc","mobile"]`))
	start := policy.Start{When: policy.StartNow}
	if word("start", "now", "later") == "later" {
		start = policy.Start{When: policy.StartAt, At: later}
	}
	return policy.Draft{
		Kind: "communication", Name: "모형 " + clock.Now().Format(time.RFC3339), Enabled: true, Move: true, Confirmed: true,
		Targets: drawTargets(rt, 3), Settings: json.RawMessage("{" + strings.Join(parts, ",") + "}"), EffectiveFrom: start,
	}
}

func checksOf(t *testing.T, db *areas.Areas) []policy.Check {
	t.Helper()
	checks, err := db.Policies.Checks(t.Context(), queriestest.Hanbit, "communication")
	if err != nil {
		t.Fatal(err)
	}
	return checks
}

func saveCheck(t *testing.T, db *areas.Areas, c policy.CheckChange) policy.Check {
	t.Helper()
	saved, err := db.Policies.SaveCheck(t.Context(), queriestest.AdminActor(t, db), c)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

// startOver deletes all checks, and the policies of the case before.
func startOver(t *testing.T, db *areas.Areas, policies []int64) {
	t.Helper()
	queriestest.Exec(t, db, "update users set hidden_at = null where id = any ($1)", everyone) // nobody hidden can be chosen
	for _, c := range checksOf(t, db) {
		saveCheck(t, db, policy.CheckChange{ID: c.ID, Kind: c.Kind})
	}
	for _, id := range policies {
		if _, err := db.Policies.Delete(t.Context(), queriestest.AdminActor(t, db), id, 0, true); err != nil {
			t.Fatal(err)
		}
	}
}
