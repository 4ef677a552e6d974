package attendance

import (
	"officeconsole/importfile"
)

// fill adds the dates without a row between the first and the last date of each person,
// except of people of whom a row is refused: it may be about one of these dates.
func (im *importer) fill(refused map[int32]bool) error {
	rows := im.days
	for i := 1; i < len(rows); i++ {
		before, next := rows[i-1].personDay, rows[i].personDay
		if before.person != next.person || refused[next.person] {
			continue
		}
		for on := before.on + 1; on < next.on; on++ {
			if len(im.days) == ImportDays {
				return importfile.Unreadable{Refusal: importfile.Refuse(0, "", "", "import.attendance.too_many")}
			}
			im.days = append(im.days, clockedDay{personDay: personDay{next.person, on}})
		}
	}
	sortDays(im.days)
	return nil
}

// isFilled reports whether a day has no row. It gets a record if it has none.
func (d *clockedDay) isFilled() bool { return d.line == 0 }
