package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/imports"
	"officeconsole/queries/queriestest"
)

// staff returns a file of a new company: p1 is its administrator, and the numbers are
// those of the people whom it names.
func staff(people ...int) string {
	var b strings.Builder
	b.WriteString("name,email,department_path,is_admin\n")
	for _, p := range people {
		fmt.Fprintf(&b, "김%d,p%d@new.example,본사,%t\n", p, p, p == 1)
	}
	return b.String()
}

func numbers(from, to int) (all []int) {
	for i := from; i <= to; i++ {
		all = append(all, i)
	}
	return all
}

// imported creates a company with people 1 to 10 from a file.
func imported(t *testing.T) (*areas.Areas, int64) {
	t.Helper()
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	if report := importFile(t, db, company.ID, staff(numbers(1, 10)...), directory.ImportOptions{}); report.Created != 10 || len(report.Granted) != 1 {
		t.Fatalf("got %+v", report)
	}
	return db, company.ID
}

// inactive returns the people who are deactivated, with the source.
func inactive(t *testing.T, db *areas.Areas, company int64) string {
	t.Helper()
	return queriestest.LookUp(t, db, `select coalesce(string_agg(u.name || ' ' || h.source, ', ' order by u.id), '') from users u
		join hidings h on h.company_id = u.company_id and h.user_id = u.id and h.state = 'deactivated' and h.shown_at is null
		where u.company_id = $1 and u.deactivated_at is not null`, company)
}

func idOf(t *testing.T, db *areas.Areas, person int) (id int64) {
	t.Helper()
	if _, err := fmt.Sscan(queriestest.LookUp(t, db, "select id from users where email = $1", fmt.Sprintf("p%d@new.example", person)), &id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestImportDeactivatesLeavers(t *testing.T) {
	db, company := imported(t)
	file := staff(numbers(1, 8)...)
	if report := importFile(t, db, company, file, directory.ImportOptions{}); len(report.Missing) != 2 || report.Leavers.Deactivated != 0 || inactive(t, db, company) != "" {
		t.Errorf("without the option: %+v, %s", report, inactive(t, db, company))
	}
	dry := importWith(t, db, company, file, imports.Options{ImportOptions: directory.ImportOptions{DryRun: true}, DeactivateMissing: true})
	if dry.Leavers.Deactivated != 2 || inactive(t, db, company) != "" {
		t.Errorf("the dry run: %+v, %s", dry, inactive(t, db, company))
	}
	report := importWith(t, db, company, file, imports.Options{DeactivateMissing: true, File: "people.csv"})
	if got := inactive(t, db, company); got != "김9 import, 김10 import" || report.Leavers.Deactivated != 2 || !report.Written {
		t.Errorf("got %s, %+v", got, report)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', action, object_name, new->>'deactivated_people'), ', ' order by id) from changes where company_id = $1 and id > (select min(id) + 2 from changes where company_id = $1)", company); got != "user.deactivated 김9, user.deactivated 김10, directory.imported people.csv 2" {
		t.Errorf("the change log: %s", got)
	}
	if again := importWith(t, db, company, file, imports.Options{DeactivateMissing: true}); len(again.Missing) != 0 || again.Leavers.Deactivated != 0 {
		t.Errorf("the same file again: %+v", again)
	}
}

func TestImportReactivatesPeopleWhoAreBack(t *testing.T) {
	db, company := imported(t)
	importWith(t, db, company, staff(numbers(1, 8)...), imports.Options{DeactivateMissing: true})
	if _, err := db.Hidings.Deactivate(t.Context(), operator(company), hiding.Deactivation{UserIDs: []int64{idOf(t, db, 8)}}); err != nil {
		t.Fatal(err)
	}
	report := importFile(t, db, company, staff(numbers(1, 9)...), directory.ImportOptions{})
	if got := inactive(t, db, company); got != "김8 administrator, 김10 import" || !report.Written {
		t.Errorf("got %s, %+v", got, report)
	}
	var b strings.Builder
	if err := report.Write(&b, locales.Japanese, importfile.Brief); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"取り込みで無効にされ、有効に戻るユーザー 1人\n  김9 · p9@new.example · 본사\n",
		"ファイルにあるが、管理者またはほかのディレクトリが無効にしたユーザー 1人\n  김8 · p8@new.example · 본사\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if got := queriestest.LookUp(t, db, "select new->>'reactivated_people' from changes where company_id = $1 and action = 'directory.imported' order by id desc limit 1", company); got != "1" {
		t.Errorf("%s people were reactivated by the change log", got)
	}
}

// Somebody who gets the employee id or the email of a leaver does not get the account.
func TestImportGivesNobodyTheAccountOfALeaver(t *testing.T) {
	db := queriestest.New(t)
	if _, err := db.Hidings.Deactivate(t.Context(), operator(queriestest.Hanbit), hiding.Deactivation{UserIDs: []int64{queriestest.Kim}, Source: hiding.Import}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, row, want string }{
		{"the employee id", "H0006,김새롬,saerom@hanbit.example", "import.person.left"},
		{"the email", ",김새롬,kim.cs@hanbit.example", "import.person.left"},
		{"the email, with another employee id", "H7000,김새롬,kim.cs@hanbit.example", "import.person.left"},
		{"both, with another name", "H0006,김철호,kim.cs@hanbit.example", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			report := importFile(t, db, queriestest.Hanbit, "employee_id,name,email,department_path\n"+test.row+",한빛테크\n", directory.ImportOptions{})
			got := ""
			for _, r := range report.Refused {
				got += r.Reason
			}
			if got != test.want || report.Written != (test.want == "") {
				t.Errorf("got %s, %+v", got, report)
			}
		})
	}
}

func TestImportDeactivatesOnlyWhomItShould(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare string // a statement
		file    string
		options imports.Options
		want    string // who is deactivated
		stopped string
		said    string // in the report
	}{
		{"a fifth of the people", "", staff(numbers(1, 8)...), imports.Options{}, "김9 import, 김10 import", "", "Deactivated: 2\n"},
		{"more than a fifth", "", staff(numbers(1, 7)...), imports.Options{}, "", "import.stopped.many", "add --allow-many"},
		{"more than a fifth, as intended", "", staff(numbers(1, 7)...), imports.Options{AllowMany: true}, "김8 import, 김9 import, 김10 import", "", "Deactivated: 3\n"},
		{"hidden people", "update users set hidden_at = now() where email = 'p9@new.example'", staff(numbers(1, 8)...), imports.Options{AllowMany: true},
			"김10 import", "", "they are hidden or bots: 1\n"},
		{"bots", "update users set bot = true where email = 'p9@new.example'", staff(numbers(1, 8)...), imports.Options{AllowMany: true},
			"김10 import", "", "김9 · p9@new.example · 본사 (bot)\n"},
		{"people who were never in a file", "update users set imported = false where email = 'p9@new.example'", staff(numbers(1, 8)...), imports.Options{AllowMany: true},
			"김10 import", "", "Deactivated: 1\n"},
		{"the last administrator", "", staff(numbers(2, 9)...), imports.Options{}, "김10 import", "", "nobody else would be an administrator: 1\n  김1 · p1@new.example"},
		{"an administrator, if there is another", "update users set is_admin = true where email = 'p2@new.example'", "name,email,department_path\n" + strings.ReplaceAll(strings.SplitN(staff(numbers(2, 10)...), "\n", 2)[1], ",false", ""),
			imports.Options{}, "김1 import", "", "Deactivated: 1\n"},
		{"an administrator, if the file makes another", "", strings.Replace(staff(numbers(2, 10)...), "false", "true", 1), imports.Options{}, "김1 import", "", "Become administrators: 1\n  김2"},
		{"a refused row", "", staff(numbers(1, 8)...) + "김9,p9 at new.example,본사,\n", imports.Options{ImportOptions: directory.ImportOptions{SkipBad: true}}, "", "",
			"Nobody is deactivated, because a refused row may be about one of them.\n"},
		{"a file that breaks off", "", staff(numbers(1, 8)...) + "\"김9", imports.Options{ImportOptions: directory.ImportOptions{SkipBad: true}}, "", "", "Nobody is deactivated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, company := imported(t)
			if test.prepare != "" {
				queriestest.Exec(t, db, test.prepare)
			}
			test.options.DeactivateMissing = true
			report := importWith(t, db, company, test.file, test.options)
			var b strings.Builder
			if err := report.Write(&b, locales.English, importfile.Brief); err != nil {
				t.Fatal(err)
			}
			if got := inactive(t, db, company); got != test.want || strings.Join(report.Stopped, " ") != test.stopped || !strings.Contains(b.String(), test.said) {
				t.Errorf("deactivated %s, stopped by %v, no %q in\n%s", got, report.Stopped, test.said, &b)
			}
		})
	}
}

// A file does not leave a company without administrators.
func TestImportLeavesAnAdministrator(t *testing.T) {
	db, company := imported(t)
	report := importFile(t, db, company, "name,email,department_path,is_admin\n김1,p1@new.example,본사,no\n", directory.ImportOptions{})
	if strings.Join(report.Stopped, " ") != "import.stopped.administrators" || report.Written {
		t.Errorf("got %+v", report)
	}
	report = importFile(t, db, company, "name,email,department_path,is_admin\n김1,p1@new.example,본사,no\n김2,p2@new.example,본사,yes\n", directory.ImportOptions{})
	got := queriestest.LookUp(t, db, `select string_agg(action || ' ' || object_name, ', ' order by object_name, action) from changes
		where company_id = $1 and action like 'user.admin%' and id > (select min(id) + 2 from changes where company_id = $1)`, company)
	if want := "user.admin_revoked 김1, user.admin_granted 김2"; !report.Written || got != want {
		t.Errorf("got %s, want %s; %+v", got, want, report)
	}
}

// A leaver who is not deactivated does not hide that a department was left for another.
func TestImportAsksAlthoughALeaverRemains(t *testing.T) {
	db := queriestest.New(t)
	importFile(t, db, queriestest.Hanbit, hanbit(nil)+"H0011,이보람,boram@hanbit.example,한빛테크/연구소/메신저팀,R/D5/D6\n", directory.ImportOptions{})
	report := importFile(t, db, queriestest.Hanbit, hanbit(map[int64]string{queriestest.Employee: "한빛테크/영업본부/신사업,D9"}), directory.ImportOptions{})
	if len(report.Missing) != 1 || strings.Join(report.Stopped, " ") != "import.stopped.policies" {
		t.Errorf("got %+v", report)
	}
}
