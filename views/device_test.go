package views

import (
	"testing"

	"officeconsole/locales"
)

func TestDevice(t *testing.T) {
	const (
		webKit = "AppleWebKit/537.36 (KHTML, like Gecko) "
		mac    = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) "
		win    = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) "
		phone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
	)
	for _, test := range []struct{ userAgent, name, icon string }{
		{win + webKit + "Chrome/150.0.0.0 Safari/537.36", "Chrome on Windows", "desktop"},
		{win + webKit + "Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0", "Edge on Windows", "desktop"},
		{win + webKit + "Chrome/148.0.0.0 Whale/4.30.291.11 Safari/537.36", "Whale on Windows", "desktop"},
		{"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on Windows", "desktop"},
		{mac + "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15", "Safari on macOS", "desktop"},
		{"Mozilla/5.0 (X11; Linux x86_64) " + webKit + "HeadlessChrome/150.0.0.0 Safari/537.36", "Chrome on Linux", "desktop"},
		{"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) " + webKit + "Chrome/150.0.0.0 Safari/537.36", "Chrome on ChromeOS", "desktop"},
		{"Mozilla/5.0 (Linux; Android 10; K) " + webKit + "SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36", "Samsung Internet on Android", "phone-device"},
		{"Mozilla/5.0 (Linux; Android 10; K) " + webKit + "Chrome/150.0.0.0 Mobile Safari/537.36 EdgA/150.0.0.0", "Edge on Android", "phone-device"},
		{"Mozilla/5.0 (Linux; Android 10; K) " + webKit + "Version/4.0 Chrome/150.0.0.0 Mobile Safari/537.36", "Chrome on Android", "phone-device"},
		{"Mozilla/5.0 (Android 15; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0", "Firefox on Android", "phone-device"},
		{phone + "Version/19.0 Mobile/15E148 Safari/604.1", "Safari on iOS", "phone-device"},
		{phone + "CriOS/150.0.0.0 Mobile/15E148 Safari/604.1", "Chrome on iOS", "phone-device"},
		{phone + "FxiOS/150.0 Mobile/15E148 Safari/605.1.15", "Firefox on iOS", "phone-device"},
		{phone + "Version/19.0 EdgiOS/150.0 Mobile/15E148 Safari/605.1.15", "Edge on iOS", "phone-device"},
		{"Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1", "Safari on iPadOS", "phone-device"},
		{"Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1)", "Unknown browser on Windows", "desktop"},
		{"Chrome/150.0", "Chrome", "desktop"},
		{"curl/8.0", "Unknown device", "desktop"},
		{"", "Unknown device", "desktop"},
	} {
		ctx := locales.NewContext(t.Context(), locales.English)
		if name := Device(ctx, test.userAgent); name != test.name {
			t.Errorf("%s: is %q, want %q", test.userAgent, name, test.name)
		}
		if icon := DeviceIcon(test.userAgent); icon != test.icon {
			t.Errorf("%s: shown as %q", test.userAgent, icon)
		}
	}
}
