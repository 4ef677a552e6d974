package views

import (
	"context"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/identity"
)

// Device names the browser and the system of a User-Agent header: "Chrome on
// Windows".
func Device(ctx context.Context, userAgent string) string {
	browser, system := browserOf(userAgent), systemOf(userAgent)
	switch {
	case browser != "" && system != "":
		return locales.T(ctx, "profile.device.name", "Browser", browser, "System", system)
	case browser != "":
		return browser
	case system != "":
		return locales.T(ctx, "profile.device.name", "Browser", locales.T(ctx, "profile.device.browser"), "System", system)
	}
	return locales.T(ctx, "profile.device.unknown")
}

// SignInName names the browser of a sign-in, or the program that has an access token.
func SignInName(ctx context.Context, s identity.SignInsRow) string {
	if !s.IsToken {
		return Device(ctx, s.UserAgent)
	}
	program, _, _ := strings.Cut(s.UserAgent, " ")
	return strings.TrimSuffix(locales.T(ctx, "access.token")+" · "+program, " · ")
}

// A marker is a text in a User-Agent header that identifies a browser or a
// system. In each list the first match counts, because most browsers also
// send the markers of those that follow.
type marker struct{ text, name string }

var browsers = []marker{
	{"Whale/", "Whale"},
	{"SamsungBrowser/", "Samsung Internet"},
	{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"EdgiOS/", "Edge"},
	{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
	{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"},
	{"Version/", "Safari"},
}

var systems = []marker{
	{"iPhone", "iOS"}, {"iPad", "iPadOS"}, {"Android", "Android"},
	{"Windows", "Windows"}, {"CrOS", "ChromeOS"}, {"Macintosh", "macOS"}, {"Linux", "Linux"},
}

func browserOf(userAgent string) string { return firstOf(browsers, userAgent) }

func systemOf(userAgent string) string { return firstOf(systems, userAgent) }

func firstOf(markers []marker, userAgent string) string {
	for _, m := range markers {
		if strings.Contains(userAgent, m.text) {
			return m.name
		}
	}
	return ""
}

// DeviceIcon is the name of the icon of a device: a telephone or a screen.
func DeviceIcon(userAgent string) string {
	switch systemOf(userAgent) {
	case "iOS", "iPadOS", "Android":
		return "phone-device"
	}
	return "desktop"
}
