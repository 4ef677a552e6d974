package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries/notice"
)

// registerReaders registers who has read a notice, and reminding the others.
func (c *calls) registerReaders(administrators huma.Middlewares) {
	const one = u + "/notices/{notice_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Notices"
		return d.operation(administrators)
	}
	huma.Register(c.api, describe(call{id: "notice-readers", path: one + "/readers", errors: []int{http.StatusUnprocessableEntity}, summary: "Who has read a notice, or has not, by name",
		description: "For administrators. A page of those who may read it now: with read=true those who have, else those who have not. next_cursor leads to the next page."}), c.noticeReaders)
	huma.Register(c.api, describe(call{id: "remind-of-notice", method: http.MethodPost, path: one + "/reminders", status: http.StatusAccepted, errors: []int{http.StatusUnprocessableEntity},
		summary: "Remind those who have not read a notice", description: "For administrators. Those at work by their working attitude policy at once, others when their work begins next; nobody at night. " +
			"The messenger gets notice.reminded for each. 422 reader.remind.too_soon within an hour of the reminder before, reader.remind.nobody where everybody has read it, reader.remind.waiting where an earlier reminder waits for everybody else."}), c.remind)
}

type remindInput struct {
	OwnPath
	NoticeID int64 `path:"notice_id"`
}

type remindOutput struct {
	Body struct {
		People int        `json:"people" doc:"Who has not read the notice and is not waiting for an earlier reminder."`
		Now    int        `json:"now" doc:"Of these, people at work now."`
		Later  int        `json:"later" doc:"Of these, people who are reminded when their work begins."`
		NextAt *time.Time `json:"next_at" doc:"When the first of those later begins; null without any."`
	}
}

func (c *calls) remind(ctx context.Context, in *remindInput) (*remindOutput, error) {
	plan, err := c.db.Notices.Remind(ctx, actor(ctx), in.NoticeID)
	var tooSoon notice.ReminderTooSoon
	if errors.As(err, &tooSoon) {
		zone, err := time.LoadLocation(callerOf(ctx).TimeZone)
		if err != nil {
			return nil, err
		}
		return nil, &problem{status: http.StatusUnprocessableEntity, Code: tooSoon.Error(),
			Message: locales.T(ctx, tooSoon.Error(), "Time", locales.Time(ctx, tooSoon.Until.In(zone)))}
	}
	if err != nil {
		return nil, err
	}
	out := &remindOutput{}
	out.Body.People, out.Body.Now, out.Body.Later = plan.People(), plan.Now, plan.Later
	if plan.Later > 0 {
		next := plan.Next.UTC()
		out.Body.NextAt = &next
	}
	return out, nil
}
