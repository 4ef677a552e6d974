package attendance

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

var attendanceColumns = []string{"employee_id", "work_date", "arrival", "departure", "device", "place"}

// attendanceReader reads the files of an import into days.
type attendanceReader struct {
	days    []clockedDay
	at      map[personDay]int32 // indexes of days
	people  map[string]int32    // indexes of users by employee id
	words   []string            // devices and places; the first text is ""
	known   map[string]uint32   // indexes of words
	layouts layouts
	zone    *time.Location
	now     time.Time
	refused []importfile.Refusal
	bad     int                // refused days
	spoilt  map[personDay]bool // refused days that may occur in another file too
}

// clockedDay is a user's day in the files.
type clockedDay struct {
	personDay
	arrival, departure cellTime
	line               int32 // 0 for a dropped day
	device, place      uint32
	created            bool // it is to be stored
}

type personDay struct{ person, on int32 }

func (d personDay) date() workday.Date { return workday.Date(d.on) }

func newAttendanceReader(files ImportFiles, people []employeeIDsRow, zone *time.Location, now time.Time) *attendanceReader {
	f := &attendanceReader{
		at: map[personDay]int32{}, spoilt: map[personDay]bool{}, people: make(map[string]int32, len(people)),
		words: []string{""}, known: map[string]uint32{"": 0}, layouts: newLayouts(files), zone: zone, now: now,
	}
	for i, p := range people {
		f.people[p.EmployeeID] = int32(i)
	}
	return f
}

// sorted returns the days that were not dropped, by user and date.
func (f *attendanceReader) sorted() []clockedDay {
	f.at = nil
	days := slices.DeleteFunc(f.days, func(d clockedDay) bool { return d.line == 0 })
	slices.SortFunc(days, func(a, b clockedDay) int { return cmp.Or(cmp.Compare(a.person, b.person), cmp.Compare(a.on, b.on)) })
	return days
}

// drop removes a day.
func (f *attendanceReader) drop(day *clockedDay) {
	day.line = 0
	delete(f.at, day.personDay)
}

func (f *attendanceReader) word(text string) uint32 {
	i, known := f.known[text]
	if !known {
		text = strings.Clone(text) // a copy, so that the whole row is not kept in memory
		i = uint32(len(f.words))
		f.words, f.known[text] = append(f.words, text), i
	}
	return i
}

// full refuses more days than can be imported at once.
func (f *attendanceReader) full(line int) error {
	if len(f.at)+f.bad <= ImportDays {
		return nil
	}
	return importfile.Unreadable{Refusal: importfile.Refuse(line, "", "", "import.attendance.too_many")}
}

func (f *attendanceReader) refuse(r importfile.Refusal) {
	f.bad++
	f.refused = append(f.refused, r)
}

// long reads a file with a row for each user and day.
func (f *attendanceReader) long(file io.Reader) error {
	t, err := importfile.OpenTable(file, importfile.Columns{Names: attendanceColumns, Required: attendanceColumns[:4]})
	if err != nil {
		return err
	}
	for {
		row, err := t.Next()
		var refused importfile.Refusal
		var broken importfile.Unreadable
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &broken) || err != nil && !errors.As(err, &refused):
			return err
		case err != nil:
			f.refuse(refused)
			continue
		}
		if refused := f.row(t.Line, row); refused != nil {
			f.refuse(*refused)
		}
		if err := f.full(t.Line); err != nil {
			return err
		}
	}
}

func (f *attendanceReader) row(line int, row importfile.Cells) *importfile.Refusal {
	date, err := f.layouts.date(row["work_date"])
	if err != nil {
		return pointTo(importfile.Refuse(line, "work_date", row["work_date"], "import.attendance.date"))
	}
	day, refused := f.day(line, row["employee_id"], date)
	if refused != nil {
		return refused
	}
	if day.line != 0 {
		return pointTo(importfile.Refuse(line, "work_date", row["work_date"], "import.attendance.twice"))
	}
	device, place := strings.ToLower(row["device"]), row["place"]
	day.line, day.device = int32(line), f.word(device)
	refused = f.times(day, line, row["arrival"], row["departure"])
	switch {
	case refused != nil:
	case !slices.Contains([]string{"", "pc", "web", "mobile", "mobile_web"}, device):
		refused = pointTo(importfile.Refuse(line, "device", row["device"], "import.attendance.device"))
	case utf8.RuneCountInString(place) > directory.MaxTitle:
		refused = pointTo(importfile.Refuse(line, "place", place, "import.value.too_long"))
	default:
		day.place = f.word(place)
	}
	if refused != nil {
		f.drop(day)
	}
	return refused
}

func pointTo(r importfile.Refusal) *importfile.Refusal { return &r }

// day returns the day of a user, and adds it with line 0 if it is new. The
// pointer is valid until the next call.
func (f *attendanceReader) day(line int, employeeID string, date workday.Date) (*clockedDay, *importfile.Refusal) {
	id, there := f.people[employeeID]
	switch {
	case !there || employeeID == "":
		return nil, pointTo(importfile.Refuse(line, "employee_id", employeeID, "import.attendance.employee"))
	case date.Year() < workday.FirstYear:
		return nil, pointTo(importfile.Refuse(line, "work_date", date.String(), "import.attendance.too_early"))
	case date > workday.DateOf(f.now.In(f.zone)):
		return nil, pointTo(importfile.Refuse(line, "work_date", date.String(), "import.attendance.future"))
	}
	key := personDay{id, int32(date)}
	i, there := f.at[key]
	if !there {
		i = int32(len(f.days))
		f.days, f.at[key] = append(f.days, clockedDay{personDay: key}), i
	}
	return &f.days[i], nil
}

// times reads the times of a day.
func (f *attendanceReader) times(day *clockedDay, line int, arrival, departure string) *importfile.Refusal {
	var err error
	if day.arrival, err = f.layouts.time(arrival, day.date(), f.zone); err != nil {
		return pointTo(importfile.Refuse(line, "arrival", arrival, "import.attendance.time"))
	}
	if day.departure, err = f.layouts.time(departure, day.date(), f.zone); err != nil {
		return pointTo(importfile.Refuse(line, "departure", departure, "import.attendance.time"))
	}
	if reason := day.settle(f.now, f.zone); reason != "" {
		return pointTo(importfile.Refuse(line, "departure", departure, string(reason)))
	}
	return nil
}

// settle moves a departure without a date after the arrival, and refuses times
// that are impossible.
func (d *clockedDay) settle(now time.Time, zone *time.Location) queries.Invalid {
	if d.departure.ofDay() && d.arrival != 0 && !d.departure.time().After(d.arrival.time()) {
		d.departure = newCellTime(d.departure.time().In(zone).AddDate(0, 0, 1), true)
	}
	from, to := d.date().At(0, zone), (d.date()+2).At(0, zone)
	for _, t := range d.times() {
		switch {
		case t.After(now):
			return "import.attendance.future"
		case t.Before(from) || !t.Before(to):
			return "import.attendance.other_day"
		}
	}
	switch {
	case d.arrival == 0 || d.departure == 0:
	case !d.departure.time().After(d.arrival.time()):
		return "import.attendance.order"
	case d.departure.time().Sub(d.arrival.time()) > 24*time.Hour:
		return "import.attendance.too_long"
	}
	return ""
}

func (d *clockedDay) times() []time.Time {
	var all []time.Time
	for _, t := range []cellTime{d.arrival, d.departure} {
		if t != 0 {
			all = append(all, t.time())
		}
	}
	return all
}
