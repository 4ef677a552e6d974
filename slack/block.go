package slack

import "encoding/json"

// block is a block of a message. Elements depend on its type.
type block struct {
	Type      text        `json:"type"`
	Text      *textObject `json:"text"`
	Title     *textObject `json:"title"`
	Fields    []textObject
	Accessory *element
	Elements  []json.RawMessage
	ImageURL  text `json:"image_url"`
	AltText   text `json:"alt_text"`
}

// textObject is a text with its format. Some programs send a string.
type textObject struct {
	Type text `json:"type"` // plain_text, or mrkdwn
	Text text `json:"text"`
}

// UnmarshalJSON reads the object or a string.
func (t *textObject) UnmarshalJSON(content []byte) error {
	if len(content) > 0 && content[0] == '"' {
		return json.Unmarshal(content, &t.Text)
	}
	type plainObject textObject
	return json.Unmarshal(content, (*plainObject)(t))
}

func (t *textObject) markdown() string {
	if t == nil {
		return ""
	}
	return inFormat(string(t.Text), t.Type == "mrkdwn")
}

// element is what blocks consist of: a button, an image, or a text.
type element struct {
	Type     text        `json:"type"`
	Text     *textObject `json:"text"`
	URL      text        `json:"url"`
	AltText  text        `json:"alt_text"`
	ImageURL text        `json:"image_url"`
}

func blocksText(blocks []block) string {
	var parts parts
	for _, b := range blocks {
		parts.add(b.markdown())
	}
	return parts.join("\n\n")
}

func (b block) markdown() string {
	var lines parts
	switch b.Type {
	case "header":
		return bold(b.Text.markdown())
	case "divider":
		return "---"
	case "image":
		lines.add(b.Title.markdown())
		lines.add(link(plain(string(b.AltText)), string(b.ImageURL)))
		return lines.join("\n")
	case "rich_text":
		return richText(b.Elements)
	case "actions":
		lines.add(b.elementTexts(" · "))
		return lines.join("\n")
	}
	lines.add(b.Text.markdown())
	for _, f := range b.Fields {
		lines.add(f.markdown())
	}
	if b.Accessory != nil {
		lines.add(b.Accessory.markdown())
	}
	lines.add(b.elementTexts(" "))
	return lines.join("\n")
}

func (b block) elementTexts(separator string) string {
	var texts parts
	for _, raw := range b.Elements {
		var e element
		if json.Unmarshal(raw, &e) == nil {
			texts.add(e.markdown())
		}
	}
	return texts.join(separator)
}

func (e element) markdown() string {
	switch e.Type {
	case "image":
		return plain(string(e.AltText))
	case "plain_text", "mrkdwn":
		if e.Text == nil {
			return ""
		}
		return inFormat(string(e.Text.Text), e.Type == "mrkdwn")
	}
	return link(e.Text.markdown(), string(e.URL))
}
