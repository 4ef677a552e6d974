package queries

import (
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/workday"
)

var attendanceColumns = []string{"employee_id", "work_date", "arrival", "departure", "device", "place"}

// attendanceReader reads the files of an import into days.
type attendanceReader struct {
	days    map[RecordKey]*clockedDay
	people  map[string]int64 // by employee id
	layouts layouts
	zone    *time.Location
	now     time.Time
	refused []Refusal
	bad     int                // days that were refused
	spoilt  map[RecordKey]bool // of these, those of which another file may tell more
}

func (f *attendanceReader) refuse(r Refusal) {
	f.bad++
	f.refused = append(f.refused, r)
}

// long reads a row for each person and day.
func (f *attendanceReader) long(file io.Reader) error {
	t, err := openTable(file, attendanceColumns, attendanceColumns[:4])
	if err != nil {
		return err
	}
	for {
		row, err := t.next()
		var refused Refusal
		var broken unreadable
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &broken) || err != nil && !errors.As(err, &refused):
			return err
		case err != nil:
			f.refuse(refused)
			continue
		}
		if refused := f.row(t.line, row); refused != nil {
			f.refuse(*refused)
		}
	}
}

func (f *attendanceReader) row(line int, row cells) *Refusal {
	date, err := f.layouts.date(row["work_date"])
	if err != nil {
		return pointTo(refuse(line, "work_date", row["work_date"], "import.attendance.date"))
	}
	day, refused := f.day(line, row["employee_id"], date)
	if refused != nil {
		return refused
	}
	if day.line != 0 {
		return pointTo(refuse(line, "work_date", row["work_date"], "import.attendance.twice"))
	}
	day.line, day.device, day.place = line, strings.ToLower(row["device"]), row["place"]
	refused = f.times(day, line, row["arrival"], row["departure"])
	switch {
	case refused != nil:
	case !slices.Contains([]string{"", "pc", "web", "mobile", "mobile_web"}, day.device):
		refused = pointTo(refuse(line, "device", row["device"], "import.attendance.device"))
	case utf8.RuneCountInString(day.place) > maxTitle:
		refused = pointTo(refuse(line, "place", row["place"], "import.value.too_long"))
	}
	if refused != nil {
		delete(f.days, day.key)
	}
	return refused
}

func pointTo(r Refusal) *Refusal { return &r }

// day finds the day of a person, or makes it with the line 0.
func (f *attendanceReader) day(line int, employeeID string, date workday.Date) (*clockedDay, *Refusal) {
	id, there := f.people[employeeID]
	switch {
	case !there || employeeID == "":
		return nil, pointTo(refuse(line, "employee_id", employeeID, "import.attendance.employee"))
	case date.Year() < workday.FirstYear:
		return nil, pointTo(refuse(line, "work_date", date.String(), "import.attendance.too_early"))
	case date > workday.DateOf(f.now.In(f.zone)):
		return nil, pointTo(refuse(line, "work_date", date.String(), "import.attendance.future"))
	}
	key := RecordKey{UserID: id, Date: date}
	if f.days[key] == nil {
		f.days[key] = &clockedDay{key: key}
	}
	return f.days[key], nil
}

// times reads the times of a day.
func (f *attendanceReader) times(day *clockedDay, line int, arrival, departure string) *Refusal {
	var err error
	if day.arrival, err = f.layouts.time(arrival, day.key.Date, f.zone); err != nil {
		return pointTo(refuse(line, "arrival", arrival, "import.attendance.time"))
	}
	if day.departure, err = f.layouts.time(departure, day.key.Date, f.zone); err != nil {
		return pointTo(refuse(line, "departure", departure, "import.attendance.time"))
	}
	if reason := day.settle(f.now, f.zone); reason != "" {
		return pointTo(refuse(line, "departure", departure, reason))
	}
	return nil
}

// settle puts a departure that is a mere time of day behind the arrival, and
// refuses times that no day can have.
func (d *clockedDay) settle(now time.Time, zone *time.Location) Invalid {
	if d.departure.ofDay && !d.arrival.IsZero() && !d.departure.After(d.arrival.Time) {
		d.departure.Time = d.departure.AddDate(0, 0, 1)
	}
	from, to := d.key.Date.At(0, zone), (d.key.Date+2).At(0, zone)
	for _, t := range d.times() {
		switch {
		case t.After(now):
			return "import.attendance.future"
		case t.Before(from) || !t.Before(to):
			return "import.attendance.other_day"
		}
	}
	switch {
	case d.arrival.IsZero() || d.departure.IsZero():
	case !d.departure.After(d.arrival.Time):
		return "import.attendance.order"
	case d.departure.Sub(d.arrival.Time) > 24*time.Hour:
		return "import.attendance.too_long"
	}
	return ""
}

// wide reads a row for each person with a column for each day, the arrivals
// from one file and the departures from another.
func (f *attendanceReader) wide(arrivals, departures io.Reader) error {
	if err := f.sheet(arrivals, func(d *clockedDay, t cellTime) { d.arrival = t }); err != nil {
		return err
	}
	if err := f.sheet(departures, func(d *clockedDay, t cellTime) { d.departure = t }); err != nil {
		return err
	}
	for key, day := range f.days {
		if f.spoilt[key] {
			delete(f.days, key)
			continue
		}
		if reason := day.settle(f.now, f.zone); reason != "" {
			f.refuse(refuse(day.line, key.Date.String(), showTimes(day), reason))
			delete(f.days, key)
		}
	}
	return nil
}

func showTimes(d *clockedDay) string {
	return d.arrival.Format("15:04") + "–" + d.departure.Format("15:04")
}

func (f *attendanceReader) sheet(file io.Reader, keep func(*clockedDay, cellTime)) error {
	t := newTable(file)
	heading, err := t.record()
	if errors.Is(err, io.EOF) {
		return unreadable{refuse(0, "", "", "import.file.empty")}
	}
	var malformed Refusal
	if errors.As(err, &malformed) {
		return unreadable{malformed}
	}
	if err != nil {
		return err
	}
	dates := make([]workday.Date, len(heading))
	for i, text := range heading[1:] {
		if tidy(text) == "" {
			continue // spreadsheets export empty columns at the end
		}
		if dates[i+1], err = f.layouts.date(tidy(text)); err != nil {
			return unreadable{refuse(t.line, text, "", "import.attendance.date")}
		}
	}
	for {
		record, err := t.record()
		var refused Refusal
		var broken unreadable
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &broken) || err != nil && !errors.As(err, &refused):
			return err
		case err != nil:
			f.refuse(refused)
		default:
			f.cells(t.line, record, dates, keep)
		}
	}
}

// cells reads the times of one person.
func (f *attendanceReader) cells(line int, record []string, dates []workday.Date, keep func(*clockedDay, cellTime)) {
	employeeID := tidy(record[0])
	id, there := f.people[employeeID]
	if !there {
		if slices.ContainsFunc(record, func(s string) bool { return tidy(s) != "" }) {
			f.refuse(refuse(line, "employee_id", employeeID, "import.attendance.employee"))
		}
		return
	}
	for i, date := range dates {
		if date == 0 || i >= len(record) {
			continue
		}
		text := tidy(record[i])
		if text == "" && date > workday.DateOf(f.now.In(f.zone)) {
			continue // the rest of a year's sheet
		}
		key := RecordKey{UserID: id, Date: date}
		day, refused := f.day(line, employeeID, date)
		if refused == nil {
			t, err := f.layouts.time(text, date, f.zone)
			if err != nil {
				refused = pointTo(refuse(line, date.String(), text, "import.attendance.time"))
			} else {
				day.line = line
				keep(day, t)
			}
		}
		if refused != nil && !f.spoilt[key] {
			f.refuse(*refused)
			f.spoilt[key] = true
		}
	}
}
