package main

import (
	"strings"
	"testing"
)

func TestPublicURL(t *testing.T) {
	for text, want := range map[string]publicURL{
		"":                                "",
		"https://console.example.com":     "https://console.example.com",
		"https://console.example.com/":    "https://console.example.com",
		"HTTPS://Console.Example.com:444": "https://console.example.com:444",
		"http://10.0.0.5:8080":            "http://10.0.0.5:8080",
		"http://[fd00::1]:8080/":          "http://[fd00::1]:8080",
	} {
		var got publicURL
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"console.example.com", "console.example.com:8080", "nix", "//console.example.com", "ftp://console.example.com", "https://", "https://:8080",
		"https://console.example.com/sub", "https://console.example.com/?", "https://console.example.com?x=1", "https://console.example.com#x",
		"https://user@console.example.com", "https://console.example.com:", "https://console.example.com:0", "https://console.example.com:70000", "https://console example.com",
		" https://console.example.com",
	} {
		var got publicURL
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was accepted as %q", text, got)
		}
	}
	for _, line := range []string{"serve --listen 127.0.0.1:0", "user password-link x@x.example"} {
		_, err := program(t, "", append(strings.Fields(line), "--public-url", "console.example.com")...)
		if err == nil || exitCode(err) != 1 || !strings.Contains(err.Error(), `--public-url: "console.example.com" is not like https://console.example.com`) {
			t.Errorf("%s: %v", line, err)
		}
	}
	t.Setenv("OFFICECONSOLE_PUBLIC_URL", "https://console.example.com/sub")
	if _, err := program(t, "", "serve", "--listen", "127.0.0.1:0"); err == nil || !strings.Contains(err.Error(), "is not like https://console.example.com") {
		t.Errorf("by its variable: %v", err)
	}
}
