package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/locales"
)

// The descriptions of settings that depend on each other are consistent.
func TestDescriptionIsConsistent(t *testing.T) {
	for _, kind := range kinds {
		var keys, groups []string
		for _, s := range Settings(kind) {
			if slices.Contains(keys, s.Key) {
				t.Errorf("%s is there twice", s.Key)
			}
			keys = append(keys, s.Key)
			for _, c := range s.When {
				other, ok := find(kind, c.Key)
				of, enum := other.Type.(Enum)
				if !ok || !enum || slices.ContainsFunc(c.Values, func(v string) bool { return !slices.Contains(of.Values, v) }) {
					t.Errorf("%s depends on %v", s.Key, c)
				}
			}
		}
		for _, g := range Groups(kind) {
			if slices.Contains(groups, g.Name) {
				t.Errorf("the group %s is torn apart", g.Name)
			}
			groups = append(groups, g.Name)
		}
		for _, rule := range rules(kind) {
			for _, key := range rule.keys {
				if !slices.Contains(keys, key) {
					t.Errorf("a rule looks at %s, which is no setting", key)
				}
			}
		}
	}
	if len(Settings("meeting"))+len(Groups("meeting")) > 0 {
		t.Error("an unknown kind has settings")
	}
}

// The bounds are decisions of domain §4 and §5. Where the domain has none, this
// package decides: the weekly limits, the absence threshold and the reminders.
func TestBoundsAreThoseOfTheDomain(t *testing.T) {
	want := map[string]string{
		"retraction_limit_min": "1-10080 minutes", "retraction_wording": "text 50", "session_time_sec": "300-28800 seconds", "mobile_session_days": "1-365 days",
		"concurrent_sessions": "1-5 devices", "file_max_mb": "1-4096 megabytes", "file_exts": "at most 100", "ip_exempt_user_ids": "at most 100",
		"allowed_ip_ranges": "at most 200 of text 50", "ip_ranges": "at most 200 of text 50",
		"daily_required_min": "0-1440 minutes", "early_in_min": "0-720 minutes", "day_close": "60-960 minutes", "grace_in_min": "0-120 minutes", "grace_out_min": "0-120 minutes",
		"late_as_absent_min": "1-1440 minutes", "breaks": "at most 5", "holiday_dates": "at most 100 of text 50",
		"places": "at most 100 of text 50 lat -90-90 lng -180-180 50-2000 meters", "gps_accuracy_max_m": "20-500 meters",
		"rounding_min": "[1 5 10 15 30] minutes", "weekly_cap_min": "60-10080 minutes", "weekly_warn_min": "60-10080 minutes", "correction_days": "0-31 days",
		"weekly_overtime_after_min": "0-3120 minutes",
		"remind_in":                 "0-120 minutes", "remind_out": "0-120 minutes", "location_keep_days": "1-365 days",
	}
	for _, kind := range kinds {
		for _, s := range Settings(kind) {
			if got := stated(s.Type); got != want[s.Key] {
				t.Errorf("%s: %q, want %q", s.Key, got, want[s.Key])
			}
		}
	}
}

func stated(t Type) string {
	switch t := t.(type) {
	case Int:
		if len(t.Choices) > 0 {
			return fmt.Sprint(t.Choices, " ", t.Unit)
		}
		return fmt.Sprintf("%d-%d %s", t.Min, t.Max, t.Unit)
	case Text:
		return fmt.Sprint("text ", t.Max)
	case Nullable:
		return stated(t.Of)
	case Object:
		var parts []string
		for _, f := range t.Fields {
			text := stated(f.Type)
			if n, is := f.Type.(Number); is {
				text = fmt.Sprintf("%s %s-%s", f.Name, decimal(n.Min), decimal(n.Max))
			}
			if text != "" && !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
		return strings.Join(parts, " ")
	case List:
		if of := stated(t.Of); of != "" {
			return fmt.Sprintf("at most %d of %s", t.Max, of)
		}
		return fmt.Sprint("at most ", t.Max)
	}
	return ""
}

func TestActive(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: false, `{"allowed_ip_ranges":[{"location_name":"a","range":"192.0.2.7"}],"file_save_ip_mode":"listed"}`: true,
		`{"allowed_ip_ranges":[{"location_name":"a","range":"192.0.2.7"}],"allowed_ip_mode":"listed"}`: true,
	} {
		s, _ := find(Communication, "allowed_ip_ranges")
		if parse(t, Communication, text).Active(s) != want {
			t.Errorf("%s: active is %t", text, !want)
		}
	}
	s, _ := find(Communication, "session_time_sec")
	if v := Defaults(Communication); !v.Active(s) || words(v.Value(s)) != "3600 seconds" {
		t.Errorf("session time is %s", words(v.Value(s)))
	}
}

func TestAccessors(t *testing.T) {
	v := parse(t, Communication, `{"session_time_sec":301,"mobile_session_days":2,"login_platforms":["pc"]}`)
	if v.SessionTime() != 301*time.Second || v.MobileSession() != 48*time.Hour || !v.LoginAllowed(PC) || v.LoginAllowed(Mobile) || v.LoginAllowed("") {
		t.Error("sessions are not as set")
	}
	w := parse(t, WorkingAttitude, `{"timezone":"Asia/Kolkata","week":{"sun":{"work":true,"start":"22:00","end":"06:00","end_next_day":true},"fri":{"work":false}},"ip_ranges":[{"location_name":"a","range":"192.0.2.7"}]}`)
	zone, err := w.Location()
	if err != nil || zone.String() != "Asia/Kolkata" {
		t.Errorf("%v, %v", zone, err)
	}
	if sunday := w.Day(time.Sunday); sunday.Start != 22*60 || sunday.Minutes() != 8*60 || !sunday.Works() || w.Day(time.Friday).Works() || w.Day(time.Saturday).Works() || !w.Day(time.Monday).Works() {
		t.Errorf("the week is not as set: Sunday %+v", sunday)
	}
	if len(w.Ranges()) != 1 {
		t.Errorf("ranges for clocking: %v", w.Ranges())
	}
}

// A schema as a program decodes it.
type schema struct {
	Title, Description, Format string
	Type                       any
	Default                    any
	Enum                       []any
	Minimum, Maximum           *float64
	MinLength, MaxLength       *int
	MaxItems                   *int
	Properties                 map[string]schema
	Items                      *schema
	Required                   []string
	AdditionalProperties       *bool
}

func TestJSONSchema(t *testing.T) {
	for _, kind := range kinds {
		text, err := json.Marshal(JSONSchema(kind, func(id string) string { return locales.English.T(id) }))
		if err != nil {
			t.Fatal(err)
		}
		var whole schema
		if err := json.Unmarshal(text, &whole); err != nil {
			t.Fatal(err)
		}
		var defaults map[string]any
		if err := json.Unmarshal(Defaults(kind).Complete(), &defaults); err != nil {
			t.Fatal(err)
		}
		if len(whole.Properties) != len(Settings(kind)) || whole.AdditionalProperties == nil || *whole.AdditionalProperties {
			t.Errorf("%s: %d of %d settings, or others too", kind, len(whole.Properties), len(Settings(kind)))
		}
		for key, want := range defaults {
			p := whole.Properties[key]
			if p.Title == "" || p.Title[0] < 'A' || p.Title[0] > 'Z' || !equal(p.Default, want) {
				t.Errorf("%s: %q by default %v, want %v", key, p.Title, p.Default, want)
			}
			if !p.holds(want) {
				t.Errorf("%s: its own schema does not hold the default %v", key, want)
			}
		}
		for _, s := range Settings(kind) {
			for _, b := range bounds(s.Type) {
				var value any
				if err := json.Unmarshal([]byte(b.raw), &value); err != nil {
					continue // a number too large for float64
				}
				padded := strings.Contains(b.raw, `" `) // the schema describes stored values
				if b.code == "" && !padded && !whole.Properties[s.Key].holds(value) {
					t.Errorf("%s: the schema does not hold %s", s.Key, b.raw)
				}
				stated := b.code == errOutOfRange || b.code == errTooLong || b.code == errTooMany && !strings.HasPrefix(b.raw, `["pc"`)
				if stated && whole.Properties[s.Key].holds(value) {
					t.Errorf("%s: the schema holds %.80s", s.Key, b.raw)
				}
			}
		}
	}
}

// holds reports whether the schema allows a value.
func (s schema) holds(value any) bool {
	if value == nil {
		types, _ := s.Type.([]any)
		return slices.Contains(types, any("null"))
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		return false
	}
	switch v := value.(type) {
	case float64:
		return (s.Minimum == nil || v >= *s.Minimum) && (s.Maximum == nil || v <= *s.Maximum)
	case string:
		n := len([]rune(v))
		return (s.MinLength == nil || n >= *s.MinLength) && (s.MaxLength == nil || n <= *s.MaxLength)
	case []any:
		if s.MaxItems != nil && len(v) > *s.MaxItems {
			return false
		}
		return !slices.ContainsFunc(v, func(item any) bool { return !s.Items.holds(item) })
	case map[string]any:
		for name, part := range v {
			if p, known := s.Properties[name]; !known || !p.holds(part) {
				return false
			}
		}
		return !slices.ContainsFunc(s.Required, func(name string) bool { _, has := v[name]; return !has })
	}
	return true
}

func BenchmarkParse(b *testing.B) {
	text := []byte(`{"file_save_ip_mode":"listed","file_save":{"pc":"view_only","web":"block"},"allowed_ip_ranges":[{"location_name":"a","range":"203.0.113.0/25"},{"location_name":"b","range":"198.51.100.10-198.51.100.60"}]}`)
	for b.Loop() {
		Parse(Communication, text)
	}
}

func TestSchemaNamesTheStoredUnit(t *testing.T) {
	schema := JSONSchema(Communication, func(id string) string { return id })
	property := schema["properties"].(map[string]any)["session_time_sec"].(map[string]any)
	if property["x-unit"] != Seconds || !strings.HasSuffix(property["description"].(string), " In seconds.") {
		t.Errorf("the session time is described as %v", property)
	}
}
