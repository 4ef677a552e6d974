package usage

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/usage"
	"officeconsole/views"
)

// RetentionPath is the address of the retention of logs, without language prefix.
const RetentionPath = "/manage/security/retention"

// Retention is the page on which administrators choose for how long the logs stay.
// Typed is what the form shows, which Stored may differ from.
type Retention struct {
	Frame     views.Frame
	Stored    usage.Retention
	Typed     usage.RetentionMonths
	Version   int32 // of the retention that the form began with
	Logs      []usage.LogState
	Refused   queries.FieldErrors
	Shortened []usage.Log // the logs of which rows would be deleted; they need a confirmation
	Conflict  bool        // whether somebody else has saved Stored in the meantime

	Disclosure Disclosure // the other form of the page
}

func (p Retention) asksToConfirm() bool {
	return len(p.Shortened) > 0 && !p.Conflict && len(p.Refused) == 0
}

// choices are the times that a log can stay, without end first.
func (p Retention) choices(ctx context.Context, log usage.Log) []views.Option {
	options := []views.Option{{Value: "0", Text: views.MonthsText(ctx, 0)}}
	for _, months := range log.Choices() {
		options = append(options, views.Option{Value: strconv.Itoa(months), Text: views.MonthsText(ctx, months)})
	}
	return options
}

func (p Retention) inputs(ctx context.Context) []views.Input {
	var inputs []views.Input
	for _, log := range usage.Logs {
		if text := views.Refusal(ctx, p.Refused, string(log)); text != "" {
			inputs = append(inputs, views.Input{Name: string(log), Error: logText(ctx, log) + ": " + text})
		}
	}
	return inputs
}

// shortenedText says what saving deletes: "접속 이력 24개월".
func (p Retention) shortenedText(ctx context.Context, log usage.Log) string {
	return locales.T(ctx, "retention.shortened.log", "Log", logText(ctx, log), "Months", views.MonthsText(ctx, p.Typed[log]))
}

func logText(ctx context.Context, log usage.Log) string {
	return locales.T(ctx, "retention.log."+string(log))
}

// minimumText says what the law asks for a log; "" for nothing.
func minimumText(ctx context.Context, log usage.Log) string {
	if log == usage.AccessLog {
		return locales.T(ctx, "retention.minimum.access")
	}
	return locales.T(ctx, "retention.minimum.none")
}

// runText says when old rows of a log were last deleted, and how many.
func (p Retention) runText(ctx context.Context, log usage.LogState) string {
	if log.RunAt.IsZero() {
		return locales.T(ctx, "retention.run.never")
	}
	return locales.N(ctx, "retention.run", int(log.Deleted), "Time", locales.ShortDateTime(ctx, log.RunAt.In(p.Frame.Zone()), p.Frame.Now))
}
