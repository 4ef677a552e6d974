package settings

import (
	"encoding/json"
	"maps"
)

const dayLabels = "setting.day"

// DefaultsAt returns the values with which a policy of a company begins: Defaults, for
// WorkingAttitude with a time zone and a holiday calendar. What is stored does not refer
// to them, so that it means the same when the company moves.
func DefaultsAt(kind Kind, zone, calendar string) Values {
	v := Defaults(kind)
	if kind == WorkingAttitude {
		v.stored["timezone"], v.stored["holiday_calendar"] = zone, calendar
	}
	return v
}

// WithDefaults returns a JSON object of settings with what it leaves out of those in
// which defaults differ from Defaults. Anything else than an object is returned as it
// is, for Parse to refuse.
func WithDefaults(given json.RawMessage, defaults Values) json.RawMessage {
	own, ok := decode(given)
	all, _ := decode(defaults.Differences())
	if !ok {
		return given
	}
	maps.Copy(all, own)
	return encode(all)
}

// weekdays begin on Monday, like the week of domain §5.
var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

func week() Object {
	var o Object
	for _, name := range weekdays {
		o.Fields = append(o.Fields, Field{Name: name, Label: dayLabels + "." + name, Type: Shift{Off: kindWithoutWork(name)}})
	}
	return o
}

// kindWithoutWork returns the kind that a weekday usually has where it is not
// worked: a week has one weekly holiday, and that is the Sunday.
func kindWithoutWork(name string) string {
	if name == "sun" {
		return WeeklyHolidayKind
	}
	return DayOffKind
}

// officeHours returns a week of 09:00-18:00 from Monday to Friday.
func officeHours() map[string]any {
	all := map[string]any{}
	for i, name := range weekdays {
		d := Day{Kind: WorkKind, Start: 9 * 60, End: 18 * 60}
		if i >= 5 {
			d.Kind = kindWithoutWork(name)
		}
		all[name] = d
	}
	return all
}

// places is the type of a list of circles on the map. The default radius of 100
// m suits the accuracy of phones and the size of most sites.
var places = List{Max: 100, Of: Object{Fields: []Field{
	{Name: "name", Label: "setting.part.place_name", Type: Text{Max: 50}, Missing: errPlaceName},
	{Name: "lat", Label: "setting.part.lat", Type: Number{-90, 90}, Missing: errRequired},
	{Name: "lng", Label: "setting.part.lng", Type: Number{-180, 180}, Missing: errRequired},
	{Name: "radius_m", Label: "setting.part.radius_m", Type: Int{Min: 50, Max: 2000, Unit: Meters}, Default: int64(100)},
}}}

// holidays is the type of a list of the company's own days off.
var holidays = List{Max: 100, Of: Object{Fields: []Field{
	{Name: "date", Label: "setting.part.date", Type: Date{}, Missing: errRequired},
	{Name: "name", Label: "setting.part.holiday_name", Type: Text{Max: 50}, Missing: errRequired},
}}}

// minutesAWeek bounds the weekly limits.
const minutesAWeek = 7 * day

var (
	scheduled = []Condition{{"work_type", []string{"fixed", "flexible"}}}
	flexible  = []Condition{{"work_type", []string{"flexible"}}}
	settled   = []Condition{{"work_type", []string{"flexible", "free"}}}
	paid      = []Condition{{"overtime", []string{"automatic", "approved"}}}
	located   = []Condition{{"gps_mode", []string{"record", "require"}}}
)

// workingAttitude lists the settings of domain §5 with their defaults.
var workingAttitude = []Setting{
	{
		Key: "work_type", Group: "schedule", Weight: 10, Help: true, Default: "fixed",
		Type: Enum{Values: []string{"fixed", "flexible", "free"}},
	}, {
		Key: "timezone", Group: "schedule", Weight: 6, Default: "Asia/Seoul", Type: Zone{},
	}, {
		Key: "week", Group: "schedule", Weight: 9, Help: true, Default: officeHours(), Type: week(),
	}, {
		Key: "flexible_start", Group: "schedule", Weight: 8, Help: true, When: flexible,
		Type: Window{}, Default: Span{7 * 60, 11 * 60},
	}, {
		Key: "core_time", Group: "schedule", Weight: 7, Help: true, When: flexible,
		Type: Nullable{Window{}}, Default: Span{11 * 60, 16 * 60},
	}, {
		Key: "daily_required_min", Group: "schedule", Weight: 6, Default: int64(480),
		Type: Int{Min: 0, Max: 1440, Unit: Minutes, FormUnit: Hours},
	}, {
		Key: "break_mode", Group: "schedule", Weight: 3, Help: true, Default: "windows",
		Type: Enum{Values: []string{"none", "windows", "statutory"}},
	}, {
		Key: "breaks", Group: "schedule", Weight: 3, Help: true, Default: []any{Span{12 * 60, 13 * 60}},
		Type: List{Of: Window{Overnight: true}, Max: 5},
		When: []Condition{{"break_mode", []string{"windows"}}},
	}, {
		Key: "holiday_calendar", Group: "schedule", Weight: 4, Default: "KR",
		Type: Enum{Values: []string{"KR", "JP", "none"}},
	}, {
		Key: "holiday_dates", Group: "schedule", Weight: 2, Help: true, Default: []any{}, Type: holidays,
	},

	{
		Key: "early_in_min", Group: "clocking", Weight: 1, Help: true, Default: int64(240), When: scheduled,
		Type: Int{Min: 0, Max: 720, Unit: Minutes},
	}, {
		Key: "day_close", Group: "clocking", Weight: 1, Help: true, Default: int64(600), When: scheduled,
		Type: Int{Min: 60, Max: 960, Unit: Minutes, FormUnit: Hours},
	}, {
		Key: "grace_in_min", Group: "clocking", Weight: 5, Help: true, Default: int64(0), When: scheduled,
		Type: Int{Min: 0, Max: 120, Unit: Minutes},
	}, {
		Key: "grace_out_min", Group: "clocking", Weight: 5, Help: true, Default: int64(0), When: scheduled,
		Type: Int{Min: 0, Max: 120, Unit: Minutes},
	}, {
		Key: "late_as_absent_min", Group: "clocking", Weight: 4, Help: true, Default: nil, When: scheduled,
		Type: Nullable{Int{Min: 1, Max: 1440, Unit: Minutes}},
	}, {
		Key: "clock_platforms", Group: "clocking", Weight: 6, Default: []any{PC, Mobile},
		Type: Set{Values: []string{PC, Web, Mobile, MobileWeb}, Labels: platformLabels, Least: 1},
	}, {
		Key: "device_binding", Group: "clocking", Weight: 4, Help: true, Default: "none",
		Type: Enum{Values: []string{"none", "registered"}},
	}, {
		Key: "auto_clock_in", Group: "clocking", Weight: 3, Help: true, Default: false, Type: Bool{},
	}, {
		Key: "auto_clock_out", Group: "clocking", Weight: 3, Help: true, Default: false, Type: Bool{},
	},

	{
		Key: "ip_mode", Group: "place", Weight: 8, Default: "any",
		Type: Enum{Values: []string{"any", "listed"}},
	}, {
		Key: "ip_ranges", Group: "place", Weight: 5, Help: true, Default: []any{}, Type: addresses,
		When: []Condition{{"ip_mode", []string{"listed"}}},
	}, {
		Key: "gps_mode", Group: "place", Weight: 8, Help: true, Default: "off",
		Type: Enum{Values: []string{"off", "record", "require"}},
	}, {
		Key: "places", Group: "place", Weight: 5, Help: true, Default: []any{}, Type: places, When: located,
	}, {
		Key: "gps_accuracy_max_m", Group: "place", Weight: 1, Help: true, Default: int64(100), When: located,
		Type: Int{Min: 20, Max: 500, Unit: Meters},
	}, {
		Key: "proof_rule", Group: "place", Weight: 4, Help: true, Default: "ip_or_gps", When: located,
		Type: Enum{Values: []string{"ip_or_gps", "ip_and_gps"}},
	}, {
		Key: "mock_location", Group: "place", Weight: 3, Help: true, Default: "flag", When: located,
		Type: Enum{Values: []string{"flag", "block"}},
	}, {
		Key: "outside_work", Group: "place", Weight: 6, Help: true, Default: "reason",
		Type: Enum{Values: []string{"block", "reason", "allow"}},
	}, {
		Key: "location_keep_days", Group: "place", Weight: 2, Help: true, Default: int64(90), When: located,
		Type: Int{Min: 1, Max: MaxLocationKeepDays, Unit: Days},
	},

	{
		Key: "count_mode", Group: "calculation", Weight: 3, Default: "first_last",
		Type: Enum{Values: []string{"first_last", "pairs"}, Explained: true},
	}, {
		Key: "missing_departure", Group: "calculation", Weight: 3, Default: "keep",
		Type: Enum{Values: []string{"keep", "schedule_end", "last_activity"}, Explained: true},
	}, {
		Key: "rounding_min", Group: "calculation", Weight: 2, Help: true, Default: int64(1),
		Type: Int{Min: 1, Max: 30, Choices: []int64{1, 5, 10, 15, 30}, Unit: Minutes},
	}, {
		Key: "settlement", Group: "calculation", Weight: 4, Help: true, Default: "day", When: settled,
		Type: Enum{Values: []string{"day", "week", "month"}},
	}, {
		Key: "overtime", Group: "calculation", Weight: 6, Default: "automatic",
		Type: Enum{Values: []string{"none", "automatic", "approved"}, Explained: true},
	}, {
		Key: "weekly_overtime_after_min", Group: "calculation", Weight: 4, Help: true, Default: int64(2400), When: paid,
		Type: Int{Min: 0, Max: 3120, Unit: Minutes, FormUnit: Hours},
	}, {
		Key: "night", Group: "calculation", Weight: 2, Help: true, Default: Span{22 * 60, 6 * 60},
		Type: Window{Overnight: true},
	},

	{
		Key: "weekly_cap_min", Group: "limit", Weight: 5, Help: true, Default: int64(3120),
		Type: Int{Min: 60, Max: minutesAWeek, Unit: Minutes, FormUnit: Hours},
	}, {
		Key: "weekly_warn_min", Group: "limit", Weight: 3, Help: true, Default: int64(2880),
		Type: Int{Min: 60, Max: minutesAWeek, Unit: Minutes, FormUnit: Hours},
	}, {
		Key: "weekly_action", Group: "limit", Weight: 4, Help: true, Default: "notify",
		Type: Enum{Values: []string{"none", "notify", "block"}},
	}, {
		Key: "week_start", Group: "limit", Weight: 1, Default: "mon",
		Type: Enum{Values: weekdays, Labels: dayLabels},
	},

	{
		Key: "correction_days", Group: "reminder", Weight: 2, Help: true, Default: int64(7),
		Type: Int{Min: 0, Max: 31, Unit: Days},
	}, {
		Key: "remind_in", Group: "reminder", Weight: 2, Help: true, Default: nil, When: scheduled,
		Type: Nullable{Int{Min: 0, Max: 120, Unit: Minutes}},
	}, {
		Key: "remind_out", Group: "reminder", Weight: 2, Help: true, Default: nil, When: scheduled,
		Type: Nullable{Int{Min: 0, Max: 120, Unit: Minutes}},
	},
}
