package settings

import "net/url"

// Day is a weekday of the schedule. A day off has its former hours, so that
// they come back when the day is enabled again.
type Day struct {
	Work       bool `json:"work"`
	Start      Time `json:"start"`
	End        Time `json:"end"`
	EndNextDay bool `json:"end_next_day"`
}

// Minutes returns the length of the working hours, breaks included.
func (d Day) Minutes() int {
	minutes := int(d.End - d.Start)
	if d.EndNextDay {
		minutes += day
	}
	return minutes
}

// Shift is a setting's type for a Day; in JSON
// {"work","start","end","end_next_day"}.
type Shift struct{}

func (Shift) read(r *reader, path string, raw, missing any) any {
	parts, ok := object(r, path, raw, "work", "start", "end", "end_next_day")
	if !ok {
		return Day{}
	}
	d, known := missing.(Day)
	part := func(name string, t Type, keep func(any)) {
		if value, given := parts[name]; given || !known {
			keep(t.read(r, path+"."+name, value, nil))
		}
	}
	part("work", Bool{}, func(v any) { d.Work = v.(bool) })
	part("start", Clock{}, func(v any) { d.Start = v.(Time) })
	part("end", Clock{}, func(v any) { d.End = v.(Time) })
	part("end_next_day", Bool{}, func(v any) { d.EndNextDay = v.(bool) })
	return d
}

func (Shift) posted(f url.Values, name string) (any, bool) {
	parts := map[string]any{}
	for part, t := range map[string]Type{"work": Bool{}, "start": Clock{}, "end": Clock{}, "end_next_day": Bool{}} {
		if value, ok := t.posted(f, name+"."+part); ok {
			parts[part] = value
		}
	}
	return parts, len(parts) > 0
}

func (Shift) fill(f url.Values, name string, stored any) {
	d := stored.(Day)
	Bool{}.fill(f, name+".work", d.Work)
	Clock{}.fill(f, name+".start", d.Start)
	Clock{}.fill(f, name+".end", d.End)
	Bool{}.fill(f, name+".end_next_day", d.EndNextDay)
}

func (Shift) schema() map[string]any {
	return map[string]any{
		"type": "object",
		"properties": map[string]any{
			"work": Bool{}.schema(), "start": Clock{}.schema(), "end": Clock{}.schema(), "end_next_day": Bool{}.schema(),
		},
		"additionalProperties": false,
	}
}

func (Shift) value(_ string, stored any) Value {
	d := stored.(Day)
	if !d.Work {
		return Value{Shape: ShapeMessage, ID: "setting.day_off"}
	}
	return Value{Shape: ShapeText, Text: Span{d.Start, d.End}.String()}
}
