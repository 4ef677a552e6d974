package slack

import (
	"net/url"
	"regexp"
	"strings"
)

// entities are the characters that Slack escapes.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

func plain(text string) string { return entities.Replace(text) }

func bold(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "**" + strings.TrimSpace(text) + "**"
}

// link returns a link in Markdown: the text alone without an address of the web,
// and the address without a text.
func link(text, address string) string {
	address = plain(strings.TrimSpace(address))
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" && parsed.Scheme != "mailto" || strings.ContainsAny(address, "() \n\t<>") {
		return text
	}
	if text = strings.TrimSpace(text); text == "" || text == address {
		return address
	}
	return "[" + strings.NewReplacer("[", "(", "]", ")").Replace(text) + "](" + address + ")"
}

// inFormat returns a text in Markdown: as it is, or from Slack's mrkdwn.
func inFormat(text string, mrkdwn bool) string {
	if !mrkdwn {
		return plain(text)
	}
	var out strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i > 0 {
			out.WriteByte('`')
		}
		if i%2 == 1 { // between backquotes
			out.WriteString(plain(part))
			continue
		}
		out.WriteString(formatted(part))
	}
	return out.String()
}

var (
	angled = regexp.MustCompile(`<([^<>\n]*)>`)
	// The character before a mark and behind it is no letter, as Slack wants it.
	strong = regexp.MustCompile(`(^|[^\pL\pN*])\*([^*\s](?:[^*\n]*[^*\s])?)\*($|[^\pL\pN*])`)
	struck = regexp.MustCompile(`(^|[^\pL\pN~])~([^~\s](?:[^~\n]*[^~\s])?)~($|[^\pL\pN~])`)
)

// formatted converts bold and struck text, links and mentions.
func formatted(text string) string {
	text = twice(strong, text, "$1**$2**$3")
	text = twice(struck, text, "$1~~$2~~$3")
	var out strings.Builder
	last := 0
	for _, at := range angled.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(plain(text[last:at[0]]))
		out.WriteString(reference(text[at[2]:at[3]]))
		last = at[1]
	}
	out.WriteString(plain(text[last:]))
	return out.String()
}

// twice replaces matches, also those that share the character between them.
func twice(pattern *regexp.Regexp, text, by string) string {
	return pattern.ReplaceAllString(pattern.ReplaceAllString(text, by), by)
}

// reference is what stands between angle brackets: a link, or a mention of a
// channel, a user or a group.
func reference(inside string) string {
	target, label, hasLabel := strings.Cut(inside, "|")
	switch {
	case strings.HasPrefix(target, "!"):
		if hasLabel && label != "" {
			return plain(label)
		}
		return "@" + strings.TrimPrefix(target, "!")
	case strings.HasPrefix(target, "@"), strings.HasPrefix(target, "#"):
		if hasLabel && label != "" {
			return target[:1] + strings.TrimLeft(plain(label), "@#")
		}
		return target
	}
	if found := link(plain(label), target); found != "" {
		return found
	}
	return plain(target)
}
