package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// registerLocks registers the operations of locked months.
func (c *calls) registerLocks(path string, administrators huma.Middlewares) {
	describe := func(d call) huma.Operation {
		d.tag, d.path = "Attendance", path
		return d.operation(administrators)
	}
	conflicts := []int{http.StatusConflict, http.StatusUnprocessableEntity}
	huma.Register(c.api, describe(call{id: "attendance-locks", summary: "Locked months, the latest first",
		description: "For administrators, as the other calls of locks. Only administrators still edit the records of a locked month."}), c.locks)
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
}

func newLock(m attendance.LockedMonth) attendanceLock {
	return attendanceLock{m.Month.Time().Format(monthLayout), m.LockedAt.UTC(), m.ByName}
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
