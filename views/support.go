package views

import "time"

const supportPhone = "1661-5975"

// Korea has one zone without summer time; hours of customer support are its.
var korea = time.FixedZone("KST", 9*60*60)

// supportAnswers reports whether somebody answers the telephone by the hours of
// spec §1. It knows nothing of public holidays.
func supportAnswers(now time.Time) bool {
	now = now.In(korea)
	if day := now.Weekday(); day == time.Saturday || day == time.Sunday {
		return false
	}
	hour := now.Hour()
	return 9 <= hour && hour < 18 && hour != 12
}
