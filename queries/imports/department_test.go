package imports_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/imports"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// hanbit returns a file of the people of the cast whom departments decide on, with
// the codes of their departments.
func hanbit(departments map[int64]string) string {
	var b strings.Builder
	b.WriteString("사번,성명,이메일,부서 경로,부서코드\n")
	for _, p := range []struct {
		id         int64
		name       string
		employeeID string
		department string
	}{
		{queriestest.Admin, "김서연", "H0001", "한빛테크,R"},
		{queriestest.Employee, "이준호", "H0002", "한빛테크/연구소/메신저팀,R/D5/D6"},
		{queriestest.Viewer, "박지민", "H0003", "한빛테크/영업본부,D2"},
		{queriestest.Kim, "김철수", "H0006", "한빛테크/영업본부/국내영업팀,D3"},
		{queriestest.Foreigner, "Olivia Martin", "H0007", "한빛테크/영업본부/해외영업팀,D4"},
	} {
		department := p.department
		if other, found := departments[p.id]; found {
			department = other
		}
		fmt.Fprintf(&b, "%s,%s,%s,%s\n", p.employeeID, p.name, queriestest.Email(p.id), department)
	}
	return b.String()
}

// withoutCodes removes the codes from a file of hanbit.
func withoutCodes(file string) string {
	lines := strings.Split(strings.TrimSpace(file), "\n")
	for i, line := range lines {
		lines[i] = line[:strings.LastIndexByte(line, ',')]
	}
	return strings.Join(lines, "\n") + "\n"
}

// pathsOf returns the ids and paths of the departments of 한빛테크 that are not as the
// cast has them.
func pathsOf(t testing.TB, db *areas.Areas) string {
	t.Helper()
	return queriestest.LookUp(t, db, `select coalesce(string_agg(case when id > 1000 then 'new' else id::text end || ' ' || path, ', ' order by id), '') from departments
		where company_id = 1 and (id, path) not in ((1, '한빛테크'), (2, '한빛테크/영업본부'), (3, '한빛테크/영업본부/국내영업팀'), (4, '한빛테크/영업본부/해외영업팀'),
		(5, '한빛테크/연구소'), (6, '한빛테크/연구소/메신저팀'), (7, '한빛테크/일본지사'))`)
}

func TestImportRenamesAndMovesDepartmentsByCode(t *testing.T) {
	for _, test := range []struct {
		name        string
		departments map[int64]string
		want        string
	}{
		{"the same", nil, ""},
		{"renamed", map[int64]string{queriestest.Kim: "한빛테크/영업본부/국내사업팀,D3"}, "3 한빛테크/영업본부/국내사업팀"},
		{"renamed with everything below", map[int64]string{
			queriestest.Viewer: "한빛테크/사업본부,D2", queriestest.Kim: "한빛테크/사업본부/국내영업팀,D3", queriestest.Foreigner: "한빛테크/사업본부/해외영업팀,D4",
		}, "2 한빛테크/사업본부, 3 한빛테크/사업본부/국내영업팀, 4 한빛테크/사업본부/해외영업팀"},
		{"moved and renamed", map[int64]string{queriestest.Kim: "한빛테크/연구소/현장팀,D3"}, "3 한빛테크/연구소/현장팀"},
		{"moved below a new one", map[int64]string{queriestest.Kim: "한빛테크/신사업/국내영업팀,D3"}, "3 한빛테크/신사업/국내영업팀, new 한빛테크/신사업"},
		{"names exchanged", map[int64]string{queriestest.Kim: "한빛테크/영업본부/해외영업팀,D3", queriestest.Foreigner: "한빛테크/영업본부/국내영업팀,D4"},
			"3 한빛테크/영업본부/해외영업팀, 4 한빛테크/영업본부/국내영업팀"},
		{"parent and child exchanged", map[int64]string{queriestest.Employee: "한빛테크/메신저팀/연구소,R/D6/D5"}, "5 한빛테크/메신저팀/연구소, 6 한빛테크/메신저팀"},
		{"a new one at the path of one that moved", map[int64]string{queriestest.Kim: "한빛테크/국내영업팀,D3", queriestest.Viewer: "한빛테크/영업본부/국내영업팀,D9"},
			"3 한빛테크/국내영업팀, new 한빛테크/영업본부/국내영업팀"},
		{"the top department", map[int64]string{
			queriestest.Admin: "한빛그룹,R", queriestest.Employee: "한빛그룹/연구소/메신저팀,R/D5/D6", queriestest.Viewer: "한빛그룹/영업본부,D2",
			queriestest.Kim: "한빛그룹/영업본부/국내영업팀,D3", queriestest.Foreigner: "한빛그룹/영업본부/해외영업팀,D4",
		}, "1 한빛그룹, 2 한빛그룹/영업본부, 3 한빛그룹/영업본부/국내영업팀, 4 한빛그룹/영업본부/해외영업팀, 5 한빛그룹/연구소, 6 한빛그룹/연구소/메신저팀, 7 한빛그룹/일본지사"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := queriestest.New(t)
			if first := importFile(t, db, queriestest.Hanbit, hanbit(nil), directory.ImportOptions{}); !first.Written || first.Codes != 6 || first.Unchanged != 5 {
				t.Fatalf("the codes were not taken: %+v", first)
			}
			file := hanbit(test.departments)
			report := importWith(t, db, queriestest.Hanbit, file, imports.Options{Confirmed: true})
			if got := pathsOf(t, db); !report.Written || got != test.want {
				t.Errorf("%+v: got %s, want %s", report, got, test.want)
			}
			if again := importFile(t, db, queriestest.Hanbit, file, directory.ImportOptions{}); !again.Written || again.Changed() {
				t.Errorf("the same file again: %+v", again)
			}
		})
	}
}

func TestImportRefusesDepartmentsThatContradict(t *testing.T) {
	db := queriestest.New(t)
	importFile(t, db, queriestest.Hanbit, hanbit(nil), directory.ImportOptions{})
	for _, test := range []struct {
		name        string
		departments map[int64]string
		renames     []directory.Rename
		want        string
	}{
		{"a code at two paths", map[int64]string{queriestest.Kim: "한빛테크/영업본부/국내영업팀,D4"}, nil, "5 부서 경로 import.department_path.taken 0, 6 부서코드 import.department_code.twice 5"},
		{"two codes at a path", map[int64]string{queriestest.Foreigner: "한빛테크/영업본부/국내영업팀,D4"}, nil, "6 부서코드 import.department_code.two 5"},
		{"another code", map[int64]string{queriestest.Kim: "한빛테크/영업본부/국내영업팀,D9"}, nil, "5 부서코드 import.department_code.other 0"},
		{"codes of other levels", map[int64]string{queriestest.Kim: "한빛테크/영업본부/국내영업팀,D2/D3"}, nil, "5 부서코드 import.department_code.levels 0"},
		{"the code of the top department below it", map[int64]string{queriestest.Admin: "한빛테크,", queriestest.Kim: "한빛테크/영업본부/국내영업팀,R", queriestest.Employee: "한빛테크/연구소/메신저팀,D6"}, nil, "5 부서코드 import.department_code.other 0"},
		{"the path of a department that is not in the file", map[int64]string{queriestest.Kim: "한빛테크/일본지사,D3"}, nil, "5 부서 경로 import.department_path.taken 0"},
		{"a rename of nothing", nil, []directory.Rename{{From: "한빛테크/없는팀", To: "한빛테크/새팀"}}, "0 --rename import.rename.unknown 0"},
		{"a rename to nothing", nil, []directory.Rename{{From: "한빛테크/영업본부", To: "한빛테크/없는팀"}}, "0 --rename import.rename.unknown 0"},
		{"the top department below another", nil, []directory.Rename{{From: "한빛테크", To: "한빛테크/영업본부"}}, "0 --rename import.rename.unknown 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			report := importWith(t, db, queriestest.Hanbit, hanbit(test.departments), imports.Options{Renames: test.renames})
			var got []string
			for _, r := range report.Refused {
				got = append(got, fmt.Sprint(r.Line, " ", r.Column, " ", r.Reason, " ", r.Other))
			}
			if strings.Join(got, ", ") != test.want || report.Written {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A department that cannot move keeps its path, so others cannot have it either.
func TestImportSkipsDepartmentsThatCannotMove(t *testing.T) {
	db := queriestest.New(t)
	importFile(t, db, queriestest.Hanbit, hanbit(nil), directory.ImportOptions{})
	report := importWith(t, db, queriestest.Hanbit, hanbit(map[int64]string{
		queriestest.Kim: "한빛테크/일본지사,D3", queriestest.Foreigner: "한빛테크/영업본부/국내영업팀,D4",
	}), imports.Options{ImportOptions: directory.ImportOptions{SkipBad: true}})
	if got := pathsOf(t, db); !report.Written || report.RefusedRows != 2 || got != "" {
		t.Errorf("got %s, %+v", got, report)
	}
}

// unsaid is a file in which a department of two policies' targets has another name.
func unsaid() string {
	return withoutCodes(hanbit(map[int64]string{queriestest.Kim: "한빛테크/영업본부/국내사업팀,", queriestest.Foreigner: "한빛테크/영업본부/해외영업팀,"}))
}

func TestImportReportsProbableRenames(t *testing.T) {
	db := queriestest.New(t)
	report := importFile(t, db, queriestest.Hanbit, unsaid(), directory.ImportOptions{})
	if report.Written || strings.Join(report.Stopped, " ") != "import.stopped.renames import.stopped.policies" || pathsOf(t, db) != "" {
		t.Errorf("a department that looks renamed was imported as a new one: %+v", report)
	}
	var b strings.Builder
	if err := report.Write(&b, locales.Korean, importfile.Brief); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"아무것도 저장하지 않았습니다.",
		"한빛테크/영업본부/국내영업팀 → 한빛테크/영업본부/국내사업팀. 앞의 부서는 파일에 없고, 그 직원 1명 중 1명이",
		"대상으로 하는 정책: 영업본부 외근 정책\n",
		"--rename '한빛테크/영업본부/국내영업팀=한빛테크/영업본부/국내사업팀'",
		"커뮤니케이션: 2명 중 1명이 ‘영업본부 외근 정책’에서 ‘기본 정책’(으)로 옮겨집니다.",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

func TestImportTakesRenamesAndConfirmations(t *testing.T) {
	policyOfKim := func(db *areas.Areas) int64 {
		e, err := db.Policies.Effective(t.Context(), queriestest.Hanbit, queriestest.Kim, "communication", db.Now())
		if err != nil {
			t.Fatal(err)
		}
		return e.PolicyID
	}
	renames := []directory.Rename{{From: "한빛테크/영업본부/국내영업팀", To: "한빛테크/영업본부/국내사업팀"}}
	t.Run("renamed", func(t *testing.T) {
		db := queriestest.New(t)
		before := policyOfKim(db)
		for range 2 { // the second time, it has that name already
			report := importWith(t, db, queriestest.Hanbit, unsaid(), imports.Options{Renames: renames})
			if got := pathsOf(t, db); !report.Written || len(report.Moves)+len(report.Probable) > 0 || got != "3 한빛테크/영업본부/국내사업팀" || policyOfKim(db) != before {
				t.Errorf("got %s, %+v", got, report)
			}
		}
	})
	t.Run("confirmed", func(t *testing.T) {
		db := queriestest.New(t)
		before := policyOfKim(db)
		report := importWith(t, db, queriestest.Hanbit, unsaid(), imports.Options{Confirmed: true})
		if got := pathsOf(t, db); !report.Written || len(report.Moves) != 1 || got != "new 한빛테크/영업본부/국내사업팀" || policyOfKim(db) == before {
			t.Errorf("got %s, %+v", got, report)
		}
	})
}

func TestImportAsksBeforeDepartmentsChangePolicies(t *testing.T) {
	for _, test := range []struct {
		name        string
		departments map[int64]string
		moves, lost int
		stopped     bool
	}{
		{"moved out of a department with a policy", map[int64]string{queriestest.Employee: "한빛테크/메신저팀,D6"}, 1, 1, true},
		{"moved, and a target itself", map[int64]string{queriestest.Kim: "한빛테크/국내영업팀,D3"}, 0, 0, false},
		{"left by everybody for a new one below another parent", map[int64]string{queriestest.Employee: "한빛테크/신사업,D9"}, 1, 1, true},
		{"a transfer", map[int64]string{queriestest.Kim: "한빛테크/영업본부,D2"}, 1, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := queriestest.New(t)
			importFile(t, db, queriestest.Hanbit, hanbit(nil), directory.ImportOptions{})
			dry := importFile(t, db, queriestest.Hanbit, hanbit(test.departments), directory.ImportOptions{DryRun: true})
			report := importFile(t, db, queriestest.Hanbit, hanbit(test.departments), directory.ImportOptions{})
			moves, lost := 0, 0
			for _, m := range report.Moves {
				moves, lost = moves+m.People, lost+m.Lost
			}
			if moves != test.moves || lost != test.lost || len(report.Stopped) > 0 != test.stopped || report.Written == test.stopped {
				t.Errorf("got %+v", report)
			}
			if dry.Written = report.Written; fmt.Sprint(dry) != fmt.Sprint(report) {
				t.Errorf("the dry run said %+v, the import %+v", dry, report)
			}
		})
	}
}

// The report says of every kind of policies who moves from one to another.
func TestImportReportNamesThePoliciesOfMoves(t *testing.T) {
	for kind, want := range map[string]string{
		"communication":   "Communication: 1 of 3 people go from “Alpha” to “Beta”.",
		"workingattitude": "Attendance: 1 of 3 people go from “Alpha” to “Beta”.",
	} {
		report := imports.Report{Moves: []policy.Move{{Kind: kind, From: "Alpha", To: "Beta", People: 1, Of: 3}}}
		var text strings.Builder
		if err := report.Write(&text, locales.English, importfile.Brief); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%s: %s (%v)", kind, &text, err)
		}
	}
}

// The first file does not rename the top department by itself.
func TestImportNamesTheTopDepartment(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	const file = "name,email,department_path\n김철수,kim@new.example,새회사/영업팀\n이영희,lee@new.example,지사\n"
	refused := importFile(t, db, company.ID, file, directory.ImportOptions{})
	var b strings.Builder
	if err := refused.Write(&b, locales.English, importfile.Brief); err != nil {
		t.Fatal(err)
	}
	if first, _, _ := strings.Cut(b.String(), "\n"); first != "The company's top department is “본사”; the file calls it “새회사”." || refused.RefusedRows != 2 {
		t.Errorf("got %s", &b)
	}
	report := importWith(t, db, company.ID, file, imports.Options{ImportOptions: directory.ImportOptions{SkipBad: true}, Renames: []directory.Rename{{From: "본사", To: "새회사"}}})
	if got := queriestest.LookUp(t, db, "select string_agg(path, ',' order by path) from departments where company_id = $1", company.ID); got != "새회사,새회사/영업팀" {
		t.Errorf("departments: %s", got)
	}
	if len(report.Refused) != 1 || report.Refused[0].Line != 3 || report.Refused[0].Reason != "import.department_path.root" {
		t.Errorf("the second top department: %+v", report)
	}
}

func TestImportIsInTheChangeLog(t *testing.T) {
	db := queriestest.New(t)
	company := emptyCompany(t, db)
	file := "name,email,department_path\n김철수,kim@new.example,본사/영업팀\n이영희,,본사\n"
	for range 2 {
		importWith(t, db, company.ID, file, imports.Options{ImportOptions: directory.ImportOptions{SkipBad: true}, File: "people.csv"})
	}
	got := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', actor_name, action, object_type, object_name, new), ';') from changes where company_id = $1 and object_type = 'directory'", company.ID)
	if want := `operator directory.imported directory people.csv {"rows": 2, "refused_rows": 1, "created_people": 1, "new_departments": 1}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
