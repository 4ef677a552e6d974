package settings

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func fields(t *testing.T, query string) url.Values {
	t.Helper()
	posted, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return posted
}

func TestFromForm(t *testing.T) {
	for _, test := range []struct {
		name string
		kind Kind
		form string
		want string // differences from the defaults
	}{
		{"nothing", Communication, "", `{}`},
		{"other fields", Communication, "name=x&settings=y&allowed=1&file_save=z", `{}`},
		{"a switch on", WorkingAttitude, "auto_clock_in=false&auto_clock_in=true", `{"auto_clock_in":true}`},
		{"a switch off", Communication, "mobile_copy=false", `{"mobile_copy":false}`},
		{"switches by platform", Communication, "watermark.pc=false&watermark.mobile=false&watermark.mobile=true", `{"watermark":{"mobile":true,"pc":false}}`},
		{"a choice", Communication, "chat_scope=own_department_tree", `{"chat_scope":"own_department_tree"}`},
		{"choices by platform", Communication, "file_save.pc=block&file_save.web=allow&file_save.mobile=allow&file_save.mobile_web=allow", `{"file_save":{"mobile":"allow","mobile_web":"allow","pc":"block","web":"allow"}}`},
		{"a set", Communication, "login_platforms=&login_platforms=web&login_platforms=pc", `{"login_platforms":["pc","web"]}`},
		{"an unwanted number", Communication, "retraction_limit_min=", `{}`},
		{"a number", Communication, "retraction_limit_min=5", `{"retraction_limit_min":5}`},
		{"minutes for seconds", Communication, "session_time_sec=10", `{"session_time_sec":600}`},
		{"minutes and seconds", Communication, "session_time_sec=5.02", `{"session_time_sec":301}`},
		{"hours for minutes", WorkingAttitude, "daily_required_min=7.5", `{"daily_required_min":450}`},
		{"digits of a Japanese keyboard", WorkingAttitude, "daily_required_min=" + url.QueryEscape("７．５") + "&night.from=" + url.QueryEscape("２１：３０") + "&night.to=06:00", `{"daily_required_min":450,"night":{"from":"21:30","to":"06:00"}}`},
		{"leading zeros", Communication, "file_max_mb=+0200+", `{"file_max_mb":200}`},
		{"times", WorkingAttitude, "night.from=9:00&night.to=05:30:00", `{"night":{"from":"09:00","to":"05:30"}}`},
		{"an unwanted window", WorkingAttitude, "core_time.from=&core_time.to=", `{"core_time":null}`},
		{"an empty text is the default", Communication, "retraction_wording.ko=x&retraction_wording.en=&retraction_wording.ja=+", `{"retraction_wording":{"en":"This message was retracted.","ja":"メッセージが取り消されました。","ko":"x"}}`},
		{"words in a field", Communication, "file_ext_mode=only&file_exts=.exe,bat++MSI%0d%0apdf", `{"file_ext_mode":"only","file_exts":["exe","bat","msi","pdf"]}`},
		{"words in many fields", Communication, "file_ext_mode=only&file_exts=&file_exts=exe&file_exts=bat", `{"file_ext_mode":"only","file_exts":["exe","bat"]}`},
		{"people", Communication, "ip_exempt_user_ids=&ip_exempt_user_ids=12&ip_exempt_user_ids=7", `{"ip_exempt_user_ids":[12,7]}`},
		{"people in one field", Communication, "ip_exempt_user_ids=12, 7", `{"ip_exempt_user_ids":[12,7]}`},
		{"rows with gaps", WorkingAttitude, "breaks.7.from=15:00&breaks.7.to=15:10&breaks.2.from=12:00&breaks.2.to=12:30&breaks.3.from=&breaks.3.to=", `{"breaks":[{"from":"12:00","to":"12:30"},{"from":"15:00","to":"15:10"}]}`},
		{"no rows left", WorkingAttitude, "breaks=", `{"breaks":[]}`},
		{"only an empty row", WorkingAttitude, "breaks.0.from=&breaks.0.to=", `{"breaks":[]}`},
		{"a row that leaves out its default", WorkingAttitude, "places.0.name=A&places.0.lat=37.50&places.0.lng=-0.5&places.0.radius_m=", `{"places":[{"lat":37.5,"lng":-0.5,"name":"A","radius_m":100}]}`},
		{"pasted lines", Communication, "allowed_ip_ranges.0.location_name=HQ&allowed_ip_ranges.0.range=203.0.113.7&allowed_ip_ranges.lines=VPN%09192.0.2.*%0a%0a198.51.100.7", `{"allowed_ip_ranges":[{"location_name":"HQ","range":"203.0.113.7"},{"location_name":"VPN","range":"192.0.2.*"},{"location_name":"198.51.100.7","range":"198.51.100.7"}]}`},
		{"a day", WorkingAttitude, "week.sat.work=false&week.sat.work=true&week.sat.start=09:00&week.sat.end=13:00&week.sat.end_next_day=false&breaks=", ``},
		{"no second stint", WorkingAttitude, "week.mon.kind=work&week.mon.second.start=&week.mon.second.end=", `{}`},
		{"what has no effect cannot be wrong", WorkingAttitude, "gps_mode=off&gps_accuracy_max_m=9999&work_type=free&core_time.from=x&core_time.to=y", `{"work_type":"free"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, errs := FromForm(test.kind, fields(t, test.form))
			got := string(v.Differences())
			if test.want == "" {
				test.want, got = "09:00–13:00", Span{v.Day(6).Start, v.Day(6).End}.String()
			}
			if len(errs) > 0 || got != test.want {
				t.Errorf("%s, want %s: %v", got, test.want, errs)
			}
		})
	}
}

func TestFormErrors(t *testing.T) {
	for _, test := range []struct {
		kind Kind
		form string
		want []string
	}{
		{Communication, "session_time_sec=4.9", []string{"session_time_sec error.out_of_range"}},
		{Communication, "session_time_sec=480.1", []string{"session_time_sec error.out_of_range"}},
		{Communication, "session_time_sec=", []string{"session_time_sec error.required"}},
		{Communication, "session_time_sec=soon", []string{"session_time_sec error.decimal"}},
		{Communication, "session_time_sec=1e3", []string{"session_time_sec error.decimal"}},
		{Communication, "session_time_sec=5:30", []string{"session_time_sec error.decimal"}},
		{WorkingAttitude, "daily_required_min=7,5", []string{"daily_required_min error.decimal"}},
		{WorkingAttitude, "daily_required_min=7:30", []string{"daily_required_min error.decimal"}},
		{Communication, "file_max_mb=1.5", []string{"file_max_mb error.integer"}},
		{Communication, "mobile_copy=maybe", []string{"mobile_copy error.bool"}},
		{Communication, "chat_scope=", []string{"chat_scope error.required"}},
		{Communication, "login_platforms=", []string{"login_platforms error.required"}},
		{Communication, "login_platforms=fax", []string{"login_platforms.0 error.choice"}},
		{Communication, "ip_exempt_user_ids=kim&allowed_ip_mode=listed&allowed_ip_ranges.0.location_name=a&allowed_ip_ranges.0.range=192.0.2.7", []string{"ip_exempt_user_ids.0 error.integer"}},
		{Communication, "allowed_ip_mode=listed&allowed_ip_ranges.4.range=192.0.2.7&allowed_ip_ranges.9.location_name=HQ&allowed_ip_ranges.9.range=1",
			[]string{"allowed_ip_ranges.0.location_name error.location_name", "allowed_ip_ranges.1.range error.range"}},
		{Communication, "allowed_ip_mode=listed&allowed_ip_ranges.lines=HQ,192.0.2.7%0aoffice", []string{"allowed_ip_ranges.1.location_name error.location_name", "allowed_ip_ranges.1.range error.range"}},
		{WorkingAttitude, "night.from=25:00&night.to=", []string{"night.from error.time", "night.to error.required"}},
		{WorkingAttitude, "night.from=&night.to=", []string{"night error.required"}},
		{WorkingAttitude, "week.mon.work=true&week.mon.start=18:00&week.mon.end=09:00&week.mon.end_next_day=false", []string{"week.mon.end error.end_before_start"}},
		{WorkingAttitude, "week.mon.kind=work&week.mon.second.start=19:00&week.mon.second.end=", []string{"week.mon.second.end error.required"}},
		{WorkingAttitude, "timezone=Seoul", []string{"timezone error.zone"}},
	} {
		_, errs := FromForm(test.kind, fields(t, test.form))
		if got := lines(errs); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.form, got, test.want)
		}
	}
}

// Errors give bounds in the unit that the form shows.
func TestFormBoundsAreShown(t *testing.T) {
	_, errs := FromForm(Communication, fields(t, "session_time_sec=1"))
	if len(errs) != 1 || !equal(errs[0].Args, []any{"Min", int64(5), "Max", int64(480)}) {
		t.Errorf("%v", errs)
	}
	_, errs = Parse(Communication, []byte(`{"session_time_sec":1}`))
	if len(errs) != 1 || !equal(errs[0].Args, []any{"Min", int64(300), "Max", int64(28800)}) {
		t.Errorf("%v", errs)
	}
}

func TestFormKeepsWhatWasTyped(t *testing.T) {
	form := NewForm(Communication, fields(t, "session_time_sec=soon&login_platforms=&login_platforms=pc&mobile_copy=false&watermark.pc=false&watermark.pc=true"+
		"&allowed_ip_ranges.5.location_name=+HQ+&allowed_ip_ranges.5.range=1.2.3&allowed_ip_ranges.8.location_name=&allowed_ip_ranges.8.range=&name=x"))
	for name, want := range map[string]string{
		"session_time_sec": "soon", "allowed_ip_ranges.0.location_name": " HQ ", "allowed_ip_ranges.0.range": "1.2.3", "allowed_ip_ranges.1.range": "", "name": "",
	} {
		if got := form.Text(name); got != want {
			t.Errorf("%s shows %q, want %q", name, got, want)
		}
	}
	if !form.Has("login_platforms", PC) || form.Has("login_platforms", Web) || form.On("mobile_copy") || !form.On("watermark.pc") {
		t.Error("boxes are not as they were checked")
	}
	if form.Rows("allowed_ip_ranges") != 1 || form.Rows("session_time_sec") != 0 || form.Rows("file_exts") != 0 {
		t.Errorf("%d rows", form.Rows("allowed_ip_ranges"))
	}
}

func TestManyPastedLines(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "%d,203.0.%d.%d\n", i, i/250, i%250)
	}
	form := NewForm(Communication, url.Values{"allowed_ip_mode": {"listed"}, "allowed_ip_ranges.lines": {text.String()}})
	_, errs := form.Values()
	if got := lines(errs); !slices.Equal(got, []string{"allowed_ip_ranges error.too_many"}) {
		t.Errorf("%v", got)
	}
	if form.Text("allowed_ip_ranges.lines") != text.String() || form.Rows("allowed_ip_ranges") != 0 {
		t.Error("what was pasted did not stay")
	}
	lines200 := strings.Join(strings.SplitAfter(text.String(), "\n")[:200], "")
	v, errs := FromForm(Communication, url.Values{"allowed_ip_mode": {"listed"}, "allowed_ip_ranges.lines": {lines200}})
	if len(errs) > 0 || len(v.Ranges()) != 200 {
		t.Errorf("%d of 200 pasted ranges: %v", len(v.Ranges()), errs)
	}
}

func TestFormOf(t *testing.T) {
	v := parse(t, WorkingAttitude, `{"weekly_cap_min":3150,"breaks":[{"from":"12:00","to":"13:00"}],"clock_platforms":["web"],"remind_in":null}`)
	form := FormOf(v)
	for name, want := range map[string]string{
		"weekly_cap_min": "52.5", "weekly_warn_min": "48", "breaks.0.to": "13:00", "remind_in": "", "core_time.from": "11:00", "week.mon.start": "09:00", "early_in_min": "240",
	} {
		if got := form.Text(name); got != want {
			t.Errorf("%s shows %q, want %q", name, got, want)
		}
	}
	if form.Rows("breaks") != 1 || !form.Has("clock_platforms", Web) || form.Has("clock_platforms", PC) || form.Text("week.mon.kind") != WorkKind || form.Text("week.sun.kind") != WeeklyHolidayKind {
		t.Error("rows or boxes are not those of the values")
	}
}

// The form does not show the hours of a day without work, so they cannot be
// wrong.
func TestDayWithoutWorkNeedsNoHours(t *testing.T) {
	v, errs := FromForm(WorkingAttitude, fields(t, "week.mon.kind=day_off&week.mon.start=&week.mon.end=&week.mon.second.start=13:00&week.mon.second.end="))
	if want := (Day{Kind: DayOffKind, Start: 9 * 60, End: 18 * 60}); len(errs) > 0 || v.day("mon") != want {
		t.Errorf("Monday is %+v, %v", v.day("mon"), errs)
	}
}

// What the form does not show for a kind of schedule does not refuse it.
func TestHiddenSettingsAreNotRefused(t *testing.T) {
	for name, test := range map[string]struct {
		posted string
		shows  bool // whether the form shows the wrong field
	}{
		"hours of fixed work":             {"work_type=fixed&week.mon.kind=work&week.mon.start=&week.mon.end=x", true},
		"hours of flexible work":          {"work_type=flexible&week.mon.kind=work&week.mon.start=&week.mon.end=x&week.tue.kind=day_off&week.tue.second.start=7", false},
		"hours of free work":              {"work_type=free&week.mon.kind=work&week.mon.start=&week.mon.end=x&week.tue.kind=day_off&week.tue.second.start=7", false},
		"the days of free work":           {"work_type=free&week.mon.kind=x", true},
		"the start of fixed work":         {"work_type=fixed&flexible_start.from=x", false},
		"the start of flexible work":      {"work_type=flexible&flexible_start.from=x", true},
		"the settlement of fixed work":    {"work_type=fixed&settlement=month", false},
		"tolerance of free work":          {"work_type=free&grace_in_min=-3", false},
		"tolerance of flexible work":      {"work_type=flexible&grace_in_min=-3", true},
		"places without a check of them":  {"gps_mode=off&places.0.name=HQ&places.0.lat=x", false},
		"places with a check of position": {"gps_mode=require&places.0.name=HQ&places.0.lat=x", true},
	} {
		v, errors := FromForm(WorkingAttitude, fields(t, test.posted))
		if (len(errors) > 0) != test.shows {
			t.Errorf("%s: %v", name, errors)
		}
		if (name == "hours of flexible work" || name == "hours of free work") && v.day("tue").Works() {
			t.Errorf("%s: the kinds of the days are lost", name)
		}
	}
}
