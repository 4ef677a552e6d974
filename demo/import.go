package demo

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"officeconsole/workday"
)

// Import is a CSV file with clock times from before the company had the console, and when
// it was imported.
type Import struct {
	At         time.Time
	Name, Text string
}

// mostImported is the number of people in a file.
const mostImported = 20

// Imports returns the files of the last two whole months before Period. Without attendance
// there are none.
func (c *Company) Imports() []Import {
	first, _ := c.Period()
	if c.days == 0 {
		return nil
	}
	var all []Import
	for months := 2; months >= 1; months-- {
		month := firstOfMonth(first-1, -months)
		all = append(all, Import{
			At:   c.officeTime(c.days).Add(time.Duration(-9*months) * time.Minute),
			Name: fmt.Sprintf("근태_%s.csv", month.Time().Format("2006-01")), Text: c.importFile(month, months == 1),
		})
	}
	return all
}

// importFile returns the file of a month. If it is careless, some of its rows have
// mistakes.
func (c *Company) importFile(month workday.Date, careless bool) string {
	var file strings.Builder
	file.WriteString("사번,이름,근무일,출근,퇴근\n")
	row := 0
	for p := range c.importedPeople(month) {
		r := rand.New(rand.NewPCG(c.seed^0x696d706f7274, uint64(p.Number)<<24|uint64(month)))
		for date := month; date < firstOfMonth(month, 1); date++ {
			if _, isHoliday := workday.CalendarKR.HolidayOn(date); isHoliday || date.Weekday() == time.Saturday || date.Weekday() == time.Sunday {
				continue
			}
			employeeID := p.EmployeeID
			in, out := 8*60+35+r.IntN(24), 18*60+r.IntN(20)+r.IntN(90)*r.IntN(2)
			if r.IntN(25) == 0 {
				in += 25 // is late
			}
			arrival, departure := clockText(in), clockText(out)
			switch row++; {
			case careless && row%199 == 31:
				employeeID = strings.ReplaceAll(employeeID, "0", "O")
			case careless && row%199 == 117:
				arrival, departure = departure, arrival
			case careless && row%199 == 170:
				departure = strings.ReplaceAll(departure, ":", ";")
			}
			fmt.Fprintf(&file, "%s,%s,%s,%s,%s\n", employeeID, p.Name, date, arrival, departure)
		}
	}
	return file.String()
}

// importedPeople returns the people of a file, who had joined by then: nobody whom tests and
// documents rely on, nor who imports it, because nobody imports their own attendance.
func (c *Company) importedPeople(month workday.Date) iter.Seq[*Person] {
	return func(yield func(*Person) bool) {
		count := 0
		for p := range c.People() {
			if p.Number <= len(c.named) || p.Bot || p.Hidden != nil || workday.DateOf(p.Joined) >= month {
				continue
			}
			if count++; !yield(p) || count == mostImported {
				return
			}
		}
	}
}

func clockText(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }
