package attendance_test

import (
	"context"
	"strings"
	"testing"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
)

// Whatever is in the files and the layouts is imported or refused row by row.
func FuzzImportAttendance(f *testing.F) {
	db := queriestest.New(f)
	const long, wide = "employee_id,work_date,arrival,departure,device,place\n", "id,2015-05-11,2015-05-12\n"
	for _, seed := range []struct{ first, second, dates, times string }{
		{long + "H0006,2015-05-11,09:02,18:10,pc,판교\nH0006,2015-05-12,22:00,03:30,,\n", "", "", ""},
		{long + "H0006,11/05/2015,오전 9:00,6:10 PM,,\n,,,,,\nH0006,2015. 5. 11.,24:00,,,\n", "", "02/01/2006", "15:04"},
		{"사번,날짜,출근,퇴근\nH0006,2015-05-11,0.375,0.75\n", "", "%Y-%m-%d", "%H:%M"},
		{wide + "H0006,09:00,NA\nH0002,,10:00\n", wide + "H0006,18:00,\nH0006,18:00,\n", "", ""},
		{wide, "", "", ""}, {"", wide, "%", "%q"}, {long + "H0006,0001-01-01,99:99,\xff,\x00,\n", "", "2006", ""},
	} {
		f.Add(seed.first, seed.second, seed.dates, seed.times)
	}
	f.Fuzz(func(t *testing.T, first, second, dates, times string) {
		files := wideFiles(first, second)
		if second == "" {
			files = attendance.ImportFiles{Long: attendance.ImportFile{Content: strings.NewReader(first)}}
		}
		report, err := db.Attendance.Import(context.Background(), operator, files, attendance.ImportOptions{DryRun: true, SkipBad: true, DateFormat: dates, TimeFormat: times})
		if err != nil {
			t.Fatalf("neither imported nor refused: %v", err)
		}
		if report.Written || report.RefusedRows > 0 && len(report.Refused) == 0 || report.Created+report.Unchanged > report.Rows {
			t.Errorf("got %+v", report)
		}
		for _, r := range report.Refused {
			if r.Reason == "" {
				t.Errorf("refused without a reason: %+v", r)
			}
		}
	})
}
