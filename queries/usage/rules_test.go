package usage_test

import (
	"errors"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
	"officeconsole/workday"
)

func rules(t *testing.T, db *areas.Areas) usage.InstallationRules {
	t.Helper()
	stored, err := db.Usage.InstallationRules(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// edited are the rules of a company with a change of those of Windows.
func edited(t *testing.T, db *areas.Areas, edit func(*usage.ClientRule)) usage.Rules {
	t.Helper()
	draft := rules(t, db).Rules
	draft.Clients = append([]usage.ClientRule{}, draft.Clients...)
	draft.Clients[0].Version = "6.4.2"
	edit(&draft.Clients[0])
	return draft
}

func date(t *testing.T, text string) workday.Date {
	t.Helper()
	d, err := workday.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRefusedRules(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.AdminActor(t, db)
	for _, test := range []struct {
		field, want string
		edit        func(*usage.ClientRule)
	}{
		{"windows.version", "installation.version.invalid", func(c *usage.ClientRule) { c.Version = "newest" }},
		{"windows.minimum", "installation.version.invalid", func(c *usage.ClientRule) { c.Minimum = "six" }},
		{"windows.minimum", "installation.minimum.above", func(c *usage.ClientRule) { c.Minimum = "6.10" }},
		{"windows.minimum", "installation.minimum.unreleased", func(c *usage.ClientRule) { c.Version, c.Minimum = "", "6.3" }},
		{"windows.requires_os", "installation.version.invalid", func(c *usage.ClientRule) { c.RequiresOS = "Windows 10" }},
		{"windows.forced_from", "installation.forced.past", func(c *usage.ClientRule) { c.Minimum, c.ForcedFrom = "6.3", date(t, "2026-11-19") }},
		{"windows.forced_from", "installation.forced.without", func(c *usage.ClientRule) { c.ForcedFrom = date(t, "2026-11-23") }},
		{"windows.url", "installation.url.invalid", func(c *usage.ClientRule) { c.URL = "javascript:alert(1)" }},
		{"windows.url", "installation.url.invalid", func(c *usage.ClientRule) { c.URL = "data:text/html,x" }},
		{"windows.url", "installation.url.invalid", func(c *usage.ClientRule) { c.URL = "https://hanbit.example@evil.example/x.exe" }},
		{"windows.url", "installation.url.invalid", func(c *usage.ClientRule) { c.URL = "https:///setup.exe" }},
		{"windows.sha256", "installation.sha256.invalid", func(c *usage.ClientRule) { c.SHA256 = "9f2c" }},
		{"windows.sha256", "installation.sha256.invalid", func(c *usage.ClientRule) { c.SHA256 = strings.Repeat("g", 64) }},
		{"windows.size", "installation.size.invalid", func(c *usage.ClientRule) { c.Size = -1 }},
		{"windows.size", "installation.size.invalid", func(c *usage.ClientRule) { c.Size = 1<<40 + 1 }},
		{"windows.targets", "installation.targets.required", func(c *usage.ClientRule) { c.Targets = usage.RuleTargets{} }},
		{"windows.targets", "installation.targets.unknown", func(c *usage.ClientRule) { c.Targets = usage.RuleTargets{Users: []int64{queriestest.OtherKim}} }},
		{"windows.targets", "installation.targets.unknown", func(c *usage.ClientRule) { c.Targets = usage.RuleTargets{Departments: []int64{999}} }},
		{"windows.targets", "installation.targets.unknown", func(c *usage.ClientRule) { c.Targets = usage.RuleTargets{Users: []int64{queriestest.Hidden}} }},
	} {
		_, err := db.Usage.SaveRules(t.Context(), admin, 0, edited(t, db, test.edit))
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || string(refused[test.field]) != test.want {
			t.Errorf("%v, want %s of %s", err, test.want, test.field)
		}
	}
	draft := edited(t, db, func(*usage.ClientRule) {})
	draft.Notice.Ja = strings.Repeat("字", 81)
	draft.Notice.En = " "
	_, err := db.Usage.SaveRules(t.Context(), admin, 0, draft)
	var refused queries.FieldErrors
	if !errors.As(err, &refused) || refused["notice.ja"] != "installation.notice.long" || refused["notice.en"] != "installation.notice.required" {
		t.Errorf("notices are refused by %v", err)
	}
	if rules(t, db).VersionNo != 0 {
		t.Error("refused rules are stored")
	}
}

// Whoever could install a client before being hidden stays in its rules, and comes back
// with them.
func TestHiddenUsersOfRules(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.AdminActor(t, db)
	kim := usage.RuleTargets{Users: []int64{queriestest.Kim}}
	first, err := db.Usage.SaveRules(t.Context(), admin, 0, edited(t, db, func(c *usage.ClientRule) { c.Targets = kim }))
	if err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Kim)
	wider, err := db.Usage.SaveRules(t.Context(), admin, 1, edited(t, db, func(c *usage.ClientRule) {
		c.Targets = usage.RuleTargets{Users: []int64{queriestest.Kim, queriestest.Viewer}}
	}))
	if err != nil || len(wider.Of("windows").Targets.Users) != 2 {
		t.Fatalf("%+v, %v", wider.Of("windows").Targets, err)
	}
	draft := edited(t, db, func(c *usage.ClientRule) { c.Targets = usage.RuleTargets{Everyone: true} })
	if _, err := db.Usage.SaveRules(t.Context(), admin, 2, draft); err != nil {
		t.Fatal(err)
	}
	var refused queries.FieldErrors
	if _, err := db.Usage.SaveRules(t.Context(), admin, 3, first.Rules); !errors.As(err, &refused) || refused["windows.targets"] != "installation.targets.unknown" {
		t.Errorf("chosen again: %v", err)
	}
	if err := db.Usage.RevertRules(t.Context(), admin, 3, first.Rules); err != nil {
		t.Errorf("reverted: %v", err)
	}
}

func TestRulesAreSavedOnce(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.AdminActor(t, db)
	takeClients(t, db, clientLogin("a", "6.2.4", 0), clientLogin("b", "6.10.0", 0))
	draft := edited(t, db, func(c *usage.ClientRule) {
		c.Minimum, c.ForcedFrom, c.SHA256 = "6.3.0", date(t, "2026-11-23"), strings.Repeat("AB", 32)
		c.Targets = usage.RuleTargets{Departments: []int64{queriestest.Sales, queriestest.Sales}}
	})
	saved, err := db.Usage.SaveRules(t.Context(), admin, 0, draft)
	if err != nil || saved.VersionNo != 1 || saved.Of("windows").SHA256 != strings.Repeat("ab", 32) || len(saved.Of("windows").Targets.Departments) != 1 {
		t.Fatalf("%+v, %v", saved, err)
	}
	if again, err := db.Usage.SaveRules(t.Context(), admin, 1, saved.Rules); err != nil || again.VersionNo != 1 {
		t.Errorf("the same rules are version %d: %v", again.VersionNo, err)
	}
	var conflict *usage.RulesConflict
	if _, err := db.Usage.SaveRules(t.Context(), admin, 0, draft); !errors.As(err, &conflict) || conflict.Stored.VersionNo != 1 || !errors.Is(err, queries.Conflict("installation.changed")) {
		t.Errorf("rules that were read before: %v", err)
	}
	messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if len(messages) != 1 || messages[0].Type != "installation.changed" {
		t.Errorf("published %v", messages)
	}
	if got := queriestest.LookUp(t, db, "select count(*)::text from changes where action = 'installation.updated'"); got != "1" {
		t.Errorf("%s changes", got)
	}
	of := func(userID int64) bool {
		all, _, err := db.Usage.RulesOf(t.Context(), queriestest.Hanbit, userID)
		if err != nil {
			t.Fatal(err)
		}
		return all[0].Allowed
	}
	if !of(queriestest.Kim) || of(queriestest.Admin) {
		t.Errorf("Windows is allowed for Kim: %v, for the administrator: %v", of(queriestest.Kim), of(queriestest.Admin))
	}
	larger := edited(t, db, func(c *usage.ClientRule) { c.Size = 88_185_242 })
	if saved, err := db.Usage.SaveRules(t.Context(), admin, 1, larger); err != nil || saved.VersionNo != 2 || rules(t, db).Of("windows").Size != 88_185_242 {
		t.Errorf("rules with a size: %+v, %v", saved, err)
	}
	if _, _, err := db.Usage.RulesOf(t.Context(), queriestest.Hanbit, queriestest.Hidden); !errors.Is(err, queries.NotFound) {
		t.Errorf("rules of a hidden user: %v", err)
	}
}
