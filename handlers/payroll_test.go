package handlers_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// payrollRows returns the rows of a file, the heading first.
func payrollRows(t *testing.T, a answer) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.body, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatalf("not a file: %v: %.200s", err, a.body)
	}
	return rows
}

func TestPayroll(t *testing.T) {
	s := aWeek(t)
	admin := s.as(queriestest.Admin)
	const page = monthLog + "/payroll"
	admin.get(monthLog + "?department_id=2").want(200).shows(`href="/logs/workingattitude/month/payroll?department_id=2&from=2026-11&to=2026-11"`)
	admin.get(weekLog).want(200).hides("month/payroll")

	// Without a choice it is the month before; what is not locked is marked.
	admin.get(page).want(200).shows("급여용 파일", `value="2026-10"`, "마감하지 않은 달이 1개", `href="/logs/workingattitude/management#locks"`, `href="/logs/workingattitude/month/payroll/export?format=xlsx&from=2026-10&to=2026-10"`)
	admin.get("/en"+page).want(200).shows("Payroll file", "1 month is not locked").hides("⟦")
	admin.get("/ja" + page).want(200).shows("給与用ファイル").hides("⟦")
	s.exec("insert into attendance_locks (company_id, month, locked_at) values (1, '2026-10-01', now())")
	admin.get(page+"?from=2026-10&to=2026-11").want(200).shows("마감하지 않은 달이 1개", "마감됨", "마감 전")
	admin.get(page).want(200).hides("마감하지 않은", "마감 전")

	// Refused months are shown as they were typed, also instead of the file.
	for _, address := range []string{page, page + "/export"} {
		admin.get(address+"?format=csv&from=2026-11&to=2026-10").want(422).shows("마지막 달은 시작 달보다", `id="to"`, `aria-invalid="true"`, `value="2026-11"`, `value="2026-10"`).hides("format=xlsx")
		admin.get(address + "?format=csv&from=2025-10&to=2026-10").want(422).shows("12개월까지")
		admin.get(address+"?format=csv&from=October").want(422).shows("연도와 달을 입력해", `value="October"`)
		admin.get(address + "?format=csv&department_id=x").want(404)
		admin.get(address + "?format=csv&department_id=999").want(404)
	}
	admin.get(page + "/export?from=2026-10").want(404)
	admin.get(page + "/export?from=2026-10&format=pdf").want(404)

	const november = page + "/export?format=csv&from=2026-10&to=2026-11"
	file := admin.get(november).want(200)
	if name := file.header.Get("Content-Disposition"); name != `attachment; filename="payroll-202610-202611.csv"` {
		t.Errorf("called %s", name)
	}
	rows := payrollRows(t, file)
	if len(rows) != 10 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		if row[2] != "김철수" {
			continue
		}
		if got := strings.Join(row[:4], " "); got != "2026-11 H0006 김철수 한빛테크/영업본부/국내영업팀" {
			t.Errorf("the row begins %q", got)
		}
		if got := strings.Join(row[5:12], " "); got != "기본 근태 정책 마감 전 4 0 4 0 0" {
			t.Errorf("the days are %q", got)
		}
		if got := strings.Join(row[23:], " "); got != "44:20 32:00 12:20 0:00 0:00 0:00 0:00 0:00   2026-11-16 2026-11-17 2026-11-18 2026-11-19" {
			t.Errorf("the hours are %q", got)
		}
	}
	if last := rows[9]; last[0] != "합계" || last[2] != "8행" || last[6] != "마감 전 8행" || last[7] != "32" || last[23] != "268:20" {
		t.Errorf("the last row is %q", last)
	}
	if n := s.count("select count(*) from changes where action = 'export.downloaded' and object_name = 'payroll-202610-202611.csv'"); n != 1 {
		t.Errorf("%d downloads are noted", n)
	}
	if err := s.db.Audit.WriteReads(t.Context()); err != nil {
		t.Fatal(err)
	}
	admin.get("/manage/security/reads?kind=payroll").want(200).shows("급여용 파일", `href="/logs/workingattitude/month/payroll?from=2026-10&to=2026-11"`)

	// Everybody gets what they see of the list.
	for who, want := range map[int64]string{
		queriestest.Viewer: "김철수 박지민 최유진 Olivia Martin 4행", queriestest.Employee: "이준호 1행", queriestest.OtherAdmin: "김철수 한도윤 2행",
	} {
		var seen []string
		for _, row := range payrollRows(t, s.as(who).get(november).want(200))[1:] {
			seen = append(seen, row[2])
		}
		if got := strings.Join(seen, " "); got != want {
			t.Errorf("%d sees %q, not %q", who, got, want)
		}
	}
	s.as(queriestest.Employee).get(page).want(200).hides("department_id", "management#locks")
}
