package workday

import "time"

// WeekOf returns the first day of the week that contains a date.
func WeekOf(d Date, start time.Weekday) Date {
	return d - Date((d.Weekday()-start+7)%7)
}
