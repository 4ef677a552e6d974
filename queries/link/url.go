package link

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// Host stands for the company's host in the URL of a link.
const Host = "{host}"

const longestURL = 500

// ownHost matches a host that ends with the company's.
var ownHost = regexp.MustCompile(`^(?i:https?://)?([a-z0-9-]+\.)*\{host\}(:\d+)?$`)

// otherScheme matches the scheme and slashes that a URL begins with.
var otherScheme = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*:)?//`)

// checkURL returns why a URL is refused, or "": it must begin with http:// or
// https://, or contain {host} (domain §9.2), and be an address of the web with
// every {host} replaced. In the host itself {host} is the whole host or its end,
// so that no address only looks like the company's.
func checkURL(text, host string) queries.Invalid {
	lower := strings.ToLower(text)
	hasScheme := strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
	switch {
	case text == "":
		return "link.url.required"
	case len(text) > longestURL:
		return "link.url.too_long"
	case !directory.PlainText(text), strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\\' }):
		return "link.url.invalid"
	case !hasScheme && (!strings.Contains(text, Host) || otherScheme.MatchString(text)):
		return "link.url.scheme"
	}
	if site := text[:siteLength(text)]; strings.Contains(site, Host) && !ownHost.MatchString(site) || !hasScheme && !strings.Contains(site, Host) {
		return "link.url.host"
	}
	u, err := url.Parse(Resolve(text, host))
	if err != nil || u.Host == "" || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || !isPort(u.Port()) {
		return "link.url.invalid"
	}
	return ""
}

// isPort reports whether a text is a port, or empty for the usual one.
func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && port != 0
}

// siteLength is the length of the scheme and host that a URL begins with.
func siteLength(text string) int {
	begin := 0
	if i := strings.Index(text, "://"); i >= 0 && i < len("https:") {
		begin = i + len("://")
	}
	if end := strings.IndexAny(text[begin:], "/?#"); end >= 0 {
		return begin + end
	}
	return len(text)
}

// Resolve is the address that a link leads to in a company with the host. A URL
// without a scheme leads to https.
func Resolve(text, host string) string {
	resolved := strings.ReplaceAll(text, Host, host)
	if lower := strings.ToLower(resolved); !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") {
		return "https://" + resolved
	}
	return resolved
}
