package policy

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
	"officeconsole/views"
	"officeconsole/workday"
)

// HolidaysPath is the page of the company's holidays, without language prefix.
const HolidaysPath = "/manage/use/holidays"

// Holidays is the page of the holidays of a year.
type Holidays struct {
	Frame   views.Frame
	Year    int
	Entries []attendance.HolidayEntry
}

// HolidayForm is the form of a holiday as it was typed. ID is 0 for a new one.
type HolidayForm struct {
	ID                int64
	VersionNo         int32 // that the form began with
	Name, First, Last string
	Refused           queries.FieldErrors
	Conflict          bool                    // whether somebody else has changed the holiday in the meantime
	Gone              string                  // who has deleted the holiday, which saving adds anew; "" for nobody
	Preview           *attendance.PastPreview // what it changes of records, to be confirmed; else nil
}

// NewHolidayForm returns the form of a holiday as it is stored.
func NewHolidayForm(h policy.Holiday) HolidayForm {
	f := HolidayForm{ID: h.ID, VersionNo: h.VersionNo, Name: h.Name, First: h.First.String()}
	if h.Last != h.First {
		f.Last = h.Last.String()
	}
	return f
}

// Confirmation is what the form sends once its preview was shown. It stands for what was
// typed, so that other dates are shown first, too.
func (f HolidayForm) Confirmation() string { return f.First + " " + f.Last + " " + f.Name }

func (f HolidayForm) action() string {
	if f.ID == 0 {
		return HolidaysPath
	}
	return HolidaysPath + "/" + views.IDText(f.ID)
}

func (f HolidayForm) title(ctx context.Context) string {
	if f.ID == 0 {
		return locales.T(ctx, "holiday.create")
	}
	return locales.T(ctx, "holiday.edit.title")
}

func (f HolidayForm) saveText(ctx context.Context) string {
	if f.Preview != nil {
		return locales.T(ctx, "holiday.save.recompute")
	}
	return locales.T(ctx, "holiday.save")
}

func (f HolidayForm) inputs(ctx context.Context) []views.Input {
	inputs := []views.Input{
		{Name: "name", Value: f.Name, Required: true, Help: locales.T(ctx, "holiday.name.help"), Attributes: templ.Attributes{"autocomplete": "off"}},
		{Name: "first_date", Type: "date", Value: f.First, Required: true},
		{Name: "last_date", Type: "date", Value: f.Last, Help: locales.T(ctx, "holiday.last_date.help")},
	}
	for i := range inputs {
		inputs[i].Label, inputs[i].Error = locales.T(ctx, "holiday."+inputs[i].Name), views.Refusal(ctx, f.Refused, inputs[i].Name)
	}
	return inputs
}

// yearURL is the page of another year; "" where there are no calendars for it.
func (p Holidays) yearURL(year int) string {
	if year < workday.FirstYear || year > workday.LastYear {
		return ""
	}
	return HolidayYearURL(year)
}

// HolidayYearURL is the page of a year.
func HolidayYearURL(year int) string {
	return views.WithQuery(HolidaysPath, url.Values{"year": {strconv.Itoa(year)}})
}

// dialogURL is the page with a dialog opened.
func (p Holidays) dialogURL(name, value string) string {
	return views.WithQuery(HolidaysPath, url.Values{"year": {strconv.Itoa(p.Year)}, name: {value}})
}

// isPast reports whether a holiday is over.
func (p Holidays) isPast(e attendance.HolidayEntry) bool { return e.Last < workday.DateOf(p.Frame.Now) }

// holidayDates names the dates of a holiday.
func holidayDates(ctx context.Context, first, last workday.Date) string {
	if first == last {
		return locales.LongDate(ctx, first.Time())
	}
	return locales.DateRange(ctx, first.Time(), last.Time())
}

// holidayDays counts the days of a holiday that has several; "" for one.
func holidayDays(ctx context.Context, e attendance.HolidayEntry) string {
	if e.First == e.Last {
		return ""
	}
	return locales.N(ctx, "holiday.days", int(e.Last-e.First)+1)
}

func holidayEntryName(ctx context.Context, e attendance.HolidayEntry) string {
	if e.Company != nil {
		return e.Company.Name
	}
	return PublicHolidayName(locales.FromContext(ctx), e.Public)
}

// PublicHolidayName is the name of a public holiday.
func PublicHolidayName(l locales.Locale, h workday.PublicHoliday) string {
	name := l.T("record.holiday." + h.ID)
	if h.Substitute {
		return l.T("holiday.substitute", "Name", name)
	}
	return name
}

func isoDate(date workday.Date) string { return date.Time().Format(time.DateOnly) }
