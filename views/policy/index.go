package policy

import (
	"context"
	"strconv"
	"strings"

	"officeconsole/locales"
)

// indexCount counts found settings for scripts, which replace {n}.
func indexCount(ctx context.Context, n int) string {
	return strings.Replace(locales.N(ctx, "field.index.found", n), strconv.Itoa(n), "{n}", 1)
}
