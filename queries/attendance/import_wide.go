package attendance

import (
	"errors"
	"io"
	"slices"

	"officeconsole/importfile"
	"officeconsole/workday"
)

// wide reads files with a row for each user and a column for each day: arrivals
// from one file, departures from the other.
func (f *attendanceReader) wide(arrivals, departures io.Reader) error {
	if err := f.sheet(arrivals, func(d *clockedDay, t cellTime) { d.arrival = t }); err != nil {
		return err
	}
	if err := f.sheet(departures, func(d *clockedDay, t cellTime) { d.departure = t }); err != nil {
		return err
	}
	for i := range f.days {
		day := &f.days[i]
		if f.spoilt[day.personDay] {
			f.drop(day)
			continue
		}
		if reason := day.settle(f.now, f.zone); reason != "" {
			f.refuse(importfile.Refuse(int(day.line), day.date().String(), f.showTimes(day), string(reason)))
			f.drop(day)
		}
	}
	return nil
}

func (f *attendanceReader) showTimes(d *clockedDay) string {
	clock := func(t cellTime) string {
		if t == 0 {
			return "" // settle refuses a single time too
		}
		return t.time().In(f.zone).Format("15:04")
	}
	return clock(d.arrival) + "–" + clock(d.departure)
}

func (f *attendanceReader) sheet(file io.Reader, keep func(*clockedDay, cellTime)) error {
	t := importfile.NewTable(file)
	heading, err := t.Record()
	if errors.Is(err, io.EOF) {
		return importfile.Unreadable{Refusal: importfile.Refuse(0, "", "", "import.file.empty")}
	}
	var malformed importfile.Refusal
	if errors.As(err, &malformed) {
		return importfile.Unreadable{Refusal: malformed}
	}
	if err != nil {
		return err
	}
	dates := make([]workday.Date, len(heading))
	for i, text := range heading[1:] {
		if importfile.Tidy(text) == "" {
			continue // spreadsheets export empty columns at the end
		}
		if dates[i+1], err = f.layouts.date(importfile.Tidy(text)); err != nil {
			return importfile.Unreadable{Refusal: importfile.Refuse(t.Line, text, "", "import.attendance.date")}
		}
	}
	for {
		record, err := t.Record()
		var refused importfile.Refusal
		var broken importfile.Unreadable
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &broken) || err != nil && !errors.As(err, &refused):
			return err
		case err != nil:
			f.refuse(refused)
		default:
			f.cells(t.Line, record, dates, keep)
		}
		if err := f.full(t.Line); err != nil {
			return err
		}
	}
}

// cells reads the times of one user.
func (f *attendanceReader) cells(line int, record []string, dates []workday.Date, keep func(*clockedDay, cellTime)) {
	employeeID := importfile.Tidy(record[0])
	id, there := f.people[employeeID]
	if !there {
		if slices.ContainsFunc(record, func(s string) bool { return importfile.Tidy(s) != "" }) {
			f.refuse(importfile.Refuse(line, "employee_id", employeeID, "import.attendance.employee"))
		}
		return
	}
	for i, date := range dates {
		if date == 0 || i >= len(record) {
			continue
		}
		text := importfile.Tidy(record[i])
		if text == "" && date > workday.DateOf(f.now.In(f.zone)) {
			continue // outside of the days to import
		}
		key := personDay{id, int32(date)}
		day, refused := f.day(line, employeeID, date)
		if refused == nil {
			t, err := f.layouts.time(text, date, f.zone)
			if err != nil {
				refused = pointTo(importfile.Refuse(line, date.String(), text, "import.attendance.time"))
			} else {
				day.line = int32(line)
				keep(day, t)
			}
		}
		if refused != nil && !f.spoilt[key] {
			f.refuse(*refused)
			f.spoilt[key] = true
		}
	}
}
