package usage

import (
	"context"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

// FactorRulePath is the address of the rule about second factors, without language
// prefix.
const FactorRulePath = "/manage/security/factors"

// FactorRule is the page on which administrators choose of whom the company requires a
// second factor. RequiredOf, GraceDays and TrustsSignOn are what the form shows, which
// Stored may differ from.
type FactorRule struct {
	Frame        views.Frame
	Stored       identity.FactorRule
	RequiredOf   string
	GraceDays    string
	TrustsSignOn bool
	Version      int32 // of the rule that the form began with
	Counts       identity.FactorCounts
	CutOff       int // how many people a rule cuts off that waits to be confirmed; 0 for others
	Refused      queries.FieldErrors
	Conflict     bool // whether somebody else has saved Stored in the meantime
}

func (p FactorRule) days(ctx context.Context) views.Input {
	return views.Input{
		Name: "grace_days", Type: "number", Value: p.GraceDays, Required: true,
		Label: locales.T(ctx, "factor.rule.grace_days"), Help: locales.T(ctx, "factor.rule.grace_days.help"), Error: views.Refusal(ctx, p.Refused, "grace_days"),
		Attributes: map[string]any{"min": "0", "max": identity.MaxGraceDays, "inputmode": "numeric"},
	}
}

// dueText says from when on a rule applies, or since when it does.
func (p FactorRule) dueText(ctx context.Context, due time.Time) string {
	if p.Frame.Now.Before(due) {
		return locales.T(ctx, "factor.rule.until", "Date", locales.ShortDate(ctx, due.Add(-time.Second).In(p.Frame.Zone()), p.Frame.Now))
	}
	return locales.T(ctx, "factor.rule.since", "Date", locales.ShortDate(ctx, due.In(p.Frame.Zone()), p.Frame.Now))
}
