package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"officeconsole/queries"
	"officeconsole/views"
	"officeconsole/workday"
)

// usualPeriod is how many days the log shows where nobody chose any.
const usualPeriod = 7

// attendanceLog is the log of a period with who edited what, that of the last
// days without one. What somebody chose is in the address: from, to, deleted and
// what a day can be filtered by.
func (h *handlers) attendanceLog(w http.ResponseWriter, r *http.Request) error {
	return h.showLog(w, r, http.StatusOK, views.LockedMonths{})
}

func (h *handlers) showLog(w http.ResponseWriter, r *http.Request, status int, months views.LockedMonths) error {
	p, now := person(r).Person, h.db.Now().In(zone(person(r)))
	view := views.AttendanceLogList{Frame: h.frame(r), Months: months}
	filter, err := h.logChoice(r, &view)
	if err != nil {
		return err
	}
	if view.Months.Month == "" {
		view.Months.Month = now.AddDate(0, 0, -now.Day()).Format("2006-01")
	}
	if view.Months.Months, err = h.db.LockedMonths(r.Context(), p.CompanyID); err != nil {
		return err
	}
	if view.Refused == "" {
		scope, err := h.db.AttendanceScope(r.Context(), p)
		if err != nil {
			return err
		}
		view.Page, err = h.db.AttendanceLog(r.Context(), p.CompanyID, scope, view.From, view.To, filter)
		var refused queries.Invalid
		if errors.As(err, &refused) {
			view.Refused = string(refused)
		} else if err != nil {
			return err
		}
	}
	if view.Refused != "" {
		status = http.StatusUnprocessableEntity
	}
	return h.renderStatus(w, r, status, views.AttendanceLog(view))
}

// logChoice reads what somebody chose of the log, into the list as well.
func (h *handlers) logChoice(r *http.Request, l *views.AttendanceLogList) (queries.AttendanceFilter, error) {
	filter, err := h.attendanceChoice(r, &l.AttendanceChoice)
	if err != nil {
		return filter, err
	}
	l.Deleted = r.URL.Query().Get("deleted") == "1"
	filter.Deleted = l.Deleted
	l.From, l.To, err = periodOf(r.URL.Query(), workday.DateOf(h.db.Now().In(zone(person(r)))))
	return filter, err
}

// periodOf reads from and to: without them it is the days up to today, without
// from those up to the other. What is no date is a page that does not exist.
func periodOf(query url.Values, today workday.Date) (from, to workday.Date, err error) {
	if to, err = dateIn(query, "to", today); err != nil {
		return 0, 0, err
	}
	from, err = dateIn(query, "from", to-usualPeriod+1)
	return from, to, err
}

func dateIn(query url.Values, name string, otherwise workday.Date) (workday.Date, error) {
	if query.Get(name) == "" {
		return otherwise, nil
	}
	date, err := workday.ParseDate(query.Get(name))
	if err != nil || date.Year() < 1900 || date.Year() > 2200 {
		return 0, errPageNotFound
	}
	return date, nil
}

// backToRecords is the list of the log that a form came from.
func backToRecords(r *http.Request, back string) string {
	if path := backToLog(r, back); strings.HasPrefix(path, views.AttendanceLogPath) {
		return path
	}
	return views.AttendanceLogPath
}
