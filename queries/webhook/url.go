package webhook

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/sender"
)

// longestURL is the greatest length of a URL in characters.
const longestURL = 500

// checkURL returns why messages cannot be sent to a URL; "" if they can. What
// its name resolves to is checked when they are sent.
func checkURL(text string, network sender.Network) queries.Invalid {
	switch {
	case text == "":
		return "webhook.url.required"
	case utf8.RuneCountInString(text) > longestURL:
		return "webhook.url.too_long"
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || !isPort(u) {
		return "webhook.url.invalid"
	}
	secure := u.Scheme == "https"
	switch {
	case !secure && u.Scheme != "http", !secure && len(network.Allowed) == 0:
		return "webhook.url.scheme"
	case u.User != nil:
		return "webhook.url.password"
	case u.Fragment != "":
		return "webhook.url.invalid"
	case !allowsHost(network, strings.ToLower(u.Hostname()), secure):
		return "webhook.url.private"
	}
	return ""
}

func isPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && port > 0
}

// allowsHost reports whether a host may be reached, as far as that can be said
// without resolving it.
func allowsHost(network sender.Network, host string, secure bool) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return network.Allows(address, secure)
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return network.Allows(netip.MustParseAddr("127.0.0.1"), secure)
	}
	return true
}

// Host returns the host of a URL that checkURL accepts.
func Host(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Host
}
