package attendance

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"officeconsole/importfile"
	"officeconsole/workday"
)

// check compares the days with what is stored and marks those to create.
func (im *importer) check(ctx context.Context) error {
	first, last := datesOf(im.days)
	months, err := im.lockedMonths(ctx, lockedMonthsParams{im.by.CompanyID, monthOf(first).Time(), last.Time()})
	if err != nil {
		return err
	}
	locked := map[workday.Date]bool{}
	for _, month := range months {
		locked[workday.DateOf(month)] = true
	}
	importsOwn := false
	if slices.Contains(im.people, im.by.UserID) {
		if importsOwn, err = im.isOnlyAdministrator(ctx, isOnlyAdministratorParams{im.by.CompanyID, im.by.UserID}); err != nil {
			return err
		}
	}
	for _, days := range im.portions() {
		there, deleted, err := im.stored(ctx, days)
		if err != nil {
			return err
		}
		granted, err := im.grants(ctx, days)
		if err != nil {
			return err
		}
		for i := range days {
			day := &days[i]
			times, known := there[im.key(day)]
			isOwn := im.key(day).UserID == im.by.UserID && !importsOwn
			if day.isFilled() {
				if day.created = !known && !isOwn && !locked[monthOf(day.date())]; day.created {
					im.report.Filled++
					im.count(day.personDay)
				}
				continue
			}
			column, outside, err := im.refusesWindow(ctx, day)
			if err != nil {
				return err
			}
			leaveReason, err := im.checkLeave(ctx, day, granted[im.key(day)])
			if err != nil {
				return err
			}
			switch {
			case isOwn:
				im.refuse(day, "employee_id", "import.attendance.own")
				day.granted = false
			case locked[monthOf(day.date())]:
				im.refuse(day, "work_date", "import.attendance.locked")
				day.granted = false
			case outside != "":
				im.refuse(day, column, outside)
				day.granted = false
			case deleted[im.key(day)]:
				im.refuse(day, "work_date", "import.attendance.deleted")
				day.granted = false
			case leaveReason != "":
				im.refuse(day, "leave", leaveReason)
			case !known:
				day.created = true
			case !slices.EqualFunc(times, day.times(im.zone), time.Time.Equal):
				im.refuse(day, im.otherTime(day, times), "import.attendance.taken")
				day.granted = false
			case !day.granted:
				im.report.Unchanged++
			}
			if day.granted {
				im.report.Leave++
			}
			if day.created || day.granted {
				im.count(day.personDay)
			}
		}
	}
	return nil
}

// count adds a day, which is behind the others, to those to import.
func (im *importer) count(day personDay) {
	r := &im.report
	if r.Created == 0 || day.person != im.counted.person {
		r.People++
	}
	if r.Created == 0 {
		r.First, r.Last = day.date(), day.date()
	}
	r.First, r.Last = min(r.First, day.date()), max(r.Last, day.date())
	r.Created++
	im.counted = day
}

// stored returns the times, in order, of the days that have clock events or
// were imported before, and the days whose records are deleted.
func (im *importer) stored(ctx context.Context, days []clockedDay) (all map[RecordKey][]time.Time, deleted map[RecordKey]bool, err error) {
	ids := im.idsOf(days)
	first, last := datesOf(days)
	begun, err := im.begunDays(ctx, begunDaysParams{im.by.CompanyID, ids, first.Time(), last.Time()})
	if err != nil {
		return nil, nil, err
	}
	all, deleted = make(map[RecordKey][]time.Time, len(begun)), map[RecordKey]bool{}
	empty := map[RecordKey]bool{}
	for i := range days {
		if len(days[i].times(im.zone)) == 0 {
			empty[im.key(&days[i])] = true
		}
	}
	for _, row := range begun {
		key := RecordKey{UserID: row.UserID, Date: workday.DateOf(row.WorkDate)}
		if empty[key] {
			all[key] = nil
		}
		if row.Deleted {
			deleted[key] = true
		}
	}
	clocked, err := im.clockedDays(ctx, clockedDaysParams{im.by.CompanyID, ids, first.At(0, im.zone), (last + 2).At(0, im.zone)})
	for _, e := range clocked {
		key := RecordKey{UserID: e.UserID, Date: workday.DateOf(e.At.In(im.zone))}
		if of, imported := importedDay(e.EventID); imported {
			key = of
		} else if e.Kind != string(workday.In) {
			continue // it may belong to the day before
		}
		all[key] = append(all[key], e.At)
	}
	return all, deleted, err
}

// The id of an imported event begins with importedEvent, followed by the number of the
// import, the day and the kind.
const importedEvent = "import-"

// importedDay returns the day for which an event was imported. Before imports had
// numbers, their events did not have them either.
func importedDay(eventID string) (RecordKey, bool) {
	rest, imported := strings.CutPrefix(eventID, importedEvent)
	end := strings.LastIndexByte(rest, '-')
	if !imported || end < 0 {
		return RecordKey{}, false
	}
	key, err := ParseRecordKey(rest[:end])
	if err != nil {
		_, day, _ := strings.Cut(rest[:end], "-")
		key, err = ParseRecordKey(day)
	}
	return key, err == nil
}

// refuse refuses a day for the cell of a column of a long file. Of wide files it is the
// cell of the date.
func (im *importer) refuse(day *clockedDay, column, reason string) {
	r := importfile.Refuse(int(day.line), day.date().String(), "", reason)
	switch {
	case im.heading != nil:
		texts := im.texts[day.personDay]
		if column == "leave" && texts.leaveColumn != "" {
			column = texts.leaveColumn
		}
		r = importfile.Refuse(r.Line, im.heading(column), im.cell(day, column, texts), reason)
	case column == "leave":
		r.Value = string(day.leaveType())
	case column == "arrival" || column == "departure":
		r.Value = day.showTimes()
	}
	if len(im.names) > 1 {
		r.File = im.names[1] // whose lines the days of two files have
	}
	im.refused.Add(r)
}

// cell returns the value of a column of a day, as the file has it if that is known.
func (im *importer) cell(day *clockedDay, column string, texts dayTexts) string {
	switch column {
	case "employee_id":
		return im.codes[day.person]
	case "work_date":
		return day.date().String()
	case "arrival":
		return cmp.Or(texts.arrival, day.arrival.text())
	case "departure":
		return cmp.Or(texts.departure, day.departure.text())
	}
	return cmp.Or(texts.leave, string(day.leaveType()))
}

// otherTime returns the column of the first time of a day that is not among others.
func (im *importer) otherTime(day *clockedDay, others []time.Time) string {
	if at := day.arrival.atOrNil(im.zone); at != nil && slices.ContainsFunc(others, at.Equal) {
		return "departure"
	}
	return "arrival"
}
