package main

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// publicURL is how browsers reach the console: a scheme, a host and perhaps a port, to
// which paths are appended. It is empty where it is not known.
type publicURL string

// UnmarshalText reads the value of --public-url. What is wrong in it would otherwise be
// noticed in cookies, passkeys and the addresses that are registered elsewhere.
func (u *publicURL) UnmarshalText(text []byte) error {
	given := strings.TrimRight(string(text), "/")
	if given == "" {
		*u = ""
		return nil
	}
	parsed, err := url.Parse(given)
	if err == nil {
		*u = publicURL(parsed.Scheme + "://" + strings.ToLower(parsed.Host))
	}
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || !strings.EqualFold(given, string(*u)) || parsed.Hostname() == "" || !isPort(parsed) {
		return fmt.Errorf("%q is not like https://console.example.com or http://10.0.0.5:8080: a scheme, a host and perhaps a port, without a path", text)
	}
	return nil
}

func isPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && port > 0
}
