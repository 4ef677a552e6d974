package usage_test

import (
	"maps"
	"net/url"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
	"officeconsole/workday"
)

// people lists the ids of a list of PCs, given as the query of the page, and walks
// its pages forward and back.
func people(t *testing.T, db *areas.Areas, rules usage.Rules, query string) []int64 {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	f, err := usage.ReadClientFilter(values, usage.PC)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	f.Limit = 2
	var all []int64
	for {
		page, err := db.Usage.Clients(t.Context(), queriestest.Hanbit, rules, f)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for _, row := range page.Rows {
			all = append(all, row.UserID)
		}
		if page.Next == nil {
			return all
		}
		f.Cursor = page.Next
	}
}

func TestClientStates(t *testing.T) {
	db := queriestest.New(t)
	old := clientLogin("old", "6.2.4", time.Hour)
	unable := clientLogin("unable", "6.1.0", time.Hour)
	unable.UserID, unable.OS = queriestest.Employee, "Windows 8.1"
	idle := clientLogin("idle", "6.10.0", 40*24*time.Hour)
	idle.UserID = queriestest.Admin
	hidden := clientLogin("hidden", "6.1.0", 40*24*time.Hour)
	hidden.UserID = queriestest.Hidden
	takeClients(t, db, old, unable, idle, hidden)
	draft := edited(t, db, func(c *usage.ClientRule) { c.Version, c.Minimum, c.RequiresOS = "6.10.0", "6.3", "10" })
	for query, want := range map[string][]int64{
		"state=installed":    {queriestest.Kim, queriestest.Employee, queriestest.Admin},
		"state=outdated":     {queriestest.Kim, queriestest.Employee},
		"state=unable":       {queriestest.Employee},
		"state=idle":         {queriestest.Admin},
		"state=idle&days=60": nil,
		"release=6.10":       {queriestest.Admin},
		"release=6.1":        {queriestest.Employee},

		"state=never&release=6.1":     nil,
		"state=installed&release=6.1": {queriestest.Employee},
		"state=outdated&release=6.10": nil,
		"state=unable&release=6.1":    {queriestest.Employee},
		"state=idle&release=6.10":     {queriestest.Admin},

		"state=outdated&q=" + url.QueryEscape("김철수"): {queriestest.Kim},
		"state=idle&q=" + url.QueryEscape("김철수"):     nil,
	} {
		got := people(t, db, draft, query)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	all, never := people(t, db, draft, ""), people(t, db, draft, "state=never")
	if slices.Contains(all, queriestest.Hidden) || slices.Contains(all, queriestest.Bot) || len(never) != len(all)-3 || slices.Contains(never, queriestest.Kim) {
		t.Errorf("everybody: %v, without a client: %v", all, never)
	}
	counts, err := db.Usage.ClientCounts(t.Context(), admin, usage.PC, draft, 30)
	if err != nil || counts.Installed != 3 || counts.Outdated != 2 || counts.Unable != 1 || counts.Idle != 1 || int(counts.People) != len(all) || int(counts.Never()) != len(never) {
		t.Errorf("counted %+v, %v", counts, err)
	}
	if len(counts.Releases) != 3 || counts.Releases[0].Release != "6.10" {
		t.Errorf("releases %+v", counts.Releases)
	}
	effect, err := db.Usage.Effect(t.Context(), admin, draft)
	if err != nil || effect.Outdated != 2 || effect.Unable != 1 || effect.Systems["windows"].People != 3 {
		t.Errorf("effect %+v, %v", effect, err)
	}
	byDepartment := map[int64]usage.DepartmentClients{}
	departments, err := db.Usage.ClientDepartments(t.Context(), queriestest.Hanbit, usage.PC, draft)
	for _, d := range departments {
		byDepartment[d.ID] = d
	}
	if !maps.Equal(byDepartment, map[int64]usage.DepartmentClients{
		0:                    {People: 1, Installed: 1}, // the administrator is in the root
		queriestest.Sales:    {ID: queriestest.Sales, Name: "영업본부", People: 4, Installed: 1, Outdated: 1},
		queriestest.Research: {ID: queriestest.Research, Name: "연구소", People: 1, Installed: 1, Outdated: 1},
		queriestest.Japan:    {ID: queriestest.Japan, Name: "일본지사", People: 1},
	}) || err != nil {
		t.Errorf("departments %+v, %v", departments, err)
	}
	if len(effect.Departments) != 2 || effect.Departments[0].Outdated != 1 || len(effect.UnableRows) != 1 || effect.UnableRows[0].UserID != queriestest.Employee ||
		!slices.Equal(effect.Releases[usage.PC], []usage.ReleaseShare{{"6.10", 1, 0}, {"6.2", 1, 1}, {"6.1", 1, 1}}) {
		t.Errorf("effect %+v", effect)
	}
	phone := clientLogin("phone", "6.1", time.Hour) // of somebody whose other client is outdated, too
	phone.Platform, phone.DeviceID, phone.OS = usage.Mobile, "phone", "Android 16"
	takeClients(t, db, phone)
	draft.Clients[3].Version, draft.Clients[3].Minimum = "6.4", "6.2"
	if effect, err := db.Usage.Effect(t.Context(), admin, draft); err != nil || effect.Outdated != 2 || effect.Systems["android"].Outdated != 1 {
		t.Errorf("effect with a phone %+v, %v", effect, err)
	}
	for _, refused := range []string{"state=broken", "days=5", "release=6", "release=x", "department_id=-1", "q=a", "cursor=x"} {
		values, _ := url.ParseQuery(refused)
		if _, err := usage.ReadClientFilter(values, usage.PC); err == nil {
			t.Errorf("%s is not refused", refused)
		} else if _, ok := err.(queries.FieldErrors); !ok {
			t.Errorf("%s: %v", refused, err)
		}
	}
}

// Only people who may use their client must update it; the others are shut out.
func TestClientsOfPeopleWhoMayNotUseThem(t *testing.T) {
	db := queriestest.New(t)
	var events []usage.ClientEvent
	for _, user := range []int64{queriestest.Kim, queriestest.Japanese, queriestest.Employee, queriestest.Admin, queriestest.Hidden} {
		e := clientLogin("pc", "6.2.4", time.Hour)
		e.UserID = user
		events = append(events, e)
	}
	phone := clientLogin("phone", "6.2.4", time.Hour)
	phone.UserID, phone.Platform, phone.DeviceID, phone.OS = queriestest.Admin, usage.Mobile, "phone", "Android 16"
	other := clientLogin("other", "6.2.4", time.Hour) // nobody knows whether it may be used
	other.UserID, other.OS = queriestest.Foreigner, "Haiku"
	takeClients(t, db, append(events, phone, other)...)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	for _, test := range []struct {
		name              string
		edit              func(*usage.ClientRule)
		outdated, shutOut []int64
	}{
		{"everybody", func(*usage.ClientRule) {}, []int64{queriestest.Admin, queriestest.Employee, queriestest.Kim, queriestest.Japanese}, nil},
		{"a department and a person", func(c *usage.ClientRule) {
			c.Targets = usage.RuleTargets{Departments: []int64{queriestest.Sales}, Users: []int64{queriestest.Japanese}}
		}, []int64{queriestest.Kim, queriestest.Japanese}, []int64{queriestest.Admin, queriestest.Employee}},
		{"a department", func(c *usage.ClientRule) { c.Targets = usage.RuleTargets{Departments: []int64{queriestest.Research}} },
			[]int64{queriestest.Employee}, []int64{queriestest.Admin, queriestest.Kim, queriestest.Japanese}},
		{"a person", func(c *usage.ClientRule) { c.Targets = usage.RuleTargets{Users: []int64{queriestest.Kim}} },
			[]int64{queriestest.Kim}, []int64{queriestest.Admin, queriestest.Employee, queriestest.Japanese}},
		{"nobody", func(c *usage.ClientRule) { c.Allowed = false }, nil, []int64{queriestest.Admin, queriestest.Employee, queriestest.Kim, queriestest.Japanese}},
	} {
		draft := edited(t, db, func(c *usage.ClientRule) {
			c.Minimum, c.RequiresOS = "6.3", "12"
			test.edit(c)
		})
		draft.Clients[3].Allowed = len(test.shutOut) == 0 // of whoever has a PC, too
		outdated, shutOut := int64(len(test.outdated)), int64(len(test.shutOut))
		effect, err := db.Usage.Effect(t.Context(), admin, draft)
		if err != nil || effect.Outdated != outdated || effect.ShutOut != shutOut || effect.Unable != outdated || len(effect.UnableRows) != len(test.outdated) ||
			effect.Systems["windows"] != (usage.SystemEffect{People: 4, Outdated: outdated, ShutOut: shutOut}) || effect.Systems[""].ShutOut != 0 {
			t.Errorf("%s: effect %+v, %v", test.name, effect, err)
		}
		counts, err := db.Usage.ClientCounts(t.Context(), admin, usage.PC, draft, 30)
		if err != nil || counts.Installed != 5 || counts.Outdated != outdated || counts.Unable != outdated || counts.Releases[0].Outdated != outdated {
			t.Errorf("%s: counted %+v, %v", test.name, counts, err)
		}
		for _, state := range []string{"outdated", "unable"} {
			got := people(t, db, draft, "state="+state)
			slices.Sort(got)
			if !slices.Equal(got, test.outdated) {
				t.Errorf("%s: %s are %v, want %v", test.name, state, got, test.outdated)
			}
		}
		departments, err := db.Usage.ClientDepartments(t.Context(), queriestest.Hanbit, usage.PC, draft)
		for _, d := range departments {
			outdated, shutOut = outdated-d.Outdated, shutOut-d.ShutOut
		}
		if err != nil || outdated != 0 || shutOut != 0 || slices.ContainsFunc(effect.Departments, func(d usage.DepartmentClients) bool { return d.Outdated == 0 }) {
			t.Errorf("%s: departments %+v, of the effect %+v, %v", test.name, departments, effect.Departments, err)
		}
		page, err := db.Usage.Clients(t.Context(), queriestest.Hanbit, draft, usage.ClientFilter{Platform: usage.PC, State: usage.InstalledClient, Limit: 10})
		if err != nil || len(page.Rows) != 5 {
			t.Fatalf("installed %+v, %v", page.Rows, err)
		}
		for _, row := range page.Rows {
			want := usage.InstalledClient
			if slices.Contains(test.outdated, row.UserID) {
				want = usage.UnableClient
			}
			if got := row.State(draft, queriestest.Now, 30); got != want {
				t.Errorf("%s: %s is %s, want %s", test.name, row.Name, got, want)
			}
		}
	}
}

// A client counts as idle from its last login, or from when it was installed if that is
// later: also without a login.
func TestIdleCountsFromInstallation(t *testing.T) {
	db := queriestest.New(t)
	const day = 24 * time.Hour
	install := func(id string, user int64, ago time.Duration) usage.ClientEvent {
		e := clientLogin(id, "6.4.2", ago)
		e.UserID, e.Kind = user, usage.ClientInstall
		return e
	}
	login := func(id string, user int64, ago time.Duration) usage.ClientEvent {
		e := install(id, user, ago)
		e.Kind = usage.ClientLogin
		return e
	}
	removed := install("removed", queriestest.Foreigner, 5*time.Minute)
	removed.Kind, removed.DeviceID = usage.ClientUninstall, "another"
	takeClients(t, db, install("new", queriestest.Kim, 5*time.Minute), install("old", queriestest.Employee, 40*day),
		login("before", queriestest.Admin, 50*day), install("again", queriestest.Admin, 5*time.Minute),
		login("idle", queriestest.Foreigner, 40*day), removed)
	none := rules(t, db).Rules
	want := []int64{queriestest.Employee, queriestest.Foreigner}
	got := people(t, db, none, "state=idle")
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("idle are %v, want %v", got, want)
	}
	counts, err := db.Usage.ClientCounts(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), usage.PC, none, 30)
	if err != nil || counts.Idle != 2 || counts.Installed != 4 {
		t.Errorf("counted %+v, %v", counts, err)
	}
	page, err := db.Usage.Clients(t.Context(), queriestest.Hanbit, none, usage.ClientFilter{Platform: usage.PC, State: usage.InstalledClient, Limit: 10})
	if err != nil || len(page.Rows) != 4 {
		t.Fatalf("installed %+v, %v", page.Rows, err)
	}
	for _, row := range page.Rows {
		if idle := row.State(none, queriestest.Now, 30) == usage.IdleClient; idle != slices.Contains(want, row.UserID) {
			t.Errorf("%s is idle: %v", row.Name, idle)
		}
	}
}

func TestClientDays(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	takeClients(t, db, clientLogin("a", "6.2.4", time.Hour))
	for range 2 { // the second run of a day replaces the first
		if err := db.Usage.CountClients(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	clock.Advance(24 * time.Hour)
	next := clientLogin("b", "6.4.2", -23*time.Hour)
	takeClients(t, db, next)
	if err := db.Usage.CountClients(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := workday.DateOf(queriestest.Now)
	days, err := db.Usage.ReleaseDays(t.Context(), queriestest.Hanbit, usage.PC, first-10, first+10)
	if err != nil || len(days) != 2 || days[0].Releases[0].Release != "6.2" || days[1].Releases[0].Release != "6.4" || days[1].People != 1 {
		t.Errorf("days %+v, %v", days, err)
	}
}

// Figures are cached, but never those before an event that changes them.
func TestClientCountsFollowEvents(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	installed := func() int64 {
		t.Helper()
		counts, err := db.Usage.ClientCounts(t.Context(), admin, usage.PC, rules(t, db).Rules, 30)
		if err != nil {
			t.Fatal(err)
		}
		return counts.Installed
	}
	takeClients(t, db, clientLogin("a", "6.2.4", time.Hour))
	if n := installed(); n != 1 {
		t.Errorf("%d installed", n)
	}
	gone := clientLogin("b", "6.2.4", 0)
	gone.Kind = usage.ClientUninstall
	takeClients(t, db, gone)
	if n := installed(); n != 0 {
		t.Errorf("%d installed after the client was removed", n)
	}
	queriestest.Exec(t, db, "update client_people set installed = true") // as by another process
	clock.Advance(time.Minute)
	if n := installed(); n != 1 {
		t.Errorf("%d installed after a minute", n)
	}
}

// The effect of rules is cached for the versions that they require, but never beyond an
// event that changes it.
func TestEffectFollowsRulesAndEvents(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	outdated := func(minimum string) int64 {
		t.Helper()
		effect, err := db.Usage.Effect(t.Context(), admin, edited(t, db, func(c *usage.ClientRule) { c.Minimum = minimum }))
		if err != nil {
			t.Fatal(err)
		}
		return effect.Outdated
	}
	takeClients(t, db, clientLogin("a", "6.2.4", time.Hour))
	if low, high := outdated("6.2"), outdated("6.3"); low != 0 || high != 1 {
		t.Errorf("below 6.2 are %d, below 6.3 %d", low, high)
	}
	log := queriestest.LogStatements(t, db)
	if again := outdated("6.3"); again != 1 || len(log.Take()) != 1 { // that of the stored rules
		t.Errorf("below 6.3 are %d, or they are counted again", again)
	}
	takeClients(t, db, clientLogin("b", "6.4.2", 0))
	if n := outdated("6.3"); n != 0 {
		t.Errorf("below 6.3 are %d after an update", n)
	}
}
