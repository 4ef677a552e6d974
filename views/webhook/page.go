// Package webhook renders the page of the outgoing webhook.
package webhook

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/lists"
	"officeconsole/queries/webhook"
	"officeconsole/views"
)

// Path is the address of the page, without language prefix.
const Path = "/manage/use/webhook/outgoing"

// View is the page of a webhook.
type View struct {
	Frame    views.Frame
	Endpoint webhook.Endpoint // of a company that has one
	Health   webhook.Health
	Form     Form
	Secret   string // that was just created; "" for none
	Filter   webhook.Filter
	Log      lists.Page[webhook.Delivery]
}

// Form is what somebody enters for a webhook. Types are those that are checked,
// also while All is chosen.
type Form struct {
	Version int32 // that the form was filled with; 0 for a new webhook
	URL     string
	All     bool
	Types   []string
	Refused queries.FieldErrors
	Earlier *views.SavedFirst // who saved the webhook first; nil if nobody did
	Gone    string            // who deleted the webhook and when; "" if nobody did
}

// NewForm returns the form that changes a webhook.
func NewForm(e webhook.Endpoint) Form {
	return Form{Version: e.VersionNo, URL: e.URL, All: len(e.Types) == 0, Types: e.Types}
}

func (f Form) checks(name string) bool { return slices.Contains(f.Types, name) }

func (f Form) inputs(ctx context.Context) []views.Input {
	inputs := []views.Input{
		{Name: "url", Label: locales.T(ctx, "webhook.url"), Value: f.URL, Required: true, Help: locales.T(ctx, "webhook.url.help"), Attributes: templ.Attributes{"maxlength": "500", "inputmode": "url", "autocapitalize": "off", "spellcheck": "false"}},
		{Name: "types", Label: locales.T(ctx, "webhook.types")},
	}
	for i := range inputs {
		inputs[i].Error = views.Refusal(ctx, f.Refused, inputs[i].Name)
	}
	return inputs
}

// isOverlapping reports whether the previous secret still signs.
func (v View) isOverlapping() bool { return v.Endpoint.PreviousSecretHint(v.Frame.Now) != "" }

// action is the address of a form of the page.
func action(name string) string { return Path + "/" + name }

func typeName(ctx context.Context, messageType string) string {
	return locales.T(ctx, "webhook.type."+messageType)
}

// Overlaps are the offered hours for which the previous secret signs beside a new
// one, the first being none.
var Overlaps = []int{0, 1, 24, 168}

// overlapOptions are the overlaps of the next rotation. While the previous secret signs,
// there is no room for another one.
func (v View) overlapOptions(ctx context.Context) []views.Option {
	offered := Overlaps
	if v.isOverlapping() {
		offered = offered[:1]
	}
	options := make([]views.Option, len(offered))
	for i, hours := range offered {
		value := strconv.Itoa(hours)
		options[i] = views.Option{Value: value, Text: locales.T(ctx, "webhook.overlap."+value)}
	}
	return options
}

// badge is how a state looks.
type badge struct{ tone, icon string }

var healthBadges = map[webhook.HealthState]badge{
	webhook.Healthy:  {"success", "check"},
	webhook.Idle:     {"", "minus"},
	webhook.Failing:  {"warning", "alert"},
	webhook.Paused:   {"danger", "error"},
	webhook.Disabled: {"", "minus"},
	webhook.Gone:     {"danger", "error"},
}

// pausedText says what becomes of a paused webhook.
func (v View) pausedText(ctx context.Context) string {
	if !v.Health.PausedUntil.After(v.Frame.Now) {
		return locales.T(ctx, "webhook.paused.soon")
	}
	return locales.T(ctx, "webhook.paused", "Time", v.clock(ctx, *v.Health.PausedUntil))
}

// clock is a time of day, with its date unless that is today.
func (v View) clock(ctx context.Context, t time.Time) string {
	t = t.In(v.Frame.Zone())
	if t.Format(time.DateOnly) == v.Frame.Now.Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return locales.ShortestDateTime(ctx, t)
}

// count is a number that was counted up to webhook.Most.
func count(ctx context.Context, n int64) string {
	if n > webhook.Most {
		return locales.Number(ctx, webhook.Most) + "+"
	}
	return locales.Number(ctx, n)
}

// sample is a request as a receiver gets it.
const sample = `POST /console HTTP/1.1
Content-Type: application/json
webhook-id: msg_1042
webhook-timestamp: 1795132800
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"type":"policy.changed","timestamp":"2026-11-20T00:00:00Z","data":{"kind":"communication","policy_id":12,"version_no":3}}`
