package attendance

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"officeconsole/workday"
)

// importPortion is the number of days that are compared and written at once, of
// at most mostImportPeople users.
const (
	importPortion    = 20_000
	mostImportPeople = 200
)

// portions returns the days in parts of a few users each.
func (im *importer) portions() [][]clockedDay {
	first, last := datesOf(im.days)
	size := min(max(1, importPortion/int(last-first+1)), mostImportPeople)
	var all [][]clockedDay
	from, people := 0, 1
	for i := 1; i <= len(im.days); i++ {
		switch {
		case i == len(im.days) || im.days[i].person != im.days[i-1].person && people == size:
			all, from, people = append(all, im.days[from:i]), i, 1
		case im.days[i].person != im.days[i-1].person:
			people++
		}
	}
	return all
}

// idsOf returns the user ids of a portion.
func (im *importer) idsOf(days []clockedDay) []int64 {
	var ids []int64
	for i, day := range days {
		if i == 0 || day.person != days[i-1].person {
			ids = append(ids, im.people[day.person])
		}
	}
	return ids
}

func datesOf(days []clockedDay) (first, last workday.Date) {
	first, last = days[0].date(), days[0].date()
	for _, day := range days {
		first, last = min(first, day.date()), max(last, day.date())
	}
	return first, last
}

func (im *importer) key(day *clockedDay) RecordKey {
	return RecordKey{UserID: im.people[day.person], Date: day.date()}
}

func (im *importer) write(ctx context.Context) error {
	for _, days := range im.portions() {
		days = slices.DeleteFunc(slices.Clone(days), func(d clockedDay) bool { return !d.created && !d.granted })
		if len(days) == 0 {
			continue
		}
		if err := im.notePeople(ctx, days); err != nil {
			return err
		}
		var events []copyEventsParams
		wanted := make(map[RecordKey]bool, len(days))
		for i := range days {
			if days[i].created {
				events = append(events, im.events(&days[i])...)
			}
			wanted[im.key(&days[i])] = true
		}
		if _, err := im.copyEvents(ctx, events); err != nil {
			return fmt.Errorf("write clock events: %w", err)
		}
		if err := im.grantLeave(ctx, days); err != nil {
			return err
		}
		first, last := datesOf(days)
		if err := im.deriveBetween(ctx, im.idsOf(days), first, last, wanted); err != nil {
			return err
		}
		im.progress.Add(int64(len(days)))
	}
	return nil
}

// notePeople stores which days the import writes, and which of them have no record yet.
func (im *importer) notePeople(ctx context.Context, days []clockedDay) error {
	first, last := datesOf(days)
	begun, err := im.begunDays(ctx, begunDaysParams{im.by.CompanyID, im.idsOf(days), first.Time(), last.Time()})
	if err != nil {
		return err
	}
	there := make(map[RecordKey]bool, len(begun))
	for _, row := range begun {
		there[RecordKey{UserID: row.UserID, Date: workday.DateOf(row.WorkDate)}] = true
	}
	row := insertImportPersonParams{CompanyID: im.by.CompanyID, ImportID: im.id}
	for i := range days {
		key := im.key(&days[i])
		row.UserID, row.Days = key.UserID, append(row.Days, key.Date.Time())
		if !there[key] {
			row.Created = append(row.Created, key.Date.Time())
		}
		if days[i].granted {
			row.Granted = append(row.Granted, key.Date.Time())
		}
		if i+1 < len(days) && days[i+1].person == days[i].person {
			continue
		}
		if row.Created == nil {
			row.Created = []time.Time{}
		}
		if row.Granted == nil {
			row.Granted = []time.Time{}
		}
		if err := im.insertImportPerson(ctx, row); err != nil {
			return fmt.Errorf("note days of user %d: %w", row.UserID, err)
		}
		row.Days, row.Created, row.Granted = row.Days[:0], row.Created[:0], row.Granted[:0]
	}
	return nil
}

// events returns the clock events of a day. They were not sent by a device, so
// there is no clock to compare with.
func (im *importer) events(day *clockedDay) []copyEventsParams {
	var all []copyEventsParams
	key := im.key(day)
	for kind, t := range map[workday.Kind]cellTime{workday.In: day.arrival, workday.Out: day.departure} {
		if t == 0 {
			continue
		}
		all = append(all, copyEventsParams{
			CompanyID: im.by.CompanyID, UserID: key.UserID, At: t.at(im.zone), EventID: importedEvent + strconv.FormatInt(im.id, 10) + "-" + key.String() + "-" + string(kind), Kind: string(kind),
			OccurredAt: t.at(im.zone), ReceivedAt: im.Now, Offline: true, Platform: im.words[day.device], Place: im.words[day.place], Proof: "none", Source: "import", ImportID: &im.id,
		})
	}
	return all
}
