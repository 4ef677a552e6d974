package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/imports"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

// checkOfDomestic saves a check of 국내영업팀, in which only 김철수 is.
func checkOfDomestic(t *testing.T, db *areas.Areas, c policy.Check) policy.Check {
	t.Helper()
	c.CheckDraft = policy.CheckDraft{
		Name: "세션", Targets: []policy.Target{queriestest.DepartmentTarget(queriestest.Domestic)}, Quantifier: policy.Some, Severity: c.Severity,
		Expectation: settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: "600"},
	}
	saved, err := db.Policies.SaveCheck(t.Context(), queriestest.AdminActor(t, db), policy.CheckChange{ID: c.ID, Kind: "communication", Draft: &c.CheckDraft})
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func TestImportIsHeldAgainstChecks(t *testing.T) {
	db := queriestest.New(t)
	importFile(t, db, queriestest.Hanbit, hanbit(nil), directory.ImportOptions{})
	check := checkOfDomestic(t, db, policy.Check{CheckDraft: policy.CheckDraft{Severity: policy.Stop}})
	transfer := hanbit(map[int64]string{queriestest.Kim: "한빛테크/영업본부,D2"})
	department := func() string { return queriestest.LookUp(t, db, "select department_id from users where id = 6") }

	dry := importFile(t, db, queriestest.Hanbit, transfer, directory.ImportOptions{DryRun: true})
	stopped := importWith(t, db, queriestest.Hanbit, transfer, imports.Options{Confirmed: true})
	for _, report := range []imports.Report{dry, stopped} {
		var b strings.Builder
		if err := report.Write(&b, locales.English, importfile.Brief); err != nil {
			t.Fatal(err)
		}
		want := "Stopped by a policy check: “Session time” must be at most 10 min for at least one person in 국내영업팀.\n  Nobody would meet the condition any longer.\n"
		if report.Written || fmt.Sprint(report.Stopped) != "[import.stopped.checks]" || !strings.Contains(b.String(), "Nothing was saved.\nPolicy checks stop the import.") || !strings.Contains(b.String(), want) {
			t.Errorf("got %+v\n%s", report.Stopped, &b)
		}
	}
	if department() != "3" {
		t.Error("an import was saved although a check stops it")
	}

	check.Severity = policy.Warn
	checkOfDomestic(t, db, check)
	warned := importWith(t, db, queriestest.Hanbit, transfer, imports.Options{Confirmed: true})
	var b strings.Builder
	if err := warned.Write(&b, locales.Korean, importfile.Brief); err != nil {
		t.Fatal(err)
	}
	if !warned.Written || department() != "2" || len(warned.Stopped) > 0 || !strings.Contains(b.String(), "정책 점검에 어긋남(경고만): ") {
		t.Errorf("a check that only warns stopped it: %s", &b)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from changes where action = 'check.broken' and actor_name = 'operator'"); got != "1" {
		t.Errorf("the change log has %s entries", got)
	}
	if again := importWith(t, db, queriestest.Hanbit, transfer, imports.Options{}); !again.Written || len(again.Broken) > 0 {
		t.Errorf("what was broken before is reported again: %+v", again.Broken)
	}
}
