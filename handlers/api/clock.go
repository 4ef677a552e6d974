package api

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/netip"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/settings"
	"officeconsole/workday"
)

// maxEvents is the maximum size of a batch of events in bytes.
const maxEvents = 2 << 20

// registerClock registers what the messenger pushes with a service token of the
// scope events, and the clocking of users.
func (c *calls) registerClock(events, own huma.Middlewares) {
	push := itemCall("clock-events", "clock", "Take in clock events",
		"At most 500 a call. Each is answered by itself: accepted, duplicate (its event_id was taken in before, nothing changes) or refused with a code. "+
			"Where the call fails, those of some people may be stored with the records of their days, and none of others: send it again. "+
			"Where the device's clock is more than five minutes off at sent_at, the time of receipt counts, unless offline is true.", events)
	push.MaxBodyBytes = maxEvents
	huma.Register(c.api, push, c.clockEvents)
	const judged = "At most 500 a call. Each is answered by itself: accepted or refused with a code. " + allOrNothing
	huma.Register(c.api, itemCall("consent-events", "consents", "Take in who agrees that places are recorded",
		judged+"Without a person's consent no position is stored, and GPS settings do not apply to them.", events), c.consentEvents)
	huma.Register(c.api, itemCall("device-events", "devices", "Register devices of people, or remove them",
		judged+"The first device that somebody clocks with registers itself, and so do later ones while the policy allows any device. "+
			"Where it allows registered devices only, events of others, and those without a device_id, are refused with event.device. "+
			"Sending a device again changes nothing. Whoever has none left may begin again with any device but those that were removed.", events), c.deviceEvents)
	huma.Register(c.api, itemCall("activity-events", "activities", "Take in when people were active",
		judged+"Where a person's policy takes the last activity of a day as the departure of who does not clock out, the latest one of each day is stored; of others nothing is. "+
			"One that arrives after the day is over changes its record. It is enough to send when somebody becomes idle.", events), c.activityEvents)
	huma.Register(c.api, call{id: "clock", method: http.MethodPost, path: u + "/logs/workingattitude/clock", tag: "Attendance", status: http.StatusCreated,
		summary:     "Clock in or out",
		description: "For the caller, now, by the web and from the address of the call. Only the messenger can prove a device or a position, so whatever else the call claims is ignored.",
	}.operation(own), c.clock)
}

type clockEventsInput struct {
	CompanyPath
	IdempotencyKey string `header:"Idempotency-Key" doc:"Not needed: every event is known by its event_id."`
	Body           struct {
		Events []clockItem `json:"events" maxItems:"500" nullable:"false"`
	}
}

// clockEvent is an event as the messenger sends it (domain §7).
type clockEvent struct {
	EventID    string         `json:"event_id" minLength:"1" maxLength:"100" doc:"Known by the sender: a second event of the person with the same id is a duplicate."`
	UserID     int64          `json:"user_id"`
	Kind       string         `json:"kind" enum:"in,out,break_start,break_end"`
	OccurredAt time.Time      `json:"occurred_at" doc:"By the clock of the device."`
	SentAt     *time.Time     `json:"sent_at,omitempty" doc:"By the clock of the device."`
	Offline    bool           `json:"offline,omitempty" doc:"Clocked without a connection: occurred_at counts although it is late."`
	Platform   string         `json:"platform,omitempty" enum:"pc,web,mobile,mobile_web"`
	DeviceID   string         `json:"device_id,omitempty" maxLength:"200" doc:"Needed where the policy allows registered devices only."`
	IP         string         `json:"ip,omitempty" doc:"The device's address."`
	GPS        *clockPosition `json:"gps,omitempty"`
	Reason     string         `json:"reason,omitempty" maxLength:"200"`
	Source     string         `json:"source,omitempty" enum:"manual,auto,pc_off"`
}

type clockPosition struct {
	Lat       float64 `json:"lat" minimum:"-90" maximum:"90"`
	Lng       float64 `json:"lng" minimum:"-180" maximum:"180"`
	AccuracyM float64 `json:"accuracy_m" minimum:"0"`
	Mock      bool    `json:"mock,omitempty"`
}

// UnmarshalJSON decodes a position. A coordinate that is missing is not a number, so
// that the event is refused; it would be a place in the Atlantic.
func (p *clockPosition) UnmarshalJSON(text []byte) error {
	type position clockPosition
	p.Lat, p.Lng = math.NaN(), math.NaN()
	return json.Unmarshal(text, (*position)(p))
}

func (p *clockPosition) gps() *attendance.GPS {
	if p == nil {
		return nil
	}
	return &attendance.GPS{Lat: p.Lat, Lng: p.Lng, AccuracyM: p.AccuracyM, Mock: p.Mock}
}

// clockItem is an item of a batch. An item that cannot be decoded is rejected
// on its own and does not affect the others.
type clockItem struct {
	event   clockEvent
	address netip.Addr
	code    string // why it cannot be read
}

// UnmarshalJSON decodes an event. It stores an error instead of returning it.
func (i *clockItem) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, &i.event)
	if err == nil && i.event.IP != "" {
		i.address, err = netip.ParseAddr(i.event.IP)
	}
	if err != nil {
		i.code = "event.unreadable"
		var named struct {
			EventID string `json:"event_id"`
		}
		_ = json.Unmarshal(text, &named) // without an id the answer names none
		i.event.EventID = named.EventID
	}
	return nil
}

// Schema describes a valid event.
func (i clockItem) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[clockEvent](), true, "ClockEvent")
}

type clockResult struct {
	EventID string `json:"event_id"`
	Status  string `json:"status" enum:"accepted,duplicate,refused"`
	Code    string `json:"code,omitempty" doc:"Why it was refused. With accepted, event.locked: it is stored, and counts once its month is unlocked."`
}

type clockEventsOutput struct {
	Body struct {
		Data []clockResult `json:"data" nullable:"false"`
	}
}

// clockEvents stores a batch of events.
func (c *calls) clockEvents(ctx context.Context, in *clockEventsInput) (*clockEventsOutput, error) {
	if in.Body.Events == nil {
		return nil, queries.FieldErrors{"events": "api.field.required"}
	}
	out := &clockEventsOutput{}
	out.Body.Data = make([]clockResult, len(in.Body.Events))
	var readable []attendance.ClockInput
	var places []int
	for i, item := range in.Body.Events {
		if item.code != "" {
			out.Body.Data[i] = clockResult{item.event.EventID, string(attendance.ClockRefused), item.code}
			continue
		}
		readable, places = append(readable, item.input()), append(places, i)
	}
	results, err := c.db.Attendance.TakeClockEvents(ctx, in.CompanyID, readable)
	for i, r := range results {
		out.Body.Data[places[i]] = clockResult{r.EventID, string(r.Status), r.Code}
	}
	return out, err
}

func (i clockItem) input() attendance.ClockInput {
	e := i.event
	input := attendance.ClockInput{
		EventID: e.EventID, UserID: e.UserID, Kind: workday.Kind(e.Kind), OccurredAt: e.OccurredAt, Offline: e.Offline,
		Platform: e.Platform, DeviceID: e.DeviceID, Address: i.address, GPS: e.GPS.gps(), Reason: e.Reason, Source: e.Source,
	}
	if e.SentAt != nil {
		input.SentAt = *e.SentAt
	}
	return input
}

type clockInput struct {
	OwnPath
	Body struct {
		_       struct{} `json:"-" additionalProperties:"true"`
		EventID string   `json:"event_id" minLength:"1" maxLength:"100" doc:"Made by the client, so that a call sent twice counts once."`
		Kind    string   `json:"kind" enum:"in,out,break_start,break_end"`
		Reason  string   `json:"reason,omitempty" maxLength:"200" doc:"Asked for where the policy wants a reason for clocking outside."`
	}
}

type clockOutput struct {
	Body struct {
		Data clockResult `json:"data"`
	}
}

// clock stores a clock event of the caller at the current time. It takes nothing
// from the caller that could be a proof (domain §7).
func (c *calls) clock(ctx context.Context, in *clockInput) (*clockOutput, error) {
	who := callerOf(ctx)
	results, err := c.db.Attendance.TakeClockEvents(ctx, who.CompanyID, []attendance.ClockInput{{
		EventID: in.Body.EventID, UserID: who.ID, Kind: workday.Kind(in.Body.Kind), OccurredAt: c.db.Now(),
		Platform: settings.Web, Address: who.address, Reason: in.Body.Reason,
	}})
	if err != nil {
		return nil, err
	}
	if len(results) != 1 {
		return nil, errors.New("expected one result for one clock event")
	}
	if results[0].Status == attendance.ClockRefused {
		return nil, queries.Invalid(results[0].Code)
	}
	out := &clockOutput{}
	out.Body.Data = clockResult{results[0].EventID, string(results[0].Status), ""}
	return out, nil
}
