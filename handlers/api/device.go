package api

import (
	"context"
	"strings"

	"officeconsole/queries/attendance"
)

type deviceEventsInput struct {
	CompanyPath
	Body struct {
		Devices []eventItem[deviceEvent, attendance.Device] `json:"devices" maxItems:"500" nullable:"false"`
	}
}

// deviceEvent is a person's device as the messenger sends it.
type deviceEvent struct {
	EventID    string `json:"event_id,omitempty" maxLength:"100" doc:"Returned with the result. The same device sent again changes nothing, so nothing else depends on it."`
	UserID     int64  `json:"user_id"`
	DeviceID   string `json:"device_id" doc:"1 to 200 characters, the same as in the clock events of the device."`
	Registered *bool  `json:"registered" nullable:"false" doc:"False where it no longer is."`
}

func (e deviceEvent) decode() (attendance.Device, string) {
	switch {
	case e.Registered == nil:
		return attendance.Device{}, "event.unreadable"
	case strings.Contains(e.DeviceID, "\x00"): // which no text of the database can hold
		return attendance.Device{}, "event.device_id"
	}
	return attendance.Device{UserID: e.UserID, DeviceID: e.DeviceID, Registered: *e.Registered}, ""
}

type deviceResult struct {
	EventID  string `json:"event_id,omitempty"`
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
	results, err := takeItems("devices", in.Body.Devices, func(devices []attendance.Device) ([]attendance.ClockResult, error) {
		return c.db.Attendance.TakeDevices(ctx, in.CompanyID, devices)
	}, refusedClock)
	out := &deviceEventsOutput{}
	out.Body.Data = make([]deviceResult, len(results))
	for i, r := range results {
		name := in.Body.Devices[i].name
		out.Body.Data[i] = deviceResult{name.EventID, name.UserID, name.DeviceID, string(r.Status), r.Code}
	}
	return out, err
}

func refusedClock(code string) attendance.ClockResult {
	return attendance.ClockResult{Status: attendance.ClockRefused, Code: code}
}
