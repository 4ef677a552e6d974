package attendance

import (
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
			column, outside, err := im.refusesWindow(ctx, day)
			if err != nil {
				return err
			}
			leaveReason, err := im.checkLeave(ctx, day, granted[im.key(day)])
			if err != nil {
				return err
			}
			switch {
			case im.key(day).UserID == im.by.UserID && !importsOwn:
				im.refuse(day, "import.attendance.own")
				day.granted = false
			case locked[monthOf(day.date())]:
				im.refuse(day, "import.attendance.locked")
				day.granted = false
			case outside != "":
				im.refused.Add(im.timeRefusal(day, column, outside))
				day.granted = false
			case deleted[im.key(day)]:
				im.refuse(day, "import.attendance.deleted")
				day.granted = false
			case leaveReason != "":
				im.refused.Add(im.refusal(day, string(day.leaveType()), leaveReason))
			case !known:
				day.created = true
			case !slices.EqualFunc(times, day.times(im.zone), time.Time.Equal):
				im.refuse(day, "import.attendance.taken")
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

func (im *importer) refuse(day *clockedDay, reason string) {
	im.refused.Add(im.refusal(day, "", reason))
}

func (im *importer) refusal(day *clockedDay, value, reason string) importfile.Refusal {
	r := importfile.Refuse(int(day.line), day.date().String(), value, reason)
	if len(im.names) > 1 {
		r.File = im.names[1] // whose lines the days of two files have
	}
	return r
}

// timeRefusal refuses a time of a day, as a long file has it.
func (im *importer) timeRefusal(day *clockedDay, column, reason string) importfile.Refusal {
	texts, known := im.early[day.personDay]
	if !known {
		return im.refusal(day, day.showTimes(), reason)
	}
	value := texts.arrival
	if column == "departure" {
		value = texts.departure
	}
	return importfile.Refuse(int(day.line), im.heading(column), value, reason)
}
