package directory_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

// crowd adds people to some departments, with names from the whole range of
// several alphabets.
func crowd(t *testing.T, db *areas.Areas) {
	t.Helper()
	firsts := []string{"강", "고", "김", "김가", "김다", "김미", "김하", "나", "ㄱ", "박지", "배", "이", "이재", "정", "최최", "황", "힣", "金", "佐藤 ",
		"Anna ", "anna ", "É", "zoë ", "Я", "ア", "あ", "ん", "ー", "1", "-", "_", "😀", "\u202e", "ﷺ", " "}
	var rows [][]any
	for n := range 2100 {
		name := fmt.Sprintf("%s%d", firsts[n%len(firsts)], n/7%90)
		words := "crowd"
		if n%150 == 0 {
			words = "crowd rare"
		}
		text, grams := search.Key(name, words)
		department := []int64{queriestest.Domestic, queriestest.Research, queriestest.Japan}[n%3]
		rows = append(rows, []any{queriestest.Hanbit, department, name, fmt.Sprintf("p%d@crowd.example", n), text, grams})
	}
	columns := []string{"company_id", "department_id", "name", "email", "search_text", "search_grams"}
	if _, err := db.Pool().CopyFrom(context.Background(), pgx.Identifier{"users"}, columns, pgx.CopyFromRows(rows)); err != nil {
		t.Fatal(err)
	}
}

// Every access path returns the same people in the same order as reading and
// sorting all of them, whatever the bounds of a search are.
func TestDirectoryUsersInOrder(t *testing.T) {
	db := queriestest.New(t)
	crowd(t, db)
	if _, err := db.Pool().Exec(t.Context(), `insert into departments (company_id, parent_id, name)
		select 1, $1, '팀 ' || n from generate_series(1, 70) n`, queriestest.Sales); err != nil { // more than the number that is read one by one
		t.Fatal(err)
	}
	for _, bounds := range []struct{ names, matches int }{{1, 1}, {1, 20}, {50, 4000}, {2000, 4000}} {
		t.Run(fmt.Sprintf("%d names, %d matches", bounds.names, bounds.matches), func(t *testing.T) {
			db.Directory.SetSearchBounds(bounds.names, bounds.matches)
			inOrder(t, db)
		})
	}
}

func inOrder(t *testing.T, db *areas.Areas) {
	everybody := directory.Scope{Everybody: true}
	some := directory.Scope{DepartmentIDs: []int64{queriestest.Domestic, queriestest.Research}}
	for _, c := range []struct {
		name       string
		scope      directory.Scope
		department int64
		q, where   string
	}{
		{"all", everybody, 0, "", "true"},
		{"all that match", everybody, 0, "crowd", "search_text like '%crowd%'"},
		{"few that match", everybody, 0, "rare", "search_text like '%rare%'"},
		{"several keywords", everybody, 0, "crowd rare", "search_text like '%crowd%' and search_text like '%rare%'"},
		{"by name", everybody, 0, "anna", "search_text like '%anna%'"},
		{"nobody", everybody, 0, "drow", "false"},
		{"few departments", some, 0, "", "department_id in (3, 5)"},
		{"match in few departments", some, 0, "crowd", "department_id in (3, 5) and search_text like '%crowd%'"},
		{"few match in few departments", some, 0, "rare", "department_id in (3, 5) and search_text like '%rare%'"},
		{"many departments", everybody, queriestest.Sales, "", "department_id in (2, 3, 4)"},
		{"match in many departments", everybody, queriestest.Sales, "crowd", "department_id in (2, 3, 4) and search_text like '%crowd%'"},
		{"few match in many departments", everybody, queriestest.Sales, "rare", "department_id in (2, 3, 4) and search_text like '%rare%'"},
		{"outside the scope", some, queriestest.Japan, "", "false"},
	} {
		search, err := lists.ParseSearch(c.q)
		if err != nil {
			t.Fatal(err)
		}
		filter := directory.UserFilter{CompanyID: queriestest.Hanbit, Scope: c.scope, DepartmentID: c.department, Search: search}
		want := ids(t, db, "select id from users where company_id = 1 and hidden_at is null and "+c.where+" order by name, id")
		for _, size := range []int{3, 61, 1000} {
			if size < 10 && len(want) > 100 {
				continue
			}
			got := allPages(t, db, filter, size)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d a page: got %d people, want %d\n%v\n%v", c.name, size, len(got), len(want), got, want)
			}
		}
	}
}

// For any names, hidden people and searches, and after people were added,
// removed and renamed, the pages have the same people as filtering the whole
// directory.
func TestDirectorySearchByModel(t *testing.T) {
	db := queriestest.New(t)
	ctx := t.Context()
	firsts := []string{"강", "김", "김미", "김민", "박지", "이재", "정", "최서", "황", "anna ", "Kim ", "あ", "金", "\U0010ffff", "\uffff"}
	families := []string{"kim", "lee", "x"}
	words := []string{"kim", "im", "김", "mi", "min", "@", "a", "ㅁ", "ㄱ", "e", "p1"}
	exec := func(t *rapid.T, statement string, args ...any) {
		if _, err := db.Pool().Exec(ctx, statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		exec(t, "delete from users where email like '%model.example'")
		count := 0
		name := func() string {
			return rapid.SampledFrom(firsts).Draw(t, "first") + rapid.SampledFrom(words).Draw(t, "rest")
		}
		add := func() {
			var rows [][]any
			for range rapid.IntRange(0, 60).Draw(t, "people") {
				count++
				name, email := name(), fmt.Sprintf("p%d.%s@model.example", count, rapid.SampledFrom(families).Draw(t, "family"))
				var hidden *time.Time
				if rapid.IntRange(0, 4).Draw(t, "hidden") == 0 {
					hidden = &time.Time{}
				}
				text, grams := search.Key(name, email)
				rows = append(rows, []any{queriestest.Hanbit, queriestest.Research, name, email, hidden, text, grams})
			}
			columns := []string{"company_id", "department_id", "name", "email", "hidden_at", "search_text", "search_grams"}
			if _, err := db.Pool().CopyFrom(ctx, pgx.Identifier{"users"}, columns, pgx.CopyFromRows(rows)); err != nil {
				t.Fatal(err)
			}
		}
		rename := func() {
			no, name := rapid.IntRange(1, count+1).Draw(t, "renamed"), name()
			text, grams := search.Key(name, fmt.Sprintf("p%d.kim@model.example", no))
			exec(t, "update users set name = $2, search_text = $3, search_grams = $4 where email like $1", fmt.Sprintf("p%d.%%@model.example", no), name, text, grams)
		}
		add()
		db.Directory.SetSearchBounds(rapid.IntRange(1, 100).Draw(t, "names"), rapid.IntRange(1, 100).Draw(t, "matches"))
		for range rapid.IntRange(0, 2).Draw(t, "turns") {
			add()
			for range rapid.IntRange(0, 5).Draw(t, "renames") {
				rename()
			}
			exec(t, "delete from users where email like $1", fmt.Sprintf("p%d%%@model.example", rapid.IntRange(1, 9).Draw(t, "gone")))
		}
		q := rapid.OneOf(rapid.SampledFrom([]string{"kim", "im@", "lee", "p1", "p12", "김민", "nobody", "kim p1"}), rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom(words).Draw(t, "one") + rapid.SampledFrom(words).Draw(t, "two")
		})).Draw(t, "search")
		search, err := lists.ParseSearch(q)
		if err != nil {
			t.Fatal(err)
		}
		filter := directory.UserFilter{CompanyID: queriestest.Hanbit, Scope: directory.Scope{Everybody: true}, Search: search,
			Hidden: rapid.Bool().Draw(t, "with hidden")}
		size := rapid.IntRange(1, 12).Draw(t, "size")
		want := matchingIDs(t, db, filter)
		if got := allPages(t, db, filter, size); !slices.Equal(got, want) {
			t.Fatalf("%q, %d a page: got %v, want %v", q, size, got, want)
		}
	})
}

// allPages reads all pages of a list and returns the ids.
func allPages(t rapid.TB, db *areas.Areas, f directory.UserFilter, size int) (ids []int64) {
	t.Helper()
	f.Limit = size
	for {
		page, err := db.Directory.Users(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range page.Rows {
			ids = append(ids, u.ID)
		}
		if page.Next == nil {
			return ids
		}
		f.Cursor = page.Next
	}
}

// matchingIDs reads all people in order and returns the ids of those that match.
func matchingIDs(t *rapid.T, db *areas.Areas, f directory.UserFilter) []int64 {
	rows, err := db.Pool().Query(context.Background(),
		"select id, search_text from users where company_id = $1 and ($2 or hidden_at is null) order by name, id", f.CompanyID, f.Hidden)
	if err != nil {
		t.Fatal(err)
	}
	var found []int64
	var id int64
	var text string
	_, err = pgx.ForEachRow(rows, []any{&id, &text}, func() error {
		if f.Search.Match(text) {
			found = append(found, id)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func ids(t *testing.T, db *areas.Areas, statement string) []int64 {
	t.Helper()
	rows, err := db.Pool().Query(context.Background(), statement)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	return found
}
