package api

import (
	"context"
	"time"

	"officeconsole/queries/attendance"
)

type activityEventsInput struct {
	CompanyPath
	Body struct {
		Events []eventItem[activityEvent, attendance.Activity] `json:"events" maxItems:"500" nullable:"false"`
	}
}

// activityEvent is when a person was active, as the messenger sends it (domain §7).
type activityEvent struct {
	EventID string    `json:"event_id,omitempty" maxLength:"100" doc:"Returned with the result. Only the latest activity of a day counts, so nothing else depends on it."`
	UserID  int64     `json:"user_id"`
	At      time.Time `json:"at" doc:"At most 31 days ago."`
}

func (e activityEvent) decode() (attendance.Activity, string) {
	return attendance.Activity{UserID: e.UserID, At: e.At}, ""
}

// activityEvents stores when people were last active.
func (c *calls) activityEvents(ctx context.Context, in *activityEventsInput) (*personResultsOutput, error) {
	return takeOfPeople(in.Body.Events, func(activities []attendance.Activity) ([]attendance.ClockResult, error) {
		return c.db.Attendance.TakeActivities(ctx, in.CompanyID, activities)
	})
}
