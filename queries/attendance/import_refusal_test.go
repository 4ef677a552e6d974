package attendance_test

import (
	"strings"
	"testing"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
)

// Every refusal of a row of a long file names the heading of the cell that is wrong.
func TestImportRefusalsNameTheirCell(t *testing.T) {
	db := queriestest.New(t)
	importLong(t, db, attendance.ImportOptions{}, "H0006,2026-11-05,09:00,18:00,,", "H0006,2026-11-06,09:00,18:00,,")
	by, scope := editor(t, db, queriestest.Admin)
	if err := db.Attendance.DeleteRecord(t.Context(), by, scope, keyOf(queriestest.Kim, "2026-11-06"), "x", nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Directory.GrantAdmin(t.Context(), queriestest.AdminActor(t, db), someone(t, db, queriestest.Manager)); err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "insert into attendance_grants (company_id, user_id, work_date, leave) values (1, 6, '2026-11-03', 'half_leave_am')")
	queriestest.Exec(t, db, "insert into attendance_locks values (1, '2026-09-01', now(), 1)")
	long := strings.Repeat("가", 300)
	for _, test := range []struct{ row, column, value, reason string }{
		{"H0404,2026-11-10,9:00,18:00,,,,", "사번", "H0404", "import.attendance.employee"},
		{"H0001,2026-11-10,9:00,18:00,,,,", "사번", "H0001", "import.attendance.own"},
		{"H0006,어제,9:00,18:00,,,,", "근무일자", "어제", "import.attendance.date"},
		{"H0006,2026-11-10(월),9:00,18:00,,,,", "근무일자", "2026-11-10(월)", "import.attendance.weekday"},
		{"H0006,11월 10일,9:00,18:00,,,,", "근무일자", "11월 10일", "import.attendance.year"},
		{"H0006,3/2/2026,9:00,18:00,,,,", "근무일자", "3/2/2026", "import.attendance.date_order"},
		{"H0006,2009. 12. 31.,9:00,18:00,,,,", "근무일자", "2009. 12. 31.", "import.attendance.too_early"},
		{"H0006,2026. 11. 21.,9:00,18:00,,,,", "근무일자", "2026. 11. 21.", "import.attendance.future"},
		{"H0006,2026. 9. 10.,9:00,18:00,,,,", "근무일자", "2026-09-10", "import.attendance.locked"},
		{"H0006,2026. 11. 6.,9:00,18:00,,,,", "근무일자", "2026-11-06", "import.attendance.deleted"},
		{"H0006,2026. 11. 5.,8:00,18:00,,,,", "출근시간", "08:00", "import.attendance.taken"},
		{"H0006,2026. 11. 5.,9:00,19:00,,,,", "퇴근시간", "19:00", "import.attendance.taken"},
		{"H0006,2026. 11. 5.,9:00,,,,,", "퇴근시간", "", "import.attendance.taken"},
		{"H0006,2026. 11. 5.,,,,,,", "출근시간", "", "import.attendance.taken"},
		{"H0006,2026-11-10,아홉 시,18:00,,,,", "출근시간", "아홉 시", "import.attendance.time"},
		{"H0006,2026-11-10,9:00,48:00,,,,", "퇴근시간", "48:00", "import.attendance.time"},
		{"H0006,2026-11-10,2026-11-12 9:00,,,,,", "출근시간", "2026-11-12 9:00", "import.attendance.other_day"},
		{"H0006,2026-11-20,9:00,18:00,,,,", "퇴근시간", "18:00", "import.attendance.future"},
		{"H0006,2026-11-10,26:00,25:00,,,,", "퇴근시간", "25:00", "import.attendance.order"},
		{"H0006,2026-11-10,9:00,33:30,,,,", "퇴근시간", "33:30", "import.attendance.too_long"},
		{"H0006,2026-11-10,9:00,3:00,,,,", "퇴근시간", "3:00", "import.attendance.overnight"},
		{"H0006,2026-11-10,9:00,9:00,,,,", "퇴근시간", "9:00", "import.attendance.same_time"},
		{"H0006,2026-11-10,3:00,18:00,,,,", "출근시간", "3:00", "import.attendance.outside"},
		{"H0006,2026-11-10,9:00,18:00,fax,,,", "기기", "fax", "import.attendance.device"},
		{"H0006,2026-11-10,9:00,18:00,,판\x01교,,", "장소", "판\x01교", "import.value.characters"},
		{"H0006,2026-11-10,9:00,18:00,," + long + ",,", "장소", string([]rune(long)[:59]) + "…", "import.value.too_long"},
		{"H0006,2026-11-10,,,,,쉬었음,", "근태구분", "쉬었음", "import.attendance.leave"},
		{"H0006,2026-11-10,,,,,,쉬었음", "상태", "쉬었음", "import.attendance.leave"},
		{"H0006,2026-11-10,연차,오전반차,,,,", "퇴근시간", "오전반차", "import.attendance.leave_conflict"},
		{"H0006,2026-11-10,,,,,연차,오전반차", "상태", "오전반차", "import.attendance.leave_conflict"},
		{"H0006,2026-11-03,,,,,연차,", "근태구분", "연차", "import.attendance.leave_taken"},
		{"H0006,2026-11-03,휴가,,,,,", "출근시간", "휴가", "import.attendance.leave_taken"},
		{"H0006,2026-11-07,,,,,정상,병가", "상태", "병가", "record.leave.free"},
		{"H0006,2026-11-07,,年休,,,,", "퇴근시간", "年休", "record.leave.free"},
	} {
		file := "사번,근무일자,출근시간,퇴근시간,기기,장소,근태구분,상태\n" + test.row + "\n"
		report, err := db.Attendance.Import(t.Context(), by, attendance.ImportFiles{Long: attendance.ImportFile{Name: "근태.csv", Content: strings.NewReader(file)}}, attendance.ImportOptions{})
		if err != nil || len(report.Refused) != 1 {
			t.Errorf("%s: %s (%v)", test.row, summary(report), err)
			continue
		}
		if r := report.Refused[0]; r.Line != 2 || r.Column != test.column || r.Value != test.value || r.Reason != test.reason {
			t.Errorf("%s: %+v", test.row, r)
		}
	}
}
