package attendance

import (
	"context"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
)

// A recordMark is a word about an event, in the tone of a badge.
type recordMark struct{ Tone, Text string }

// eventTime is when the event happened, to the second.
func (v RecordView) eventTime(ctx context.Context, e attendance.ClockEvent) string {
	local := e.At.In(v.Record.Zone)
	return clockOn(ctx, v.Record.Key().Date, local, local.Format(time.TimeOnly))
}

// isCounted reports whether the event is the arrival or the departure.
func (v RecordView) isCounted(e attendance.ClockEvent) bool {
	c := v.Record.Computed
	return c.Arrival != nil && c.Arrival.Clocked.ID == e.EventID || c.Departure != nil && c.Departure.Clocked.ID == e.EventID
}

// eventIcon is the picture of what somebody clocked with.
func eventIcon(e attendance.ClockEvent) string {
	switch e.Platform {
	case "mobile", "mobile_web":
		return "phone-device"
	case "web":
		return "globe"
	}
	return "desktop"
}

// eventDevice names what somebody clocked with, and the place.
func eventDevice(ctx context.Context, e attendance.ClockEvent) string {
	device := platformWord(ctx, e.Platform)
	if device == "" {
		device = locales.T(ctx, "record.device.unknown")
	}
	if e.Place != "" {
		device += " · " + e.Place
	}
	return device
}

// eventMarks are the proof of an event and what is remarkable about it.
func (v RecordView) eventMarks(ctx context.Context, e attendance.ClockEvent) []recordMark {
	var marks []recordMark
	mark := func(when bool, tone, id string) {
		if when {
			marks = append(marks, recordMark{tone, locales.T(ctx, id)})
		}
	}
	clocking := e.Kind == "in" || e.Kind == "out"
	mark(e.Proof == "ip", "success", "record.proof.ip")
	mark(e.Proof == "gps", "success", "record.proof.gps")
	mark(clocking && e.Proof == "none" && v.Record.Policy.ProofRequired, "warning", "record.flag.unproven")
	mark(e.Outside, "info", "record.flag.outside")
	mark(e.Mock, "danger", "record.flag.mock")
	mark(e.DeviceNew, "warning", "record.flag.device_new")
	mark(e.Offline, "", "record.event.offline")
	mark(e.Source == "auto" || e.Source == "pc_off", "", "record.event.auto")
	return marks
}

// eventSkew says what a wrong clock of a device showed; "" where it was right.
func (v RecordView) eventSkew(ctx context.Context, e attendance.ClockEvent) string {
	if e.OccurredAt.Equal(e.At) {
		return ""
	}
	return locales.T(ctx, "record.event.skew", "Time", locales.ShortDateTime(ctx, e.OccurredAt.In(v.Record.Zone), e.At.In(v.Record.Zone)))
}
