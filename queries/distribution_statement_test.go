package queries_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Every statement that sqlc compiles reads one company's rows of each table, or rows of
// the company of another table, apart from what docs/scaling.md lists. The planner says
// so: the plan of a distributed table has a condition on its company.
func TestStatementsStayInOneCompany(t *testing.T) {
	conn := connect(t)
	p := newPlanner(t, conn)
	found, checked := map[string]bool{}, 0
	for name, sql := range statements(t) {
		scans, across := p.companies(t, name, sql)
		checked += scans
		if across != "" {
			found[name] = true
			t.Logf("%s: %s", name, across)
		}
	}
	if checked < 700 {
		t.Errorf("only %d places where a statement reads a table were checked", checked)
	}
	compareLists(t, "Statements across companies", listedInDocument(t)["Statements across companies"], found)
}

func TestPlannerFindsStatementsAcrossCompanies(t *testing.T) {
	p := newPlanner(t, connect(t))
	for _, c := range []struct {
		sql    string
		across bool
	}{
		{"select * from users where company_id = $1 and id = $2", false},
		{"select * from users where id = $1", true},
		{"select * from users where company_id = any ($1::bigint[])", true},
		{"select * from users where company_id = (select company_id from tokens where company_id = $1 limit 1)", true},
		{"select * from users u join departments d on d.company_id = u.company_id and d.id = u.department_id where u.company_id = $1", false},
		{"select * from users u join departments d on d.id = u.department_id where u.company_id = $1", true},
		{"select * from users u join departments d on d.company_id = u.company_id and d.id = u.department_id", true},
		{"select * from companies where id = $1", false},
		{"select * from people where company_id = $1", false},
		{"select * from sessions where token = $1", false},
		{"select * from day_records where company_id = $1 and work_date = $2", false},
		{"select * from day_records where work_date = $1", true},
		{"select n.id, (select count(*) from notice_targets t where t.company_id = n.company_id and t.notice_id = n.id) from notices n where n.company_id = $1", false},
		{"select n.id, (select count(*) from notice_targets t where t.notice_id = n.id) from notices n where n.company_id = $1", true},
		{"lock table users in exclusive mode", true},
		{"delete from users where company_id = $1", false},
		{"delete from users where id = $1", true},
		{"insert into clock_devices (company_id, user_id, device_id, first_at) select u.company_id, u.id, '', now() from users u where u.company_id = $1", false},
	} {
		if _, across := p.companies(t, c.sql, c.sql); (across != "") != c.across {
			t.Errorf("%s: %q", c.sql, across)
		}
	}
}

// statements returns every statement that sqlc compiles, as area.name.
func statements(t *testing.T) map[string]string {
	t.Helper()
	shared, err := filepath.Glob("*.sql.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*/*.sql.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, path := range append(files, shared...) {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || !strings.HasPrefix(literal.Value, "`-- name: ") {
				return true
			}
			sql, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			found[file.Name.Name+"."+strings.Fields(sql)[2]] = sql
			return true
		})
	}
	return found
}

// planner asks the server how it reads tables.
type planner struct {
	conn        *pgx.Conn
	distributed map[string]string // the company's column of tables and partitions that have one
}

func newPlanner(t *testing.T, conn *pgx.Conn) *planner {
	t.Helper()
	// Parameters stay parameters, and no partition is left out because they are null.
	for _, setting := range []string{"plan_cache_mode = force_generic_plan", "enable_partition_pruning = off"} {
		if _, err := conn.Exec(t.Context(), "set "+setting); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := conn.Query(t.Context(), `select c.relname::text, coalesce((pg_partition_root(c.oid))::text, c.relname::text) from pg_class c
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
	if err != nil {
		t.Fatal(err)
	}
	s, p := map[string]string{}, &planner{conn, map[string]string{}}
	for rows.Next() {
		var name, root string
		if err := rows.Scan(&name, &root); err != nil {
			t.Fatal(err)
		}
		s[name] = root
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	tables := readSchema(t, conn).tables
	for name, root := range s {
		if tables[root] {
			p.distributed[name] = companyColumn(root)
		}
	}
	return p
}

// node is a step of a plan.
type node struct {
	Type        string `json:"Node Type"`
	Relation    string `json:"Relation Name"`
	Alias       string `json:"Alias"`
	IndexCond   string `json:"Index Cond"`
	RecheckCond string `json:"Recheck Cond"`
	Filter      string
	Plans       []node
}

// companies returns how often a statement reads a distributed table, and a description
// of the first place where it does not say of which company.
func (p *planner) companies(t *testing.T, name, sql string) (scans int, across string) {
	t.Helper()
	statement, err := p.conn.Prepare(t.Context(), "planned", sql)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer func() {
		if err := p.conn.Deallocate(t.Context(), "planned"); err != nil {
			t.Fatal(err)
		}
	}()
	if lock := regexp.MustCompile(`(?m)^lock table (\w+)`).FindStringSubmatch(sql); lock != nil { // which has no plan
		if _, isDistributed := p.distributed[lock[1]]; isDistributed {
			across = "locks " + lock[1]
		}
		return 1, across
	}
	arguments := ""
	if n := len(statement.ParamOIDs); n > 0 {
		arguments = "(" + strings.TrimSuffix(strings.Repeat("null, ", n), ", ") + ")"
	}
	var plan []byte
	if err := p.conn.QueryRow(t.Context(), "explain (verbose, format json) execute planned"+arguments, pgx.QueryExecModeSimpleProtocol).Scan(&plan); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var roots []struct{ Plan node }
	if err := json.Unmarshal(plan, &roots); err != nil {
		t.Fatal(err)
	}
	for _, root := range roots {
		p.walk(root.Plan, &scans, &across)
	}
	return scans, across
}

func (p *planner) walk(n node, scans *int, across *string) {
	column, isDistributed := p.distributed[n.Relation]
	if isDistributed && strings.HasSuffix(n.Type, "Scan") {
		*scans++
		conditions := n.IndexCond + " " + n.RecheckCond + " " + n.Filter
		if !companyCondition(n.Alias, column).MatchString(conditions) && *across == "" {
			*across = n.Type + " on " + n.Relation + " " + n.Alias + ":" + conditions
		}
	}
	for _, child := range n.Plans {
		p.walk(child, scans, across)
	}
}

// companyCondition finds a comparison of a table's company with a parameter, a number or
// the company of another table. It does not tell one that is an alternative ("or").
func companyCondition(alias, column string) *regexp.Regexp {
	own := `"?` + regexp.QuoteMeta(alias) + `"?\.` + column
	other := `(\$\d+|'\d+'::bigint|\w+\.company_id|\w+\.id)`
	return regexp.MustCompile(`\(` + own + ` = ` + other + `\)|\(` + other + ` = ` + own + `\)`)
}
