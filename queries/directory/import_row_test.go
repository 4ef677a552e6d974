package directory

import (
	"strings"
	"testing"

	"officeconsole/importfile"
	"officeconsole/locales"
)

// The console's own labels, and the headings that Japanese offices use, are understood.
func TestHeadings(t *testing.T) {
	for _, locale := range []locales.Locale{locales.Korean, locales.English, locales.Japanese} {
		for id, want := range map[string]string{
			"export.name": "name", "export.employee_id": "employee_id", "export.department": "department_path",
			"change.field.email": "email", "change.field.employee_id": "employee_id", "change.field.department": "department_path", "change.field.job_title": "position",
			"change.field.company_phone": "company_phone", "change.field.personal_phone": "personal_phone",
			"profile.rank": "position", "profile.role": "role", "profile.employee_id": "employee_id", "profile.company_phone": "company_phone", "profile.personal_phone": "personal_phone",
			"provider.field.email": "email", "provider.field.department": "department_path", "provider.field.rank": "position", "provider.field.name": "name", "provider.field.admin": "is_admin",
			"session.email": "email", "payroll.rank": "position", "viewer.column.position": "position",
		} {
			if got, known := directoryColumns.Name(locale.T(id)); !known || got != want {
				t.Errorf("%s %s, %q, is %q", locale, id, locale.T(id), got)
			}
		}
	}
	for heading, want := range map[string]string{
		"従業員番号": "employee_id", "社員ＩＤ": "employee_id", "所属": "department_path", "所属部署": "department_path", "姓": "family_name", "名": "given_name",
		"会社の電話": "company_phone", "個人の電話番号": "personal_phone", "ＥＭＡＩＬ": "email", "E-mail": "email",
	} {
		if got, known := directoryColumns.Name(heading); !known || got != want {
			t.Errorf("%q is %q", heading, got)
		}
	}
}

// A family name and a given name in two columns are one name.
func TestNameInTwoColumns(t *testing.T) {
	table, err := importfile.OpenTable(strings.NewReader("姓,名,メール,所属\n高橋,花子,h@a.example,本社\n渡辺,,w@a.example,本社\n"), importfile.Reading{}, directoryColumns)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for _, want := range []string{"高橋 花子", "渡辺"} {
		values, err := table.Next()
		if err != nil {
			t.Fatal(err)
		}
		if row, refused := readRow(table.Line, values); row.name != want || refused != nil {
			t.Errorf("%v is read as %q (%v), not %q", values, row.name, refused, want)
		}
	}
	if _, err := importfile.OpenTable(strings.NewReader("姓,メール,所属\n"), importfile.Reading{}, directoryColumns); err == nil {
		t.Error("a family name alone is enough")
	}
}

func TestTruth(t *testing.T) {
	for value, want := range map[string]string{
		"true": "yes", "T": "yes", "1": "yes", "Yes": "yes", "y": "yes", "O": "yes", "예": "yes", "はい": "yes",
		"FALSE": "no", "f": "no", "0": "no", "no": "no", "N": "no", "x": "no", "아니오": "no", "아니요": "no", "いいえ": "no",
		"": "unsaid", "2": "refused", "maybe": "refused", "네니오": "refused",
	} {
		r := &rowReader{values: importfile.Cells{"bot": value}}
		got := "no"
		switch is := r.truth("bot"); {
		case len(r.refused) > 0:
			got = "refused"
		case is == nil:
			got = "unsaid"
		case *is:
			got = "yes"
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", value, got, want)
		}
	}
}

func TestEmails(t *testing.T) {
	for email, want := range map[string]bool{
		"kim@hanbit.example": true, "kim.cs+note@mail.hanbit.example": true, "o'neil@hanbit.example": true, "Kim@HANBIT.example": true, "kim@intranet": true,
		"": false, "kim": false, "@hanbit.example": false, "kim@": false, "kim@@hanbit.example": false, "kim@hanbit..example": false, "kim..cs@hanbit.example": false,
		"kim cs@hanbit.example": false, "\"kim cs\"@hanbit.example": false, "<kim@hanbit.example>": false, "김@hanbit.example": false, "kim@한빛.example": false, "kim@[192.0.2.1]": false,
	} {
		if got := isEmail(email); got != want {
			t.Errorf("%q: got %t", email, got)
		}
	}
}
