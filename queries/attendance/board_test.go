package attendance_test

import (
	"testing"

	"pgregory.net/rapid"

	"officeconsole/queries/attendance"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// WeekBoard reads only a few records of a week. It must count the same people
// as adding up all records: on a Friday, a Saturday and a Sunday, for the
// current week and the one before.
func TestWeekBoardCountsEverybody(t *testing.T) {
	db, c := queriestest.NewWithClock(t)
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	people := []int64{queriestest.Admin, queriestest.Employee, queriestest.Viewer, queriestest.Manager, queriestest.Kim, queriestest.Foreigner, queriestest.Japanese}
	for today := workday.NewDate(2026, 11, 20); today <= workday.NewDate(2026, 11, 22); today++ {
		rapid.Check(t, func(rt *rapid.T) {
			first := workday.NewDate(2026, 11, 16) - workday.Date(7*rapid.IntRange(0, 1).Draw(rt, "weeks ago"))
			var records []loggedRecord
			worked, left := map[int64]int{}, map[int64]int{}
			for _, user := range people {
				day := rapid.SampledFrom([]int{0, 380, 440, 480, 500, 570, 577, 620, 700}).Draw(rt, "day")
				begun := workday.Date(0)
				for date := first; date <= min(first+6, today); date++ {
					r := loggedRecord{user, queriestest.Root, "이름", date, "on_time", 0, day + rapid.IntRange(0, 3).Draw(rt, "more"), false}
					if date == first+rapid.SampledFrom([]workday.Date{0, 3, 5, 6}).Draw(rt, "away") || r.worked < 100 {
						continue
					}
					records, begun, worked[user] = append(records, r), date, worked[user]+r.worked
					if rapid.IntRange(0, 9).Draw(rt, "extra") == 0 {
						r.extra, r.status = true, "holiday_work"
						records, worked[user] = append(records, r), worked[user]+r.worked
					}
				}
				for date := max(begun+1, today); date < first+5; date++ {
					left[user] += 480
				}
			}
			logRecords(t, db, records)
			var want attendance.WeekCount
			for user := range worked {
				sum := worked[user] + left[user]
				for count, over := range map[*int]bool{&want.Over48: sum > 48*60, &want.Over52: sum > 52*60, &want.Past52: worked[user] > 52*60} {
					if over {
						*count++
					}
				}
			}
			db.Attendance.ForgetWeeks()
			b, err := db.Attendance.WeekBoard(t.Context(), admin, attendanceScopeOf(t, db, admin), first, 0)
			if err != nil || b.WeekCount != want {
				rt.Fatalf("on %s, week of %s: %v, not %v (%v)", today, first, b.WeekCount, want, err)
			}
		})
		c.Advance(workday.Date(today+1).At(60, queriestest.Now.Location()).Sub(c.Now()))
	}
}
