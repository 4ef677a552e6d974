package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
)

// Two of employee id, email and name recognise a person, so that the third can be
// corrected, and people can exchange emails and employee ids.
func TestImportRecognisesPeople(t *testing.T) {
	const unchanged = "H0003 박지민 viewer, H0006 김철수 kim.cs, H0007 Olivia Martin olivia, H0008 佐藤ひろし sato"
	for _, test := range []struct {
		name string
		rows []string // employee id, name, and email without its host
		want string   // of 박지민, 김철수, Olivia Martin and 佐藤ひろし
		also string   // new people, then refusals
	}{
		{"nothing new", []string{"H0006,김철수,kim.cs"}, unchanged, ""},
		{"an employee id is corrected", []string{"H9006,김철수,KIM.CS"}, strings.Replace(unchanged, "H0006 김철수 kim.cs", "H9006 김철수 KIM.CS", 1), ""},
		{"an email is corrected", []string{"H0006,김철수,kim2"}, strings.Replace(unchanged, "kim.cs", "kim2", 1), ""},
		{"a name is corrected", []string{"H0006,김철호,kim.cs"}, strings.Replace(unchanged, "김철수", "김철호", 1), ""},
		{"name and email are new", []string{"H0007,Olivia Lee,lee"}, strings.Replace(unchanged, "Olivia Martin olivia", "Olivia Lee lee", 1), ""},
		{"emails are exchanged", []string{"H0006,김철수,olivia", "H0007,Olivia Martin,kim.cs"},
			"H0003 박지민 viewer, H0006 김철수 olivia, H0007 Olivia Martin kim.cs, H0008 佐藤ひろし sato", ""},
		{"employee ids are exchanged", []string{"H0007,김철수,kim.cs", "H0006,Olivia Martin,olivia"},
			"H0003 박지민 viewer, H0007 김철수 kim.cs, H0006 Olivia Martin olivia, H0008 佐藤ひろし sato", ""},
		{"emails go round", []string{"H0006,김철수,olivia", "H0007,Olivia Martin,sato", "H0008,佐藤ひろし,kim.cs"},
			"H0003 박지민 viewer, H0006 김철수 olivia, H0007 Olivia Martin sato, H0008 佐藤ひろし kim.cs", ""},
		{"employee ids move up", []string{"H0007,김철수,kim.cs", "H0008,Olivia Martin,olivia", "H9008,佐藤ひろし,sato"},
			"H0003 박지민 viewer, H0007 김철수 kim.cs, H0008 Olivia Martin olivia, H9008 佐藤ひろし sato", ""},
		{"emails move up, in the order that does not free them", []string{"H0006,김철수,olivia", "H0007,Olivia Martin,olivia2"},
			"H0003 박지민 viewer, H0006 김철수 olivia, H0007 Olivia Martin olivia2, H0008 佐藤ひろし sato", ""},
		{"somebody new gets a former email", []string{"H0006,김철수,kim2", "H7000,김새롬,kim.cs"}, strings.Replace(unchanged, "kim.cs", "kim2", 1), "H7000 김새롬 kim.cs"},
		{"somebody new gets a former employee id", []string{"H9006,김철수,kim.cs", "H0006,김새롬,new"}, strings.Replace(unchanged, "H0006 김철수", "H9006 김철수", 1), "H0006 김새롬 new"},
		{"the same, in the other order", []string{"H0006,김새롬,new", "H9006,김철수,kim.cs"}, strings.Replace(unchanged, "H0006 김철수", "H9006 김철수", 1), "H0006 김새롬 new"},

		{"the email of somebody who keeps it", []string{"H0006,김철수,olivia", "H0007,Olivia Martin,olivia"}, unchanged, "2 email import.email.taken 0, 3 email import.email.twice 2"},
		{"a chain whose last link keeps its email", []string{"H0003,박지민,kim.cs", "H0006,김철수,olivia"}, unchanged, "2 email import.email.taken 3, 3 email import.email.taken 0"},
		{"an employee id that its holder keeps", []string{"H0007,김철수,kim.cs"}, unchanged, "2 employee_id import.employee_id.taken 0"},
		{"id and email of two, and another name", []string{"H0006,누구,olivia", "H0007,Olivia Martin,olivia3"}, "", "2 email import.person.unclear 3"},
		{"an employee id whose holder keeps it, for somebody new", []string{",김철수,kim.cs", "H0006,김새롬,new"}, unchanged, "3 employee_id import.employee_id.taken 2"},
		{"the email of somebody, with another id and name", []string{"H7000,김새롬,kim.cs"}, unchanged, "2 email import.person.other 0"},
		{"the same person by id and by email", []string{"H0006,김철수,kim2", ",김철수,kim.cs"}, "", "3 name import.person.twice 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := queriestest.New(t)
			file := "employee_id,name,email,department_path\n"
			for _, row := range test.rows {
				file += row + "@hanbit.example,한빛테크\n"
			}
			report := importFile(t, db, queriestest.Hanbit, file, directory.ImportOptions{SkipBad: true})
			if !report.Written {
				t.Fatalf("got %+v", report)
			}
			people := func(which string) string {
				return queriestest.LookUp(t, db, `select coalesce(string_agg(concat_ws(' ', employee_id, name, split_part(email, '@', 1)), ', ' order by id), '') from users where company_id = 1 and `+which)
			}
			if got := people("id in (3, 6, 7, 8)"); test.want != "" && got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			also := people("id > 1000")
			var refused []string
			for _, r := range report.Refused {
				refused = append(refused, fmt.Sprint(r.Line, " ", r.Column, " ", r.Reason, " ", r.Other))
			}
			if also += strings.Join(refused, ", "); also != test.also {
				t.Errorf("got %q, want %q", also, test.also)
			}
		})
	}
}

// The same reason is written a few times and then counted.
func TestImportReportGroupsRefusals(t *testing.T) {
	db := queriestest.New(t)
	var b strings.Builder
	b.WriteString("name,email,department_path\n")
	for i := range 50 {
		fmt.Fprintf(&b, "김%d,p%d at hanbit,한빛테크\n", i, i)
	}
	b.WriteString(",x@hanbit.example,한빛테크\n")
	report := importFile(t, db, queriestest.Hanbit, b.String(), directory.ImportOptions{})
	for most, want := range map[int]struct{ lines, more int }{importfile.Brief: {21, 1}, 0: {51, 0}} {
		var text strings.Builder
		if err := report.Write(&text, locales.English, most); err != nil {
			t.Fatal(err)
		}
		if lines, more := strings.Count(text.String(), "at hanbit")+strings.Count(text.String(), "Enter a value."), strings.Count(text.String(), "30 more rows: This is not an email address."); lines != want.lines || more != want.more {
			t.Errorf("%d lines and %d sums in\n%s", lines, more, &text)
		}
	}
}
