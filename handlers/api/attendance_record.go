package api

import (
	"context"
	"net/netip"
	"strconv"
	"time"

	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/workday"
)

// RecordPath is the path of a record.
type RecordPath struct {
	OwnPath
	RecordID string `path:"record_id" doc:"As a list gives it."`
}

// attendanceRecord is a record with the events, edits and rules that led to it.
type attendanceRecord struct {
	RecordID   string         `json:"record_id"`
	User       userName       `json:"user"`
	Department departmentName `json:"department" doc:"Of that day."`
	AttendanceFigures
	RequiredMin       int32 `json:"required_min" doc:"What was owed."`
	DailyOvertimeMin  int   `json:"daily_overtime_min" doc:"Work beyond the required time of the day, before what the policy recognizes."`
	WeeklyOvertimeMin int   `json:"weekly_overtime_min" doc:"Regular time beyond the weekly threshold, before what the policy recognizes."`

	Holiday string `json:"holiday" doc:"Such as kr.chuseok, or the name that the company gave it; empty on other days."`

	StartsAt *time.Time       `json:"starts_at" doc:"When work was due; null where nothing was."`
	EndsAt   *time.Time       `json:"ends_at"`
	OpensAt  time.Time        `json:"opens_at" doc:"What is clocked from then on belongs to the day."`
	ClosesAt time.Time        `json:"closes_at" doc:"What is clocked before then does."`
	TimeZone string           `json:"time_zone" doc:"Of the policy."`
	Policy   attendancePolicy `json:"policy" doc:"What the record was computed by."`

	Arrival             *attendanceClockTime `json:"arrival" doc:"Null where there is none."`
	Departure           *attendanceClockTime `json:"departure"`
	Work                []attendanceInterval `json:"work" nullable:"false" doc:"What was counted, before breaks."`
	Breaks              []attendanceInterval `json:"breaks" nullable:"false" doc:"What was taken off; statutory breaks have no time of day."`
	Leave               string               `json:"leave" doc:"leave, half_leave_am or half_leave_pm; empty without any."`
	ApprovedOvertimeMin int32                `json:"approved_overtime_min"`

	Events      []attendanceEvent `json:"events" nullable:"false" doc:"In the order that they happened."`
	Edits       []attendanceEdit  `json:"edits" nullable:"false" doc:"The latest first, also those that were undone."`
	Corrections []correction      `json:"corrections" nullable:"false" doc:"What the person asked for, the latest first."`
	Views       []attendanceView  `json:"views" nullable:"false" doc:"Who opened the record, the latest first; only for the person."`

	MayEdit    bool       `json:"may_edit"`
	MayRequest bool       `json:"may_request" doc:"Whether the caller may ask for a correction."`
	Locked     bool       `json:"locked" doc:"Whether the month is."`
	DeletedAt  *time.Time `json:"deleted_at"`
	LastEditID int64      `json:"last_edit_id" doc:"0 where there is none. The ETag."`
}

type attendancePolicy struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	VersionNo int32  `json:"version_no"`
}

// attendanceClockTime is an arrival or a departure.
type attendanceClockTime struct {
	At         *time.Time `json:"at" doc:"Null where somebody took it out."`
	Edited     bool       `json:"edited"`
	Auto       bool       `json:"auto" doc:"Whether the policy closed the day."`
	OriginalAt *time.Time `json:"original_at" doc:"As it was clocked; null where it was not."`
	EventID    string     `json:"event_id" doc:"What was clocked; empty where nothing was."`
}

type attendanceInterval struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// attendanceEvent is a clock event with its proof.
type attendanceEvent struct {
	EventID    string              `json:"event_id"`
	Kind       string              `json:"kind" enum:"in,out,break_start,break_end"`
	At         time.Time           `json:"at" doc:"When it counts as having happened."`
	OccurredAt time.Time           `json:"occurred_at" doc:"By the clock of the device."`
	ReceivedAt time.Time           `json:"received_at"`
	Offline    bool                `json:"offline"`
	Platform   string              `json:"platform"`
	DeviceID   string              `json:"device_id" doc:"Empty for callers to whom the company does not disclose it."`
	DeviceNew  bool                `json:"device_new"`
	IP         *netip.Addr         `json:"ip" doc:"Null also for callers to whom the company does not disclose it."`
	GPS        *attendancePosition `json:"gps" doc:"Null without one, and after the days that positions are kept."`
	Mock       bool                `json:"mock"`
	Place      string              `json:"place" doc:"Name of the workplace; empty elsewhere."`
	Proof      string              `json:"proof" enum:"ip,gps,none"`
	Outside    bool                `json:"outside"`
	Reason     string              `json:"reason"`
	Source     string              `json:"source"`
	NotCounted string              `json:"not_counted" enum:",uncounted,unmatched,locked" doc:"Why the event has no part in the figures: it lacks its other half (uncounted), belongs to no day (unmatched), or came after the month was locked; empty for one that counts."`
}

type attendancePosition struct {
	Lat       float64 `json:"lat"`
	Lng       float64 `json:"lng"`
	AccuracyM float32 `json:"accuracy_m"`
}

// attendanceEdit is an edit of a field of a record.
type attendanceEdit struct {
	ID           int64       `json:"id"`
	At           time.Time   `json:"at"`
	Editor       changeActor `json:"editor"`
	Field        string      `json:"field" enum:"arrival_at,departure_at,leave,overtime_min,deleted"`
	Old          *string     `json:"old" doc:"A time, a kind of leave, minutes, true or false; null for none."`
	New          *string     `json:"new"`
	Reason       string      `json:"reason"`
	CorrectionID *int64      `json:"correction_id" doc:"The request that it approved."`
	UndoneAt     *time.Time  `json:"undone_at" doc:"Since when the edit has no effect, because the decision that made it was undone; null for one in force."`
}

type attendanceView struct {
	User userName  `json:"user"`
	At   time.Time `json:"at" doc:"The last time."`
}

type recordOutput struct {
	ETag string `header:"ETag"`
	Body attendanceRecord
}

func (c *calls) attendanceRecord(ctx context.Context, in *RecordPath) (*recordOutput, error) {
	r, err := c.record(ctx, in.RecordID)
	if err != nil {
		return nil, err
	}
	return &recordOutput{lastEditTag(r.LastEditID), newRecord(r)}, nil
}

func (c *calls) record(ctx context.Context, id string) (attendance.FullRecord, error) {
	key, err := attendance.ParseRecordKey(id)
	if err != nil {
		return attendance.FullRecord{}, err
	}
	r, err := c.db.Attendance.Record(ctx, callerOf(ctx).Person, key)
	if err == nil && !r.Own {
		c.noteRead(ctx, audit.ReadOf(r))
	}
	return r, err
}

func newRecord(r attendance.FullRecord) attendanceRecord {
	out := attendanceRecord{
		RecordID: r.Key().String(), User: userName{r.UserID, r.Person}, Department: departmentName{r.DepartmentID, r.Department}, AttendanceFigures: newFigures(r.Record),
		RequiredMin: r.RequiredMin, DailyOvertimeMin: r.Premium.DailyOverMin, WeeklyOvertimeMin: r.Premium.WeeklyOverMin, Holiday: r.Holiday,
		StartsAt: inUTC(r.StartsAt), EndsAt: inUTC(r.EndsAt), OpensAt: r.OpensAt.UTC(), ClosesAt: r.ClosesAt.UTC(), TimeZone: r.Zone.String(),
		Policy:  attendancePolicy{r.PolicyID, r.PolicyName, r.VersionNo},
		Arrival: newClockTime(r.Computed.Arrival, r.Computed.Removed.Arrival), Departure: newClockTime(r.Computed.Departure, r.Computed.Removed.Departure),
		Work: newIntervals(r.Computed.Work), Breaks: newIntervals(r.Computed.Breaks), Leave: r.Grant.Leave, ApprovedOvertimeMin: r.Grant.OvertimeMin,
		Events: newEvents(r), Edits: newEdits(r.Edits), Corrections: []correction{}, Views: []attendanceView{},
		MayEdit: r.MayEdit, MayRequest: r.MayRequest, Locked: r.Locked, DeletedAt: inUTC(r.DeletedAt), LastEditID: r.LastEditID,
	}
	for _, one := range r.Corrections {
		out.Corrections = append(out.Corrections, newCorrection(one))
	}
	for _, v := range r.Views {
		out.Views = append(out.Views, attendanceView{userName{v.ViewerID, v.ViewerName}, v.At.UTC()})
	}
	return out
}

func newClockTime(current, removed *workday.ClockTime) *attendanceClockTime {
	out := &attendanceClockTime{Edited: true}
	switch {
	case current != nil:
		at := current.At.UTC()
		out.At, out.Edited, out.Auto = &at, current.Edited, current.Auto
	case removed != nil:
		current = removed
	default:
		return nil
	}
	if !current.Original.IsZero() {
		original := current.Original.UTC()
		out.OriginalAt = &original
	}
	out.EventID = current.Event.ID
	return out
}

func newIntervals(intervals []workday.Interval) []attendanceInterval {
	out := make([]attendanceInterval, len(intervals))
	for i, s := range intervals {
		out[i] = attendanceInterval{s.From.UTC(), s.To.UTC()}
	}
	return out
}

func newEvents(r attendance.FullRecord) []attendanceEvent {
	out := make([]attendanceEvent, len(r.Events))
	for i, e := range r.Events {
		out[i] = attendanceEvent{
			EventID: e.EventID, Kind: e.Kind, At: e.At.UTC(), OccurredAt: e.OccurredAt.UTC(), ReceivedAt: e.ReceivedAt.UTC(), Offline: e.Offline,
			Platform: e.Platform, DeviceID: e.DeviceID, DeviceNew: e.DeviceNew, IP: e.Ip, Mock: e.Mock, Place: e.Place, Proof: e.Proof, Outside: e.Outside,
			Reason: e.Reason, Source: e.Source, NotCounted: string(r.NotCounted[e.EventID]),
		}
		if e.Lat != nil && e.Lng != nil {
			out[i].GPS = &attendancePosition{Lat: *e.Lat, Lng: *e.Lng}
			replace(&out[i].GPS.AccuracyM, e.AccuracyM)
		}
	}
	return out
}

// recordFields are the fields of the rules as calls spell them.
var recordFields = map[string]string{"arrival": "arrival_at", "departure": "departure_at", "overtime": "overtime_min", "record": "record_id"}

func recordField(name string) string {
	if field, ok := recordFields[name]; ok {
		return field
	}
	return name
}

func newEdits(edits []attendance.Edit) []attendanceEdit {
	out := make([]attendanceEdit, len(edits))
	for i, e := range edits {
		out[i] = attendanceEdit{
			ID: e.ID, At: e.At.UTC(), Editor: changeActor{e.EditorID, e.EditorName}, Field: recordField(e.Field),
			Old: editValue(e.OldAt, e.OldText), New: editValue(e.NewAt, e.NewText), Reason: e.Reason, CorrectionID: e.CorrectionID, UndoneAt: inUTC(e.UndoneAt),
		}
	}
	return out
}

func editValue(at *time.Time, text string) *string {
	if at != nil {
		text = at.UTC().Format(time.RFC3339)
	}
	if text == "" {
		return nil
	}
	return &text
}

type eventsOutput struct {
	Body struct {
		Data  []attendanceEvent `json:"data" nullable:"false"`
		Edits []attendanceEdit  `json:"edits" nullable:"false" doc:"The latest first, also those that were undone."`
		Meta  meta              `json:"meta"`
	}
}

func (c *calls) attendanceEvents(ctx context.Context, in *RecordPath) (*eventsOutput, error) {
	r, err := c.record(ctx, in.RecordID)
	if err != nil {
		return nil, err
	}
	out := &eventsOutput{}
	out.Body.Data, out.Body.Edits = newEvents(r), newEdits(r.Edits)
	return out, nil
}

// lastEditTag returns the ETag of a record.
func lastEditTag(id int64) string { return `"` + strconv.FormatInt(id, 10) + `"` }
