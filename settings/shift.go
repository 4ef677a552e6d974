package settings

import (
	"encoding/json"
	"net/url"
)

// The kinds of a weekday. On a day off work is regular time until the week has
// its hours; on the weekly holiday it is holiday work (Labour Standards Act,
// Articles 55 and 56).
const (
	WorkKind          = "work"
	DayOffKind        = "day_off"
	WeeklyHolidayKind = "weekly_holiday"
)

// Day is a weekday of the schedule. A day without work has its former hours,
// so that they come back when it is worked again.
type Day struct {
	Kind       string
	Start      Time
	End        Time
	EndNextDay bool
	Second     *Stint // work after a long pause on the same day; nil without one
}

// Stint is a part of a day's work.
type Stint struct {
	Start Time `json:"start"`
	End   Time `json:"end"`
}

// Works reports whether the day is worked.
func (d Day) Works() bool { return d.Kind == WorkKind }

// Minutes returns the length of the first working hours, breaks included.
func (d Day) Minutes() int {
	minutes := int(d.End - d.Start)
	if d.EndNextDay {
		minutes += day
	}
	return minutes
}

// MarshalJSON also writes "work", which clients of the time before there were
// kinds of days read.
func (d Day) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Kind       string `json:"kind"`
		Work       bool   `json:"work"`
		Start      Time   `json:"start"`
		End        Time   `json:"end"`
		EndNextDay bool   `json:"end_next_day"`
		Second     *Stint `json:"second"`
	}{d.Kind, d.Works(), d.Start, d.End, d.EndNextDay, d.Second})
}

// Shift is a setting's type for a Day; in JSON
// {"kind","start","end","end_next_day","second"}. Where the kind is missing,
// "work" says whether the day is worked, as in versions of policies from before
// there were kinds.
type Shift struct {
	Off string // the kind of a day that is not worked, of "work": false
}

// DayKind is the type of the kind of a weekday.
var DayKind = Enum{Values: []string{WorkKind, DayOffKind, WeeklyHolidayKind}, Labels: "setting.week"}

func (t Shift) read(r *reader, path string, raw, missing any) any {
	parts, ok := object(r, path, raw, "kind", "work", "start", "end", "end_next_day", "second")
	if !ok {
		return Day{}
	}
	d, known := missing.(Day)
	part := func(name string, t Type, set func(any)) {
		if value, given := parts[name]; given || !known {
			set(t.read(r, path+"."+name, value, nil))
		}
	}
	if _, given := parts["kind"]; !given && parts["work"] != nil {
		d.Kind = t.kindOf(Bool{}.read(r, path+".work", parts["work"], nil).(bool))
	} else {
		part("kind", DayKind, func(v any) { d.Kind = v.(string) })
	}
	part("start", Clock{}, func(v any) { d.Start = v.(Time) })
	part("end", Clock{}, func(v any) { d.End = v.(Time) })
	part("end_next_day", Bool{}, func(v any) { d.EndNextDay = v.(bool) })
	if second := parts["second"]; second != nil {
		d.Second = readStint(r, path+".second", second)
	} else if _, given := parts["second"]; given {
		d.Second = nil
	}
	return d
}

func (t Shift) kindOf(works bool) string {
	if works {
		return WorkKind
	}
	return t.Off
}

func readStint(r *reader, path string, raw any) *Stint {
	parts, ok := object(r, path, raw, "start", "end")
	if !ok {
		return nil
	}
	return &Stint{
		Start: Clock{}.read(r, path+".start", parts["start"], nil).(Time),
		End:   Clock{}.read(r, path+".end", parts["end"], nil).(Time),
	}
}

// posted leaves out hours that a day without work lacks, because the form does
// not show them, and a second stint without any time.
func (t Shift) posted(f url.Values, name string) (any, bool) {
	parts := map[string]any{}
	for part, t := range map[string]Type{"kind": DayKind, "work": Bool{}, "start": Clock{}, "end": Clock{}, "end_next_day": Bool{}} {
		if value, ok := t.posted(f, name+"."+part); ok {
			parts[part] = value
		}
	}
	start, hasStart := Clock{}.posted(f, name+".second.start")
	end, hasEnd := Clock{}.posted(f, name+".second.end")
	switch {
	case start != nil || end != nil:
		parts["second"] = map[string]any{"start": start, "end": end}
	case hasStart || hasEnd:
		parts["second"] = nil
	}
	if kind := parts["kind"]; kind == DayOffKind || kind == WeeklyHolidayKind {
		for _, part := range []string{"start", "end"} {
			if parts[part] == nil {
				delete(parts, part)
			}
		}
		if start == nil || end == nil {
			delete(parts, "second")
		}
	}
	return parts, len(parts) > 0
}

func (t Shift) fill(f url.Values, name string, stored any) {
	d := stored.(Day)
	DayKind.fill(f, name+".kind", d.Kind)
	Clock{}.fill(f, name+".start", d.Start)
	Clock{}.fill(f, name+".end", d.End)
	Bool{}.fill(f, name+".end_next_day", d.EndNextDay)
	f.Set(name+".second.start", "")
	f.Set(name+".second.end", "")
	if d.Second != nil {
		Clock{}.fill(f, name+".second.start", d.Second.Start)
		Clock{}.fill(f, name+".second.end", d.Second.End)
	}
}

func (t Shift) schema() map[string]any {
	work := Bool{}.schema()
	work["deprecated"] = true
	return map[string]any{
		"type": "object",
		"properties": map[string]any{
			"kind": DayKind.schema(), "work": work,
			"start": Clock{}.schema(), "end": Clock{}.schema(), "end_next_day": Bool{}.schema(),
			"second": map[string]any{
				"type":                 []string{"object", "null"},
				"properties":           map[string]any{"start": Clock{}.schema(), "end": Clock{}.schema()},
				"required":             []string{"start", "end"},
				"additionalProperties": false,
			},
		},
		"additionalProperties": false,
	}
}

func (Shift) value(key string, stored any) Value {
	d := stored.(Day)
	if !d.Works() {
		return Value{Shape: ShapeMessage, ID: DayKind.LabelID(key, d.Kind)}
	}
	text := Span{d.Start, d.End}.String()
	if d.Second != nil {
		text += ", " + Span{d.Second.Start, d.Second.End}.String()
	}
	return Value{Shape: ShapeText, Text: text}
}
