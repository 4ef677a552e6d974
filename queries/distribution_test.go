package queries_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/queriestest"
)

// The tables can be distributed by company with Citus, apart from what docs/scaling.md
// lists: the lists of that page and what is found here are the same, in both directions.
func TestSchemaCanBeDistributed(t *testing.T) {
	s := readSchema(t, connect(t))
	listed := listedInDocument(t)
	for heading, found := range map[string]map[string]bool{
		"Tables of no company":         s.localTables(),
		"Keys across companies":        s.keys,
		"References":                   s.references,
		"Tables without a primary key": s.withoutKey,
		"Triggers and functions":       s.code,
		"Columns and partitions":       s.columns,
	} {
		compareLists(t, heading, listed[heading], found)
	}
	if len(s.tables) < 80 {
		t.Errorf("only %d tables were found", len(s.tables))
	}
}

// What breaks a rule in a new table is found.
func TestSchemaRulesFindViolations(t *testing.T) {
	conn := connect(t)
	before := readSchema(t, conn).all()
	run := func(statement string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	const company = "company_id bigint not null, id bigint, primary key (company_id, id)"
	for _, c := range []struct{ name, statements, found string }{
		{"a table of no company", "create table x (id bigint primary key)", "tables: x"},
		{"a key without company", "create table x (company_id bigint not null, id bigint primary key)", "keys: x_pkey"},
		{"a company that is only included", "create table x (" + company + "); create unique index x_id on x (id) include (company_id)", "keys: x_id"},
		{"a company in an expression", "create table x (" + company + "); create unique index x_id on x (id, (company_id + 1))", "keys: x_id"},
		{"an exclusion without company", "create table x (" + company + ", during tstzrange, constraint x_during exclude using gist (during with &&))", "keys: x_during"},
		{"companies at different positions", "create table x (" + company + ", other bigint, constraint x_fk foreign key (other, company_id) references users (company_id, id))", "references: x_fk"},
		{"a reference that empties the company", "create table x (" + company + ", user_id bigint, constraint x_fk foreign key (company_id, user_id) references users on delete set null)", "references: x_fk"},
		{"a reference to a table of no company", "create table x (" + company + ", token text constraint x_fk references sessions)", "references: x_fk"},
		{"a company that may be missing", "create table x (company_id bigint, id bigint)", "columns: x.company_id, withoutKey: x"},
		{"a company of another type", "create table x (company_id integer not null, id bigint, primary key (company_id, id))", "columns: x.company_id"},
		{"a small identity", "create table x (" + company + ", no integer generated always as identity)", "columns: x.no"},
		{"a trigger", "create trigger x before update on users for each row execute function record_user_history()", "code: users.x"},
		{"a function", "create function x() returns bigint language sql as 'select count(*) from users'", "code: x"},
		{"partitions of partitions", "create table x (company_id bigint not null, id bigint, at date, primary key (company_id, id, at)) partition by range (at); create table x_2026 partition of x for values from ('2026-01-01') to ('2027-01-01') partition by range (at)", "columns: x_2026"},
		{"nothing", "create table x (" + company + ", no bigint generated always as identity, foreign key (company_id) references companies, foreign key (company_id, no) references users)", ""},
	} {
		run("begin")
		run(c.statements)
		var added []string
		for violation := range readSchema(t, conn).all() {
			if !before[violation] {
				added = append(added, violation)
			}
		}
		run("rollback")
		slices.Sort(added)
		if got := strings.Join(added, ", "); got != c.found {
			t.Errorf("%s: found %q, not %q", c.name, got, c.found)
		}
	}
}

func connect(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), queriestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(t.Context()) })
	return conn
}

// compareLists reports what a list of the document has too much or lacks.
func compareLists(t *testing.T, heading string, listed, found map[string]bool) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !listed[name] {
			t.Errorf("%s cannot be distributed by company as it is. Change it, or list it with the reason in docs/scaling.md under %q.", name, heading)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !found[name] {
			t.Errorf("docs/scaling.md lists %s under %q, which is no exception any more.", name, heading)
		}
	}
}

// listedInDocument returns the names in the first cells of the tables of
// docs/scaling.md, by the heading above them.
func listedInDocument(t *testing.T) map[string]map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	lists, heading := map[string]map[string]bool{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if title := strings.TrimLeft(line, "#"); title != line {
			heading = strings.TrimSpace(title)
			lists[heading] = map[string]bool{}
		}
		cells := strings.Split(line, "|")
		if len(cells) < 3 || heading == "" {
			continue
		}
		for _, name := range quoted.FindAllStringSubmatch(cells[1], -1) {
			lists[heading][name[1]] = true
		}
	}
	return lists
}

// companyColumn is the column by which a table would be distributed.
func companyColumn(table string) string {
	if table == "companies" {
		return "id"
	}
	return "company_id"
}

// schema is what breaks the rules of Citus, by the names of indexes, constraints and
// tables.
type schema struct {
	tables                                      map[string]bool // by name, whether they have a company
	keys, references, withoutKey, code, columns map[string]bool
}

func (s *schema) localTables() map[string]bool {
	local := map[string]bool{}
	for table, hasCompany := range s.tables {
		if !hasCompany {
			local[table] = true
		}
	}
	return local
}

// all returns every violation with its kind.
func (s *schema) all() map[string]bool {
	all := map[string]bool{}
	for kind, names := range map[string]map[string]bool{"tables": s.localTables(), "keys": s.keys, "references": s.references, "withoutKey": s.withoutKey, "code": s.code, "columns": s.columns} {
		for name := range names {
			all[kind+": "+name] = true
		}
	}
	return all
}

// ours limits a statement to tables of the console, without their partitions.
const ours = "c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition"

func readSchema(t *testing.T, conn *pgx.Conn) *schema {
	t.Helper()
	s := &schema{tables: map[string]bool{}, keys: map[string]bool{}, references: map[string]bool{}, withoutKey: map[string]bool{}, code: map[string]bool{}, columns: map[string]bool{}}
	each := func(sql string, do func(values []any)) {
		t.Helper()
		rows, err := conn.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				t.Fatal(err)
			}
			do(values)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	each(`select c.relname::text, coalesce(array_agg(a.attname::text) filter (where a.attname is not null), '{}') from pg_class c
		left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where `+ours+` group by 1`, func(v []any) {
		table := v[0].(string)
		s.tables[table] = slices.Contains(texts(v[1]), companyColumn(table))
	})
	// Columns of a key are those before the included ones; an expression has no name.
	each(`select c.relname::text, i.relname::text, x.indisprimary, array(
			select coalesce(a.attname::text, '') from unnest(x.indkey::smallint[]) with ordinality k (no, nth)
			left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.no where k.nth <= x.indnkeyatts)
		from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
		where (x.indisunique or x.indisexclusion) and `+ours, func(v []any) {
		table := v[0].(string)
		if s.tables[table] && !slices.Contains(texts(v[3]), companyColumn(table)) {
			s.keys[v[1].(string)] = true
		}
	})
	each(`select c.relname::text from pg_class c where `+ours+` and not exists (select from pg_index x where x.indrelid = c.oid and x.indisprimary)`, func(v []any) {
		s.withoutKey[v[0].(string)] = true
	})
	each(`select f.conname::text, c.relname::text, r.relname::text, f.confdeltype::text || f.confupdtype::text,
			array(select a.attname::text from unnest(f.conkey) with ordinality k (no, nth) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.no order by k.nth),
			array(select a.attname::text from unnest(f.confkey) with ordinality k (no, nth) join pg_attribute a on a.attrelid = r.oid and a.attnum = k.no order by k.nth)
		from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid where f.contype = 'f' and `+ours, func(v []any) {
		from, to := v[1].(string), v[2].(string)
		place := slices.Index(texts(v[4]), companyColumn(from))
		together := s.tables[from] && s.tables[to] && place >= 0 && texts(v[5])[place] == companyColumn(to)
		local := !s.tables[from] && !s.tables[to]
		if !local && !together || strings.ContainsAny(v[3].(string), "nd") {
			s.references[v[0].(string)] = true
		}
	})
	each(`select c.relname::text, a.attname::text, format_type(a.atttypid, null), a.attnotnull, a.attidentity <> '' or exists (
			select from pg_attrdef d where d.adrelid = c.oid and d.adnum = a.attnum and pg_get_expr(d.adbin, d.adrelid) like 'nextval%')
		from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where `+ours, func(v []any) {
		table, column, isBigint := v[0].(string), v[1].(string), v[2].(string) == "bigint"
		isCompany := column == companyColumn(table)
		if isCompany && !(isBigint && v[3].(bool)) || s.tables[table] && v[4].(bool) && !isBigint {
			s.columns[table+"."+column] = true
		}
	})
	each(`select c.relname::text, t.tgname::text from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and `+ours, func(v []any) {
		s.code[fmt.Sprintf("%s.%s", v[0], v[1])] = true
	})
	// A partition that is divided further.
	each(`select c.relname::text from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'p' and c.relispartition`, func(v []any) {
		s.columns[v[0].(string)] = true
	})
	each(`select p.proname::text from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
		and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')`, func(v []any) {
		s.code[v[0].(string)] = true
	})
	return s
}

func texts(value any) (all []string) {
	for _, v := range value.([]any) {
		all = append(all, v.(string))
	}
	return all
}
