package directory_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"pgregory.net/rapid"

	"officeconsole/queries/queriestest"
)

// departmentModel has the expected name and parent of each department by id.
type departmentModel map[int64]struct {
	parent int64
	name   string
}

// path returns the names and the ids from the root to a department.
func (o departmentModel) path(id int64) (path, ancestors string) {
	var names, ids []string
	for id != 0 {
		names, ids = append([]string{o[id].name}, names...), append([]string{strconv.FormatInt(id, 10)}, ids...)
		id = o[id].parent
	}
	return strings.Join(names, "/"), "{" + strings.Join(ids, ",") + "}"
}

func (o departmentModel) above(id, other int64) bool {
	for ; other != 0; other = o[other].parent {
		if other == id {
			return true
		}
	}
	return false
}

func (o departmentModel) hasChild(parent int64, name string) bool {
	for _, d := range o {
		if d.parent == parent && d.name == name {
			return true
		}
	}
	return false
}

// After any sequence of additions, moves and renames, paths and ancestors are
// right. Cycles, a second root, and equal names below the same parent are
// refused.
func TestDepartmentsStayATree(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db).ID
	ctx := t.Context()
	exec := func(sql string, args ...any) error {
		_, err := db.Pool().Exec(ctx, sql, args...)
		return err
	}
	rapid.Check(t, func(t *rapid.T) {
		if err := exec("delete from departments where company_id = $1", company); err != nil {
			t.Fatal(err)
		}
		tree := departmentModel{}
		add := func(parent int64, name string) error {
			var id int64
			err := db.Pool().QueryRow(ctx, "insert into departments (company_id, parent_id, name) values ($1, nullif($2::bigint, 0), $3) returning id",
				company, parent, name).Scan(&id)
			if err == nil {
				tree[id] = struct {
					parent int64
					name   string
				}{parent, name}
			}
			return err
		}
		if err := add(0, "본사"); err != nil {
			t.Fatal(err)
		}
		some := func(t *rapid.T, label string) int64 {
			ids := make([]int64, 0, len(tree))
			for id := range tree {
				ids = append(ids, id)
			}
			// The order of a map is random; rapid needs a repeatable choice.
			smallest := ids[0]
			for _, id := range ids {
				smallest = min(smallest, id)
			}
			n := int64(rapid.IntRange(0, 40).Draw(t, label))
			for n > 0 {
				n--
				if _, ok := tree[smallest+n]; ok {
					return smallest + n
				}
			}
			return smallest
		}
		name := rapid.SampledFrom([]string{"인사팀", "영업팀", "Sales", "개발팀", "営業部"})
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				parent, name := some(t, "parent"), name.Draw(t, "name")
				doubled := tree.hasChild(parent, name)
				if err := add(parent, name); (err != nil) != doubled {
					t.Fatalf("add %s below %d: %v", name, parent, err)
				}
			},
			"second root": func(t *rapid.T) {
				if err := add(0, name.Draw(t, "name")); err == nil {
					t.Fatal("a company got a second root")
				}
			},
			"move": func(t *rapid.T) {
				id, parent := some(t, "department"), some(t, "parent")
				d := tree[id]
				err := exec("update departments set parent_id = $3 where company_id = $1 and id = $2", company, id, parent)
				refused := tree.above(id, parent) || d.parent != parent && tree.hasChild(parent, d.name)
				if (err != nil) != refused {
					t.Fatalf("move %d below %d: %v", id, parent, err)
				}
				if err == nil {
					d.parent = parent
					tree[id] = d
				}
			},
			"rename": func(t *rapid.T) {
				id, name := some(t, "department"), name.Draw(t, "name")
				d := tree[id]
				err := exec("update departments set name = $3 where company_id = $1 and id = $2", company, id, name)
				if (err != nil) != (d.name != name && tree.hasChild(d.parent, name)) {
					t.Fatalf("rename %d to %s: %v", id, name, err)
				}
				if err == nil {
					d.name = name
					tree[id] = d
				}
			},
			"": func(t *rapid.T) { compareTree(ctx, t, db.Pool(), company, tree) },
		})
	})
}

// The parent of a department must belong to the same company.
func TestDepartmentsStayInTheirCompany(t *testing.T) {
	db := queriestest.New(t)
	for _, sql := range []string{
		"insert into departments (company_id, parent_id, name) values (1, $1, '침입팀')",
		"update departments set parent_id = $1 where company_id = 1 and id = 3",
	} {
		if _, err := db.Pool().Exec(t.Context(), sql, queriestest.OtherRoot); err == nil {
			t.Errorf("%s was accepted", sql)
		} else if pg, ok := err.(*pgconn.PgError); !ok || pg.Code != "23503" {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func compareTree(ctx context.Context, t *rapid.T, pool *pgxpool.Pool, company int64, want departmentModel) {
	rows, err := pool.Query(ctx, "select id, path, ancestors::text from departments where company_id = $1", company)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var id int64
		var path, ancestors string
		if err := rows.Scan(&id, &path, &ancestors); err != nil {
			t.Fatal(err)
		}
		count++
		if wantPath, wantAncestors := want.path(id); path != wantPath || ancestors != wantAncestors {
			t.Fatalf("department %d: %s %s, want %s %s", id, path, ancestors, wantPath, wantAncestors)
		}
	}
	if err := rows.Err(); err != nil || count != len(want) {
		t.Fatalf("%d departments, want %d: %v", count, len(want), err)
	}
}
