// Package slack reads the payload of Slack's incoming webhooks as a text in
// Markdown, so that programs that can send to Slack can send to the console.
package slack

import (
	"encoding/json"
	"errors"
	"mime"
	"net/url"
	"strings"
	"unicode/utf8"
)

// What Slack answers to payloads that it does not accept.
var (
	ErrInvalid     = errors.New("invalid_payload")
	ErrNoText      = errors.New("no_text")
	ErrAttachments = errors.New("too_many_attachments")
	ErrBlocks      = errors.New("invalid_blocks")
)

// Limits of Slack.
const (
	mostAttachments = 100
	mostBlocks      = 50
)

// deepest is how many elements of rich text can be inside one another.
const deepest = 16

// payload is what is read of a payload: the fields with text. Channel, name, icon
// and color of the sender are left out, because the bot has its own.
type payload struct {
	Text        text         `json:"text"`
	Markdown    *bool        `json:"mrkdwn"` // false for plain text
	Blocks      []block      `json:"blocks"`
	Attachments []attachment `json:"attachments"`
}

// Read returns the text of a payload: that of its blocks, or else its text, and
// that of its attachments. contentType is that of the body, which is JSON, or a
// form whose field payload is JSON. It returns one of the errors above for a
// payload that Slack would not accept either. The text contains no NUL.
func Read(body []byte, contentType string) (string, error) {
	if !utf8.Valid(body) {
		return "", ErrInvalid
	}
	content, err := payloadOf(body, contentType)
	if err != nil {
		return "", err
	}
	var p payload
	if err := json.Unmarshal(content, &p); err != nil {
		return "", ErrInvalid
	}
	switch {
	case len(p.Attachments) > mostAttachments:
		return "", ErrAttachments
	case len(p.Blocks) > mostBlocks:
		return "", ErrBlocks
	}
	var parts parts
	parts.add(blocksText(p.Blocks))
	if len(parts) == 0 {
		parts.add(inFormat(string(p.Text), p.Markdown == nil || *p.Markdown))
	}
	for _, a := range p.Attachments {
		parts.add(a.markdown())
	}
	if len(parts) == 0 {
		return "", ErrNoText
	}
	return strings.ReplaceAll(parts.join("\n\n"), "\x00", ""), nil
}

// payloadOf returns the JSON in a body.
func payloadOf(body []byte, contentType string) ([]byte, error) {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != "application/x-www-form-urlencoded" {
		return body, nil // Slack reads JSON of any other type
	}
	// curl -d sends JSON as a form unless it is told otherwise.
	if trimmed := strings.TrimSpace(string(body)); strings.HasPrefix(trimmed, "{") {
		return body, nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || !form.Has("payload") || !utf8.ValidString(form.Get("payload")) {
		return nil, ErrInvalid
	}
	return []byte(form.Get("payload")), nil
}

// text is a string, or a number or truth value that a program has sent for one.
type text string

// UnmarshalJSON reads a text.
func (t *text) UnmarshalJSON(content []byte) error {
	var value any
	if err := json.Unmarshal(content, &value); err != nil {
		return err
	}
	switch value := value.(type) {
	case nil:
	case string:
		*t = text(value)
	case float64, bool:
		*t = text(content)
	default:
		return ErrInvalid
	}
	return nil
}

// parts are texts that are not blank.
type parts []string

func (p *parts) add(text string) {
	if text = strings.Trim(text, "\n\r\x00"); strings.TrimSpace(text) != "" {
		*p = append(*p, text)
	}
}

func (p parts) join(separator string) string { return strings.Join(p, separator) }
