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

// attendanceReader reads the files of an import into days.
type attendanceReader struct {
	options ImportOptions
	days    []clockedDay
	at      map[personDay]int32 // indexes of days
	people  map[string]int32    // indexes of users by employee id
	words   []string            // devices and places; the first text is ""
	known   map[string]uint32   // indexes of words
	values  importfile.Values
	zone    *time.Location
	now     time.Time
	refused *importfile.Refusals
	file    string             // its name, where there are two
	spoilt  map[personDay]bool // refused days that may occur in another file too
	bad     map[int32]bool     // people of whom a row is refused
	undated []undatedRow       // whose dates wait for those of the other rows

	texts     map[personDay]dayTexts     // of days of a long file that may be refused for them, at most importfile.MostRefusals
	heading   func(column string) string // of a long file
	encodings []string                   // of the files that are text
}

// dayTexts are the times and the leave of a day as the file has them.
type dayTexts struct {
	arrival, departure, leave string
	leaveColumn               string // which says the leave
}

// undatedRow is a row with a date without its year.
type undatedRow struct {
	line  int
	cells importfile.Cells
}

// mostUndated is the number of rows that wait for the year of their dates. Further ones
// are refused: a file that never names a year would be held in memory as a whole.
const mostUndated = 100_000

// clockedDay is a user's day in the files.
type clockedDay struct {
	personDay
	arrival, departure cellTime
	line               int32 // 0 for a dropped day, and later for one without a row
	device, place      uint32
	leave              uint8 // its code in monthTypes; 0 for none
	created            bool  // its events are to be stored
	granted            bool  // its leave is to be stored
	isOvernight        bool  // the departure has no date and was moved to the next day
}

type personDay struct{ person, on int32 }

func (d personDay) date() workday.Date { return workday.Date(d.on) }

func newAttendanceReader(options ImportOptions, people []employeeIDsRow, zone *time.Location, now time.Time) *attendanceReader {
	f := &attendanceReader{
		options: options, at: map[personDay]int32{}, spoilt: map[personDay]bool{}, bad: map[int32]bool{}, people: make(map[string]int32, len(people)),
		words: []string{""}, known: map[string]uint32{"": 0}, zone: zone, now: now, refused: &importfile.Refusals{}, texts: map[personDay]dayTexts{},
		values: importfile.Values{DateLayout: options.DateFormat, TimeLayout: options.TimeFormat},
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
	sortDays(days)
	return days
}

func sortDays(days []clockedDay) {
	slices.SortFunc(days, func(a, b clockedDay) int { return cmp.Or(cmp.Compare(a.person, b.person), cmp.Compare(a.on, b.on)) })
}

// drop removes a day that is refused.
func (f *attendanceReader) drop(day *clockedDay) {
	day.line, f.bad[day.person] = 0, true
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
	if len(f.at)+len(f.undated)+f.refused.Count <= ImportDays {
		return nil
	}
	return importfile.Unreadable{Refusal: importfile.Refuse(line, "", "", "import.attendance.too_many")}
}

func (f *attendanceReader) refuse(r importfile.Refusal) {
	r.File = f.file
	f.refused.Add(r)
}

// refuseRow refuses a row of a long file.
func (f *attendanceReader) refuseRow(row importfile.Cells, refused importfile.Refusal) {
	f.refuse(refused)
	if id, known := f.people[row["employee_id"]]; known {
		f.bad[id] = true
	}
}

// long reads a file with a row for each user and day.
func (f *attendanceReader) long(file ImportFile) error {
	t, err := importfile.OpenTable(file.Content, f.options.reading(), importColumns(f.options.Columns))
	if err != nil {
		return err
	}
	defer t.Close()
	f.values.Begin(t)
	f.heading = t.Heading
	for {
		row, err := t.Next()
		var refused importfile.Refusal
		var broken importfile.Unreadable
		switch {
		case errors.Is(err, io.EOF):
			f.readUndated(t)
			f.noteEncoding(t)
			return nil
		case errors.As(err, &broken) || err != nil && !errors.As(err, &refused):
			return err
		case err != nil:
			f.refuse(refused)
			continue
		}
		if refused := f.row(t, row); refused != nil {
			switch {
			case refused.Reason == refusedOrder: // of every date of the file
				return importfile.Unreadable{Refusal: *refused}
			case refused.Reason == refusedYear && len(f.undated) < mostUndated:
				f.undated = append(f.undated, undatedRow{t.Line, row})
			default:
				f.refuseRow(row, *refused)
			}
		}
		if err := f.full(t.Line); err != nil {
			return err
		}
	}
}

// noteEncoding notes the encoding of a file that was read to its end.
func (f *attendanceReader) noteEncoding(t *importfile.Table) {
	if name := t.Reading().Encoding; !t.IsBook && !slices.Contains(f.encodings, name) {
		f.encodings = append(f.encodings, name)
	}
}

// readUndated reads the rows whose dates have no year once all others were read.
func (f *attendanceReader) readUndated(t *importfile.Table) {
	f.values.UseYears()
	for _, row := range f.undated {
		t.Line = row.line
		if refused := f.row(t, row.cells); refused != nil {
			f.refuseRow(row.cells, *refused)
		}
	}
	f.undated = nil
}

// Refusals of dates and times.
const (
	refusedOrder   = "import.attendance.date_order"
	refusedDate    = "import.attendance.date"
	refusedYear    = "import.attendance.year"
	refusedWeekday = "import.attendance.weekday"
	refusedClock   = "import.attendance.time"
)

// valueReason returns the reason to refuse a value that could not be read.
func valueReason(err error, reason string) string {
	switch {
	case errors.Is(err, importfile.ErrOrder):
		return refusedOrder
	case errors.Is(err, importfile.ErrWeekday):
		return refusedWeekday
	case errors.Is(err, importfile.ErrYear):
		return refusedYear
	}
	return reason
}

func (f *attendanceReader) row(t *importfile.Table, row importfile.Cells) *importfile.Refusal {
	refuse := func(column, reason string) *importfile.Refusal {
		return pointTo(importfile.Refuse(t.Line, t.Heading(column), row[column], reason))
	}
	on, err := f.values.Date(row["work_date"])
	if err != nil {
		return refuse("work_date", valueReason(err, refusedDate))
	}
	day, column, reason := f.day(row["employee_id"], workday.DateOf(on))
	if reason != "" {
		return refuse(column, reason)
	}
	if day.line != 0 {
		return pointTo(refuse("work_date", "import.attendance.twice").Against(int(day.line)))
	}
	day.line = int32(t.Line)
	refused := f.times(day, row, refuse)
	device, known := devices[importfile.Word(row["device"])]
	switch {
	case refused != nil:
	case !known:
		refused = refuse("device", "import.attendance.device")
	case !directory.PlainText(row["place"]):
		refused = refuse("place", "import.value.characters")
	case utf8.RuneCountInString(row["place"]) > directory.MaxTitle:
		refused = refuse("place", "import.value.too_long")
	default:
		day.device, day.place = f.word(device), f.word(row["place"])
	}
	if refused != nil {
		f.drop(day)
	} else if (day.hasEarlyTime() || day.leave != 0) && len(f.texts) < importfile.MostRefusals {
		leaveColumn := leaveColumnOf(row)
		f.texts[day.personDay] = dayTexts{strings.Clone(row["arrival"]), strings.Clone(row["departure"]), strings.Clone(row[leaveColumn]), leaveColumn}
	}
	return refused
}

func pointTo(r importfile.Refusal) *importfile.Refusal { return &r }

// day returns the day of a user, and adds it with line 0 if it is new, or the column
// and the reason of a refusal. The pointer is valid until the next call.
func (f *attendanceReader) day(employeeID string, date workday.Date) (day *clockedDay, column, reason string) {
	id, there := f.people[employeeID]
	if !there || employeeID == "" {
		return nil, "employee_id", "import.attendance.employee"
	}
	if reason := f.refusesDate(date); reason != "" {
		return nil, "work_date", reason
	}
	key := personDay{id, int32(date)}
	i, there := f.at[key]
	if !there {
		i = int32(len(f.days))
		f.days, f.at[key] = append(f.days, clockedDay{personDay: key}), i
	}
	return &f.days[i], "", ""
}

func (f *attendanceReader) refusesDate(date workday.Date) string {
	switch {
	case date.Year() < workday.FirstYear:
		return "import.attendance.too_early"
	case date > workday.DateOf(f.now.In(f.zone)):
		return "import.attendance.future"
	}
	return ""
}

// times reads the times of a day.
func (f *attendanceReader) times(day *clockedDay, row importfile.Cells, refuse func(column, reason string) *importfile.Refusal) *importfile.Refusal {
	var reason string
	if day.arrival, reason = f.clocked(day, row["arrival"]); reason != "" {
		return refuse("arrival", reason)
	}
	if day.departure, reason = f.clocked(day, row["departure"]); reason != "" {
		return refuse("departure", reason)
	}
	if refused := f.leaveCells(day, row, refuse); refused != nil {
		return refused
	}
	if column, reason := day.settle(f.now, f.zone); reason != "" {
		return refuse(column, string(reason))
	}
	return nil
}

// time reads a time on a date; an empty cell, NA and dashes are none.
func (f *attendanceReader) time(text string, date workday.Date) (cellTime, error) {
	if isNoTime(text) {
		return 0, nil
	}
	t, err := f.values.Time(text)
	if err != nil {
		return 0, err
	}
	if !t.Date.IsZero() {
		date = workday.DateOf(t.Date)
	}
	return newCellTime(date+workday.Date(t.Days), t.Second, t.Date.IsZero() && t.Days == 0), nil
}

// isNoTime reports whether a cell says that there is no time. Dashes are typed as the
// minus, dashes of all lengths, a horizontal line and the long vowel mark.
func isNoTime(text string) bool {
	return strings.EqualFold(text, "na") || strings.Trim(text, "-－‐–—―−─ーｰ") == ""
}

// settle moves a departure without a date after the arrival, and returns which time is
// impossible, and why.
func (d *clockedDay) settle(now time.Time, zone *time.Location) (column string, reason queries.Invalid) {
	if d.departure.ofDay() && d.arrival != 0 && d.departure.at(zone).Compare(d.arrival.at(zone)) <= 0 {
		d.departure, d.isOvernight = d.departure.nextDay(), true
	}
	for _, cell := range []struct {
		column string
		cellTime
	}{{"arrival", d.arrival}, {"departure", d.departure}} {
		if cell.cellTime == 0 {
			continue
		}
		switch on := cell.date(); {
		case cell.isSkipped(zone):
			return cell.column, "record.time.skipped"
		case cell.at(zone).After(now):
			return cell.column, "import.attendance.future"
		case on < d.date() || on > d.date()+1:
			return cell.column, "import.attendance.other_day"
		}
	}
	if d.arrival != 0 && d.departure != 0 {
		switch between := d.departure.at(zone).Sub(d.arrival.at(zone)); {
		case between <= 0:
			return "departure", "import.attendance.order"
		case between > 24*time.Hour:
			return "departure", "import.attendance.too_long"
		}
	}
	return "", ""
}

func (d *clockedDay) times(zone *time.Location) []time.Time {
	var all []time.Time
	for _, t := range []cellTime{d.arrival, d.departure} {
		if t != 0 {
			all = append(all, t.at(zone))
		}
	}
	return all
}

// showTimes returns the times of a day, for a refusal.
func (d *clockedDay) showTimes() string {
	return d.arrival.text() + "–" + d.departure.text()
}
