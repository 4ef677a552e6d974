package attendance

import (
	"testing"
	"time"

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// The balance of a settlement period goes on from record to record, and its last
// one has the overtime. Only the records of the dates that are asked for change,
// and none that may not.
func TestPremiumPassSettlesAMonth(t *testing.T) {
	version := policy.VersionKey{PolicyID: 2, No: 1}
	monthly := &recordPolicy{Policy: &workday.Policy{WorkType: workday.Flexible, Settlement: workday.SettlementMonth, Overtime: workday.OvertimeAutomatic, WeekStart: time.Monday}}
	months := personMonths{}
	first := workday.NewDate(2026, 11, 1)
	for date := first; date <= first+29; date++ {
		worked, arrival := int32(490), date.Time()
		months.put(&Record{UserID: 7, WorkDate: date.Time(), DepartmentID: 1 + int64(date-first)/20, PolicyID: 2, VersionNo: 1, DayType: "workday", ArrivalAt: &arrival, WorkedMin: &worked, RequiredMin: 480})
	}
	var marked markRecordsParams
	pass := premiumPass{months: months, policies: map[policy.VersionKey]*recordPolicy{version: monthly}, mark: func(key RecordKey, _, day *monthDay) bool {
		marked.add(key, day)
		return key.Date != first+15
	}}
	pass.run(7, first+9, first+29)
	if len(marked.UserIds) != 22 || marked.BalanceMins[0] != 90 || marked.OvertimeMins[20] != 0 || marked.OvertimeMins[21] != 300 || marked.BalanceMins[21] != 300 {
		t.Errorf("%+v", marked)
	}
	if days := months[monthKey{7, first}][0].days; days[7].HasBalance || !days[8].HasBalance || !days[9].HasBalance || days[15].HasBalance {
		t.Error("other records have changed")
	}
	marked = markRecordsParams{}
	if pass.run(7, first+9, first+29); len(marked.UserIds) != 1 {
		t.Errorf("again: %+v", marked)
	}
}

// Rows of before have no format byte and shorter entries; they read the same.
func TestMonthsOfTheFirstFormat(t *testing.T) {
	day := monthDay{Day: 17, Arrived: true, status: 11, dayType: 1, presence: 4, Flags: workday.FlagEdited, WorkedMin: 500, NightMin: 3, RequiredMin: 480, OpensMin: -240, premium: premium{OvertimeMin: 20}}
	first := []byte{17, 11, 1, 4, 2, 0, 0, 0, 4, 0, 1, 244, 0, 20, 0, 3, 1, 224, 255, 16, 0}
	for name, entries := range map[string][]byte{"first": first, "now": func() []byte { e, _, _ := encodeDays([]monthDay{day}); return e }()} {
		day := day
		days, err := decodeDays(nil, entries, "", nil)
		if err != nil || len(days) != 1 || days[0] != day {
			t.Errorf("%s: %+v, %v; want %+v", name, days, err, day)
		}
	}
	long := monthDay{Day: 1, premium: premium{OvertimeMin: 44_000, HolidayMin: 480, HolidayOverMin: 960, HasBalance: true, BalanceMin: -44_000}, WorkedMin: unknownMin}
	entries, holidays, versions := encodeDays([]monthDay{long})
	if days, err := decodeDays(nil, entries, holidays, versions); err != nil || days[0].premium != long.premium {
		t.Errorf("%+v, %v", days, err)
	}
}
