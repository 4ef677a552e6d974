package attendance

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/views"
	"officeconsole/workday"
)

// CorrectionsPath is the list of the requests that wait for the reader.
const CorrectionsPath = dayPath + "/corrections"

// CorrectionPageSize is how many requests a page of the list shows.
const CorrectionPageSize = 20

// Corrections is the list of the requests that the reader may decide about.
type Corrections struct {
	Frame  views.Frame
	Page   queries.Page[attendance.PendingCorrection]
	Cursor *queries.Cursor // of the page
	Answer CorrectionAnswer
}

// CorrectionAnswer is what was answered to a request, and why it was refused.
type CorrectionAnswer struct {
	ID       int64
	Text     string
	Refused  queries.FieldErrors
	Conflict *attendance.RecordConflict
}

// A correctionChoice is a request on which the reader decides.
type correctionChoice struct {
	Key            attendance.RecordKey
	ID, LastEditID int64
	Rows           []correctionRow
	Reason, Back   string
	Answer         CorrectionAnswer
}

func (c correctionChoice) action() string {
	return dayPath + "/" + c.Key.String() + "/correction/" + strconv.FormatInt(c.ID, 10) + "/decision"
}

// field is the id of the field of the answer.
func (c correctionChoice) field() string { return "answer-" + strconv.FormatInt(c.ID, 10) }

// choice is the request of the record that waits.
func (v RecordView) choice(ctx context.Context, c *attendance.Correction) correctionChoice {
	r := v.Record
	return correctionChoice{
		Key: r.Key(), ID: c.ID, LastEditID: r.LastEditID, Reason: c.Reason, Back: v.Back,
		Rows:   correctionRows(ctx, r.Key().Date, r.Zone, *c, r.ArrivalAt, r.DepartureAt),
		Answer: CorrectionAnswer{c.ID, v.Form.Answer, v.Form.Refused, v.Form.Conflict},
	}
}

// choice is a request of the list.
func (v Corrections) choice(ctx context.Context, c attendance.PendingCorrection) correctionChoice {
	choice := correctionChoice{
		Key: c.Key(), ID: c.ID, LastEditID: c.LastEditID, Reason: c.Reason, Back: v.address(v.Cursor),
		Rows: correctionRows(ctx, c.Key().Date, v.Frame.Zone(), c.Correction, c.RecordArrivalAt, c.RecordDepartureAt),
	}
	if v.Answer.ID == c.ID {
		choice.Answer = v.Answer
	}
	return choice
}

// address is the page of the list at a cursor.
func (v Corrections) address(at *queries.Cursor) string {
	return views.ListURL(CorrectionsPath, url.Values{}, "cursor", at.String())
}

func (v Corrections) next() string {
	if v.Page.Next == nil {
		return ""
	}
	return v.address(v.Page.Next)
}

// A correctionRow is a time as it is and as it is asked for.
type correctionRow struct {
	Label, Now, Requested string
	Changed               bool
}

// correctionRows are both times, side by side.
func correctionRows(ctx context.Context, date workday.Date, zone *time.Location, c attendance.Correction, arrival, departure *time.Time) []correctionRow {
	text := func(at *time.Time) string {
		if at == nil {
			return unknownTime
		}
		local := at.In(zone)
		return clockOn(ctx, date, local, locales.Time(ctx, local))
	}
	row := func(field string, now, wished *time.Time) correctionRow {
		r := correctionRow{locales.T(ctx, "record.field."+field), text(now), text(now), wished != nil}
		if wished != nil {
			r.Requested = text(wished)
		}
		return r
	}
	return []correctionRow{row("arrival", arrival, c.ArrivalAt), row("departure", departure, c.DepartureAt)}
}

// MostCorrections is up to how many waiting requests a list counts.
const MostCorrections = 99

// waitingCorrections is how many requests wait, as the lists say it: "99+" for more.
func waitingCorrections(ctx context.Context, waiting int64) string {
	if waiting > MostCorrections {
		return locales.Number(ctx, MostCorrections) + "+"
	}
	return locales.Number(ctx, waiting)
}
