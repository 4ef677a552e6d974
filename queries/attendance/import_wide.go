package attendance

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"officeconsole/importfile"
	"officeconsole/workday"
)

// grid is a file with a row for each user and a column for each day, as far as it was
// read.
type grid struct {
	name   string
	dates  []workday.Date   // by column; 0 for one that is not read
	shown  []string         // the headings
	people map[string]int32 // the line of each employee id
}

// wide reads files with a row for each user and a column for each day: arrivals
// from one file, departures from the other.
func (f *attendanceReader) wide(arrivals, departures ImportFile) error {
	first, err := f.grid(arrivals, func(d *clockedDay, t cellTime) { d.arrival = t })
	if err != nil {
		return err
	}
	second, err := f.grid(departures, func(d *clockedDay, t cellTime) { d.departure = t })
	if err != nil {
		return err
	}
	if !f.options.AllowMissing {
		f.refuseMissing(first, second)
		f.refuseMissing(second, first)
	}
	f.file = second.name
	for i := range f.days {
		day := &f.days[i]
		if f.spoilt[day.personDay] {
			f.drop(day)
			continue
		}
		if _, reason := day.settle(f.now, f.zone); reason != "" {
			f.refuse(importfile.Refuse(int(day.line), day.date().String(), day.showTimes(), string(reason)))
			f.drop(day)
		}
	}
	return nil
}

// refuseMissing refuses the people and dates that only one of two files has: their days
// would have no departures, or no arrivals.
func (f *attendanceReader) refuseMissing(in, other *grid) {
	f.file = in.name
	dates, people := map[workday.Date]bool{}, map[int32]bool{}
	for i, date := range in.dates {
		if date != 0 && !slices.Contains(other.dates, date) {
			f.refuse(importfile.Refuse(1, in.shown[i], "", "import.attendance.missing_date"))
			dates[date] = true
		}
	}
	for id, line := range in.people {
		if _, there := other.people[id]; !there {
			f.refuse(importfile.Refuse(int(line), "employee_id", id, "import.attendance.missing_person"))
			people[f.people[id]] = true
		}
	}
	if len(dates)+len(people) == 0 {
		return
	}
	for i := range f.days {
		if day := &f.days[i]; dates[day.date()] || people[day.person] {
			f.spoilt[day.personDay] = true
		}
	}
}

func (f *attendanceReader) grid(file ImportFile, set func(*clockedDay, cellTime)) (*grid, error) {
	f.file = file.Name
	g := &grid{name: file.Name, people: map[string]int32{}}
	broken := func(err error) error {
		var refused importfile.Unreadable
		if errors.As(err, &refused) {
			refused.File = file.Name
			return refused
		}
		return err
	}
	t, err := importfile.NewTable(file.Content, f.options.reading())
	if err != nil {
		return nil, broken(err)
	}
	defer t.Close()
	f.values.Begin(t)
	heading, err := t.FirstRow()
	if err != nil {
		return nil, broken(err)
	}
	if err := g.readDates(f, t.Line, heading); err != nil {
		return nil, broken(err)
	}
	for {
		record, err := t.Record()
		var refused importfile.Refusal
		var stopped importfile.Unreadable
		switch {
		case errors.Is(err, io.EOF):
			f.noteEncoding(t)
			return g, nil
		case errors.As(err, &stopped) || err != nil && !errors.As(err, &refused):
			return nil, broken(err)
		case err != nil:
			f.refuse(refused)
		default:
			f.cells(t.Line, record, g, set)
		}
		if err := f.full(t.Line); err != nil {
			return nil, broken(err)
		}
	}
}

// readDates reads the dates of the heading. All that cannot be read are named at once.
func (g *grid) readDates(f *attendanceReader, line int, heading []string) error {
	g.dates, g.shown = make([]workday.Date, len(heading)), make([]string, len(heading))
	var wrong []string
	var reason string // of the first
	for i, text := range heading {
		if g.shown[i] = importfile.Tidy(text); i > 0 {
			_, _ = f.values.Date(g.shown[i]) // so that dates without a year have that of the others
		}
	}
	f.values.UseYears()
	for i := range heading {
		if i == 0 || g.shown[i] == "" {
			continue // spreadsheets export empty columns at the end
		}
		on, err := f.values.Date(g.shown[i])
		date := workday.DateOf(on)
		switch {
		case err != nil:
			wrong = append(wrong, g.shown[i])
			reason = cmp.Or(reason, valueReason(err, refusedDate))
		case slices.Contains(g.dates, date):
			return importfile.Unreadable{Refusal: importfile.Refuse(line, g.shown[i], "", "import.column.twice")}
		default:
			g.dates[i] = date
		}
	}
	if wrong != nil {
		return importfile.Unreadable{Refusal: importfile.Refuse(line, strings.Join(wrong, ", "), "", reason)}
	}
	return nil
}

// cells reads the times of one user.
func (f *attendanceReader) cells(line int, record []string, g *grid, set func(*clockedDay, cellTime)) {
	if !slices.ContainsFunc(record, func(s string) bool { return importfile.Tidy(s) != "" }) {
		return
	}
	employeeID := importfile.Tidy(record[0])
	id, there := f.people[employeeID]
	if !there || employeeID == "" {
		f.refuse(importfile.Refuse(line, "employee_id", employeeID, "import.attendance.employee"))
		return
	}
	if before, twice := g.people[employeeID]; twice {
		f.refuse(importfile.Refuse(line, "employee_id", employeeID, "import.attendance.person_twice").Against(int(before)))
		return
	}
	g.people[importfile.Tidy(employeeID)] = int32(line)
	for i, date := range g.dates {
		if date == 0 {
			continue
		}
		text := ""
		if i < len(record) {
			text = importfile.Tidy(record[i])
		}
		if text == "" && date > workday.DateOf(f.now.In(f.zone)) {
			continue // outside of the days to import
		}
		day, _, reason := f.day(employeeID, date)
		if reason == "" {
			var t cellTime
			if t, reason = f.clocked(day, text); reason == "" {
				day.line = int32(line)
				set(day, t)
			}
		}
		if key := (personDay{id, int32(date)}); reason != "" && !f.spoilt[key] {
			f.refuse(importfile.Refuse(line, g.shown[i], text, reason))
			f.spoilt[key] = true
		}
	}
}
