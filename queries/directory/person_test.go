package directory_test

import (
	"slices"
	"testing"

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
