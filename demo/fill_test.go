package demo_test

import (
	"errors"
	"fmt"
	"image/png"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/blobs"
	"officeconsole/demo"
	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

func TestFillDemo(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(1200), nil); err != nil {
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
		{"pictures without a store of files", "select count(image_hash) from users", "0"},
		{"service tokens", "select string_agg(name || ' ' || (used_at is not null) || ' ' || coalesce(expires_at < '2026-11-20', false), ', ' order by id) from tokens" + of, "이전 메신저 서버 true true, 메신저 서버 true false, 인사 시스템 연동 false false"},
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
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(1200), nil); err != nil {
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
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(1200), nil); err != nil {
		t.Fatal(err)
	}
	doubled := queriestest.LookUp(t, db, `select count(*) from (
		select p.company_id, p.kind, t.department_id, t.user_id from policies p join policy_targets t on t.company_id = p.company_id and t.policy_id = p.id
		group by 1, 2, 3, 4 having count(distinct p.id) > 1) x`)
	if doubled != "0" {
		t.Errorf("%s targets have several policies", doubled)
	}
}

// The links have what package demo says, and their banners are in the store.
func TestFillDemoLinks(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	files, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(20), files); err != nil {
		t.Fatal(err)
	}
	all, err := demo.Companies(queriestest.DemoOptions(20))
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for i, c := range all {
		links, err := db.Links.Links(t.Context(), int64(i+1))
		if err != nil {
			t.Fatal(err)
		}
		if len(links) != len(c.Links) {
			t.Fatalf("%s has %d links, want %d", c.Name, len(links), len(c.Links))
		}
		for n, want := range c.Links {
			got, updated := links[n], want.Created
			if !want.Visible {
				updated = want.Hidden
			}
			if got.Name != want.Name || got.Description != want.Description || got.URL != want.URL || got.Visible != want.Visible || got.IconVisible != want.IconVisible ||
				!got.UpdatedAt.Equal(updated) || (got.Banner != "") != (want.Banner != "") || int(got.Position) != n+1 {
				t.Errorf("%s: link %d is %+v, want %+v", c.Name, n+1, got, want)
			}
			if got.Banner == "" {
				continue
			}
			keys[got.Banner] = true
			content, _, err := files.Open(t.Context(), got.Banner)
			if err != nil {
				t.Fatal(err)
			}
			if err := content.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if len(keys) != 24 {
		t.Errorf("%d banners", len(keys))
	}
}

// Pictures of people are in the store, and many people have one of the same few.
func TestFillDemoPictures(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	files := queriestest.Blobs(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(1200), files); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Pool().Query(t.Context(), "select distinct company_id, image_hash from users where image_hash is not null")
	if err != nil {
		t.Fatal(err)
	}
	var company int64
	var hash string
	count := map[int64]int{}
	_, err = pgx.ForEachRow(rows, []any{&company, &hash}, func() error {
		count[company]++
		content, _, err := files.Open(t.Context(), blobs.Key(company, hash))
		if err != nil {
			return err
		}
		defer content.Close()
		config, err := png.DecodeConfig(content)
		if err == nil && config.Width != config.Height {
			err = fmt.Errorf("%d×%d", config.Width, config.Height)
		}
		return err
	})
	if err != nil || count[queriestest.Hanbit] != 126 || count[queriestest.Other] != 23 {
		t.Errorf("%v pictures: %v", count, err)
	}
	people := queriestest.LookUp(t, db, "select count(*) filter (where image_hash is not null) * 100 / count(*) from users where company_id = 1 and not bot")
	if n, err := strconv.Atoi(people); err != nil || n < 55 || n > 70 {
		t.Errorf("%s %% of the people have a picture", people)
	}
}

func TestFillDemoServices(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(20), nil); err != nil {
		t.Fatal(err)
	}
	services, err := db.Links.Services(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	var order, limited []string
	for _, s := range services {
		order = append(order, s.ID)
		if !slices.Equal(s.Supported, s.Visible) {
			limited = append(limited, fmt.Sprint(s.ID, s.Visible))
		}
	}
	if got, want := strings.Join(order, " "), "chat mail work_clock meeting screen_share drive board calendar poll translation remote_support contacts"; got != want {
		t.Errorf("the order is %s, want %s", got, want)
	}
	if got, want := strings.Join(limited, " "), "drive[pc web] poll[pc web] translation[] remote_support[pc]"; got != want {
		t.Errorf("some platforms: %s, want %s", got, want)
	}
	for what, sql := range map[string]string{
		"messages to the messenger":                "select count(*) from outbox where type = 'link.changed'",
		"banners without a store":                  "select count(*) from links where banner <> ''",
		"rows of services of the second company":   "select count(*) from convenience_services where company_id = 2",
		"rows that are younger than the demo data": "select count(*) from links where updated_at > '2026-11-21'",
	} {
		if got := queriestest.LookUp(t, db, sql); got != "0" {
			t.Errorf("%s %s", got, what)
		}
	}
}

// The change log and the log of reads have what a company has after some months, and
// the change log is sound.
func TestFillDemoLogs(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	options := queriestest.DemoOptions(200)
	options.Days = 30
	if err := demo.Fill(t.Context(), db.DB, options, nil); err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{
		"policy.created", "policy.updated", "policy.version_restored", "link.created", "link.updated", "service.updated", "service.moved", "notice.created", "user.hidden",
		"installation.updated", "attendance.edited",
	} {
		if got := queriestest.LookUp(t, db, "select count(*) > 0 from changes where company_id = 1 and action = $1 and actor_name <> ''", action); got != "true" {
			t.Errorf("no entry of %s", action)
		}
	}
	for what, sql := range map[string]string{
		"entries in the future":         "select count(*) from changes where at > '2026-11-21'",
		"reads in the future":           "select count(*) from reads where at > '2026-11-21'",
		"kinds of reads that are few":   "select greatest(0, 9 - count(distinct kind)) from reads where company_id = 1",
		"reads that are missing":        "select greatest(0, 200 - count(*)) from reads where company_id = 1",
		"versions without an entry":     "select (select count(*) from policy_versions) - (select count(*) from changes where object_type = 'policy')",
		"hidden people without entry":   "select (select count(*) from hidings) - (select count(*) from changes where action = 'user.hidden')",
		"policies that were never made": "select count(*) from policies p where not exists (select from changes c where c.company_id = p.company_id and c.object_type = 'policy' and c.object_id = p.id and c.action = 'policy.created')",
	} {
		if got := queriestest.LookUp(t, db, sql); got != "0" {
			t.Errorf("%s %s", got, what)
		}
	}
	for _, company := range []int64{queriestest.Hanbit, queriestest.Other} {
		if verified, err := db.Audit.Verify(t.Context(), company); err != nil || verified.Damage != "" || verified.Checked < 10 {
			t.Errorf("company %d: %+v, %v", company, verified, err)
		}
	}
}

// The imports are of the months before the attendance, and the last one has refused rows.
func TestFillDemoImports(t *testing.T) {
	db := queriestest.EmptyDatabase(t)
	options := queriestest.DemoOptions(200)
	options.Days = 30
	if err := demo.Fill(t.Context(), db.DB, options, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ what, sql, want string }{
		{"imports", "select string_agg(concat_ws(' ', company_id, state, created_by_name, days, people, first_date, last_date, report->>'refused', to_char(imported_at at time zone 'Asia/Seoul', 'MM-DD HH24')), ', ' order by id) from attendance_imports",
			"1 done 임수아 400 20 2026-08-03 2026-08-31 0 10-21 11, 1 done 임수아 394 20 2026-09-01 2026-09-30 6 10-21 11"},
		{"reasons", "select string_agg(r->>'id', ' ' order by r->>'id') from attendance_imports i, jsonb_array_elements(i.report->'reasons') r", "import.attendance.employee import.attendance.overnight import.attendance.time"},
		{"events of other times", "select count(*) from clock_events where source = 'import' and at >= '2026-10-01+09'", "0"},
		{"records of people who can sign in", "select count(*) from day_records r join passwords p on p.company_id = r.company_id and p.user_id = r.user_id where r.work_date < '2026-10-22'", "0"},
		{"entries of the change log", "select count(*) || ' ' || max(at)::date from changes where action = 'attendance.imported'", "2 2026-10-21"},
	} {
		if got := queriestest.LookUp(t, db, test.sql); got != test.want {
			t.Errorf("%s: got %s, want %s", test.what, got, test.want)
		}
	}
}

func TestFillDemoRefusesADatabaseInUse(t *testing.T) {
	db := queriestest.New(t)
	before := queriestest.LookUp(t, db, "select count(*) from users")
	if err := demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(100), nil); !errors.Is(err, demo.ErrNotEmpty) {
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
		go func() { results <- demo.Fill(t.Context(), db.DB, queriestest.DemoOptions(20), nil) }()
	}
	first, second := <-results, <-results
	if first == nil {
		first, second = second, first
	}
	if !errors.Is(first, demo.ErrNotEmpty) || second != nil {
		t.Errorf("got %v and %v", first, second)
	}
}
