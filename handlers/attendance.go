package handlers

import (
	"net/http"
	"time"

	"officeconsole/views"
)

// attendanceDay is the log of one day, today's without a date.
func (h *handlers) attendanceDay(w http.ResponseWriter, r *http.Request) error {
	day, err := dayOf(r, h.db.Now().In(zone(person(r))))
	if err != nil {
		return err
	}
	return h.render(w, r, views.AttendanceDay(h.frame(r), day))
}

// dayOf reads the date of an address. What is none is a page that does not
// exist (spec §5).
func dayOf(r *http.Request, today time.Time) (time.Time, error) {
	given := r.URL.Query().Get("date")
	if given == "" {
		return today, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, given, today.Location())
	if err != nil || day.Year() < 1900 || day.Year() > 2200 {
		return time.Time{}, errUnreachable
	}
	return day, nil
}
