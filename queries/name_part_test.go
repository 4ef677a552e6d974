package queries_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

// people is a file of so many people of a company of their own.
func people(from, to int) string {
	var file strings.Builder
	file.WriteString("name,email,department_path\n")
	for n := from; n < to; n++ {
		fmt.Fprintf(&file, "김%c%d,p%d@new.example,새회사\n", '가'+n%399*28, n, n)
	}
	return file.String()
}

func searched(t *testing.T, db *queries.DB, companyID int64, text string) int {
	t.Helper()
	search, err := queries.ParseSearch(text)
	if err != nil {
		t.Fatal(err)
	}
	return len(found(t, db, queries.DirectoryFilter{CompanyID: companyID, Scope: queries.Scope{Everybody: true}, Search: search}, 40))
}

func TestImportCutsNames(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	parts := func() string {
		return lookUp(t, db, "select count(*) from name_parts where company_id = $1", company.ID)
	}
	for _, step := range []struct {
		from, to int
		want     string
	}{{0, 32, "0"}, {32, 38, "3"}, {38, 96, "3"}, {96, 400, "25"}} {
		importFile(t, db, company.ID, people(step.from, step.to), queries.ImportOptions{})
		if got := parts(); got != step.want {
			t.Errorf("%d people are cut into %s parts, want %s", step.to, got, step.want)
		}
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

// The longest texts that an import takes must fit the index that parts are read from.
func TestLongestPersonFitsTheIndex(t *testing.T) {
	db := queriestest.New(t)
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
	if report := importFile(t, db, company.ID, file, queries.ImportOptions{}); report.Created != 1 {
		t.Fatalf("%+v", report)
	}
	if got := searched(t, db, company.ID, "アパート"); got != 1 {
		t.Errorf("found %d", got)
	}
}

// Somebody who comes while the names are being cut is found like everybody else.
func TestCutNamesMeanwhile(t *testing.T) {
	db := queriestest.New(t)
	ctx := t.Context()
	tx, err := db.Pool().Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(ctx)
	if err := queries.CutNamesIn(ctx, tx, queriestest.Hanbit, 2); err != nil {
		t.Fatal(err)
	}
	added := make(chan error)
	go func() {
		_, err := db.CreateUser(ctx, queriestest.Hanbit, queries.NewUser{Name: "새사람", Email: "late@hanbit.example"})
		added <- err
	}()
	for lookUp(t, db, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == "0" {
		select {
		case err := <-added:
			t.Fatalf("somebody came before the names were cut: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if err := <-added; err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"새사람", "late@"} {
		if got := searched(t, db, queriestest.Hanbit, text); got != 1 {
			t.Errorf("%s finds %d", text, got)
		}
	}
}

// Whom an earlier schema holds, with fewer grams, is found after the migration.
func TestMigrateCutsNames(t *testing.T) {
	url := queriestest.EmptyURL(t)
	ctx := t.Context()
	if err := queries.MigrateTo(ctx, url, 10); err != nil {
		t.Fatal(err)
	}
	before, err := queries.Open(ctx, url, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, err = before.Pool().Exec(ctx, `with company as (
			insert into companies (name, host, time_zone) values ('옛회사', 'old.example', 'Asia/Seoul') returning id
		), root as (insert into departments (company_id, name) select id, '옛회사' from company returning company_id, id)
		insert into users (company_id, department_id, name, email, search_text, search_grams)
		select root.company_id, root.id, '김' || n, n || '@old.example', '김' || n || E'\nkim' || n, '{}' from root, generate_series(1, 300) n`)
	before.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := queries.Migrate(ctx, url); err != nil {
		t.Fatal(err)
	}
	db, err := queries.Open(ctx, url, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := lookUp(t, db, "select count(*) from name_parts"); got != "19" {
		t.Errorf("cut into %s parts", got)
	}
	if got := searched(t, db, 1, "kim29"); got != 11 {
		t.Errorf("found %d", got)
	}
}
