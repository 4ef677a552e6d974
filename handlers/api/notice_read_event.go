package api

import (
	"context"
	"time"

	"officeconsole/queries/notice"
)

type readEventsInput struct {
	CompanyPath
	Body struct {
		Events []eventItem[readEvent, notice.ReadEvent] `json:"events" maxItems:"500" nullable:"false"`
	}
}

// readEvent says that a person has read a notice, as the messenger sends it.
type readEvent struct {
	EventID  string     `json:"event_id,omitempty" maxLength:"100" doc:"Returned with the result. A person reads a notice once, so nothing else depends on it."`
	UserID   int64      `json:"user_id"`
	NoticeID int64      `json:"notice_id"`
	ReadAt   *time.Time `json:"read_at,omitempty" doc:"When; now where it is left out. A time before the publication or in the future is taken as that limit."`
}

func (e readEvent) decode() (notice.ReadEvent, string) {
	r := notice.ReadEvent{UserID: e.UserID, NoticeID: e.NoticeID}
	if e.ReadAt != nil {
		r.At = *e.ReadAt
	}
	return r, ""
}

type readResult struct {
	EventID string `json:"event_id,omitempty"`
	Status  string `json:"status" enum:"accepted,duplicate,refused"`
	Code    string `json:"code,omitempty" doc:"Why it was refused."`
}

type readEventsOutput struct {
	Body struct {
		Data []readResult `json:"data" nullable:"false"`
	}
}

// readEvents stores who has read which notices.
func (c *calls) readEvents(ctx context.Context, in *readEventsInput) (*readEventsOutput, error) {
	results, err := takeItems("events", in.Body.Events, func(events []notice.ReadEvent) ([]notice.ReadResult, error) {
		return c.db.Notices.TakeReads(ctx, in.CompanyID, events)
	}, func(code string) notice.ReadResult { return notice.ReadResult{Status: notice.ReadRefused, Code: code} })
	out := &readEventsOutput{}
	out.Body.Data = make([]readResult, len(results))
	for i, r := range results {
		out.Body.Data[i] = readResult{in.Body.Events[i].name.EventID, string(r.Status), r.Code}
	}
	return out, err
}
