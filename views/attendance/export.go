package attendance

import (
	"context"
	"net/url"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/export"
	"officeconsole/views"
)

// ExportPath is the page of a file that is written in the background.
func ExportPath(unit attendance.Unit, id int64) string {
	return unitPath(unit) + "/exports/" + strconv.FormatInt(id, 10)
}

// exportAddress is where a list is got as a file: beside its page, with the
// same choices.
func exportAddress(address, format string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	query := u.Query()
	query.Set("format", format)
	return u.Path + "/export?" + query.Encode()
}

func exportUntil(ctx context.Context, f views.Frame, e export.Export) string {
	return locales.ShortDateTime(ctx, e.ExpiresAt.In(f.Now.Location()), f.Now)
}

// exportPercent is the share that is written, which is whole only once the file is.
func exportPercent(rows, total int64) string {
	return strconv.FormatInt(min(rows*100/total, 99), 10)
}
