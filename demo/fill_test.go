package demo_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"officeconsole/demo"
	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

func TestFillDemo(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(1200)); err != nil {
		t.Fatal(err)
	}
	const of = " where company_id = 1"
	for _, test := range []struct{ what, sql, want string }{
		{"companies", "select string_agg(name || ' ' || host, ', ' order by id) from companies", "한빛테크 hanbit.example, 다른컴퍼니 other.example"},
		{"employees", "select count(*) from users" + of + " and not bot", "1200"},
		{"bots", "select count(*) > 0 from users" + of + " and bot", "true"},
		{"departments", "select count(*) from departments" + of, "64"},
		{"levels", "select max(array_length(ancestors, 1)) from departments" + of, "5"},
		{"ranks", "select count(*) from ranks" + of, "12"},
		{"communication policies", "select count(*) from policies" + of + " and kind = 'communication'", "14"},
		{"working attitude policies", "select count(*) from policies" + of + " and kind = 'workingattitude'", "8"},
		{"planned changes", "select count(*) from policy_versions v join policies p on p.company_id = v.company_id and p.id = v.policy_id where v.company_id = 1 and p.kind = 'communication' and v.effective_from > '2026-11-21'", "2"},
		{"disabled without targets", `select count(*) from policy_versions v where v.company_id = 1 and not v.enabled
			and not exists (select from policy_targets t where t.company_id = v.company_id and t.policy_id = v.policy_id)`, "1"},
		{"accounts", "select string_agg(u.email, ' ' order by u.id) from users u join passwords p on p.user_id = u.id where u.company_id = 1",
			"admin@hanbit.example employee@hanbit.example viewer@hanbit.example manager@hanbit.example hidden@hanbit.example"},
		{"controls", "select string_agg(u.email || ' ' || c.type || ' ' || c.role || ' ' || d.name, ', ' order by u.id) from permission_controls c join users u on u.id = c.user_id join departments d on d.id = any (c.department_ids)",
			"viewer@hanbit.example commute  고객지원센터, manager@hanbit.example commute ROLE_W_COMMUTE 고객지원센터"},
		{"registrations of viewing authority", "select count(*) || ' ' || count(rank_id) from attendance_viewers" + of, "8 4"},
		{"pictures that are too large", "select count(*) from user_images where length(content) > 600", "0"},
		{"pictures without a hash", "select count(*) from users u where (image_hash is null) <> not exists (select from user_images i where i.user_id = u.id)", "0"},
		{"people without a way to find them", "select count(*) from users where search_text = '' or search_grams = '{}'", "0"},
		{"the next person's id", "select nextval(pg_get_serial_sequence('users', 'id')) > (select max(id) from users)", "true"},
	} {
		if got := queriestest.LookUp(t, db, test.sql); got != test.want {
			t.Errorf("%s: got %s, want %s", test.what, got, test.want)
		}
	}
	for _, email := range []string{"admin@hanbit.example", "employee@hanbit.example", "viewer@hanbit.example", "manager@hanbit.example", "admin@other.example"} {
		if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(email, demo.Password)); err != nil {
			t.Errorf("%s: %v", email, err)
		}
	}
	if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials("hidden@hanbit.example", demo.Password)); !errors.Is(err, queries.Invalid("session.hidden")) {
		t.Errorf("hidden: %v", err)
	}
}

// The documented accounts see what their permissions say.
func TestDemoScopes(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(1200)); err != nil {
		t.Fatal(err)
	}
	branch := queriestest.LookUp(t, db, "select array_agg(d.id order by d.id)::text from departments d where d.path like '한빛테크/고객지원센터%'")
	for email, want := range map[string]string{"employee@hanbit.example": "[] []", "viewer@hanbit.example": branch + " []", "manager@hanbit.example": branch + " " + branch} {
		signedIn, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(email, demo.Password))
		if err != nil {
			t.Fatal(err)
		}
		scope, err := db.Attendance.Scope(t.Context(), signedIn.Person)
		if err != nil {
			t.Fatal(err)
		}
		want = strings.NewReplacer("{", "[", "}", "]", ",", " ").Replace(want)
		if got := fmt.Sprint(scope.DepartmentIDs, " ", scope.EditIDs); got != want {
			t.Errorf("%s sees %s, want %s", email, got, want)
		}
	}
}

// At no moment a target follows two policies of one kind.
func TestDemoTargetsHaveOnePolicyOfAKind(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(1200)); err != nil {
		t.Fatal(err)
	}
	doubled := queriestest.LookUp(t, db, `select count(*) from (
		select p.company_id, p.kind, t.department_id, t.user_id from policies p join policy_targets t on t.company_id = p.company_id and t.policy_id = p.id
		group by 1, 2, 3, 4 having count(distinct p.id) > 1) x`)
	if doubled != "0" {
		t.Errorf("%s targets have several policies", doubled)
	}
}

func TestFillDemoRefusesADatabaseInUse(t *testing.T) {
	db := queriestest.New(t)
	before := queriestest.LookUp(t, db, "select count(*) from users")
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(100)); !errors.Is(err, demo.ErrNotEmpty) {
		t.Errorf("got %v", err)
	}
	if after := queriestest.LookUp(t, db, "select count(*) from users"); after != before {
		t.Errorf("%s people became %s", before, after)
	}
}

func TestFillDemoTwiceAtOnce(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	results := make(chan error, 2)
	for range 2 {
		go func() { results <- demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(20)) }()
	}
	first, second := <-results, <-results
	if first == nil {
		first, second = second, first
	}
	if !errors.Is(first, demo.ErrNotEmpty) || second != nil {
		t.Errorf("got %v and %v", first, second)
	}
}
