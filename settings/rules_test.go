package settings

import (
	"slices"
	"strings"
	"testing"
)

func TestRulesBetweenSettings(t *testing.T) {
	const (
		place  = `{"name":"본사","lat":37.5,"lng":127}`
		office = `{"location_name":"본사","range":"203.0.113.0/24"}`
	)
	week := func(hours string) string {
		var days []string
		for _, name := range weekdays {
			days = append(days, `"`+name+`":`+hours)
		}
		return `"week":{` + strings.Join(days, ",") + `}`
	}
	night := week(`{"work":true,"start":"22:00","end":"07:00","end_next_day":true}`)
	noDays := week(`{"work":false}`)
	for _, test := range []struct {
		name string
		kind Kind
		text string
		want string // error; "" if allowed
	}{
		{"listed without ranges", Communication, `"allowed_ip_mode":"listed"`, "allowed_ip_ranges error.no_ranges"},
		{"saving listed without ranges", Communication, `"file_save_ip_mode":"listed"`, "allowed_ip_ranges error.no_ranges"},
		{"listed with a range", Communication, `"allowed_ip_mode":"listed","allowed_ip_ranges":[` + office + `]`, ""},
		{"ranges without effect", Communication, `"allowed_ip_ranges":[` + office + `]`, ""},
		{"listed with a bad range", Communication, `"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"a","range":"?"}]`, "allowed_ip_ranges.0.range error.range"},
		{"only no extensions", Communication, `"file_ext_mode":"only"`, "file_exts error.no_extensions"},
		{"except no extensions", Communication, `"file_ext_mode":"except","file_exts":[]`, "file_exts error.no_extensions"},
		{"except some", Communication, `"file_ext_mode":"except","file_exts":["exe"]`, ""},

		{"no working days", WorkingAttitude, noDays, "week error.no_work_days"},
		{"no working days, flexible", WorkingAttitude, `"work_type":"flexible",` + noDays, "week error.no_work_days"},
		{"no working days, free", WorkingAttitude, `"work_type":"free",` + noDays, ""},
		{"end at start", WorkingAttitude, `"week":{"tue":{"start":"18:00"}}`, "week.tue.end error.end_before_start"},
		{"end before start", WorkingAttitude, `"week":{"tue":{"end":"08:00"}}`, "week.tue.end error.end_before_start"},
		{"end before start on a day off", WorkingAttitude, `"week":{"sun":{"end":"08:00"}}`, ""},
		{"end a minute after start", WorkingAttitude, `"week":{"tue":{"end":"09:01"}}`, ""},
		{"over night", WorkingAttitude, night + `,"breaks":[]`, ""},
		{"24 hours", WorkingAttitude, `"week":{"sat":{"work":true,"start":"09:00","end":"09:00","end_next_day":true}}`, ""},
		{"more than 24 hours", WorkingAttitude, `"week":{"sat":{"work":true,"start":"09:00","end":"09:01","end_next_day":true}}`, "week.sat.end error.shift_too_long"},
		{"end before start, flexible", WorkingAttitude, `"work_type":"flexible","week":{"tue":{"end":"08:00"}}`, ""},
		{"end before start, free", WorkingAttitude, `"work_type":"free","week":{"tue":{"end":"08:00"}}`, ""},
		{"a second stint", WorkingAttitude, `"week":{"mon":{"end":"13:00","second":{"start":"17:00","end":"21:00"}}}`, ""},
		{"second stint at the end of the first", WorkingAttitude, `"week":{"mon":{"end":"13:00","second":{"start":"13:00","end":"21:00"}}}`, ""},
		{"second stint in the first", WorkingAttitude, `"week":{"mon":{"second":{"start":"17:59","end":"21:00"}}}`, "week.mon.second.start error.second_overlap"},
		{"second stint ends first", WorkingAttitude, `"week":{"mon":{"second":{"start":"19:00","end":"19:00"}}}`, "week.mon.second.end error.end_before_start"},
		{"second stint after a night", WorkingAttitude, `"week":{"mon":{"start":"22:00","end":"06:00","end_next_day":true,"second":{"start":"08:00","end":"09:00"}}}`, "week.mon.second.start error.second_next_day"},
		{"second stint of a day off", WorkingAttitude, `"week":{"sat":{"second":{"start":"01:00","end":"02:00"}}}`, ""},
		{"second stint without an end", WorkingAttitude, `"week":{"mon":{"second":{"start":"19:00"}}}`, "week.mon.second.end error.required"},
		{"break in the second stint", WorkingAttitude, `"breaks":[{"from":"18:00","to":"18:30"}],"week":{"mon":{"end":"13:00","second":{"start":"17:00","end":"21:00"}}}`, ""},
		{"break between the stints", WorkingAttitude, `"breaks":[{"from":"14:00","to":"14:30"}],` + week(`{"kind":"work","end":"13:00","second":{"start":"17:00","end":"21:00"}}`), "breaks.0 error.break_outside"},

		{"fixed work settled by week", WorkingAttitude, `"settlement":"week"`, "settlement error.settlement_fixed"},
		{"flexible work settled by month", WorkingAttitude, `"work_type":"flexible","settlement":"month"`, ""},

		{"break before the shift", WorkingAttitude, `"breaks":[{"from":"08:30","to":"09:30"}]`, "breaks.0 error.break_outside"},
		{"break after the shift", WorkingAttitude, `"breaks":[{"from":"17:30","to":"18:01"}]`, "breaks.0 error.break_outside"},
		{"break at the end", WorkingAttitude, `"breaks":[{"from":"17:30","to":"18:00"}]`, ""},
		{"break only on Saturday", WorkingAttitude, `"week":{"sat":{"work":true,"end":"20:00"}},"breaks":[{"from":"18:00","to":"19:00"}]`, ""},
		{"lunch at night", WorkingAttitude, night, "breaks.0 error.break_outside"},
		{"break at night", WorkingAttitude, night + `,"breaks":[{"from":"02:00","to":"03:00"}]`, ""},
		{"break over midnight", WorkingAttitude, night + `,"breaks":[{"from":"23:30","to":"00:30"}]`, ""},
		{"break over the end of a night", WorkingAttitude, night + `,"breaks":[{"from":"06:30","to":"07:30"}]`, "breaks.0 error.break_outside"},
		{"break of free work", WorkingAttitude, `"work_type":"free","breaks":[{"from":"03:00","to":"03:30"}]`, ""},
		{"break outside without effect", WorkingAttitude, `"break_mode":"statutory","breaks":[{"from":"03:00","to":"03:30"}]`, ""},
		{"breaks overlap", WorkingAttitude, `"breaks":[{"from":"12:00","to":"13:00"},{"from":"12:59","to":"13:30"}]`, "breaks.1 error.break_overlap"},
		{"breaks touch", WorkingAttitude, `"breaks":[{"from":"12:00","to":"13:00"},{"from":"13:00","to":"13:30"}]`, ""},
		{"breaks overlap over midnight", WorkingAttitude, night + `,"breaks":[{"from":"23:00","to":"00:30"},{"from":"00:00","to":"01:00"}]`, "breaks.1 error.break_overlap"},
		{"break without length", WorkingAttitude, `"breaks":[{"from":"12:00","to":"12:00"}]`, "breaks.0.to error.end_before_start"},

		{"core at the edges", WorkingAttitude, `"work_type":"flexible","core_time":{"from":"07:00","to":"20:00"}`, ""},
		{"core too early", WorkingAttitude, `"work_type":"flexible","core_time":{"from":"06:59","to":"16:00"}`, "core_time error.core_outside"},
		{"core too late", WorkingAttitude, `"work_type":"flexible","core_time":{"from":"11:00","to":"20:01"}`, "core_time error.core_outside"},
		{"core with statutory breaks", WorkingAttitude, `"work_type":"flexible","break_mode":"statutory","daily_required_min":240,"core_time":{"from":"11:00","to":"15:30"}`, ""},
		{"core past statutory breaks", WorkingAttitude, `"work_type":"flexible","break_mode":"statutory","daily_required_min":240,"core_time":{"from":"11:00","to":"15:31"}`, "core_time error.core_outside"},
		{"core without breaks", WorkingAttitude, `"work_type":"flexible","break_mode":"none","core_time":{"from":"11:00","to":"19:01"}`, "core_time error.core_outside"},
		{"core of fixed work", WorkingAttitude, `"core_time":{"from":"03:00","to":"04:00"}`, ""},
		{"no core", WorkingAttitude, `"work_type":"flexible","core_time":null`, ""},
		{"core backwards", WorkingAttitude, `"core_time":{"from":"16:00","to":"11:00"}`, "core_time.to error.end_before_start"},
		{"break outside flexible hours", WorkingAttitude, `"work_type":"flexible","breaks":[{"from":"06:00","to":"06:30"}]`, "breaks.0 error.break_outside"},
		{"start window backwards", WorkingAttitude, `"flexible_start":{"from":"11:00","to":"07:00"}`, "flexible_start.to error.end_before_start"},

		{"position required, no place", WorkingAttitude, `"gps_mode":"require"`, "places error.no_places"},
		{"position required, a place", WorkingAttitude, `"gps_mode":"require","places":[` + place + `]`, ""},
		{"position recorded, no place", WorkingAttitude, `"gps_mode":"record"`, ""},
		{"clocking listed without ranges", WorkingAttitude, `"ip_mode":"listed"`, "ip_ranges error.no_ranges"},
		{"warning at the limit", WorkingAttitude, `"weekly_cap_min":2880`, ""},
		{"warning above the limit", WorkingAttitude, `"weekly_cap_min":2879`, "weekly_warn_min error.warning_above_limit"},
		{"one holiday twice", WorkingAttitude, `"holiday_dates":[{"date":"2026-12-24","name":"a"},{"date":"2026-12-24","name":"b"}]`, "holiday_dates.1.date error.twice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := refusals(test.kind, "{"+test.text+"}")
			want := []string{}
			if test.want != "" {
				want = append(want, test.want)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

func TestRulesSkipRefusedSettings(t *testing.T) {
	got := refusals(WorkingAttitude, `{"weekly_cap_min":1,"gps_mode":"require","places":[{"name":"본사","lat":91,"lng":0}]}`)
	want := []string{"places.0.lat error.out_of_range", "weekly_cap_min error.out_of_range"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestErrorsHaveTheBounds(t *testing.T) {
	_, errs := Parse(WorkingAttitude, []byte(`{"work_type":"flexible","core_time":{"from":"06:00","to":"16:00"},"grace_in_min":121}`))
	want := []Error{
		{"grace_in_min", errOutOfRange, []any{"Min", int64(0), "Max", int64(120)}},
		{"core_time", errCoreOutside, []any{"From", "07:00", "To", "20:00"}},
	}
	if !equal([]Error(errs), want) {
		t.Errorf("%v", []Error(errs))
	}
	if text := errs.Error(); text != "grace_in_min: setting.error.out_of_range, core_time: setting.error.core_outside" {
		t.Error(text)
	}
	if len(errs.On("grace_in_min")) != 1 || len(errs.On("grace")) != 0 || len(errs.On("")) != 0 {
		t.Error("errors are not found by their setting")
	}
}

func TestWarnings(t *testing.T) {
	v := parse(t, Communication, `{"allowed_ip_ranges":[
		{"location_name":"본사","range":"203.0.113.0/24"},{"location_name":"내부","range":"192.168.0.*"},
		{"location_name":"지하","range":"203.0.113.200-203.0.114.9"},{"location_name":"옆","range":"198.51.100.7"}]}`)
	want := []Error{
		{"allowed_ip_ranges.1.range", warnPrivate, nil},
		{"allowed_ip_ranges.2.range", warnOverlap, []any{"Name", "본사"}},
	}
	if got := v.Warnings(); !equal(got, want) {
		t.Errorf("%v", got)
	}
	if got := Defaults(WorkingAttitude).Warnings(); len(got) > 0 {
		t.Errorf("the defaults have warnings: %v", got)
	}
}

// A setting that a rule refuses has its default in the values; the others are
// unchanged.
func TestRefusedByARule(t *testing.T) {
	v, errs := Parse(WorkingAttitude, []byte(`{"weekly_cap_min":2000,"weekly_warn_min":2400,"grace_in_min":5}`))
	if got := string(v.Differences()); len(errs) != 1 || got != `{"grace_in_min":5,"weekly_cap_min":2000}` {
		t.Errorf("%s: %v", got, errs)
	}
}
