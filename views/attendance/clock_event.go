package attendance

import (
	"context"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
)

// An eventMark is a small label on a clock event. Tone is that of a badge.
type eventMark struct{ Tone, Text string }

// eventTime is the time of an event, to the second.
func (v RecordView) eventTime(ctx context.Context, e attendance.ClockEvent) string {
	local := e.At.In(v.Record.Zone)
	return clockOn(ctx, v.Record.Key().Date, local, local.Format(time.TimeOnly))
}

// isCounted reports whether an event is the arrival or the departure of the
// record.
func (v RecordView) isCounted(e attendance.ClockEvent) bool {
	c := v.Record.Computed
	return c.Arrival != nil && c.Arrival.Event.ID == e.EventID || c.Departure != nil && c.Departure.Event.ID == e.EventID
}

// isImported reports whether an event comes from a file. It was not clocked, so it
// has no device unless the file names one.
func isImported(e attendance.ClockEvent) bool { return e.Source == "import" }

// eventIcon is the name of the icon of the platform of an event.
func eventIcon(e attendance.ClockEvent) string {
	switch e.Platform {
	case "mobile", "mobile_web":
		return "phone-device"
	case "web":
		return "globe"
	case "":
		if isImported(e) {
			return "file"
		}
	}
	return "desktop"
}

// eventDevice names the platform, or the file, and the place of an event.
func eventDevice(ctx context.Context, e attendance.ClockEvent) string {
	device := platformWord(ctx, e.Platform)
	switch {
	case device != "":
	case isImported(e):
		device = locales.T(ctx, "record.event.imported")
	default:
		device = locales.T(ctx, "record.device.unknown")
	}
	if e.Place != "" {
		device += " · " + e.Place
	}
	return device
}

// eventMarks name the proof of presence of an event and its irregularities.
func (v RecordView) eventMarks(ctx context.Context, e attendance.ClockEvent) []eventMark {
	var marks []eventMark
	mark := func(when bool, tone, id string) {
		if when {
			marks = append(marks, eventMark{tone, locales.T(ctx, id)})
		}
	}
	if reason := v.Record.NotCounted[e.EventID]; reason != "" {
		mark(true, "warning", "record.event."+string(reason))
	}
	clocking := e.Kind == "in" || e.Kind == "out"
	mark(e.Proof == "ip", "success", "record.proof.ip")
	mark(e.Proof == "gps", "success", "record.proof.gps")
	mark(clocking && e.Proof == "none" && v.Record.Policy.ProofRequired, "warning", "record.flag.unproven")
	mark(e.Outside, "info", "record.flag.outside")
	mark(e.Mock, "danger", "record.flag.mock")
	mark(e.DeviceNew, "warning", "record.flag.device_new")
	mark(isImported(e) && platformWord(ctx, e.Platform) != "", "", "record.event.imported")
	mark(e.Offline && !isImported(e), "", "record.event.offline")
	mark(e.Source == "auto" || e.Source == "pc_off", "", "record.event.auto")
	return marks
}

// eventSkew says what time the wrong clock of a device showed; "" if it was
// right.
func (v RecordView) eventSkew(ctx context.Context, e attendance.ClockEvent) string {
	if e.OccurredAt.Equal(e.At) {
		return ""
	}
	return locales.T(ctx, "record.event.skew", "Time", locales.ShortDateTime(ctx, e.OccurredAt.In(v.Record.Zone), e.At.In(v.Record.Zone)))
}
