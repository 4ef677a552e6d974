package link

import (
	"context"

	"officeconsole/locales"
	"officeconsole/queries/link"
)

// difference names a field that has changed and writes what it was and is. The texts of
// two banners are equal.
func difference(ctx context.Context, d link.Differences, field string) (label, before, after string) {
	switch field {
	case "banner":
		return locales.T(ctx, "link.banner"), bannerText(ctx, d.Before.Banner), bannerText(ctx, d.After.Banner)
	case "name":
		return locales.T(ctx, "link.name"), d.Before.Name, d.After.Name
	case "description":
		return locales.T(ctx, "link.description"), textOrNone(ctx, d.Before.Description), textOrNone(ctx, d.After.Description)
	case "url":
		return locales.T(ctx, "link.url"), d.Before.URL, d.After.URL
	case "visible":
		return locales.T(ctx, "link.visible"), switchText(ctx, d.Before.Visible), switchText(ctx, d.After.Visible)
	}
	return locales.T(ctx, "link.icon.field"), switchText(ctx, d.Before.IconVisible), switchText(ctx, d.After.IconVisible)
}

func bannerText(ctx context.Context, key string) string {
	if key == "" {
		return locales.T(ctx, "link.banner.none")
	}
	return locales.T(ctx, "link.banner.some")
}

func textOrNone(ctx context.Context, text string) string {
	if text == "" {
		return locales.T(ctx, "frame.none")
	}
	return text
}

func switchText(ctx context.Context, on bool) string {
	if on {
		return locales.T(ctx, "change.value.true")
	}
	return locales.T(ctx, "change.value.false")
}
