package queries_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

// crowd adds people whose names lie all over the alphabets to some departments.
func crowd(t *testing.T, db *queries.DB) {
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
		text, grams := queries.SearchKey(name, words)
		department := []int64{queriestest.Domestic, queriestest.Research, queriestest.Japan}[n%3]
		rows = append(rows, []any{queriestest.Hanbit, department, name, fmt.Sprintf("p%d@crowd.example", n), text, grams})
	}
	columns := []string{"company_id", "department_id", "name", "email", "search_text", "search_grams"}
	if _, err := db.Pool().CopyFrom(context.Background(), pgx.Identifier{"users"}, columns, pgx.CopyFromRows(rows)); err != nil {
		t.Fatal(err)
	}
}

// Every way to people gives the same people in the same order as reading and
// sorting them all.
func TestDirectoryUsersInOrder(t *testing.T) {
	db := queriestest.New(t)
	ctx := context.Background()
	crowd(t, db)
	many := []string{}
	for n := range 70 { // more departments than are read one by one
		many = append(many, fmt.Sprintf("(1, %d, '팀 %d')", queriestest.Sales, n))
	}
	for _, values := range many {
		if _, err := db.Pool().Exec(ctx, "insert into departments (company_id, parent_id, name) values "+values); err != nil {
			t.Fatal(err)
		}
	}
	everybody := queries.Scope{Everybody: true}
	some := queries.Scope{DepartmentIDs: []int64{queriestest.Domestic, queriestest.Research}}
	for _, c := range []struct {
		name       string
		scope      queries.Scope
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
		search, err := queries.ParseSearch(c.q)
		if err != nil {
			t.Fatal(err)
		}
		filter := queries.DirectoryFilter{CompanyID: queriestest.Hanbit, Scope: c.scope, DepartmentID: c.department, Search: search}
		want := ids(t, db, "select id from users where company_id = 1 and hidden_at is null and "+c.where+" order by name, id")
		for _, size := range []int{3, 61, 1000} {
			if size < 10 && len(want) > 100 {
				continue
			}
			var got []int64
			after := queries.DirectoryPlace{}
			for {
				page, err := db.DirectoryUsers(ctx, filter, after, size)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				for _, u := range page {
					got = append(got, u.ID)
					after = queries.DirectoryPlace{Name: u.Name, ID: u.ID}
				}
				if len(page) < size {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d a page: got %d people, want %d\n%v\n%v", c.name, size, len(got), len(want), got, want)
			}
		}
	}
}

// Whatever names, hidden people and searches there are, the pages hold what
// reading everybody and keeping those that match gives.
func TestDirectorySearchByModel(t *testing.T) {
	db := queriestest.New(t)
	ctx := context.Background()
	firsts := []string{"강", "김", "김미", "김민", "박지", "이재", "정", "최서", "황", "anna ", "Kim ", "あ", "金"}
	families := []string{"kim", "lee", "x"}
	words := []string{"kim", "im", "김", "mi", "min", "@", "a", "ㅁ", "ㄱ", "e"}
	rapid.Check(t, func(t *rapid.T) {
		if _, err := db.Pool().Exec(ctx, "delete from users where email like '%model.example'"); err != nil {
			t.Fatal(err)
		}
		var rows [][]any
		for _, first := range firsts { // who begin alike often have the same family name in their email
			family := rapid.SampledFrom(families).Draw(t, "family")
			for n := range rapid.IntRange(0, 30).Draw(t, "people") {
				name := first + rapid.SampledFrom(words).Draw(t, "rest")
				if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
					family = rapid.SampledFrom(families).Draw(t, "odd family")
				}
				email := fmt.Sprintf("p%d.%s@model.example", n, family)
				var hidden *time.Time
				if rapid.IntRange(0, 4).Draw(t, "hidden") == 0 {
					hidden = &time.Time{}
				}
				text, grams := queries.SearchKey(name, email)
				rows = append(rows, []any{queriestest.Hanbit, queriestest.Research, name, fmt.Sprintf("%d%s", len(rows), email), hidden, text, grams})
			}
		}
		columns := []string{"company_id", "department_id", "name", "email", "hidden_at", "search_text", "search_grams"}
		if _, err := db.Pool().CopyFrom(ctx, pgx.Identifier{"users"}, columns, pgx.CopyFromRows(rows)); err != nil {
			t.Fatal(err)
		}
		q := rapid.OneOf(rapid.SampledFrom([]string{"kim", "im@", "lee", "p1", "김민"}), rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom(words).Draw(t, "one") + rapid.SampledFrom(words).Draw(t, "two")
		})).Draw(t, "search")
		search, err := queries.ParseSearch(q)
		if err != nil {
			t.Fatal(err)
		}
		filter := queries.DirectoryFilter{CompanyID: queriestest.Hanbit, Scope: queries.Scope{Everybody: true}, Search: search,
			Hidden: rapid.Bool().Draw(t, "with hidden")}
		size := rapid.IntRange(1, 12).Draw(t, "size")
		want := matching(t, db, filter)
		after := queries.DirectoryPlace{}
		for start := 0; ; start += size {
			page, err := db.DirectoryUsers(ctx, filter, after, size)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, u := range page {
				got = append(got, u.ID)
				after = queries.DirectoryPlace{Name: u.Name, ID: u.ID}
			}
			expected := want[min(start, len(want)):min(start+size, len(want))]
			if !slices.Equal(got, expected) {
				t.Fatalf("%q, %d a page, from %d: got %v, want %v", q, size, start, got, expected)
			}
			if len(page) < size {
				return
			}
		}
	})
}

// People who match where a part of the names begins do not hide those who come
// much later.
func TestDirectorySearchBeyondADenseBeginning(t *testing.T) {
	db := queriestest.New(t)
	ctx := context.Background()
	var rows [][]any
	add := func(count int, name, word string) {
		for range count {
			text, grams := queries.SearchKey(name, word)
			email := fmt.Sprintf("p%d@dense.example", len(rows))
			rows = append(rows, []any{queriestest.Hanbit, queriestest.Research, name, email, text, grams})
		}
	}
	add(1, "강다", "dense")
	add(80, "강나", "")
	add(4, "김가", "dense")
	add(80, "김나", "")
	add(3, "황보", "dense")
	columns := []string{"company_id", "department_id", "name", "email", "search_text", "search_grams"}
	if _, err := db.Pool().CopyFrom(ctx, pgx.Identifier{"users"}, columns, pgx.CopyFromRows(rows)); err != nil {
		t.Fatal(err)
	}
	search, err := queries.ParseSearch("dense")
	if err != nil {
		t.Fatal(err)
	}
	filter := queries.DirectoryFilter{CompanyID: queriestest.Hanbit, Scope: queries.Scope{Everybody: true}, Search: search}
	page, err := db.DirectoryUsers(ctx, filter, queries.DirectoryPlace{}, 7)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, u := range page {
		names = append(names, u.Name)
	}
	if want := []string{"강다", "김가", "김가", "김가", "김가", "황보", "황보"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

// matching reads everybody in order and keeps those that match.
func matching(t *rapid.T, db *queries.DB, f queries.DirectoryFilter) []int64 {
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

func ids(t *testing.T, db *queries.DB, statement string) []int64 {
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

// A search that stopped before the last part would miss people.
func TestNameParts(t *testing.T) {
	db := queriestest.New(t)
	var first, last, declared int
	err := db.Pool().QueryRow(context.Background(), `select name_part('!'), name_part(U&'\+10FFFD'), last_name_part()`).Scan(&first, &last, &declared)
	if err != nil {
		t.Fatal(err)
	}
	if first != 0 || last != declared {
		t.Errorf("parts from %d to %d, but the last is said to be %d", first, last, declared)
	}
	before := -1
	for _, name := range []string{"가", "강", "고", "김", "김미", "박지", "배", "이하", "정서", "최서", "황", "a", "h", "t", "あ", "な"} {
		var part int
		if err := db.Pool().QueryRow(context.Background(), "select name_part($1)", name).Scan(&part); err != nil {
			t.Fatal(err)
		}
		if part <= before {
			t.Errorf("%s lies in part %d, which does not follow part %d", name, part, before)
		}
		before = part
	}
	var misplaced int
	err = db.Pool().QueryRow(context.Background(), `select count(*) from generate_series(1, last_name_part()) as part (no)
		where name_part(part_begin(part.no)) is distinct from part.no or part_begin(part.no - 1) collate "ko-x-icu" >= part_begin(part.no)`).Scan(&misplaced)
	if err != nil {
		t.Fatal(err)
	}
	if misplaced > 0 {
		t.Errorf("%d parts do not begin where they are said to begin", misplaced)
	}
}
