package views

import (
	"context"
	"strings"

	"officeconsole/locales"
)

func Enumeration(ctx context.Context, texts []string) string {
	return strings.Join(texts, comma(ctx))
}

// comma parts the items of an enumeration; the Japanese one has its space built
// in.
func comma(ctx context.Context) string {
	if locales.FromContext(ctx) == locales.Japanese {
		return "、"
	}
	return ", "
}

// CommaBefore parts an item from those that follow it, if there are any.
func CommaBefore(ctx context.Context, following int) string {
	if following == 0 {
		return ""
	}
	return comma(ctx)
}

// SpacedPath sets the departments of a path apart: "한빛테크 / 연구소".
func SpacedPath(path string) string { return strings.ReplaceAll(path, "/", " / ") }
