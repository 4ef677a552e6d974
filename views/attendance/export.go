package attendance

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/export"
	"officeconsole/views"
)

// ExportPath is the page of an export that is written in the background.
func ExportPath(unit attendance.Unit, id int64) string {
	return unitPath(unit) + "/exports/" + strconv.FormatInt(id, 10)
}

// exportUntil is when the file of an export will be deleted.
func exportUntil(ctx context.Context, f views.Frame, e export.Export) string {
	return locales.ShortDateTime(ctx, e.ExpiresAt.In(f.Now.Location()), f.Now)
}

// exportPercent is the percentage of the rows that are written, at most 99
// until the file is complete.
func exportPercent(rows, total int64) string {
	return strconv.FormatInt(min(rows*100/total, 99), 10)
}
