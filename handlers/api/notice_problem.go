package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/notice"
)

// noticeProblem adds to an error of saving or deleting a notice who saved it in the
// meantime.
func noticeProblem(ctx context.Context, err error) error {
	var edited *notice.EditConflict
	if !errors.As(err, &edited) {
		return err
	}
	p := &problem{status: http.StatusConflict, Code: "notice.edited", Message: locales.T(ctx, "notice.edited")}
	p.ChangedBy = &changedBy{User: changeActor{orNull(edited.ByUserID), edited.ByName}, At: edited.At.UTC(), VersionNo: edited.VersionNo, Fields: append([]string{}, edited.Changes.Fields...)}
	if edited.ByName != "" {
		p.Message = locales.T(ctx, "notice.edited.by", "Name", edited.ByName, "Time", localTime(ctx, edited.At))
	}
	return p
}

// goneProblem is the response for a deleted notice, with who deleted it.
func goneProblem(ctx context.Context, gone *notice.Gone) *problem {
	p := &problem{status: http.StatusNotFound, Code: "notice.gone", Message: locales.T(ctx, "notice.gone.nobody", "Time", localTime(ctx, gone.At))}
	p.ChangedBy = &changedBy{User: changeActor{orNull(gone.ByUserID), gone.ByName}, At: gone.At.UTC(), Fields: []string{}}
	if gone.ByName != "" {
		p.Message = locales.T(ctx, "notice.gone", "Name", gone.ByName, "Time", localTime(ctx, gone.At))
	}
	return p
}

// localTime writes a time by the clocks of the caller's company.
func localTime(ctx context.Context, at time.Time) string {
	if zone, err := time.LoadLocation(callerOf(ctx).TimeZone); err == nil {
		at = at.In(zone)
	}
	return locales.DateTime(ctx, at)
}
