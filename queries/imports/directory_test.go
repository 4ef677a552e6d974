package imports_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/imports"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

const heading = "employee_id,name,email,department_path,position,role,company_phone,personal_phone,is_admin,bot\n"

// emptyCompany creates a company as the command for operators does.
func emptyCompany(t testing.TB, db *areas.Areas) directory.Company {
	t.Helper()
	company, err := db.Directory.CreateCompany(t.Context(), queries.Actor{Name: "operator"}, directory.NewCompany{Name: "본사", Host: "new.example"})
	if err != nil {
		t.Fatal(err)
	}
	return company
}

func importFile(t testing.TB, db *areas.Areas, company int64, file string, options directory.ImportOptions) imports.Report {
	t.Helper()
	return importWith(t, db, company, file, imports.Options{ImportOptions: options})
}

func importWith(t testing.TB, db *areas.Areas, company int64, file string, options imports.Options) imports.Report {
	t.Helper()
	report, err := db.Imports.Import(t.Context(), operator(company), strings.NewReader(file), options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func operator(company int64) queries.Actor {
	return queries.Actor{CompanyID: company, Name: "operator"}
}

// importedUser returns everything that an import sets for a user.
func importedUser(t testing.TB, db *areas.Areas, email string) string {
	t.Helper()
	return queriestest.LookUp(t, db, `select concat_ws('|', u.name, u.employee_id, d.path, r.name, o.name, u.company_phone, u.personal_phone, u.is_admin, u.bot)
		from users u left join departments d on d.company_id = u.company_id and d.id = u.department_id
		left join ranks r on r.company_id = u.company_id and r.id = u.rank_id
		left join roles o on o.company_id = u.company_id and o.id = u.role_id where lower(u.email) = lower($1)`, email)
}

func TestImportCreatesAndUpdates(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	file := heading +
		"N1,김철수,kim@new.example,본사/영업본부/영업1팀,부장,팀장,02-0000-1111,010-0000-2222,예,\n" +
		"N2,이영희,lee@new.example,본사/영업본부,사원,,,,no,false\n" +
		"B1,공지봇,,,,,,,,yes\n"
	first := importFile(t, db, company.ID, file, directory.ImportOptions{})
	if first.Created != 3 || first.Departments != 2 || first.Ranks != 2 || first.Roles != 1 || first.RefusedRows != 0 || !first.Written {
		t.Fatalf("first import: %+v", first)
	}
	if got, want := importedUser(t, db, "kim@new.example"), "김철수|N1|본사/영업본부/영업1팀|부장|팀장|02-0000-1111|010-0000-2222|t|f"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(name, ',' order by position) from ranks where company_id = $1", company.ID); got != "부장,사원" {
		t.Errorf("ranks in the order of the file: %s", got)
	}
	version := queriestest.LookUp(t, db, "select directory_version from companies where id = $1", company.ID)
	if again := importFile(t, db, company.ID, file, directory.ImportOptions{}); again.Unchanged != 3 || again.Created+again.Updated+again.Departments != 0 {
		t.Errorf("the same file again: %+v", again)
	}
	if got := queriestest.LookUp(t, db, "select directory_version from companies where id = $1", company.ID); got != version {
		t.Errorf("directory version went from %s to %s without a change", version, got)
	}
	changes := "email,name,department_path,position\nKIM@new.example,김철수,본사/연구소,이사\nlee@new.example,이영희,본사/영업본부,사원\n"
	second := importFile(t, db, company.ID, changes, directory.ImportOptions{})
	if second.Updated != 1 || second.Unchanged != 1 || second.Departments != 1 || second.Ranks != 1 {
		t.Errorf("changes: %+v", second)
	}
	if got, want := importedUser(t, db, "kim@new.example"), "김철수|N1|본사/연구소|이사|팀장|02-0000-1111|010-0000-2222|t|f"; got != want {
		t.Errorf("columns that the file lacks must stay: got %s, want %s", got, want)
	}
	if got := queriestest.LookUp(t, db, "select directory_version from companies where id = $1", company.ID); got == version {
		t.Error("the directory version stayed although people changed")
	}
}

func TestImportFindsPeopleBySearch(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	importFile(t, db, company.ID, "name,email,department_path\n김철수,kim@new.example,본사/영업팀\n", directory.ImportOptions{})
	s, err := lists.ParseSearch("ㄱㅊㅅ")
	if err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from users where company_id = $1 and search_grams @> $2", company.ID, s.Grams); got != "1" {
		t.Errorf("found %s by initials", got)
	}
	if text := queriestest.LookUp(t, db, "select search_text from departments where company_id = $1 and name = '영업팀'", company.ID); !strings.Contains(text, "영업팀") {
		t.Errorf("department search text %q", text)
	}
}

func TestImportRefusesRows(t *testing.T) {
	db := queriestest.New(t)
	long := strings.Repeat("가", 101)
	for _, test := range []struct {
		name, row, column string
		reason            queries.Invalid
	}{
		{"no name", "X1,,x@x.example,한빛테크,,,,,,", "name", "import.value.missing"},
		{"no email", "X1,김,,한빛테크,,,,,,", "email", "import.value.missing"},
		{"no department", "X1,김,x@x.example,,,,,,,", "department_path", "import.value.missing"},
		{"only slashes", "X1,김,x@x.example,//,,,,,,", "department_path", "import.value.missing"},
		{"a bot nobody could find again", ",봇,,,,,,,,1", "email", "import.value.missing"},
		{"bad email", "X1,김,x@x@example,한빛테크,,,,,,", "email", "import.email.invalid"},
		{"email with a name", "X1,김,김 <x@x.example>,한빛테크,,,,,,", "email", "import.email.invalid"},
		{"email with Hangul", "X1,김,김@x.example,한빛테크,,,,,,", "email", "import.email.invalid"},
		{"email of another company", "X1,김,KIM.CS@other.example,한빛테크,,,,,,", "email", "import.email.taken"},
		{"email of a colleague", "H0006,김철수,olivia@hanbit.example,한빛테크,,,,,,", "email", "import.email.taken"},
		{"email under another employee id and name", "H9,박새롬,kim.cs@hanbit.example,한빛테크,,,,,,", "email", "import.person.other"},
		{"id and email of two people, and the name of neither", "H0006,박새롬,olivia@hanbit.example,한빛테크,,,,,,", "email", "import.person.unclear"},
		{"name too long", "X1," + long + ",x@x.example,한빛테크,,,,,,", "name", "import.value.too_long"},
		{"rank too long", "X1,김,x@x.example,한빛테크," + long + ",,,,,", "position", "import.value.too_long"},
		{"department too long", "X1,김,x@x.example,한빛테크/" + long + ",,,,,,", "department_path", "import.department_path.too_long"},
		{"path too deep", "X1,김,x@x.example,한빛테크" + strings.Repeat("/팀", 20) + ",,,,,,", "department_path", "import.department_path.too_deep"},
		{"path too long", "X1,김,x@x.example,한빛테크" + strings.Repeat("/"+long[3:], 8) + ",,,,,,", "department_path", "import.department_path.too_deep"},
		{"gap in the path", "X1,김,x@x.example,한빛테크//영업팀,,,,,,", "department_path", "import.department_path.gap"},
		{"another root", "X1,김,x@x.example,다른회사/영업팀,,,,,,", "department_path", "import.department_path.root"},
		{"NUL", "X1,김\x00,x@x.example,한빛테크,,,,,,", "name", "import.value.characters"},
		{"line break", "X1,\"김\n철수\",x@x.example,한빛테크,,,,,,", "name", "import.value.characters"},
		{"broken character", "X1,김철수\xff,x@x.example,한빛테크,,,,,,", "name", "import.value.characters"},
		{"neither yes nor no", "X1,김,x@x.example,한빛테크,,,,,maybe,", "is_admin", "import.value.truth"},
		{"too few values", "X1,김", "email", "import.row.too_few"},
	} {
		t.Run(test.name, func(t *testing.T) {
			report := importFile(t, db, queriestest.Hanbit, heading+test.row+"\n", directory.ImportOptions{SkipBad: true})
			if report.RefusedRows != 1 || len(report.Refused) != 1 || report.Created+report.Updated+report.Departments+report.Ranks != 0 {
				t.Fatalf("got %+v", report)
			}
			if got := report.Refused[0]; got.Line != 2 || got.Column != test.column || got.Reason != string(test.reason) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestImportRefusesWhatTheFileDoubles(t *testing.T) {
	db := queriestest.New(t)
	report := importFile(t, db, queriestest.Hanbit, heading+
		"X1,김하나,x1@hanbit.example,한빛테크,,,,,,\n"+
		"X2,김둘,X1@hanbit.example,한빛테크,,,,,,\n"+
		"X1,김셋,x3@hanbit.example,한빛테크,,,,,,\n"+
		"H0006,김철수,new@hanbit.example,한빛테크,,,,,,\n"+
		",박새롬,kim.cs@hanbit.example,한빛테크,,,,,,\n"+
		",Olivia Martin,olivia@hanbit.example,한빛테크,,,,,,\n"+
		"H0007,Olivia Martin,olivia2@hanbit.example,한빛테크,,,,,,\n", directory.ImportOptions{SkipBad: true})
	var reasons []string
	for _, r := range report.Refused {
		reasons = append(reasons, fmt.Sprint(r.Line, " ", r.Reason))
	}
	if want := []string{"3 import.email.twice", "4 import.employee_id.twice", "7 import.person.twice"}; !slices.Equal(reasons, want) {
		t.Errorf("got %v, want %v", reasons, want)
	}
	if report.Created != 2 || report.Updated != 2 {
		t.Errorf("the former address of 김철수 was not accepted for another person: %+v", report)
	}
}

func TestImportExchangesAddresses(t *testing.T) {
	db := queriestest.New(t)
	report := importFile(t, db, queriestest.Hanbit, "employee_id,name,email,department_path\n"+
		"H0006,김철수,kim2@hanbit.example,한빛테크\n"+
		"H0007,Olivia Martin,kim.cs@hanbit.example,한빛테크\n", directory.ImportOptions{})
	if report.Updated != 2 || !report.Written {
		t.Fatalf("got %+v", report)
	}
	if got := queriestest.LookUp(t, db, "select name from users where email = 'kim.cs@hanbit.example'"); got != "Olivia Martin" {
		t.Errorf("the address went to %s", got)
	}
}

func TestImportIsAllOrNothing(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	file := "name,email,department_path\n김철수,kim@new.example,본사/영업팀\n,lee@new.example,본사/영업팀\n"
	people := func() string {
		return queriestest.LookUp(t, db, "select count(*) from users where company_id = $1", company.ID)
	}
	for _, options := range []directory.ImportOptions{{}, {DryRun: true}, {DryRun: true, SkipBad: true}} {
		report := importFile(t, db, company.ID, file, options)
		if report.Written || report.Created != 1 || report.RefusedRows != 1 || people() != "0" {
			t.Errorf("%+v: %+v, %s people", options, report, people())
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(name, ',') from departments where company_id = $1", company.ID); got != "본사" {
		t.Errorf("departments of an import that wrote nothing: %s", got)
	}
	if report := importFile(t, db, company.ID, file, directory.ImportOptions{SkipBad: true}); !report.Written || people() != "1" {
		t.Errorf("skipping bad rows: %+v, %s people", report, people())
	}
	good := "name,email,department_path\n박민수,park@new.example,본사/영업팀\n"
	dry := importFile(t, db, company.ID, good, directory.ImportOptions{DryRun: true})
	real := importFile(t, db, company.ID, good, directory.ImportOptions{})
	dry.Written = true
	if fmt.Sprint(dry) != fmt.Sprint(real) {
		t.Errorf("the dry run said %+v, the import %+v", dry, real)
	}
}

func TestImportNeverWritesAFileThatBreaksOff(t *testing.T) {
	db := queriestest.New(t)
	report := importFile(t, db, queriestest.Hanbit, "name,email,department_path\n김하나,one@hanbit.example,한빛테크\n\"김둘,two@hanbit.example,한빛테크\n김셋,three@hanbit.example,한빛테크\n",
		directory.ImportOptions{SkipBad: true})
	if report.Written || len(report.Refused) != 1 || report.Refused[0].Reason != "import.row.open_quote" || report.Refused[0].Line != 3 {
		t.Errorf("got %+v", report)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from users where email = 'one@hanbit.example'"); got != "0" {
		t.Error("a row of a broken file was written")
	}
}

func TestImportDropsAFurtherDepartmentThatBecameTheDefaultOne(t *testing.T) {
	db := queriestest.New(t)
	importFile(t, db, queriestest.Hanbit, "name,email,department_path\n김철수,kim.cs@hanbit.example,한빛테크/영업본부/해외영업팀\n", directory.ImportOptions{})
	if got := queriestest.LookUp(t, db, "select count(*) from user_departments where user_id = $1", queriestest.Kim); got != "0" {
		t.Errorf("김철수 is in %s further departments", got)
	}
}

func TestImportIntoNoCompany(t *testing.T) {
	db := queriestest.New(t)
	_, err := db.Imports.Import(t.Context(), operator(4711), strings.NewReader("name,email,department_path\n"), imports.Options{})
	if !errors.Is(err, queries.NotFound) {
		t.Errorf("got %v", err)
	}
}

func TestImportReportInWords(t *testing.T) {
	db := queriestest.New(t)
	report := importFile(t, db, queriestest.Hanbit, "name,email,department_path\n\x1b[31m김,x,한빛테크\n", directory.ImportOptions{})
	for locale, want := range map[locales.Locale][]string{
		locales.Korean:   {"아무것도 저장하지 않았습니다.", "거부 1", "이메일 형식이 올바르지 않습니다."},
		locales.English:  {"Nothing was saved.", "refused 1", "This is not an email address.", "2     email"},
		locales.Japanese: {"何も保存していません。", "拒否 1", "メールアドレスの形式が正しくありません。"},
	} {
		var b bytes.Buffer
		if err := report.Write(&b, locale, importfile.Brief); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s: no %q in\n%s", locale, text, &b)
			}
		}
		if strings.ContainsRune(b.String(), '\x1b') {
			t.Errorf("%s: control characters reach the terminal", locale)
		}
	}
}

// directoryFile returns a file with a directory of that many people, as a
// spreadsheet exports it.
func directoryFile(people int) string {
	var b strings.Builder
	b.WriteString(heading)
	for i := range people {
		fmt.Fprintf(&b, "E%d,김%d,person%d@new.example,본사/본부%d/팀%d,직급%d,팀원,,,,\r\n", i, i, i, i%20, i%800, i%12)
	}
	return b.String()
}

// Importing a directory of 32,000 people takes a few seconds, not minutes.
func TestImportOfALargeDirectory(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	const people = 32_000
	file := directoryFile(people)
	for _, want := range []directory.ImportReport{{Created: people, Departments: 20 + 800, Ranks: 12, Roles: 1}, {Unchanged: people}} {
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // enough for a busy machine with the race detector
		got, err := db.Imports.Import(ctx, operator(company.ID), strings.NewReader(file), imports.Options{})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d rows in %s", got.Rows, time.Since(began))
		want.Rows, want.Written = people, true
		if fmt.Sprint(got.ImportReport) != fmt.Sprint(want) || len(got.Moves) > 0 {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func FuzzImportDirectory(f *testing.F) {
	db := queriestest.New(f)
	for _, seed := range []string{
		heading + "N1,김철수,kim@new.example,한빛테크/영업팀,부장,팀장,,,예,\n", heading + ",봇,,,,,,,,1\n", "name,email,department_path\n👩‍🚀,a@b.example,한빛테크/a/ b \n",
		"name,email,department_path\n\u202eabc,x@y.example,한빛테크/%_\\\n", "name,email,department_path,부서코드\n김,a@b.example,한빛테크/가/나,R/A/B\n이,b@b.example,한빛테크/나/가,R/B/A\n",
		"사번,성명,메일,部署,department_code\nH0007,김철수,kim.cs@hanbit.example,한빛테크/영업본부,\nH0006,Olivia Martin,olivia@hanbit.example,한빛테크/新,9\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file string) {
		options := imports.Options{ImportOptions: directory.ImportOptions{DryRun: true, SkipBad: true}}
		report, err := db.Imports.Import(context.Background(), operator(queriestest.Hanbit), strings.NewReader(file), options)
		if err != nil {
			t.Fatalf("the database refused what the checks let pass: %v", err)
		}
		if report.Written || report.Created+report.Updated+report.Unchanged+report.RefusedRows < report.Rows {
			t.Errorf("got %+v", report)
		}
	})
}

// The former name of a renamed person is kept with the time of the import, by
// the injected clock.
func TestImportKeepsWhatPeopleWere(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	company := emptyCompany(t, db)
	const person = "E1,김하나,one@new.example,본사/인사팀,,,,,,\n"
	importFile(t, db, company.ID, heading+person, directory.ImportOptions{})
	clock.Advance(26*time.Hour + 30*time.Minute)
	importFile(t, db, company.ID, heading+strings.Replace(person, "김하나,", "김두나,", 1), directory.ImportOptions{})
	const history = `select string_agg(name || ' ' || to_char(until at time zone 'Asia/Seoul', 'YYYY-MM-DD HH24:MI'), ', ' order by id) from user_history where company_id = $1`
	if got := queriestest.LookUp(t, db, history, company.ID); got != "김하나 2026-11-21 12:30" {
		t.Errorf("the history is %q", got)
	}
}
