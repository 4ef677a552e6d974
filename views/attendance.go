package views

import (
	"context"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
)

func dayPath(day time.Time) string {
	return attendanceDayPath + "?date=" + day.Format(time.DateOnly)
}

func isToday(day, now time.Time) bool {
	return day.Format(time.DateOnly) == now.Format(time.DateOnly)
}

// attendanceSentence says whose records the reader may see (spec §6).
func attendanceSentence(ctx context.Context, p *queries.SignedIn) string {
	if p.IsAdmin {
		return locales.T(ctx, "attendance.text.everybody")
	}
	return locales.T(ctx, "attendance.text.own")
}
