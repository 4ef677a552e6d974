package api

import (
	"context"
	"time"

	"officeconsole/queries/attendance"
)

type consentEventsInput struct {
	CompanyPath
	Body struct {
		Events []consentEvent `json:"events" maxItems:"500" nullable:"false"`
	}
}

// consentEvent is a person's consent to locations as the messenger sends it
// (domain §7).
type consentEvent struct {
	UserID int64      `json:"user_id"`
	Given  bool       `json:"given" doc:"False where it is withdrawn."`
	At     *time.Time `json:"at,omitempty" doc:"When; now where it is left out."`
}

type consentResult struct {
	UserID int64  `json:"user_id"`
	Status string `json:"status" enum:"accepted,refused"`
	Code   string `json:"code,omitempty" doc:"Why it was refused."`
}

type consentEventsOutput struct {
	Body struct {
		Data []consentResult `json:"data" nullable:"false"`
	}
}

// consentEvents stores who consents to the recording of locations.
func (c *calls) consentEvents(ctx context.Context, in *consentEventsInput) (*consentEventsOutput, error) {
	consents := make([]attendance.Consent, len(in.Body.Events))
	for i, e := range in.Body.Events {
		consents[i] = attendance.Consent{UserID: e.UserID, Given: e.Given}
		if e.At != nil {
			consents[i].At = *e.At
		}
	}
	results, err := c.db.Attendance.TakeConsents(ctx, in.CompanyID, consents)
	out := &consentEventsOutput{}
	out.Body.Data = make([]consentResult, len(results))
	for i, r := range results {
		out.Body.Data[i] = consentResult{consents[i].UserID, string(r.Status), r.Code}
	}
	return out, err
}
