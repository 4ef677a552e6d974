package setting

import (
	"encoding/json"

	"officeconsole/settings"

	"pgregory.net/rapid"
)

// anyValues draws valid settings: a JSON value for each setting by its type,
// which is left out if it contradicts the others.
func anyValues(r *rapid.T, kind settings.Kind) settings.Values {
	given := map[string]any{}
	for _, s := range settings.Settings(kind) {
		if rapid.Bool().Draw(r, "default") {
			continue
		}
		with := map[string]any{s.Key: anyOf(r, s.Type)}
		for key, value := range given {
			with[key] = value
		}
		if _, errors := parseValues(r, kind, with); len(errors) == 0 {
			given = with
		}
	}
	values, _ := parseValues(r, kind, given)
	return values
}

func parseValues(r *rapid.T, kind settings.Kind, given map[string]any) (settings.Values, settings.Errors) {
	text, err := json.Marshal(given)
	if err != nil {
		r.Fatal(err)
	}
	return settings.Parse(kind, text)
}

func anyOf(r *rapid.T, t settings.Type) any {
	switch t := t.(type) {
	case settings.Bool:
		return rapid.Bool().Draw(r, "bool")
	case settings.Enum:
		return rapid.SampledFrom(t.Values).Draw(r, "enum")
	case settings.Int:
		return anyInt(r, t)
	case settings.Number:
		return float64(rapid.IntRange(int(t.Min*1e6), int(t.Max*1e6)).Draw(r, "number")) / 1e6
	case settings.Text:
		return rapid.SampledFrom([]string{`<b>"&'</b>`, "본사 3층", "a", "、,;"}).Draw(r, "text")
	case settings.Extension:
		return rapid.StringMatching(`[a-z][a-z0-9]{0,8}`).Draw(r, "extension")
	case settings.Date:
		return rapid.StringMatching(`20[0-9]{2}-0[1-9]-[01][1-9]`).Draw(r, "date")
	case settings.Zone:
		return rapid.SampledFrom(zones).Draw(r, "zone")
	case settings.User:
		return rapid.Int64Range(1, 1<<40).Draw(r, "user")
	case settings.Address:
		return rapid.SampledFrom([]string{"203.0.113.7", "10.0.0.0/8", "192.0.2.*", "198.51.100.1-198.51.100.9"}).Draw(r, "range")
	}
	return anyMany(r, t)
}

// anyInt is a number that a form shows exactly: in whole units of its field.
func anyInt(r *rapid.T, t settings.Int) int64 {
	if len(t.Choices) > 0 {
		return rapid.SampledFrom(t.Choices).Draw(r, "choice")
	}
	n := rapid.Int64Range(t.Min, t.Max).Draw(r, "int")
	if t.ShownUnit() == settings.Hours || t.Unit != settings.Seconds {
		return n
	}
	return n / 60 * 60
}

func anyMany(r *rapid.T, t settings.Type) any {
	switch t := t.(type) {
	case settings.Nullable:
		if rapid.Bool().Draw(r, "none") {
			return nil
		}
		return anyOf(r, t.Of)
	case settings.Set:
		return rapid.SliceOfDistinct(rapid.SampledFrom(t.Values), rapid.ID[string]).Draw(r, "set")
	case settings.Object:
		parts := map[string]any{}
		for _, f := range t.Fields {
			parts[f.Name] = anyOf(r, f.Type)
		}
		return parts
	case settings.List:
		list := []any{}
		for range rapid.IntRange(0, min(t.Max, 4)).Draw(r, "items") {
			list = append(list, anyOf(r, t.Of))
		}
		return list
	case settings.Window:
		return map[string]any{"from": anyTime(r), "to": anyTime(r)}
	case settings.Shift:
		return map[string]any{
			"kind": rapid.SampledFrom(settings.DayKind.Values).Draw(r, "kind"), "start": anyTime(r), "end": anyTime(r),
			"end_next_day": rapid.Bool().Draw(r, "next day"),
		}
	}
	panic("a type that the test does not know")
}

func anyTime(r *rapid.T) string {
	return rapid.StringMatching(`[01][0-9]:[0-5][0-9]`).Draw(r, "time")
}
