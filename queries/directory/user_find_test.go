package directory_test

import (
	"slices"
	"testing"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

// The best match comes first: the whole name, its beginning, its initials, a part
// of it, and then other texts of the person.
func TestFindUsers(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, 3, n, n || '@new.example', s.t, array[]::text[] from (values
			('김민', E'김민\nᄀᄆ'), ('김민수', E'김민수\nᄀᄆᄉ'), ('이김민', E'이김민\nᄋᄀᄆ'), ('가나다', E'가나다\nᄀᄂᄃ\n김민@x')) s (n, t)`)
	queriestest.Exec(t, db, "update users set search_grams = array['김민', 'ᄀᄆ', 'ᄀᄂ'] where email like '%new.example'")
	queriestest.Exec(t, db, "update users set search_grams = array['김민'] where name = '가나다'")
	everybody := directory.Scope{Everybody: true}
	sales := directory.Scope{DepartmentIDs: []int64{queriestest.Sales, queriestest.Domestic, queriestest.Overseas}}
	for _, test := range []struct {
		text  string
		scope directory.Scope
		limit int
		want  []string
	}{
		{"김민", everybody, 10, []string{"김민", "김민수", "이김민", "가나다"}},
		{"김민", everybody, 3, []string{"김민", "김민수", "이김민"}},
		{"김민", everybody, 1, []string{"김민"}},
		{"ㄱㅁ", everybody, 10, []string{"김민", "김민수", "이김민"}},
		{"김민", sales, 10, []string{"김민", "김민수", "이김민", "가나다"}},
		{"김철", sales, 10, []string{"김철수"}},
		{"OLIVIA m", everybody, 10, []string{"Olivia Martin"}},
		{"佐藤", everybody, 10, []string{"佐藤ひろし"}},
		{"佐藤", sales, 10, nil},
		{"김철", directory.Scope{}, 10, nil},
		{"정하윤", everybody, 10, nil}, // hidden
		{"공지봇", everybody, 10, nil},
		{"한도윤", everybody, 10, nil}, // of the other company
		{"", everybody, 10, nil},
	} {
		search, err := lists.ParseSearch(test.text)
		if err != nil {
			t.Fatal(err)
		}
		users, err := db.Directory.FindUsers(t.Context(), directory.UserFilter{CompanyID: queriestest.Hanbit, Scope: test.scope, Search: search, Limit: test.limit})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range users {
			got = append(got, u.Name)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q, at most %d: got %q, want %q", test.text, test.limit, got, test.want)
		}
	}
}

// Of very many, the first by name are found, and the best match among those whose
// names begin with what was typed. Once the database has counted grams, such users
// are not read by them.
func TestFindUsersOfAFrequentName(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, 3, n, n || '@new.example', n, array['박다', '다수']
		from (select '박다수' || lpad(i::text, 3, '0') as n from generate_series(1, 150) i union all select '박다수') s`)
	search, err := lists.ParseSearch("박다수")
	if err != nil {
		t.Fatal(err)
	}
	log := queriestest.LogStatements(t, db)
	for _, byGrams := range []int{1, 0} {
		log.Take()
		// A new store has not read what the database has counted.
		users, err := directory.NewStore(db.DB).FindUsers(t.Context(), directory.UserFilter{CompanyID: queriestest.Hanbit, Scope: directory.Scope{Everybody: true}, Search: search, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if n := log.TakeCount("usersWithGrams"); n != byGrams {
			t.Errorf("read by grams %d times, want %d", n, byGrams)
		}
		var got []string
		for _, u := range users {
			got = append(got, u.Name)
		}
		if want := []string{"박다수", "박다수001", "박다수002"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		queriestest.Exec(t, db, "analyze users")
	}
}
