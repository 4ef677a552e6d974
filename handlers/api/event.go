package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/usage"
)

// event is an event as the messenger sends it. decode returns it as the rule takes
// it, or the code of why that is impossible.
type event[Event any] interface {
	decode() (e Event, refusal string)
	id() string
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
	code string // why it cannot be read
}

// UnmarshalJSON decodes an event. It stores an error instead of returning it.
func (i *eventItem[Sent, Event]) UnmarshalJSON(text []byte) error {
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
	if in.Body.Events == nil {
		return nil, queries.FieldErrors{"events": "api.field.required"}
	}
	if len(in.Body.Events) > usage.MaxEvents {
		return nil, queries.Invalid("event.too_many")
	}
	out := &eventResultsOutput{}
	out.Body.Data = make([]eventResult, len(in.Body.Events))
	var readable []Event
	var places []int
	for i, item := range in.Body.Events {
		e, code := item.sent.decode()
		if item.code != "" {
			code = item.code
		}
		out.Body.Data[i] = eventResult{item.sent.id(), string(usage.Refused), code}
		if code == "" {
			readable, places = append(readable, e), append(places, i)
		}
	}
	results, err := take(ctx, in.CompanyID, readable)
	for i, r := range results {
		out.Body.Data[places[i]] = eventResult{r.EventID, string(r.Status), r.Code}
	}
	return out, err
}

// eventCall describes a call that takes in events.
func eventCall(id, kind, summary, description string, middlewares huma.Middlewares) huma.Operation {
	op := call{id: id, method: http.MethodPost, path: "/companies/{company_id}/events/" + kind, tag: "Messenger", status: http.StatusAccepted, summary: summary,
		description: "At most 500 a call, in any order. Each is answered by itself: accepted, duplicate (its event_id was taken in before, nothing changes) or refused with a code. " +
			"Either all that is accepted is stored or, where the call fails, nothing: send it again. " + description,
		errors: []int{http.StatusRequestEntityTooLarge},
	}.operation(middlewares)
	op.MaxBodyBytes = maxEvents
	op.SkipValidateBody = true // events are judged one by one
	return op
}
