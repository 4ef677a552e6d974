package attendance

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/views"
	"officeconsole/workday"
)

// CorrectionsPath is the list of the correction requests that wait for a
// decision of the reader.
const CorrectionsPath = dayPath + "/corrections"

// CorrectionPageSize is the number of requests on a page.
const CorrectionPageSize = 50

// Corrections is the list of the pending requests that the reader may
// decide.
type Corrections struct {
	Desk   Desk // its frame, keys and ticked items: the rows and the bar are those of the desk
	Page   lists.Page[attendance.PendingCorrection]
	Cursor *lists.Cursor // of the page shown; nil for the first
}

// CorrectionAnswer is the answer to a request as it was entered, and why it
// was refused.
type CorrectionAnswer struct {
	Text     string
	Refused  queries.FieldErrors
	Conflict *attendance.RecordConflict
	Locked   *attendance.MonthLocked // the lock of the month in the meantime, because of which it was refused
}

// A correctionChoice is a pending request as shown with the form that
// decides it.
type correctionChoice struct {
	Key            attendance.RecordKey
	ID, LastEditID int64
	Rows           []correctionRow
	Reason, Back   string
	Locked         bool // whether the month is locked
	Now            time.Time
	Answer         CorrectionAnswer
}

// action is where the decision is sent.
func (c correctionChoice) action() string {
	return dayPath + "/" + c.Key.String() + "/correction/" + strconv.FormatInt(c.ID, 10) + "/decision"
}

// field is the id of the field of the answer.
func (c correctionChoice) field() string { return "answer-" + strconv.FormatInt(c.ID, 10) }

// choice is a pending request of the record.
func (v RecordView) choice(ctx context.Context, c *attendance.Correction) correctionChoice {
	r := v.Record
	return correctionChoice{
		Key: r.Key(), ID: c.ID, LastEditID: r.LastEditID, Reason: c.Reason, Back: v.Back, Locked: r.Locked, Now: v.Now,
		Rows:   correctionRows(ctx, r.Key().Date, r.Zone, *c, r.ArrivalAt, r.DepartureAt),
		Answer: CorrectionAnswer{v.Form.Answer, v.Form.Refused, v.Form.Conflict, v.Form.Locked},
	}
}

// mayDecide reports whether the reader can decide a pending request of the
// record.
func (v RecordView) mayDecide() bool {
	return v.Record.Pending() != nil && v.Record.MayEdit && !v.Record.Own
}

// address is the address of the list at a cursor.
func (v Corrections) address(at *lists.Cursor) string {
	return views.ListURL(CorrectionsPath, url.Values{}, "cursor", at.String())
}

// next is the address of the next page; "" for none.
func (v Corrections) next() string {
	if v.Page.Next == nil {
		return ""
	}
	return v.address(v.Page.Next)
}

// A correctionRow compares a time of a record with the requested time.
type correctionRow struct {
	Label, Now, Requested string
	Changed               bool
}

// correctionRows compares the arrival and the departure with the requested
// ones.
func correctionRows(ctx context.Context, date workday.Date, zone *time.Location, c attendance.Correction, arrival, departure *time.Time) []correctionRow {
	text := func(at *time.Time) string {
		if at == nil {
			return unknownTime
		}
		local := at.In(zone)
		return clockOn(ctx, date, local, locales.Time(ctx, local))
	}
	row := func(field string, now, requested *time.Time) correctionRow {
		r := correctionRow{locales.T(ctx, "record.field."+field), text(now), text(now), requested != nil}
		if requested != nil {
			r.Requested = text(requested)
		}
		return r
	}
	return []correctionRow{row("arrival", arrival, c.ArrivalAt), row("departure", departure, c.DepartureAt)}
}

// MostCorrections is the greatest number of pending requests that is shown
// exactly.
const MostCorrections = 99

// waitingCorrections writes the number of pending requests, "99+" for more
// than MostCorrections.
func waitingCorrections(ctx context.Context, waiting int64) string {
	if waiting > MostCorrections {
		return locales.Number(ctx, MostCorrections) + "+"
	}
	return locales.Number(ctx, waiting)
}
