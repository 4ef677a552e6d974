package directory_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/imports"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

// people returns a file of one company with the people numbered from from up
// to, but not including, to.
func people(from, to int) string {
	var file strings.Builder
	file.WriteString("name,email,department_path\n")
	for n := from; n < to; n++ {
		fmt.Fprintf(&file, "김%c%d,p%d@new.example,새회사\n", '가'+n%399*28, n, n)
	}
	return file.String()
}

// emptyCompany creates a company as the command for operators does.
func emptyCompany(t testing.TB, db *areas.Areas) directory.Company {
	t.Helper()
	company, err := db.Directory.CreateCompany(t.Context(), queries.Actor{Name: "test"}, directory.NewCompany{Name: "새회사", Host: "new.example"})
	if err != nil {
		t.Fatal(err)
	}
	return company
}

func importFile(t testing.TB, db *areas.Areas, company int64, file string) imports.Report {
	t.Helper()
	report, err := db.Imports.Import(t.Context(), queries.Actor{CompanyID: company}, strings.NewReader(file), imports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func searched(t *testing.T, db *areas.Areas, companyID int64, text string) int {
	t.Helper()
	search, err := lists.ParseSearch(text)
	if err != nil {
		t.Fatal(err)
	}
	return len(allPages(t, db, directory.UserFilter{CompanyID: companyID, Scope: directory.Scope{Everybody: true}, Search: search}, 40))
}

// People who were imported are found by name order and by the index of bigrams.
func TestImportedPeopleAreFound(t *testing.T) {
	db := queriestest.New(t)
	db.Directory.SetSearchBounds(20, 100)
	company := emptyCompany(t, db)
	for _, step := range []struct{ from, to int }{{0, 32}, {32, 38}, {38, 96}, {96, 400}} {
		importFile(t, db, company.ID, people(step.from, step.to))
		if got := searched(t, db, company.ID, "new.example"); got != step.to {
			t.Errorf("%d of %d are found", got, step.to)
		}
	}
	for text, want := range map[string]int{"p15": 11, "p155@": 1, "김가": 2, "뷁쀍": 0} {
		if got := searched(t, db, company.ID, text); got != want {
			t.Errorf("%s finds %d, want %d", text, got, want)
		}
	}
}

// The index of bigrams is asked for rare texts only, without reading names first:
// frequent ones are found along the names, whether PostgreSQL expects them to be
// frequent or the index shows it. A stretch of names is read where it is expected to
// hold a page.
func TestFrequentTextsAreFoundAlongTheNames(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	importFile(t, db, company.ID, people(0, 400))
	queriestest.Exec(t, db, "analyze users")
	log := queriestest.LogStatements(t, db)
	for _, test := range []struct {
		text               string
		stretch, found     int
		indexed, inStretch bool
	}{
		{"new.example", 20, 400, false, false},
		{"new.example", 60, 400, false, true},
		{"p399", 60, 1, true, false},
		{"p399", 500, 1, false, true},
	} {
		db.Directory.SetSearchBounds(test.stretch, 100)
		log.Take()
		if got := searched(t, db, company.ID, test.text); got != test.found {
			t.Errorf("%s finds %d, want %d", test.text, got, test.found)
		}
		statements := strings.Join(log.Take(), "\n")
		if got := strings.Contains(statements, "holders"); got != test.indexed {
			t.Errorf("%s: asks the index: %v, want %v:\n%s", test.text, got, test.indexed, statements)
		}
		if got := strings.Contains(statements, "along.ids"); got != test.inStretch {
			t.Errorf("%s: reads a stretch of %d names: %v, want %v:\n%s", test.text, test.stretch, got, test.inStretch, statements)
		}
	}
	db.Directory.SetSearchBounds(20, 100)
	// Without statistics the index is asked, and finds too many.
	queriestest.Exec(t, db, "delete from pg_statistic where starelid = 'users'::regclass")
	if got := searched(t, db, company.ID, "new.example"); got != 400 {
		t.Errorf("without statistics: %d", got)
	}
}

// The longest texts that an import accepts fit in an entry of the bigram index.
func TestLongestPersonFitsTheIndex(t *testing.T) {
	db := queriestest.New(t)
	db.Directory.SetSearchBounds(1, 100)
	company := emptyCompany(t, db)
	long := func(count int) string { // every one of these letters is folded into several
		var s strings.Builder
		for n := range count {
			s.WriteRune('㌀' + rune(n)%88)
		}
		return s.String()
	}
	email := strings.Repeat("a", 63) + "@" + strings.Repeat(strings.Repeat("b", 60)+".", 3) + "example"
	file := "name,email,employee_id,department_path\n" + long(100) + "," + email + "," + long(50) + ",새회사\n"
	if report := importFile(t, db, company.ID, file); report.Created != 1 {
		t.Fatalf("%+v", report)
	}
	if got := searched(t, db, company.ID, "アパート"); got != 1 {
		t.Errorf("found %d", got)
	}
}

// A new or renamed person is found at once.
func TestNewPersonIsFound(t *testing.T) {
	db := queriestest.New(t)
	db.Directory.SetSearchBounds(1, 100)
	if _, err := db.Directory.CreateUser(t.Context(), queriestest.AdminActor(t, db), directory.NewUser{Name: "새사람", Email: "late@hanbit.example"}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"새사람", "late@"} {
		if got := searched(t, db, queriestest.Hanbit, text); got != 1 {
			t.Errorf("%s finds %d", text, got)
		}
	}
	renamed, grams := search.Key("헌사람", "late@hanbit.example")
	queriestest.Exec(t, db, "update users set name = '헌사람', search_text = $1, search_grams = $2 where email = 'late@hanbit.example'", renamed, grams)
	for text, want := range map[string]int{"헌사람": 1, "새사람": 0} {
		if got := searched(t, db, queriestest.Hanbit, text); got != want {
			t.Errorf("%s finds %d, want %d after the renaming", text, got, want)
		}
	}
}
