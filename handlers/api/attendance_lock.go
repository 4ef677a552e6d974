package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/workday"
)

// registerLocks registers the operations of locked months.
func (c *calls) registerLocks(path string, administrators huma.Middlewares) {
	describe := func(d call) huma.Operation {
		d.tag, d.path = "Attendance", path+d.path
		return d.operation(administrators)
	}
	conflicts := []int{http.StatusConflict, http.StatusUnprocessableEntity}
	huma.Register(c.api, describe(call{id: "attendance-locks", summary: "Locked months, the latest first",
		description: "For administrators, as the other calls of locks. Only administrators still edit the records of a locked month."}), c.locks)
	huma.Register(c.api, describe(call{id: "late-attendance-events", path: "/{month}/events", errors: conflicts[1:],
		summary:     "The clock events of a locked month that do not count, the latest date first",
		description: "They were received after the month was locked, and count once it is unlocked. 404 where it is not locked."}), c.lateEvents)
	huma.Register(c.api, describe(call{id: "lock-attendance", method: http.MethodPost, status: http.StatusCreated, errors: conflicts,
		summary: "Lock a month", description: "It must be over, and every day of it settled. 409 where it is locked."}), c.lockMonth)
	huma.Register(c.api, describe(call{id: "unlock-attendance", method: http.MethodDelete, status: http.StatusNoContent, errors: conflicts[1:],
		summary:     "Unlock a month",
		description: "month and reason are in the body or, for clients whose DELETE has none, in the query. 404 where it is not locked."}), c.unlockMonth)
}

type attendanceLock struct {
	Month    string    `json:"month" doc:"Such as 2026-10."`
	LockedAt time.Time `json:"locked_at"`
	LockedBy string    `json:"locked_by" doc:"A name; empty of somebody who is gone."`

	LateEvents int `json:"late_events" doc:"Clock events that were received since and do not count; 10001 if there are more than 10000."`
	LatePeople int `json:"late_people" doc:"The people of these."`
}

func newLock(m attendance.LockedMonth) attendanceLock {
	return attendanceLock{m.Month.Time().Format(monthLayout), m.LockedAt.UTC(), m.ByName, m.LateEvents, m.LatePeople}
}

const monthLayout = "2006-01"

type locksOutput struct{ Body list[attendanceLock] }

func (c *calls) locks(ctx context.Context, in *OwnPath) (*locksOutput, error) {
	months, err := c.db.Attendance.LockedMonths(ctx, in.CompanyID)
	out := &locksOutput{list[attendanceLock]{Data: make([]attendanceLock, len(months))}}
	for i, m := range months {
		out.Body.Data[i] = newLock(m)
	}
	return out, err
}

// lateEvent is a clock event that does not count because its month is locked.
type lateEvent struct {
	EventID    string         `json:"event_id"`
	RecordID   string         `json:"record_id" doc:"The record that shows the event; it is not stored if the date has none."`
	User       userName       `json:"user"`
	Department departmentName `json:"department" doc:"Of that date."`
	WorkDate   string         `json:"work_date" format:"date"`
	Kind       string         `json:"kind" enum:"in,out,break_start,break_end"`
	At         time.Time      `json:"at" doc:"When it counts as having happened."`
	ReceivedAt time.Time      `json:"received_at"`
}

func newLateEvent(e attendance.LateEvent) lateEvent {
	return lateEvent{
		EventID: e.EventID, RecordID: e.Key().String(), User: userName{e.UserID, e.Name}, Department: departmentName{e.DepartmentID, e.DepartmentName},
		WorkDate: e.Key().Date.String(), Kind: e.Kind, At: e.At.UTC(), ReceivedAt: e.ReceivedAt.UTC(),
	}
}

type lateEventsInput struct {
	OwnPath
	Month  string `path:"month" doc:"Such as 2026-10."`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

type lateEventsOutput struct{ Body list[lateEvent] }

func (c *calls) lateEvents(ctx context.Context, in *lateEventsInput) (*lateEventsOutput, error) {
	month, err := monthIn(in.Month)
	if err != nil {
		return nil, err
	}
	page, err := c.db.Attendance.LateEvents(ctx, in.CompanyID, month, in.Cursor.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	c.noteRead(ctx, audit.Read{Kind: audit.ReadManagement, Query: attendance.LateEventFilter(month).Values(), Rows: len(page.Rows)})
	return &lateEventsOutput{listed(page, newLateEvent)}, nil
}

type lockInput struct {
	OwnPath
	Body struct {
		Month string `json:"month" doc:"Such as 2026-10."`
	}
}

type lockOutput struct{ Body attendanceLock }

func (c *calls) lockMonth(ctx context.Context, in *lockInput) (*lockOutput, error) {
	first, err := monthIn(in.Body.Month)
	if err != nil {
		return nil, err
	}
	if err := c.db.Attendance.LockMonth(ctx, actor(ctx), first); err != nil {
		return nil, inField("month", err)
	}
	months, err := c.db.Attendance.LockedMonths(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	for _, m := range months {
		if m.Month == first {
			return &lockOutput{newLock(m)}, nil
		}
	}
	return nil, queries.NotFound // unlocked in between
}

// unlocking is sent in the body or in the query.
type unlocking struct {
	Month  string `json:"month" doc:"Such as 2026-10."`
	Reason string `json:"reason" doc:"1 to 200 characters."`
}

type unlockInput struct {
	OwnPath
	Month  string     `query:"month" doc:"Where there is no body."`
	Reason string     `query:"reason" doc:"Where there is no body."`
	Body   *unlocking `required:"false"`
}

func (c *calls) unlockMonth(ctx context.Context, in *unlockInput) (*struct{}, error) {
	asked := unlocking{in.Month, in.Reason}
	if in.Body != nil {
		asked = *in.Body
	}
	first, err := monthIn(asked.Month)
	if err != nil {
		return nil, err
	}
	return nil, c.db.Attendance.UnlockMonth(ctx, actor(ctx), first, asked.Reason)
}

// monthIn reads a month and returns its first day.
func monthIn(text string) (workday.Date, error) {
	first, err := time.Parse(monthLayout, text)
	if err != nil || first.Year() < firstYear || first.Year() > lastYear {
		return 0, queries.FieldErrors{"month": "api.field.invalid"}
	}
	return workday.DateOf(first), nil
}
