package slack

import "encoding/json"

// attachment is an attachment of a message.
type attachment struct {
	Fallback   text             `json:"fallback"` // where nothing else has a text
	Pretext    text             `json:"pretext"`
	AuthorName text             `json:"author_name"`
	AuthorLink text             `json:"author_link"`
	Title      text             `json:"title"`
	TitleLink  text             `json:"title_link"`
	Text       text             `json:"text"`
	Fields     []field          `json:"fields"`
	Actions    []attachedAction `json:"actions"`
	Blocks     []block          `json:"blocks"`
	Footer     text             `json:"footer"`
	MarkdownIn json.RawMessage  `json:"mrkdwn_in"` // has no effect: Slack formats text, pretext and fields by default
}

type field struct {
	Title text `json:"title"`
	Value text `json:"value"`
}

// attachedAction is a button of an attachment, which is shown as a link.
type attachedAction struct {
	Text text `json:"text"`
	URL  text `json:"url"`
}

func (a attachment) markdown() string {
	var parts parts
	parts.add(inFormat(string(a.Pretext), true))
	parts.add(link(plain(string(a.AuthorName)), string(a.AuthorLink)))
	parts.add(bold(link(plain(string(a.Title)), string(a.TitleLink))))
	parts.add(inFormat(string(a.Text), true))
	parts.add(blocksText(a.Blocks))
	parts.add(fieldLines(a.Fields))
	parts.add(actionLinks(a.Actions))
	if len(parts) == 0 {
		return plain(string(a.Fallback))
	}
	parts.add(plain(string(a.Footer)))
	return parts.join("\n")
}

func fieldLines(fields []field) string {
	var lines parts
	for _, f := range fields {
		title, value := plain(string(f.Title)), inFormat(string(f.Value), true)
		switch {
		case title == "":
			lines.add(value)
		case value == "":
			lines.add(bold(title))
		default:
			lines.add(bold(title) + ": " + value)
		}
	}
	return lines.join("\n")
}

func actionLinks(actions []attachedAction) string {
	var links parts
	for _, a := range actions {
		links.add(link(plain(string(a.Text)), string(a.URL)))
	}
	return links.join(" · ")
}
