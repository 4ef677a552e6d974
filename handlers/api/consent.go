package api

import (
	"cmp"
	"context"
	"time"

	"officeconsole/queries/attendance"
)

type consentEventsInput struct {
	CompanyPath
	Body struct {
		Events []eventItem[consentEvent, attendance.Consent] `json:"events" maxItems:"500" nullable:"false"`
	}
}

// consentEvent is a person's consent to locations as the messenger sends it
// (domain §7).
type consentEvent struct {
	EventID string `json:"event_id,omitempty" maxLength:"100" doc:"Returned with the result. The same consent sent again changes nothing, so nothing else depends on it."`
	UserID  int64  `json:"user_id"`
	Given   *bool  `json:"given" nullable:"false" doc:"False where it is withdrawn."`

	OccurredAt *time.Time `json:"occurred_at,omitempty" doc:"When; now where it is left out."`
	At         *time.Time `json:"at,omitempty" doc:"An earlier name of occurred_at."`
}

// decode refuses an event that does not say whether the consent is given: a withdrawal
// erases positions.
func (e consentEvent) decode() (attendance.Consent, string) {
	if e.Given == nil {
		return attendance.Consent{}, "event.unreadable"
	}
	consent := attendance.Consent{UserID: e.UserID, Given: *e.Given}
	if at := cmp.Or(e.OccurredAt, e.At); at != nil {
		consent.At = *at
	}
	return consent, ""
}

// consentEvents stores who consents to the recording of locations.
func (c *calls) consentEvents(ctx context.Context, in *consentEventsInput) (*personResultsOutput, error) {
	return takeOfPeople(in.Body.Events, func(consents []attendance.Consent) ([]attendance.ClockResult, error) {
		return c.db.Attendance.TakeConsents(ctx, in.CompanyID, consents)
	})
}
