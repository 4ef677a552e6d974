package handlers_test

import (
	"net/netip"
	"testing"

	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

func TestClientAddress(t *testing.T) {
	behind := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	for _, test := range []struct {
		name      string
		proxies   []netip.Prefix
		forwarded string
		want      string
	}{
		{"no proxy is trusted", nil, "203.0.113.9", "127.0.0.1"},
		{"one proxy", behind, "203.0.113.9", "203.0.113.9"},
		{"two proxies", behind, "203.0.113.9, 10.1.2.3", "203.0.113.9"},
		{"what the visitor claims", behind, "198.51.100.1, 203.0.113.9", "203.0.113.9"},
		{"nonsense", behind, "203.0.113.9, unknown", "127.0.0.1"},
		{"mapped", behind, "::ffff:203.0.113.9", "203.0.113.9"},
		{"nothing", behind, "", "127.0.0.1"},
		{"with a port", behind, "203.0.113.9:1234, 10.1.2.3:80", "203.0.113.9"},
		{"version 6 with a port", behind, "[2001:db8::1]:44", "2001:db8::1"},
		{"version 6 in brackets", behind, "[2001:db8::1]", "2001:db8::1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSiteWith(t, handlers.Config{TrustedProxies: test.proxies})
			s.nobody().with("X-Forwarded-For", test.forwarded).signIn(queriestest.Admin).want(303)
			if n := s.count("select count(*) from sign_ins where host(address) = $1", test.want); n != 1 {
				t.Errorf("the sign-in is not from %s", test.want)
			}
		})
	}
}

func TestPagesAreCompressed(t *testing.T) {
	s := newSite(t)
	login := s.nobody().with("Accept-Encoding", "gzip").get("/login").want(200)
	if encoding := login.header.Get("Content-Encoding"); encoding != "gzip" {
		t.Errorf("the sign-in page is compressed by %q", encoding)
	}
	if encoding := s.nobody().get("/login").want(200).header.Get("Content-Encoding"); encoding != "" {
		t.Errorf("the sign-in page is compressed by %q for somebody who did not ask for it", encoding)
	}
}

func TestHeadersBehindHTTPS(t *testing.T) {
	names := []string{"Strict-Transport-Security", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"}
	for secure, want := range map[bool][]string{true: {"max-age=31536000; includeSubDomains", "same-origin", "same-origin"}, false: {"", "", ""}} {
		s := newSiteWith(t, handlers.Config{Secure: secure})
		for _, path := range []string{"/login", "/static/none.js", "/api/v1/none"} {
			header := s.nobody().get(path).header
			for i, name := range names {
				if got := header.Get(name); got != want[i] {
					t.Errorf("https %v: %s of %s is %q, want %q", secure, name, path, got, want[i])
				}
			}
		}
	}
}
