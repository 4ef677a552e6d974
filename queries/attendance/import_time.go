package attendance

import (
	"errors"
	"strings"
	"time"

	"officeconsole/workday"
)

// layouts are the formats of dates and times in files.
type layouts struct {
	dates string
	times []string
}

func newLayouts(files ImportFiles) layouts {
	l := layouts{time.DateOnly, []string{"15:04", "15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05"}}
	if files.DateFormat != "" {
		l.dates = goLayout(files.DateFormat)
	}
	if files.TimeFormat != "" {
		l.times = []string{goLayout(files.TimeFormat)}
	}
	return l
}

// strftime maps the directives of strftime for dates and times to Go layouts.
var strftime = strings.NewReplacer("%Y", "2006", "%y", "06", "%m", "01", "%d", "02", "%H", "15", "%I", "03", "%M", "04", "%S", "05",
	"%p", "PM", "%b", "Jan", "%B", "January", "%e", "_2", "%F", "2006-01-02", "%T", "15:04:05", "%%", "%")

func goLayout(layout string) string { return strftime.Replace(layout) }

func (l layouts) date(text string) (workday.Date, error) {
	t, err := time.Parse(l.dates, text)
	return workday.DateOf(t), err
}

// cellTime is a time in a file, to the second; 0 for none. It is twice the Unix
// time, plus one if the file gives no date with it.
type cellTime int64

func newCellTime(t time.Time, ofDay bool) cellTime {
	c := cellTime(t.Unix() * 2)
	if ofDay {
		c++
	}
	return c
}

func (c cellTime) time() time.Time { return time.Unix(int64(c>>1), 0).UTC() }

func (c cellTime) ofDay() bool { return c&1 != 0 }

var errNoTime = errors.New("not a time")

// time reads a time on a date; an empty cell and NA are none.
func (l layouts) time(text string, date workday.Date, zone *time.Location) (cellTime, error) {
	if text == "" || strings.EqualFold(text, "na") || text == "-" {
		return 0, nil
	}
	for _, layout := range l.times {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		on, ofDay := workday.DateOf(t), t.Year() == 0
		if ofDay {
			on = date
		}
		hour, minute, second := t.Clock()
		return newCellTime(on.At(hour*60+minute, zone).Add(time.Duration(second)*time.Second), ofDay), nil
	}
	return 0, errNoTime
}
