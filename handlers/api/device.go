package api

import (
	"context"

	"officeconsole/queries/attendance"
)

type deviceEventsInput struct {
	CompanyPath
	Body struct {
		Devices []deviceEvent `json:"devices" maxItems:"500" nullable:"false"`
	}
}

// deviceEvent is a person's device as the messenger sends it.
type deviceEvent struct {
	UserID     int64  `json:"user_id"`
	DeviceID   string `json:"device_id" doc:"1 to 200 characters, the same as in the clock events of the device."`
	Registered bool   `json:"registered" doc:"False where it no longer is."`
}

type deviceResult struct {
	UserID   int64  `json:"user_id"`
	DeviceID string `json:"device_id"`
	Status   string `json:"status" enum:"accepted,refused"`
	Code     string `json:"code,omitempty" doc:"Why it was refused."`
}

type deviceEventsOutput struct {
	Body struct {
		Data []deviceResult `json:"data" nullable:"false"`
	}
}

// deviceEvents stores which devices people have registered.
func (c *calls) deviceEvents(ctx context.Context, in *deviceEventsInput) (*deviceEventsOutput, error) {
	devices := make([]attendance.Device, len(in.Body.Devices))
	for i, d := range in.Body.Devices {
		devices[i] = attendance.Device(d)
	}
	results, err := c.db.Attendance.TakeDevices(ctx, in.CompanyID, devices)
	out := &deviceEventsOutput{}
	out.Body.Data = make([]deviceResult, len(results))
	for i, r := range results {
		out.Body.Data[i] = deviceResult{devices[i].UserID, devices[i].DeviceID, string(r.Status), r.Code}
	}
	return out, err
}
