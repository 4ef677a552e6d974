package move

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/areas"
	"officeconsole/queries/migrations"
	"officeconsole/queries/queriestest"
)

func TestMain(m *testing.M) {
	endTime = time.Second
	m.Run()
}

func TestCopyThereAndBack(t *testing.T) {
	from := demoURL(t)
	there, back := queriestest.EmptyURL(t), queriestest.EmptyURL(t)
	execute(t, from, "create table ours (id int); create sequence our_numbers")
	r := mustCopy(t, from, there)
	if !slices.Equal(r.LeftOut, []string{"ours", "our_numbers"}) {
		t.Errorf("left out: %v", r.LeftOut)
	}
	again := mustCopy(t, there, back)
	if r.Rows < 1000 || again.Rows != r.Rows || again.Tables != r.Tables {
		t.Errorf("copied %+v, and back %+v", r, again)
	}
	first, last := sums(t, from), sums(t, back)
	delete(first, "ours")
	for table, sum := range first {
		if last[table] != sum {
			t.Errorf("%s: %v, and after the way there and back %v", table, sum, last[table])
		}
	}
	if len(first) != len(last) || len(first) != r.Tables {
		t.Errorf("%d tables, %d after the way there and back, %d copied", len(first), len(last), r.Tables)
	}
	checkWhole(t, from, back)
}

// checkWhole checks that the rules which triggers, sequences and the change log hold are
// in the target, too.
func checkWhole(t *testing.T, from, to string) {
	t.Helper()
	db, err := areas.Open(t.Context(), to, func() time.Time { return queriestest.Now })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	companies, err := db.Directory.Companies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, company := range companies {
		if v, err := db.Audit.Verify(t.Context(), company.ID); err != nil || v.Damage != "" {
			t.Errorf("change log of %s: %+v, %v", company.Host, v, err)
		}
	}
	if len(companies) != 2 {
		t.Errorf("%d companies", len(companies))
	}
	const sequences = "select string_agg(sequencename || ' ' || coalesce(last_value, 0), ', ' order by sequencename) from pg_sequences where schemaname = 'public' and sequencename <> 'our_numbers'"
	if was, is := text(t, from, sequences), text(t, to, sequences); is != was {
		t.Errorf("sequences: %s", queriestest.Difference(strings.ReplaceAll(was, ", ", "\n"), strings.ReplaceAll(is, ", ", "\n")))
	}
	const triggers = "select count(*) || ' ' || count(*) filter (where tgenabled = 'O') from pg_trigger where not tgisinternal"
	if was, is := text(t, from, triggers), text(t, to, triggers); is != was {
		t.Errorf("triggers: %s, in the source %s", is, was)
	}
	if got := text(t, to, "select count(*)::text from pg_stats where tablename = 'users'"); got == "0" {
		t.Error("the target was not analyzed")
	}
}

func TestTargetsThatAreRefused(t *testing.T) {
	from := queriestest.URL(t)
	for name, c := range map[string]struct{ prepare, says string }{
		"table":             {"create table notes ()", "the table notes"},
		"table of a schema": {"create schema other; create table other.notes ()", "the table other.notes"},
		"function":          {"create function one() returns int language sql as 'select 1'", "the function one()"},
		"type":              {"create type mood as enum ('good')", "the type mood"},
		"large object":      {"select lo_create(0)", "the large object"},
		"search path":       {"do $$ begin execute format('alter database %I set search_path = other', current_database()); end $$", "search_path"},
	} {
		t.Run(name, func(t *testing.T) {
			to := queriestest.EmptyURL(t)
			execute(t, to, c.prepare)
			if _, err := Copy(t.Context(), from, to, quiet); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
			if text(t, to, "select (to_regclass('public.users') is null and to_regnamespace('officeconsole_move') is null)::text") != "true" {
				t.Error("the target was changed")
			}
		})
	}
	for options, says := range map[string]string{
		"encoding 'SQL_ASCII' locale_provider libc locale 'C'":                            "encoding is SQL_ASCII",
		"encoding 'UTF8' locale_provider libc locale 'C'":                                 "lower case",
		"encoding 'UTF8' locale_provider icu icu_locale 'tr' lc_collate 'C' lc_ctype 'C'": "lower case",
	} {
		to := createDatabase(t, options)
		if _, err := Copy(t.Context(), from, to, quiet); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", options, err)
		}
	}
	for url, says := range map[string]string{
		"postgres://%zz": "database url",
		strings.Replace(queriestest.EmptyURL(t), "/test_", "/none_", 1): "does not exist",
	} {
		if _, err := Copy(t.Context(), from, url, quiet); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// An owner who is no superuser needs no more rights; another role is refused.
func TestRoleOfTheTarget(t *testing.T) {
	from, to := queriestest.URL(t), queriestest.EmptyURL(t)
	name := text(t, to, "select current_database()")
	execute(t, to, "create role "+name+" login")
	t.Cleanup(func() {
		execute(t, to, "reassign owned by "+name+" to current_user; drop owned by "+name+"; drop role "+name)
	})
	as := to + "&options=-c%20role%3D" + name
	if _, err := Copy(t.Context(), from, as, quiet); err == nil || !strings.Contains(err.Error(), "make the role its owner") {
		t.Errorf("a stranger: %v", err)
	}
	execute(t, to, "alter database "+name+" owner to "+name)
	mustCopy(t, from, as)
	if got := text(t, to, "select tableowner from pg_tables where tablename = 'users'"); got != name {
		t.Errorf("the owner is %s", got)
	}
}

func TestSourcesThatAreRefused(t *testing.T) {
	refuse := func(from, says string) {
		t.Helper()
		to := queriestest.EmptyURL(t)
		if _, err := Copy(t.Context(), from, to, quiet); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q: %v", says, err)
		}
	}
	refuse(queriestest.EmptyURL(t), "no database of a console")
	newer := queriestest.URL(t)
	execute(t, newer, "insert into schema_migrations (version_id, is_applied) values (9999, true)")
	refuse(newer, "newer than this program")

	served := queriestest.URL(t)
	console, err := areas.Open(t.Context(), served, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	refuse(served, "stop every console")
	console.Close()
}

// Nobody writes to the source during a move, and nobody may come to do so.
func TestSourceDuringAMove(t *testing.T) {
	from := queriestest.URL(t)
	var late *pgx.Conn
	_, err := Copy(t.Context(), from, queriestest.EmptyURL(t), func(p Progress) {
		if late != nil || p.Step != Compared {
			return
		}
		var err error
		if late, err = pgx.Connect(t.Context(), from); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"users", "changes"} {
			_, err := late.Exec(t.Context(), "set lock_timeout = '10ms'; delete from "+table)
			if err == nil || !strings.Contains(err.Error(), "lock timeout") {
				t.Errorf("%s was written to: %v", table, err)
			}
		}
	})
	if late == nil {
		t.Fatalf("nothing was compared: %v", err)
	}
	defer late.Close(t.Context())
	if err == nil || !strings.Contains(err.Error(), "other connections use it") {
		t.Errorf("with a connection that stayed: %v", err)
	}
}

func TestTwoMovesAtOnce(t *testing.T) {
	to := queriestest.EmptyURL(t)
	conn, err := connect(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	first := target{conn}
	defer first.close()
	if err := first.lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Copy(t.Context(), queriestest.URL(t), to, quiet); err == nil || !strings.Contains(err.Error(), "another move into it is running") {
		t.Errorf("a second move into the target: %v", err)
	}
}

func TestMoveGoesOnWhereItWasCut(t *testing.T) {
	from, to := queriestest.URL(t), queriestest.EmptyURL(t)
	copied := cut(t, from, to)
	if err := migrations.Run(t.Context(), to); err == nil || !strings.Contains(err.Error(), "has not finished") {
		t.Errorf("half a database is served: %v", err)
	}
	if err := migrations.Check(t.Context(), to); err == nil || !strings.Contains(err.Error(), "has not finished") {
		t.Errorf("half a database is used: %v", err)
	}
	if _, err := Copy(t.Context(), to, queriestest.EmptyURL(t), quiet); err == nil || !strings.Contains(err.Error(), "has not finished") {
		t.Errorf("half a database is moved: %v", err)
	}
	// What was changed since is found before anything is copied.
	for where, url := range map[string]string{"target": to, "source": from} {
		zone := text(t, url, "select time_zone from companies where id = 2")
		execute(t, url, "update companies set time_zone = 'UTC' where id = 2")
		_, err := Copy(t.Context(), from, to, func(p Progress) { t.Errorf("%s: %+v", where, p) })
		var found Difference
		if !errors.As(err, &found) || found.Table != "companies" || found.Source.Rows != 2 || found.Target.Rows != 2 {
			t.Errorf("changed in the %s: %v", where, err)
		}
		execute(t, url, "update companies set time_zone = '"+zone+"' where id = 2")
	}

	var rest []string
	mustCopyWith(t, from, to, func(p Progress) {
		if p.Step == Copied {
			rest = append(rest, p.Table)
		}
	})
	for _, table := range copied {
		if slices.Contains(rest, table) {
			t.Errorf("%s was copied again", table)
		}
	}
	if first, second := sums(t, from), sums(t, to); first["users"] != second["users"] || len(first) != len(second) {
		t.Errorf("users: %v and %v", first["users"], second["users"])
	}
	if err := migrations.Run(t.Context(), to); err != nil {
		t.Error(err)
	}
}

func TestMoveOfAnotherSchemaDoesNotGoOn(t *testing.T) {
	to := queriestest.EmptyURL(t)
	execute(t, to, "create schema officeconsole_move; create table officeconsole_move.begun as select 1::bigint as version")
	if _, err := Copy(t.Context(), queriestest.URL(t), to, quiet); err == nil || !strings.Contains(err.Error(), "has the schema 1") {
		t.Errorf("%v", err)
	}
}

// What is altered in the target during the move is found at its end.
func TestAlteredRowIsFound(t *testing.T) {
	from, to := queriestest.URL(t), queriestest.EmptyURL(t)
	done := false
	_, err := Copy(t.Context(), from, to, func(p Progress) {
		if p.Table == "users" && !done {
			done = true
			execute(t, to, "update companies set time_zone = 'UTC' where id = 1")
		}
	})
	if found := (Difference{}); !errors.As(err, &found) || found.Table != "companies" {
		t.Errorf("%v", err)
	}
}

func TestOrderOfTables(t *testing.T) {
	tables := []table{{Name: "a", Root: "a"}, {Name: "b_1", Root: "b"}, {Name: "b_2", Root: "b"}, {Name: "c", Root: "c"}}
	ordered, err := order(tables, map[string][]string{"a": {"b", "c"}, "b": {"c"}})
	var names []string
	for _, t := range ordered {
		names = append(names, t.Name)
	}
	if got := strings.Join(names, " "); err != nil || got != "c b_1 b_2 a" {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := order(tables, map[string][]string{"a": {"b"}, "b": {"a"}}); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("a circle: %v", err)
	}
}

// cut begins a move that is cut off after some tables, and returns their names.
func cut(t *testing.T, from, to string) (copied []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Copy(ctx, from, to, func(p Progress) {
		if p.Step == Copied && p.Share > 0.3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "goes on where this one ended") {
		t.Fatalf("a move that was cut off: %v", err)
	}
	copied = strings.Split(text(t, to, "select string_agg(name, ' ') from officeconsole_move.copied"), " ")
	if len(copied) < 3 || !slices.Contains(copied, "companies") {
		t.Fatalf("copied before the cut: %v", copied)
	}
	return copied
}

func quiet(Progress) {}

func mustCopy(t *testing.T, from, to string) Result {
	t.Helper()
	return mustCopyWith(t, from, to, quiet)
}

func mustCopyWith(t *testing.T, from, to string, report func(Progress)) Result {
	t.Helper()
	r, err := Copy(t.Context(), from, to, report)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// demoURL returns the URL of a small demo company.
func demoURL(t *testing.T) string {
	t.Helper()
	db := queriestest.DemoAttendance(t, 60, 3)
	url := db.Pool().Config().ConnString()
	db.Close()
	return url
}

// sums returns the sum of every table.
func sums(t *testing.T, url string) map[string]Sum {
	t.Helper()
	s, err := openSource(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	all, err := s.readTables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]Sum{}
	for _, table := range all {
		if len(table.Columns) == 0 {
			continue
		}
		var sum Sum
		if err := s.hold.QueryRow(t.Context(), sumStatement(table)).Scan(&sum.Rows, &sum.Sum); err != nil {
			t.Fatal(err)
		}
		of[table.Name] = sum
	}
	return of
}

// createDatabase creates a database with options of its own.
func createDatabase(t *testing.T, options string) (url string) {
	t.Helper()
	beside := queriestest.EmptyURL(t)
	old := text(t, beside, "select current_database()")
	name := old + "_locale"
	execute(t, beside, "create database "+name+" template template0 "+options)
	t.Cleanup(func() { execute(t, beside, "drop database "+name+" with (force)") })
	return strings.Replace(beside, old, name, 1)
}

func execute(t *testing.T, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, single := range splitStatements(statement) {
		if _, err := conn.Exec(context.Background(), single); err != nil {
			t.Fatalf("%s: %v", single, err)
		}
	}
}

// splitStatements separates statements, because some run in no transaction.
func splitStatements(text string) []string {
	if strings.Contains(text, "$$") {
		return []string{text}
	}
	return strings.Split(text, "; ")
}

func text(t *testing.T, url, query string) (text string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}
