package directory_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
)

func TestResetAllowedAddresses(t *testing.T) {
	db := queriestest.New(t)
	admin := directory.ActorFrom(queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), queriestest.Credentials("", "").Address)
	p, err := db.Policies.Policy(t.Context(), queriestest.Hanbit, 6)
	if err != nil {
		t.Fatal(err)
	}
	draft := p.Version.Draft(p)
	draft.Settings = []byte(`{"session_time_sec":1800,"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"office","range":"198.51.100.0/24"}]}`)
	if _, err := db.Policies.Update(t.Context(), admin, p.ID, p.LastNo, draft); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials("employee@hanbit.example", queriestest.Password)); err == nil {
		t.Fatal("the rule does not hold")
	}
	names, err := db.Policies.ResetAllowedAddresses(t.Context(), queriestest.Hanbit)
	if err != nil || !slices.Equal(names, []string{queriestest.ResearchPolicyName}) {
		t.Fatalf("%q, %v", names, err)
	}
	s, err := db.Identity.SignIn(t.Context(), queriestest.Credentials("employee@hanbit.example", queriestest.Password))
	if err != nil || s.IdleSeconds != 1800 {
		t.Errorf("afterwards: %d seconds, %v", s.IdleSeconds, err)
	}
	if names, err := db.Policies.ResetAllowedAddresses(t.Context(), queriestest.Hanbit); err != nil || len(names) != 0 {
		t.Errorf("again: %q, %v", names, err)
	}
}

// Whoever makes a person or an administrator is in the change log, once.
func TestNewPeopleAreRecorded(t *testing.T) {
	db := queriestest.New(t)
	by := queries.Actor{CompanyID: queriestest.Hanbit, Name: "officeconsole user create"}
	if _, err := db.Directory.CreateUser(t.Context(), by, directory.NewUser{Name: "한새봄", Email: "new@hanbit.example"}); err != nil {
		t.Fatal(err)
	}
	admin, err := db.Directory.CreateUser(t.Context(), by, directory.NewUser{Name: "나운영", Email: "ops@hanbit.example", Admin: true})
	if err != nil || !admin.IsAdmin {
		t.Fatalf("%+v, %v", admin, err)
	}
	if _, err := db.Directory.CreateUser(t.Context(), by, directory.NewUser{Name: "나운영", Email: "ops@hanbit.example"}); err == nil {
		t.Error("an email was given twice")
	}
	by.Name = "officeconsole user grant-admin"
	for range 2 {
		if err := db.Directory.GrantAdmin(t.Context(), by, queriestest.Person(t, db, queriestest.Hanbit, queriestest.Manager)); err != nil {
			t.Fatal(err)
		}
	}
	got := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', actor_name, action, object_name, new), E'\n' order by id) from changes")
	const want = `officeconsole user create user.created 한새봄 {"name": "한새봄", "email": "new@hanbit.example", "department": "한빛테크"}
officeconsole user create user.created 나운영 {"name": "나운영", "email": "ops@hanbit.example", "department": "한빛테크"}
officeconsole user create user.admin_granted 나운영
officeconsole user grant-admin user.admin_granted 최유진`
	if got != want {
		t.Errorf("recorded\n%s\nwant\n%s", got, want)
	}
}

func TestNamesAndEmailsOfPeople(t *testing.T) {
	for name, want := range map[string]bool{
		"김서연": true, "Anne-Marie O’Neil": true, "א\u200fב": true, strings.Repeat("가", 100): true,
		"": false, " ": false, "\u200b": false, "\u3164": false, "a\u202eb": false, "a\u202db": false, "a\x00": false, "a\nb": false, "\xff": false, strings.Repeat("가", 101): false,
	} {
		if got := directory.IsName(name); got != want {
			t.Errorf("%q is a name: %t", name, got)
		}
	}
	db := queriestest.New(t)
	by := queries.Actor{CompanyID: queriestest.Hanbit, Name: "test"}
	long := strings.Repeat("a", 60) + "@" + strings.Repeat("b.", 100) + "example"
	if _, err := db.Directory.CreateUser(t.Context(), by, directory.NewUser{Name: "한새봄", Email: long}); !errors.Is(err, queries.Invalid("user.email.invalid")) {
		t.Errorf("an email of %d characters: %v", len(long), err)
	}
	if _, err := db.Directory.CreateUser(t.Context(), by, directory.NewUser{Name: "\u202e한새봄", Email: "new@hanbit.example"}); !errors.Is(err, queries.Invalid("user.name.invalid")) {
		t.Errorf("a name that is shown in another order: %v", err)
	}
}
