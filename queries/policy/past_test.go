package policy_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// pastDraft is a working attitude policy that starts with a date, for departments.
func pastDraft(name, from string, departments ...int64) policy.Draft {
	d := policy.Draft{Kind: "workingattitude", Name: name, Enabled: true, Confirmed: true, EffectiveFrom: policy.Start{When: policy.StartAt, Local: from + "T00:00"}}
	for _, id := range departments {
		d.Targets = append(d.Targets, queriestest.DepartmentTarget(id))
	}
	return d
}

// appliedOn returns the policy and version that apply to a user when a date begins.
func appliedOn(t *testing.T, db *areas.Areas, userID int64, date string) string {
	t.Helper()
	at, err := time.ParseInLocation(time.DateOnly, date, queriestest.Now.Location())
	if err != nil {
		t.Fatal(err)
	}
	e, err := db.Policies.Effective(t.Context(), queriestest.Hanbit, userID, "workingattitude", at)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %d", e.PolicyName, e.VersionNo)
}

func checkApplied(t *testing.T, db *areas.Areas, userID int64, want map[string]string) {
	t.Helper()
	for date, version := range want {
		if got := appliedOn(t, db, userID, date); got != version {
			t.Errorf("on %s %q applies to %d, not %q", date, got, userID, version)
		}
	}
}

func TestVersionsOfThePast(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	if _, err := db.Policies.Create(t.Context(), by, pastDraft("교대", "2026-06-01", queriestest.Sales)); err != nil {
		t.Fatal(err)
	}
	id := number(t, queriestest.LookUp(t, db, "select max(id) from policies"))
	p, err := db.Policies.Update(t.Context(), by, id, 1, pastDraft("교대 둘", "2026-09-01", queriestest.Sales))
	if err != nil {
		t.Fatal(err)
	}
	// The third version starts before the second, which still applies from its start on.
	if p, err = db.Policies.Update(t.Context(), by, id, 2, pastDraft("교대 셋", "2026-03-01", queriestest.Domestic)); err != nil {
		t.Fatal(err)
	}
	if p.LastNo != 3 || p.Version.No != 2 || !p.InForce || p.Planned != nil {
		t.Errorf("got %+v", p)
	}
	checkApplied(t, db, queriestest.Kim, map[string]string{ // of Domestic, below Sales
		"2026-02-28": "기본 근태 정책 1", "2026-03-01": "교대 셋 3", "2026-05-31": "교대 셋 3", "2026-06-01": "교대 1", "2026-08-31": "교대 1", "2026-09-01": "교대 둘 2", "2026-11-20": "교대 둘 2",
	})
	checkApplied(t, db, queriestest.Foreigner, map[string]string{"2026-05-31": "기본 근태 정책 1", "2026-06-01": "교대 1"})
	versions, err := db.Policies.Versions(t.Context(), queriestest.Hanbit, id)
	if err != nil || len(versions) != 3 || versions[0].No != 3 {
		t.Errorf("history %+v, %v", versions, err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(version_no || ' ' || first_date || ' ' || last_date || ' ' || policy_ids::text, ', ' order by id) from attendance_recomputations"); got != fmt.Sprintf("1 2026-06-01 2026-11-21 {%[1]d}, 2 2026-09-01 2026-11-21 {%[1]d}, 3 2026-03-01 2026-11-21 {%[1]d}", id) {
		t.Errorf("requested: %s", got)
	}
}

func number(t *testing.T, text string) (n int64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTwoVersionsOfThePastAtOnce(t *testing.T) {
	db := queriestest.New(t)
	results := make(chan error, 2)
	for _, from := range []string{"2026-03-02", "2026-06-01"} {
		go func() {
			_, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), 2, 1, pastDraft("기본 "+from, from))
			results <- err
		}()
	}
	first, second := <-results, <-results
	if first == nil {
		first, second = second, first
	}
	if !errors.As(first, new(*policy.EditConflict)) || second != nil {
		t.Errorf("got %v and %v", first, second)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from attendance_recomputations"); n != "1" {
		t.Errorf("%s recomputations", n)
	}
}

func TestRefusedPast(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	unconfirmed := pastDraft("기본 근태 정책", "2026-06-01")
	unconfirmed.Confirmed = false
	if _, err := db.Policies.Update(t.Context(), by, 2, 1, unconfirmed); !errors.Is(err, policy.ErrPastUnconfirmed) {
		t.Errorf("unconfirmed: %v", err)
	}
	if got := queriestest.LookUp(t, db, "select (select count(*) from policy_versions where policy_id = 2) || ' ' || (select count(*) from attendance_recomputations)"); got != "1 0" {
		t.Errorf("%s versions and recomputations are left", got)
	}
	var refused queries.FieldErrors
	communication := queriestest.PolicyDraft("지난 정책")
	communication.Confirmed, communication.EffectiveFrom = true, policy.Start{When: policy.StartAt, Local: "2026-06-01T00:00"}
	if _, err := db.Policies.Create(t.Context(), by, communication); !errors.As(err, &refused) || refused["effective_from"] != "policy.effective_from.too_soon" {
		t.Errorf("communication: %v", err)
	}
	earlier := pastDraft("기본 근태 정책", "2026-11-20")
	earlier.EffectiveFrom.Local = "2026-11-20T09:00" // an hour ago
	if _, err := db.Policies.Update(t.Context(), by, 2, 1, earlier); !errors.As(err, &refused) || refused["effective_from"] != "policy.effective_from.too_soon" {
		t.Errorf("earlier today: %v", err)
	}
	planned := pastDraft("야간", "2026-12-01", queriestest.Japan)
	p, err := db.Policies.Create(t.Context(), by, planned)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Policies.MovePlannedVersion(t.Context(), by, p.ID, p.LastNo, policy.Start{When: policy.StartAt, Local: "2026-06-01T00:00"}); !errors.As(err, &refused) || refused["effective_from"] != "policy.effective_from.too_soon" {
		t.Errorf("a plan moved into the past: %v", err)
	}
}

// A policy of the past takes targets from every version that held them, and only for
// as long as it says so itself.
func TestTargetsOfThePast(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	holder, err := db.Policies.Create(t.Context(), by, pastDraft("보유", "2026-02-01", queriestest.Sales, queriestest.Research))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Policies.Update(t.Context(), by, holder.ID, 1, pastDraft("보유 둘", "2026-06-01", queriestest.Sales, queriestest.Research)); err != nil {
		t.Fatal(err)
	}
	taker, err := db.Policies.Create(t.Context(), by, pastDraft("신규", "2026-09-01", queriestest.Japan))
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]string{"2026-03-31": "보유 1", "2026-04-01": "보유 1", "2026-06-01": "보유 둘 2", "2026-08-31": "보유 둘 2", "2026-09-01": "보유 둘 2", "2026-11-20": "보유 둘 2"}
	checkApplied(t, db, queriestest.Kim, before)

	d := pastDraft("신규 둘", "2026-04-01", queriestest.Sales) // until 신규 of September lists Japan
	if _, err := db.Policies.Update(t.Context(), by, taker.ID, 1, d); !errors.As(err, new(*policy.TargetConflict)) {
		t.Fatalf("without moving: %v", err)
	}
	d.Move = true
	preview, err := db.Policies.PreviewDraft(t.Context(), by, d, taker.ID)
	if err != nil || preview.Past == nil || preview.Past.Until == nil || !slices.Equal(preview.Past.PolicyIDs, []int64{holder.ID, taker.ID}) {
		t.Errorf("preview %+v, %v", preview.Past, err)
	}
	if _, err := db.Policies.Update(t.Context(), by, taker.ID, 1, d); err != nil {
		t.Fatal(err)
	}
	after := map[string]string{"2026-03-31": "보유 1", "2026-04-01": "신규 둘 2", "2026-06-01": "신규 둘 2", "2026-08-31": "신규 둘 2", "2026-09-01": "보유 둘 5", "2026-11-20": "보유 둘 5"}
	checkApplied(t, db, queriestest.Kim, after)
	checkApplied(t, db, queriestest.Employee, map[string]string{"2026-03-31": "보유 1", "2026-04-01": "보유 3", "2026-06-01": "보유 둘 4", "2026-09-01": "보유 둘 5"}) // of Research
	for date := range after {                                                                                                                                // the preview said the same
		at, err := time.ParseInLocation(time.DateOnly, date, queriestest.Now.Location())
		if err != nil {
			t.Fatal(err)
		}
		if at.Before(preview.At) {
			continue
		}
		if got := preview.Past.After.Resolve(queriestest.Kim, []int64{queriestest.Root, queriestest.Sales, queriestest.Domestic}, at); fmt.Sprint(got.Name) != after[date][:len(after[date])-2] {
			t.Errorf("the preview has %q on %s, not %s", got.Name, date, after[date])
		}
	}
	id := number(t, queriestest.LookUp(t, db, "select max(id) from changes where action = 'policy.updated'"))
	if _, err := db.Audit.Revert(t.Context(), by, id, false); err != nil {
		t.Fatal(err)
	}
	checkApplied(t, db, queriestest.Kim, before)
	if got := queriestest.LookUp(t, db, "select first_date || ' ' || policy_ids::text from attendance_recomputations order by id desc limit 1"); got != fmt.Sprintf("2026-04-01 {%d,%d}", taker.ID, holder.ID) {
		t.Errorf("requested after the revert: %s", got)
	}
	id = number(t, queriestest.LookUp(t, db, "select min(id) from changes where action = 'policy.past_withdrawn'"))
	if _, err := db.Audit.Revert(t.Context(), by, id, false); err != nil {
		t.Fatal(err)
	}
	checkApplied(t, db, queriestest.Kim, map[string]string{"2026-03-31": "보유 1", "2026-04-01": "신규 둘 3", "2026-08-31": "신규 둘 3", "2026-09-01": "보유 둘 8"})
}

// A new policy of the past that is reverted is deleted, and can come back.
func TestNewPolicyOfThePastIsReverted(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	p, err := db.Policies.Create(t.Context(), by, pastDraft("교대", "2026-06-01", queriestest.Sales))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, number(t, queriestest.LookUp(t, db, "select max(id) from changes")), false); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Policies.Policy(t.Context(), queriestest.Hanbit, p.ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("reverted: %v", err)
	}
	checkApplied(t, db, queriestest.Kim, map[string]string{"2026-06-01": "기본 근태 정책 1", "2026-11-20": "기본 근태 정책 1"})
	if _, err := db.Audit.Revert(t.Context(), by, number(t, queriestest.LookUp(t, db, "select max(id) from changes")), false); err != nil {
		t.Fatal(err)
	}
	checkApplied(t, db, queriestest.Kim, map[string]string{"2026-05-31": "기본 근태 정책 1", "2026-06-01": "교대 2"})
}

// Now is the next work date for working attitude, also while a later change is
// planned.
func TestNowIsTheNextWorkDate(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queriestest.AdminActor(t, db)
	if _, err := db.Policies.Update(t.Context(), by, 2, 1, pastDraft("예정", "2026-12-01")); err != nil {
		t.Fatal(err)
	}
	now := pastDraft("지금", "")
	now.EffectiveFrom = policy.Start{When: policy.StartNow}
	p, err := db.Policies.Update(t.Context(), by, 2, 2, now)
	if err != nil {
		t.Fatal(err)
	}
	if p.Version.No != 1 || p.Planned == nil || p.Planned.No != 3 || !p.Planned.EffectiveFrom.Equal(time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v", p)
	}
	checkApplied(t, db, queriestest.Kim, map[string]string{"2026-11-20": "기본 근태 정책 1", "2026-11-21": "지금 3", "2026-11-30": "지금 3", "2026-12-01": "예정 2"})
	clock.Advance(24 * time.Hour)
	if p := queriestest.StoredPolicy(t, db, 2); p.Version.No != 3 || p.Planned == nil || p.Planned.No != 2 {
		t.Errorf("a day later: %+v", p)
	}
}

// The default policy is as old as the company's records: before its oldest version
// that one counts, whichever was saved first.
func TestDefaultBeforeItsFirstVersion(t *testing.T) {
	db := queriestest.New(t)
	checkApplied(t, db, queriestest.Kim, map[string]string{"2015-05-11": "기본 근태 정책 1"})
	if _, err := db.Policies.Update(t.Context(), queriestest.AdminActor(t, db), 2, 1, pastDraft("옛 정책", "2020-01-01")); err != nil {
		t.Fatal(err)
	}
	checkApplied(t, db, queriestest.Kim, map[string]string{"2015-05-11": "옛 정책 2", "2020-01-01": "옛 정책 2", "2025-12-31": "옛 정책 2", "2026-01-02": "기본 근태 정책 1"})
}
