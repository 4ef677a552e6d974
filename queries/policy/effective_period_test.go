package policy_test

import (
	"slices"
	"testing"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// The periods are those in which Store.Effective gives the same, and another at each
// beginning.
func TestEffectivePeriods(t *testing.T) {
	db := queriestest.New(t)
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Pool().Exec(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	// A policy of the person's own applies for a week.
	exec("insert into policy_targets (company_id, policy_id, no, user_id) values (1, 5, 1, $1)", queriestest.Employee)
	exec("update policy_versions set effective_from = '2026-11-02 09:30+09', until = '2026-11-09 00:00+09' where policy_id = 5 and no = 1")
	exec("update policy_versions set effective_from = '2027-03-01 00:00+09' where policy_id = 5 and no > 1")
	exec("update companies set policy_version = policy_version + 1")
	from := queriestest.Now.AddDate(0, -1, 0)
	periods, err := db.Policies.EffectivePeriods(t.Context(), queriestest.Hanbit, queriestest.Employee, "communication", from)
	if err != nil {
		t.Fatal(err)
	}
	at := func(time time.Time) policy.Effective {
		e, err := db.Policies.Effective(t.Context(), queriestest.Hanbit, queriestest.Employee, "communication", time)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	type version struct {
		policyID int64
		no       int32
		source   policy.Source
	}
	versionOf := func(e policy.Effective) version { return version{e.PolicyID, e.VersionNo, e.Source} }
	var beginnings []string
	for i, p := range periods {
		beginnings = append(beginnings, p.From.UTC().Format("2006-01-02T15:04"))
		if got, want := versionOf(at(p.From)), versionOf(p.Effective); got != want {
			t.Errorf("from %s on %v applies, want %v", p.From, got, want)
		}
		if i > 0 {
			if got, want := versionOf(at(p.From.Add(-time.Microsecond))), versionOf(periods[i-1].Effective); got != want {
				t.Errorf("before %s %v applies, want %v", p.From, got, want)
			}
		}
	}
	if want := []string{"2026-10-20T01:00", "2026-11-02T00:30", "2026-11-08T15:00", "2026-12-01T00:00"}; !slices.Equal(beginnings, want) {
		t.Errorf("the periods begin at %v, want %v", beginnings, want)
	}
}
