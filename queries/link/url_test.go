package link

import (
	"net/url"
	"strings"
	"testing"
)

func TestCheckURL(t *testing.T) {
	for text, want := range map[string]string{
		"https://gw.{host}/home":                 "",
		"http://library.hanbit.co.kr/":           "",
		"HTTPS://Example.COM":                    "",
		"{host}":                                 "",
		"{host}/notice?x={host}":                 "",
		"gw.{host}:8443/a b":                     "link.url.invalid",
		"gw.{host}:8443/a":                       "",
		"https://help.{host}/new?company={host}": "",
		"https://other.example/?from={host}":     "",
		"https://other.example/{host}":           "",
		"https://한빛.example/공지":                  "",
		"https://[2001:db8::1]:8080/":            "",
		"":                                       "link.url.required",
		"https://x/" + strings.Repeat("a", 500):  "link.url.too_long",
		"htp://mall.hanbit.co.kr/":               "link.url.scheme",
		"mall.hanbit.co.kr":                      "link.url.scheme",
		"javascript:alert(1)":                    "link.url.scheme",
		"javascript:alert('{host}')":             "link.url.host",
		"javascript://{host}/%0aalert(1)":        "link.url.scheme",
		"data:text/html,{host}":                  "link.url.host",
		"ftp://{host}/":                          "link.url.scheme",
		"//{host}/":                              "link.url.scheme",
		"https://example.com:65535/":             "",
		"https://example.com:65536/":             "link.url.invalid",
		"https://example.com:0/":                 "link.url.invalid",
		"gw.{host}:99999/":                       "link.url.invalid",
		"{host}.evil":                            "link.url.host",
		"https://{host}.evil/":                   "link.url.host",
		"https://evil{host}/":                    "link.url.host",
		"https://evil-{host}/":                   "link.url.host",
		"http://{host}@evil":                     "link.url.host",
		"http://user:{host}@evil/":               "link.url.host",
		"https://user@example.com/":              "link.url.invalid",
		"https://example.com\\@evil/":            "link.url.invalid",
		"https://exa\nmple.com/":                 "link.url.invalid",
		"https://exam ple.com/":                  "link.url.invalid",
		"https://":                               "link.url.invalid",
		"https://:443/":                          "link.url.invalid",
		"https://example.com:port/":              "link.url.invalid",
		"https://%zz/":                           "link.url.invalid",
		"evil.example/?{host}":                   "link.url.host",
		"?{host}":                                "link.url.host",
	} {
		if got := checkURL(text, "hanbit.example"); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	for text, want := range map[string]string{
		"https://gw.{host}/home":                 "https://gw.hanbit.example/home",
		"{host}/a?b={host}":                      "https://hanbit.example/a?b=hanbit.example",
		"http://library.example/":                "http://library.example/",
		"gw.{host}:8443":                         "https://gw.hanbit.example:8443",
		"https://other.example/?company={host}#": "https://other.example/?company=hanbit.example#",
	} {
		if got := Resolve(text, "hanbit.example"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whatever is accepted leads to the web, and to the company where its host says so.
func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{"https://gw.{host}/home", "{host}", "http://{host}@evil", "{host}.evil", "javascript:{host}", "//{host}", "https://a/{host}?{host}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if checkURL(text, "hanbit.example") != "" {
			return
		}
		u, err := url.Parse(Resolve(text, "hanbit.example"))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			t.Fatalf("%q is accepted: %v %v", text, u, err)
		}
		if other, err := url.Parse(Resolve(text, "other.example")); err != nil || other.Hostname() != u.Hostname() {
			if host := u.Hostname(); host != "hanbit.example" && !strings.HasSuffix(host, ".hanbit.example") {
				t.Fatalf("%q leads to %s", text, host)
			}
		}
	})
}
