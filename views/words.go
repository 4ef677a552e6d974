package views

import (
	"context"
	"strings"

	"officeconsole/locales"
)

// Enumeration joins texts with the comma of the reader's language.
func Enumeration(ctx context.Context, texts []string) string {
	return strings.Join(texts, comma(ctx))
}

// comma separates the items of an enumeration. The Japanese comma includes
// its space.
func comma(ctx context.Context) string {
	if locales.FromContext(ctx) == locales.Japanese {
		return "、"
	}
	return ", "
}

// CommaBefore returns the comma after an item, or "" if no items follow it.
func CommaBefore(ctx context.Context, following int) string {
	if following == 0 {
		return ""
	}
	return comma(ctx)
}

// SpacedPath writes spaces around the slashes of a department path: "한빛테크 /
// 연구소".
func SpacedPath(path string) string { return strings.ReplaceAll(path, "/", " / ") }
