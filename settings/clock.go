package settings

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // time zones without a database on the machine

	"golang.org/x/text/width"
)

// Time is a time of day in minutes since midnight, 0 to 1439; in JSON and
// forms "09:00".
type Time int

const day = 24 * 60

// String returns the time as "09:00".
func (t Time) String() string { return fmt.Sprintf("%02d:%02d", int(t)/60, int(t)%60) }

// MarshalText returns the same as String.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Span is a part of a day. If To is before From, it ends on the next day.
type Span struct {
	From Time `json:"from"`
	To   Time `json:"to"`
}

// String returns the span as "09:00–18:00".
func (s Span) String() string { return s.From.String() + "–" + s.To.String() }

// Minutes returns the length of the span.
func (s Span) Minutes() int { return int(s.To-s.From+day) % day }

// Clock is a setting's type for a Time.
type Clock struct{}

var clockPattern = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`)

func (Clock) read(r *reader, path string, raw, _ any) any {
	text, ok := raw.(string)
	switch {
	case !ok:
		r.refuse(path, missingOr(raw, errTime))
	case !clockPattern.MatchString(text):
		r.refuse(path, errTime)
	default:
		return Time((int(text[0]-'0')*10+int(text[1]-'0'))*60 + int(text[3]-'0')*10 + int(text[4]-'0'))
	}
	return Time(0)
}

var looseClock = regexp.MustCompile(`^(\d?\d):(\d\d)(:00)?$`)

// posted also accepts other forms that browsers and keyboards produce: "9:00",
// "09:00:00", "０９：００".
func (Clock) posted(f url.Values, name string) (any, bool) {
	text, ok := postedText(f, name)
	text = strings.TrimSpace(width.Narrow.String(text))
	if found := looseClock.FindStringSubmatch(text); found != nil {
		return fmt.Sprintf("%02s:%s", found[1], found[2]), ok
	}
	return emptyIsNone(text, ok)
}

func (Clock) fill(f url.Values, name string, stored any) { f.Set(name, stored.(Time).String()) }

func (Clock) schema() map[string]any {
	return map[string]any{"type": "string", "pattern": clockPattern.String()}
}

func (Clock) value(_ string, stored any) Value {
	return Value{Shape: ShapeText, Text: stored.(Time).String()}
}

// Window is a setting's type for a Span: in JSON {"from","to"}, in forms
// <key>.from and <key>.to.
type Window struct {
	Overnight bool // it may end on the next day
}

func (t Window) read(r *reader, path string, raw, missing any) any {
	parts, ok := object(r, path, raw, "from", "to")
	if !ok {
		return Span{}
	}
	span, _ := missing.(Span)
	before := len(r.errors)
	for _, part := range []struct {
		name string
		time *Time
	}{{"from", &span.From}, {"to", &span.To}} {
		value, given := parts[part.name]
		if given || missing == nil {
			*part.time = Clock{}.read(r, path+"."+part.name, value, nil).(Time)
		}
	}
	if len(r.errors) == before && (span.From == span.To || !t.Overnight && span.To < span.From) {
		r.refuse(path+".to", errEndFirst)
	}
	return span
}

func (t Window) posted(f url.Values, name string) (any, bool) {
	from, hasFrom := Clock{}.posted(f, name+".from")
	to, hasTo := Clock{}.posted(f, name+".to")
	if from == nil && to == nil {
		return nil, hasFrom || hasTo
	}
	return map[string]any{"from": from, "to": to}, true
}

func (t Window) fill(f url.Values, name string, stored any) {
	span := stored.(Span)
	f.Set(name+".from", span.From.String())
	f.Set(name+".to", span.To.String())
}

func (t Window) schema() map[string]any {
	return map[string]any{
		"type":                 "object",
		"properties":           map[string]any{"from": Clock{}.schema(), "to": Clock{}.schema()},
		"additionalProperties": false,
	}
}

func (t Window) value(_ string, stored any) Value {
	return Value{Shape: ShapeText, Text: stored.(Span).String()}
}

// Date is a day, stored and written as "2026-11-20".
type Date struct{}

func (Date) read(r *reader, path string, raw, _ any) any {
	text, ok := raw.(string)
	if !ok {
		r.refuse(path, missingOr(raw, errDate))
		return ""
	}
	if at, err := time.Parse(time.DateOnly, text); err != nil || at.Year() < 1900 {
		r.refuse(path, errDate)
	}
	return text
}

func (Date) posted(f url.Values, name string) (any, bool) { return emptyIsNone(postedText(f, name)) }

func (Date) fill(f url.Values, name string, stored any) { f.Set(name, stored.(string)) }

func (Date) schema() map[string]any { return map[string]any{"type": "string", "format": "date"} }

func (Date) value(_ string, stored any) Value { return Value{Shape: ShapeDate, Text: stored.(string)} }

// Zone is a time zone by its IANA name.
type Zone struct{}

func (Zone) read(r *reader, path string, raw, _ any) any {
	name, ok := raw.(string)
	if !ok {
		r.refuse(path, missingOr(raw, errText))
		return ""
	}
	// Go reads "" as UTC and "Local" as the zone of the machine.
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		r.refuse(path, errZone)
	}
	return name
}

func (Zone) posted(f url.Values, name string) (any, bool) {
	text, ok := postedText(f, name)
	return emptyIsNone(strings.TrimSpace(text), ok)
}

func (Zone) fill(f url.Values, name string, stored any) { f.Set(name, stored.(string)) }

func (Zone) schema() map[string]any { return map[string]any{"type": "string"} }

func (Zone) value(_ string, stored any) Value { return Value{Shape: ShapeText, Text: stored.(string)} }
