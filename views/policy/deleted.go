package policy

import (
	"context"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
)

// Deleted is the page in the place of a deleted policy.
type Deleted struct {
	Frame  views.Frame
	Kind   settings.Kind
	Policy policy.DeletedPolicy
}

// deletedText says who deleted a policy and when.
func deletedText(ctx context.Context, f views.Frame, d policy.DeletedPolicy) string {
	at := locales.DateTime(ctx, d.At.In(f.Zone()))
	if d.By == "" {
		return locales.T(ctx, "policy.gone.nobody", "Time", at)
	}
	return locales.T(ctx, "policy.gone.by", "Name", d.By, "Time", at)
}

func deletedUntil(ctx context.Context, f views.Frame, d policy.DeletedPolicy) string {
	return locales.T(ctx, "policy.gone.until", "Date", locales.Date(ctx, d.Until.In(f.Zone())))
}

// goneText says of one of several policies who deleted it and when.
func goneText(ctx context.Context, d policy.DeletedPolicy, now time.Time) string {
	at := locales.ShortDateTime(ctx, d.At.In(now.Location()), now)
	if d.By == "" {
		return locales.T(ctx, "policy.bulk.gone.nobody", "Policy", d.Version.Name, "Time", at)
	}
	return locales.T(ctx, "policy.bulk.gone", "Name", d.By, "Policy", d.Version.Name, "Time", at)
}
