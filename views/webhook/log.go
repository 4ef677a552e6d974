package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/webhook"
	"officeconsole/views"
)

// address is the address of the page with the filter of the log and one more
// parameter.
func (v View) address(name, value string) string {
	return views.ListURL(Path, v.Filter.Values(), name, value)
}

func (v View) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, v.Log, "webhook.log.total", func(cursor string) string { return v.address("cursor", cursor) + "#log" })
}

// resendPath is the address of the form that sends a delivery again and leads
// back to the same filter.
func (v View) resendPath(d webhook.Delivery) string {
	return views.WithQuery(action("deliveries/"+strconv.FormatInt(d.ID, 10)+"/redelivery"), v.Filter.Values())
}

func stateOptions(ctx context.Context) []views.Option {
	options := []views.Option{{Text: locales.T(ctx, "webhook.log.any")}}
	for _, state := range webhook.States {
		options = append(options, views.Option{Value: state, Text: locales.T(ctx, "webhook.state."+state)})
	}
	return options
}

// state is the state of a delivery as a badge with its text.
func (v View) state(ctx context.Context, d webhook.Delivery) (badge, string) {
	switch {
	case d.State == "delivered":
		return badge{"success", "check"}, locales.T(ctx, "webhook.state.delivered")
	case d.State == "failed":
		return badge{"danger", "error"}, locales.T(ctx, "webhook.state.failed")
	case v.Health.State == webhook.Paused && !d.Requested, !v.Endpoint.Enabled:
		return badge{"", "clock"}, locales.T(ctx, "webhook.state.waiting")
	case d.NextAt.After(v.Frame.Now):
		return badge{"warning", "clock"}, locales.T(ctx, "webhook.state.retry", "Time", v.retryTime(ctx, d))
	}
	return badge{"accent", "clock"}, locales.T(ctx, "webhook.state.sending")
}

func (v View) retryTime(ctx context.Context, d webhook.Delivery) string {
	next := d.NextAt.In(v.Frame.Zone())
	if next.YearDay() == v.Frame.Now.YearDay() {
		return locales.Time(ctx, next)
	}
	return locales.ShortestDateTime(ctx, next)
}

// answer is the last answer in a few characters.
func answer(ctx context.Context, d webhook.Delivery) string {
	switch {
	case d.Status != 0:
		return strconv.Itoa(int(d.Status))
	case d.Failure != "":
		return locales.T(ctx, "webhook.failure."+d.Failure)
	}
	return locales.T(ctx, "webhook.log.none")
}

// answerText is the last answer in full: "503 Service Unavailable".
func answerText(ctx context.Context, d webhook.Delivery) string {
	text := answer(ctx, d)
	if reason := http.StatusText(int(d.Status)); reason != "" {
		text += " " + reason
	}
	return text
}

func duration(ctx context.Context, d webhook.Delivery) string {
	if d.LastAt == nil || d.Status == 0 {
		return locales.T(ctx, "webhook.log.none")
	}
	return locales.T(ctx, "webhook.log.ms", "Count", locales.Number(ctx, int64(d.DurationMs)))
}

// resendText is the label of the button that sends a delivery again.
func resendText(ctx context.Context, d webhook.Delivery) string {
	if d.State == "waiting" {
		return locales.T(ctx, "webhook.resend.now")
	}
	return locales.T(ctx, "webhook.resend")
}

// indented is the data of a message with a member per line.
func indented(d webhook.Delivery) string {
	var out bytes.Buffer
	if err := json.Indent(&out, d.Payload, "", "  "); err != nil {
		return string(d.Payload)
	}
	return out.String()
}
