package slack

import (
	"encoding/json"
	"strings"
)

// richElement is an element of rich text, which can have others inside.
type richElement struct {
	Type     string            `json:"type"`
	Text     text              `json:"text"`
	URL      text              `json:"url"`
	Name     text              `json:"name"`  // of an emoji
	Range    text              `json:"range"` // of a broadcast: here, channel or everyone
	UserID   text              `json:"user_id"`
	Style    json.RawMessage   `json:"style"` // of a text an object, of a list a word
	Elements []json.RawMessage `json:"elements"`
}

func richText(elements []json.RawMessage) string {
	var parts parts
	for _, raw := range elements {
		parts.add(richMarkdown(raw, deepest))
	}
	return parts.join("\n")
}

// richMarkdown returns the text of an element and of those inside it, as deep as
// given.
func richMarkdown(raw json.RawMessage, depth int) string {
	var e richElement
	if depth == 0 || json.Unmarshal(raw, &e) != nil {
		return ""
	}
	var inside []string
	for _, raw := range e.Elements {
		inside = append(inside, richMarkdown(raw, depth-1))
	}
	switch e.Type {
	case "text":
		return e.styled()
	case "link":
		return link(plain(string(e.Text)), string(e.URL))
	case "emoji":
		return ":" + string(e.Name) + ":"
	case "broadcast":
		return "@" + string(e.Range)
	case "user":
		return "@" + string(e.UserID)
	case "rich_text_list":
		var items parts
		for _, item := range inside {
			items.add("- " + item)
		}
		return items.join("\n")
	case "rich_text_preformatted":
		return "```\n" + strings.Join(inside, "") + "\n```"
	case "rich_text_quote":
		return "> " + strings.ReplaceAll(strings.Join(inside, ""), "\n", "\n> ")
	}
	return strings.Join(inside, "")
}

func (e richElement) styled() string {
	var style struct{ Bold, Italic, Strike, Code bool }
	_ = json.Unmarshal(e.Style, &style) // no style is plain text
	content := plain(string(e.Text))
	switch {
	case strings.TrimSpace(content) == "":
	case style.Code:
		return "`" + content + "`"
	case style.Bold:
		return bold(content)
	case style.Italic:
		return "_" + content + "_"
	case style.Strike:
		return "~~" + content + "~~"
	}
	return content
}
