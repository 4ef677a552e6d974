package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/usage"
)

// event is an event as the messenger sends it. decode returns it as the rule takes
// it, or the code of why that is impossible.
type event[Event any] interface {
	decode() (e Event, refusal string)
}

// EventsInput is the input of a call that takes in events. It is exported because
// huma ignores unexported embedded structs.
type EventsInput[Sent event[Event], Event any] struct {
	CompanyPath
	IdempotencyKey string `header:"Idempotency-Key" doc:"Not needed: every event is known by its event_id."`
	Body           struct {
		Events []eventItem[Sent, Event] `json:"events" maxItems:"500" nullable:"false"`
	}
}

// eventItem is an item of a batch. One that cannot be decoded is refused by itself
// and does not affect the others.
type eventItem[Sent event[Event], Event any] struct {
	sent Sent
	name eventName
	code string // why it cannot be read
}

// eventName is what the result of an item repeats of it, as far as it can be read.
type eventName struct {
	EventID  string `json:"event_id"`
	UserID   int64  `json:"user_id"`
	DeviceID string `json:"device_id"`
}

// UnmarshalJSON decodes an event. It stores an error instead of returning it.
func (i *eventItem[Sent, Event]) UnmarshalJSON(text []byte) error {
	// By itself: decoding the whole event ends at the first value that reads itself and
	// fails, such as a time, and leaves out what stands behind it.
	_ = json.Unmarshal(text, &i.name)
	if err := json.Unmarshal(text, &i.sent); err == nil && string(text) != "null" {
		return nil
	}
	i.code = "event.unreadable"
	return nil
}

// Schema describes a valid event.
func (i eventItem[Sent, Event]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[Sent](), true, "")
}

type eventResult struct {
	EventID string `json:"event_id"`
	Status  string `json:"status" enum:"accepted,duplicate,refused"`
	Code    string `json:"code,omitempty" doc:"Why it was refused."`
}

type eventResultsOutput struct {
	Body struct {
		Data []eventResult `json:"data" nullable:"false"`
	}
}

// takeEvents passes the events that can be read to a rule, and returns the results
// in the order of the call.
func takeEvents[Sent event[Event], Event any](ctx context.Context, in *EventsInput[Sent, Event], take func(context.Context, int64, []Event) ([]usage.Result, error)) (*eventResultsOutput, error) {
	results, err := takeItems("events", in.Body.Events, func(events []Event) ([]usage.Result, error) { return take(ctx, in.CompanyID, events) },
		func(code string) usage.Result { return usage.Result{Status: usage.Refused, Code: code} })
	out := &eventResultsOutput{}
	out.Body.Data = make([]eventResult, len(results))
	for i, r := range results {
		out.Body.Data[i] = eventResult{in.Body.Events[i].name.EventID, string(r.Status), r.Code}
	}
	return out, err
}

// takeItems passes the items of a field that can be read to a rule, and returns the
// results of all in the order of the call.
func takeItems[Sent event[Event], Event, Result any](field string, items []eventItem[Sent, Event], take func([]Event) ([]Result, error), refuse func(code string) Result) ([]Result, error) {
	if items == nil {
		return nil, queries.FieldErrors{field: "api.field.required"}
	}
	if len(items) > usage.MaxEvents {
		return nil, queries.Invalid("event.too_many")
	}
	results := make([]Result, len(items))
	var readable []Event
	var places []int
	for i, item := range items {
		e, code := item.sent.decode()
		if code = cmp.Or(item.code, code); code != "" {
			results[i] = refuse(code)
			continue
		}
		readable, places = append(readable, e), append(places, i)
	}
	taken, err := take(readable)
	for i, r := range taken {
		results[places[i]] = r
	}
	return results, err
}

// personResult is what came of an item about a person.
type personResult struct {
	EventID string `json:"event_id,omitempty"`
	UserID  int64  `json:"user_id"`
	Status  string `json:"status" enum:"accepted,refused"`
	Code    string `json:"code,omitempty" doc:"Why it was refused."`
}

type personResultsOutput struct {
	Body struct {
		Data []personResult `json:"data" nullable:"false"`
	}
}

// takeOfPeople passes the items about people that can be read to a rule of attendance,
// and returns the results in the order of the call.
func takeOfPeople[Sent event[Event], Event any](items []eventItem[Sent, Event], take func([]Event) ([]attendance.ClockResult, error)) (*personResultsOutput, error) {
	results, err := takeItems("events", items, take, refusedClock)
	out := &personResultsOutput{}
	out.Body.Data = make([]personResult, len(results))
	for i, r := range results {
		out.Body.Data[i] = personResult{items[i].name.EventID, items[i].name.UserID, string(r.Status), r.Code}
	}
	return out, err
}

// eventCall describes a call that takes in events.
func eventCall(id, kind, summary, description string, middlewares huma.Middlewares) huma.Operation {
	op := itemCall(id, kind, summary, "At most 500 a call, in any order. Each is answered by itself: accepted, duplicate (its event_id was taken in before, nothing changes) or refused with a code. "+
		allOrNothing+description, middlewares)
	op.MaxBodyBytes = maxEvents
	return op
}

// allOrNothing describes a call that stores what it accepts in one transaction.
const allOrNothing = "Either all that is accepted is stored or, where the call fails, nothing: send it again. "

// itemCall describes a call that takes in items, which the rules judge one by one.
func itemCall(id, kind, summary, description string, middlewares huma.Middlewares) huma.Operation {
	op := call{id: id, method: http.MethodPost, path: "/companies/{company_id}/events/" + kind, tag: "Messenger", status: http.StatusAccepted, summary: summary, description: description}.operation(middlewares)
	op.SkipValidateBody = true
	return op
}
