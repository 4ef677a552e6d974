package attendance

import (
	"errors"
	"strings"
	"testing"
	"time"

	"officeconsole/importfile"
	"officeconsole/workday"
)

// A file with more days than an import may have is refused as a whole, in the
// long and in the wide format, and whether its days are valid or not.
func TestImportLimitsDays(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	people := []employeeIDsRow{{ID: 6, EmployeeID: "H0006"}}
	long := "employee_id,work_date,arrival,departure\n" + strings.Repeat("H0007,2026-11-10,,\n", 2) + "H0006,2026-11-11,,\n"
	wide := ",2026-11-10,2026-11-11,2026-11-12\nH0006,,,\n"
	for name, read := range map[string]func(*attendanceReader) error{
		"long": func(f *attendanceReader) error { return f.long(ImportFile{Content: strings.NewReader(long)}) },
		"wide": func(f *attendanceReader) error {
			return f.wide(ImportFile{Content: strings.NewReader(wide)}, ImportFile{Content: strings.NewReader(wide)})
		},
	} {
		for before, full := range map[int]bool{ImportDays - 3: false, ImportDays - 2: true} {
			f := newAttendanceReader(ImportOptions{}, people, time.UTC, now)
			f.refused.Count = before
			var broken importfile.Unreadable
			if err := read(f); errors.As(err, &broken) != full || full && broken.Reason != "import.attendance.too_many" {
				t.Errorf("%s with %d days before: %v", name, before, err)
			}
		}
	}
}

// A time that is packed into a cellTime is read back unchanged.
func TestCellTimes(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, ofDay := range []bool{false, true} {
		when := time.Date(2026, 11, 20, 8, 59, 59, 0, berlin)
		c := newCellTime(workday.DateOf(when), (8*60+59)*60+59, ofDay)
		if !c.at(berlin).Equal(when) || c.ofDay() != ofDay || c.isSkipped(berlin) {
			t.Errorf("%s is %s, of the day: %v", when, c.at(berlin), c.ofDay())
		}
	}
}
