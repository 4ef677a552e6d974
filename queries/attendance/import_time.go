package attendance

import (
	"time"

	"officeconsole/workday"
)

// cellTime is a date and time in a file, as the clocks of the company's zone show it,
// to the second; 0 for none. It is twice the seconds since 1970-01-01 00:00 on those
// clocks, plus one if the file gives neither a date nor a mark of the next day with the time. The time that passed is
// known only when a departure without a date has its own: clocks may skip 02:30 on one
// day and not on the next.
type cellTime int64

// newCellTime returns the time that is so many seconds after midnight on a date.
func newCellTime(date workday.Date, seconds int, ofDay bool) cellTime {
	c := cellTime(date.Time().Unix()+int64(seconds)) * 2
	if ofDay {
		c++
	}
	return c
}

// onClock returns what the clocks show, as a time in UTC.
func (c cellTime) onClock() time.Time { return time.Unix(int64(c>>1), 0).UTC() }

// text returns the time on the clocks; "" for none.
func (c cellTime) text() string {
	if c == 0 {
		return ""
	}
	return c.onClock().Format("15:04")
}

func (c cellTime) date() workday.Date { return workday.DateOf(c.onClock()) }

// minutes returns the minutes after midnight.
func (c cellTime) minutes() int { return int(c>>1) / 60 % (24 * 60) }

// at returns when the clocks of a zone show the time; the first time if they do twice.
func (c cellTime) at(zone *time.Location) time.Time {
	return c.date().At(c.minutes(), zone).Add(time.Duration(c>>1%60) * time.Second).UTC()
}

// atOrNil returns nil for a cell without a time.
func (c cellTime) atOrNil(zone *time.Location) *time.Time {
	if c == 0 {
		return nil
	}
	at := c.at(zone)
	return &at
}

// isSkipped reports whether the clocks of a zone never show the time.
func (c cellTime) isSkipped(zone *time.Location) bool {
	return c.date().Skips(c.minutes(), zone)
}

// nextDay returns the same time one day later.
func (c cellTime) nextDay() cellTime { return c + 2*24*60*60 }

func (c cellTime) ofDay() bool { return c&1 != 0 }
