package attendance

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// RecordView is a record as shown on its page or in its dialog.
type RecordView struct {
	Record   attendance.FullRecord
	Now      time.Time
	Admin    bool
	Back     string // address without language prefix of the list below the dialog; "" for a page of its own
	Licenses directory.MapLicenses
	Form     RecordForm

	// CorrectionDays is for how many days after its date a correction of the record could be
	// requested, if it is too late for the reader to do that; else 0.
	CorrectionDays int
}

// The kinds of RecordForm. They are part of the addresses.
const (
	RecordEditForm       = "edit"
	RecordDeleteForm     = "delete"
	RecordRestoreForm    = "restore"
	RecordCorrectionForm = "correction"
	RecordDecisionForm   = "decision"
)

// RecordForm is the open form of a record with its content. Times are in the
// time zone of the record.
type RecordForm struct {
	Kind               string // "" for none
	Arrival, Departure TimeField
	Leave              string
	OvertimeMin        string
	Reason, Answer     string
	Refused            queries.FieldErrors
	Conflict           *attendance.RecordConflict // an edit by another person, because of which this one was refused
	Locked             *attendance.MonthLocked    // the lock of the month in the meantime, because of which it was refused
	Restores           bool                       // whether saving also restores the record, which somebody had deleted
}

// isTyped reports whether the form holds input that was not saved.
func (f RecordForm) isTyped() bool {
	return f.Reason != "" || len(f.Refused) > 0 || f.Conflict != nil || f.Locked != nil
}

// NewRecordForm returns a form filled with the values of the record.
func NewRecordForm(kind string, r attendance.FullRecord) RecordForm {
	return RecordForm{
		Kind: kind, Leave: r.Grant.Leave, OvertimeMin: strconv.Itoa(int(r.Grant.OvertimeMin)),
		Arrival: NewTimeField(r.Key().Date, r.ArrivalAt, r.Zone), Departure: NewTimeField(r.Key().Date, r.DepartureAt, r.Zone),
	}
}

// RecordPath is the address of a record, shown in a dialog above the list at
// back, an address without language prefix. With "" it is a page of its own.
func RecordPath(key attendance.RecordKey, back string) string {
	return recordAddress(key, "", back)
}

// recordAddress is the address of a record with an open form; "" for none.
func recordAddress(key attendance.RecordKey, form, back string) string {
	query := url.Values{}
	if form != "" {
		query.Set("form", form)
	}
	if back != "" {
		query.Set("back", back)
	}
	path := dayPath + "/" + key.String()
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// RecordUndoPath is where the form is sent that restores a deleted record. It says whether
// the record was deleted in a locked month.
func RecordUndoPath(deleted attendance.FullRecord, back string) string {
	query := url.Values{"undo": {"1"}, "back": {back}}
	if deleted.Locked {
		query.Set("locked", "1")
	}
	return dayPath + "/" + deleted.Key().String() + "/restore?" + query.Encode()
}

// action is where a form of the record is sent.
func (v RecordView) action(what string) string {
	return dayPath + "/" + v.Record.Key().String() + "/" + what
}

// address is the address of the record with an open form; "" for none.
func (v RecordView) address(form string) string {
	return recordAddress(v.Record.Key(), form, v.Back)
}

// other is the address of the date's other record.
func (v RecordView) other() string {
	key := v.Record.Key()
	key.Extra = !key.Extra
	return RecordPath(key, v.Back)
}

func (v RecordView) otherText(ctx context.Context) string {
	if v.Record.Extra {
		return locales.T(ctx, "record.other.own")
	}
	return locales.T(ctx, "record.other.extra")
}

// list is the address to which closing the record leads: the list, or else
// the day.
func (v RecordView) list() string {
	if v.Back != "" {
		return v.Back
	}
	return dayURL(v.Record.Key().Date.Time())
}

func (v RecordView) title(ctx context.Context) string {
	return locales.T(ctx, "record.title", "Name", v.Record.Person, "Date", locales.LongDate(ctx, v.Record.Key().Date.Time()))
}

// clock writes a time in the time zone of the record.
func (v RecordView) clock(ctx context.Context, at time.Time) string {
	return clockOn(ctx, v.Record.Key().Date, at.In(v.Record.Zone), locales.Time(ctx, at.In(v.Record.Zone)))
}

func (v RecordView) clockOrNone(ctx context.Context, at *time.Time) string {
	if at == nil {
		return unknownTime
	}
	return v.clock(ctx, *at)
}

// unknownTime stands for an unknown time.
const unknownTime = "–"

// clockOn adds the day to the text of a time, unless it is the work date.
func clockOn(ctx context.Context, date workday.Date, local time.Time, text string) string {
	switch workday.DateOf(local) - date {
	case 0:
		return text
	case 1:
		return locales.T(ctx, "record.next_day", "Time", text)
	case -1:
		return locales.T(ctx, "record.previous_day", "Time", text)
	}
	return locales.ShortDate(ctx, local, local) + " " + text
}

// moment writes the time of an action on the record, in the company's time
// zone.
func (v RecordView) moment(ctx context.Context, at time.Time) string {
	return locales.ShortDateTime(ctx, at.In(v.Now.Location()), v.Now)
}

// foreignZone is the time zone of the record if its clocks differ from those
// of the company, else "".
func (v RecordView) foreignZone() string {
	_, there := v.Record.Plan.Open.In(v.Record.Zone).Zone()
	if _, here := v.Record.Plan.Open.In(v.Now.Location()).Zone(); here != there {
		return v.Record.Zone.String()
	}
	return ""
}

// schedule describes the department, the schedule, the kind of day and the
// time zone.
func (v RecordView) schedule(ctx context.Context) []string {
	r := v.Record
	words := []string{}
	if r.Department != "" {
		words = append(words, r.Department)
	}
	switch {
	case !r.Plan.Type.IsWorkday():
	case r.Policy.WorkType == workday.Free:
		words = append(words, locales.T(ctx, "record.schedule.free", "Required", locales.Duration(ctx, int(r.RequiredMin))))
	case r.Plan.Start.IsZero():
	case r.Policy.WorkType == workday.Flexible:
		words = append(words, locales.T(ctx, "record.schedule.flexible", "Start", v.clock(ctx, r.Plan.Start), "Required", locales.Duration(ctx, int(r.RequiredMin))))
	default:
		words = append(words, locales.T(ctx, "record.schedule.fixed", "Hours", v.intervals(ctx, r.Plan.Stints())))
	}
	if r.Holiday != "" {
		words = append(words, holidayName(ctx, r.Holiday))
	} else if r.DayType != string(workday.Workday) {
		words = append(words, dayTypeWord(ctx, r.DayType))
	}
	if zone := v.foreignZone(); zone != "" {
		words = append(words, zone)
	}
	return words
}

// original is the clocked time that an edit replaced; "" if nothing was
// edited.
func (v RecordView) original(ctx context.Context, current, removed *workday.ClockTime) string {
	switch {
	case removed != nil:
		return v.clock(ctx, removed.At)
	case current == nil || !current.Edited:
		return ""
	case current.Original.IsZero():
		return locales.T(ctx, "record.original.none")
	case v.clock(ctx, current.Original) == v.clock(ctx, current.At):
		return ""
	}
	return v.clock(ctx, current.Original)
}

// A recordFigure is a figure of the record. Original is shown struck out
// beside it; "" for none.
type recordFigure struct{ Label, Value, Original string }

// figures are the times and durations of the record.
func (v RecordView) figures(ctx context.Context) []recordFigure {
	r, c := v.Record, v.Record.Computed
	minutes := func(id string, n int32) recordFigure {
		return recordFigure{locales.T(ctx, "record.figure."+id), hours(int(n)), ""}
	}
	worked := recordFigure{locales.T(ctx, "record.figure.worked"), unknownTime, ""}
	if r.WorkedMin != nil && (r.ArrivalAt != nil || r.Plan.HasClosed(v.Now)) {
		worked.Value = hours(int(*r.WorkedMin))
	}
	all := []recordFigure{
		{locales.T(ctx, "record.figure.arrival"), v.clockOrNone(ctx, r.ArrivalAt), v.original(ctx, c.Arrival, c.Removed.Arrival)},
		{locales.T(ctx, "record.figure.departure"), v.clockOrNone(ctx, r.DepartureAt), v.original(ctx, c.Departure, c.Removed.Departure)},
		worked,
	}
	for _, f := range []struct {
		id  string
		min int32
	}{{"late", r.LateMin}, {"early", r.EarlyMin}, {"overtime", r.OvertimeMin}, {"holiday", r.HolidayMin}, {"holiday_over", r.HolidayOverMin}, {"night", r.NightMin}} {
		if f.min > 0 {
			all = append(all, minutes(f.id, f.min))
		}
	}
	if r.BalanceMin != nil {
		all = append(all, recordFigure{locales.T(ctx, "record.figure.balance"), signedHours(int(*r.BalanceMin)), ""})
	}
	return all
}

// mapView is where the person clocked in and out; false if that is unknown.
func (v RecordView) mapView(ctx context.Context) (view MapView, ok bool) {
	point := func(t *workday.ClockTime) *MapPoint {
		if t == nil || !t.Event.Place.Located {
			return nil
		}
		p := t.Event.Place
		return &MapPoint{Lat: p.Lat, Lng: p.Lng, AccuracyM: p.AccuracyM, Place: p.Name, Time: v.clock(ctx, t.Original)}
	}
	c := v.Record.Computed
	view = MapView{Arrival: point(c.Arrival), Departure: point(c.Departure), Licenses: v.Licenses, MayRegister: v.Admin}
	for _, p := range v.Record.Places {
		view.Places = append(view.Places, MapPlace{p.Name, p.Lat, p.Lng, p.RadiusM})
	}
	return view, view.Arrival != nil || view.Departure != nil
}

// isLocationDeleted reports whether there was a location that has been
// deleted since.
func (v RecordView) isLocationDeleted() bool {
	for _, e := range v.Record.Events {
		if e.Proof == "gps" && !v.Record.Located {
			return true
		}
	}
	return false
}

// asksPreviousDay reports whether the forms have boxes for the day before, also
// those that were refused with such a box ticked.
func (v RecordView) asksPreviousDay() bool {
	r, f := v.Record, v.Form
	return f.Arrival.Previous || f.Departure.Previous || asksPreviousDay(r.Key().Date, r.Zone, &r.Plan.Open, r.ArrivalAt, r.DepartureAt)
}

// focused is the field of the form that has the focus at first: the first refused
// one, or else the first of all. It is "" if the note above them has the focus, which
// says that all of the form was refused.
func (v RecordView) focused() string {
	if v.Form.Conflict != nil || v.Form.Locked != nil || v.Form.Refused["record"] != "" {
		return ""
	}
	for _, field := range []string{"arrival", "departure", "leave", "overtime_min", "reason"} {
		if v.Form.Refused[field] != "" {
			return field
		}
	}
	if v.Form.Kind == RecordDeleteForm || v.Form.Kind == RecordRestoreForm {
		return "reason"
	}
	return "arrival"
}

// conflictText says who edited or deleted the record first.
func conflictText(ctx context.Context, c *attendance.RecordConflict, v RecordView) string {
	if c.Deleted {
		return DeletedText(ctx, c, v.Now) + " " + locales.T(ctx, "record.gone.restore")
	}
	if v.Form.Kind == RecordCorrectionForm {
		return locales.T(ctx, "record.changed.request", "Name", c.ByName, "Time", v.moment(ctx, c.At))
	}
	return locales.T(ctx, "record.changed.by", "Name", c.ByName, "Time", v.moment(ctx, c.At))
}

// DeletedText says who has deleted a record; now is in the reader's time zone.
func DeletedText(ctx context.Context, c *attendance.RecordConflict, now time.Time) string {
	return locales.T(ctx, "record.gone", "Name", c.ByName, "Time", locales.ShortDateTime(ctx, c.At.In(now.Location()), now))
}

// lockedText says who locked the month meanwhile, and which button changes it anyway; now is
// in the reader's time zone.
func lockedText(ctx context.Context, l *attendance.MonthLocked, now time.Time, button string) string {
	message := "record.lock.meanwhile.by"
	if l.ByName == "" {
		message = "record.lock.meanwhile.nobody"
	}
	at := locales.ShortDateTime(ctx, l.LockedAt.In(now.Location()), now)
	return locales.T(ctx, message, "Name", l.ByName, "Month", locales.Month(ctx, l.Month.Time()), "Time", at, "Button", button)
}

// sendText is the button of the form.
func (v RecordView) sendText(ctx context.Context) string {
	if v.Form.Restores {
		return locales.T(ctx, "record.gone.save")
	}
	return locales.T(ctx, "record.form."+v.Form.Kind+".send")
}
