package settings

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// words writes a value with message ids in place of the messages of a view.
func words(v Value) string {
	text := v.Text
	switch v.Shape {
	case ShapeMessage:
		text = strings.TrimPrefix(v.ID, "setting.")
	case ShapeNumber:
		text = fmt.Sprint(v.Number, " ", v.Unit)
	case ShapeUser:
		text = fmt.Sprint("user ", v.Number)
	case ShapeList:
		var items []string
		for _, item := range v.Items {
			items = append(items, words(item))
		}
		text = strings.Join(items, ", ")
	}
	if v.Label != "" {
		return strings.TrimPrefix(v.Label, "setting.") + "=" + text
	}
	return text
}

func told(changes []Change) []string {
	all := []string{}
	for _, c := range changes {
		line := c.Path
		if c.Label != "setting."+c.Key || !strings.HasPrefix(c.Path, c.Key) {
			line = "?" + c.Label
		}
		if c.Part != "" {
			line += " (" + strings.TrimPrefix(c.Part, "setting.") + ")"
		}
		if !c.IsElements() {
			all = append(all, line+": "+words(c.Old)+" -> "+words(c.New))
			continue
		}
		for _, v := range c.Removed {
			line += " -[" + words(v) + "]"
		}
		for _, v := range c.Added {
			line += " +[" + words(v) + "]"
		}
		all = append(all, line)
	}
	return all
}

func TestDiff(t *testing.T) {
	const hq, vpn = `{"location_name":"본사","range":"203.0.113.0/24"}`, `{"location_name":"VPN","range":"192.0.2.*"}`
	for _, test := range []struct {
		kind     Kind
		old, new string
		want     []string
	}{
		{Communication, ``, ``, []string{}},
		{Communication, ``, `"session_time_sec":600,"retraction_mode":"until_any_read"`,
			[]string{"retraction_mode: retraction_mode.always -> retraction_mode.until_any_read", "session_time_sec: 3600 seconds -> 600 seconds"}},
		{Communication, `"retraction_limit_min":5`, ``, []string{"retraction_limit_min: 5 minutes -> retraction_limit_min.none"}},
		{Communication, ``, `"file_save":{"web":"block","mobile":"view_only"}`,
			[]string{"file_save.web (platform.web): file_save.allow -> file_save.block", "file_save.mobile (platform.mobile): file_save.allow -> file_save.view_only"}},
		{Communication, ``, `"watermark":{"pc":true}`, []string{"watermark.pc (platform.pc): off -> on"}},
		{Communication, ``, `"retraction_wording":{"ja":"削除"}`, []string{"retraction_wording.ja (language.ja): メッセージが取り消されました。 -> 削除"}},
		{Communication, ``, `"login_platforms":["pc"]`, []string{"login_platforms -[platform.web] -[platform.mobile] -[platform.mobile_web]"}},
		{Communication, `"login_platforms":["pc","web"]`, `"login_platforms":["web","mobile"]`, []string{"login_platforms -[platform.pc] +[platform.mobile]"}},
		{Communication, `"allowed_ip_ranges":[` + hq + `]`, `"allowed_ip_ranges":[` + vpn + `,` + hq + `]`, []string{"allowed_ip_ranges +[VPN, 192.0.2.*]"}},
		{Communication, `"allowed_ip_ranges":[` + hq + `,` + vpn + `]`, `"allowed_ip_ranges":[` + vpn + `,` + hq + `]`, []string{}},
		{Communication, `"allowed_ip_ranges":[` + hq + `,` + hq + `]`, `"allowed_ip_ranges":[` + hq + `]`, []string{"allowed_ip_ranges -[본사, 203.0.113.0/24]"}},
		{Communication, `"file_exts":["exe"]`, `"file_exts":["bat"]`, []string{"file_exts -[exe] +[bat]"}},
		{Communication, ``, `"ip_exempt_user_ids":[12]`, []string{"ip_exempt_user_ids +[user 12]"}},

		{WorkingAttitude, ``, `"holiday_calendar":"JP","week_start":"sun","rounding_min":30`,
			[]string{"holiday_calendar: holiday_calendar.kr -> holiday_calendar.jp", "rounding_min: 1 minutes -> 30 minutes", "week_start: day.mon -> day.sun"}},
		{WorkingAttitude, `"week":{"sun":{"work":false},"sat":{"work":false}}`, `"week":{"sun":{"kind":"day_off"},"mon":{"end":"12:00","second":{"start":"17:00","end":"21:00"}}}`,
			[]string{"week.mon (day.mon): 09:00–18:00 -> 09:00–12:00, 17:00–21:00", "week.sun (day.sun): week.weekly_holiday -> week.day_off"}},
		{WorkingAttitude, ``, `"week":{"fri":{"work":false},"sat":{"work":true,"end":"13:00"}}`,
			[]string{"week.fri (day.fri): 09:00–18:00 -> week.day_off", "week.sat (day.sat): week.day_off -> 09:00–13:00"}},
		{WorkingAttitude, ``, `"core_time":null,"timezone":"Asia/Tokyo"`, []string{"timezone: Asia/Seoul -> Asia/Tokyo", "core_time: 11:00–16:00 -> core_time.none"}},
		{WorkingAttitude, ``, `"breaks":[]`, []string{"breaks -[12:00–13:00]"}},
		{WorkingAttitude, ``, `"places":[{"name":"본사","lat":37.5,"lng":127}]`, []string{"places +[본사, 37.5, 127, 100 meters]"}},
		{WorkingAttitude, ``, `"holiday_dates":[{"date":"2026-12-24","name":"창립일"}]`, []string{"holiday_dates +[2026-12-24, 창립일]"}},
	} {
		got := told(Diff(parse(t, test.kind, "{"+test.old+"}"), parse(t, test.kind, "{"+test.new+"}")))
		if !slices.Equal(got, test.want) {
			t.Errorf("%s to %s: %q, want %q", test.old, test.new, got, test.want)
		}
	}
	if got := Diff(Defaults(Communication), Defaults(WorkingAttitude)); len(got) > 0 {
		t.Errorf("different kinds differ by %v", got)
	}
}

func TestSummary(t *testing.T) {
	var ranges []string
	for i := range 3 {
		ranges = append(ranges, fmt.Sprintf(`{"location_name":"a","range":"203.0.113.%d"}`, i))
	}
	for _, test := range []struct {
		kind Kind
		text string
		want []string
	}{
		{Communication, ``, nil},
		{Communication, `"session_time_sec":600`, []string{"session_time_sec: 600 seconds"}},
		{Communication, `"off_hours":"hold","session_time_sec":600,"file_max_mb":200,"login_platforms":["pc"],"mobile_copy":false`,
			[]string{"login_platforms: platform.pc", "session_time_sec: 600 seconds", "file_max_mb: 200 megabytes"}},
		{Communication, `"allowed_ip_mode":"listed","allowed_ip_ranges":[` + strings.Join(ranges, ",") + `]`,
			[]string{"allowed_ip_mode: allowed_ip_mode.listed", "allowed_ip_ranges: 3 items"}},
		{Communication, `"allowed_ip_mode":"listed","allowed_ip_ranges":[` + ranges[0] + `]`,
			[]string{"allowed_ip_mode: allowed_ip_mode.listed", "allowed_ip_ranges: a, 203.0.113.0"}},
		{Communication, `"allowed_ip_ranges":[` + ranges[0] + `]`, nil},
		{Communication, `"file_save":{"web":"block"}`, []string{"file_save: platform.web=file_save.block"}},
		{Communication, `"file_save":{"pc":"block","web":"block","mobile":"block","mobile_web":"block"}`, []string{"file_save: file_save.block"}},
		{WorkingAttitude, `"week":{"sat":{"work":true}}`, []string{"week: day.sat=09:00–18:00"}},
		{WorkingAttitude, `"core_time":null`, nil},
		{WorkingAttitude, `"work_type":"flexible","core_time":null,"breaks":[]`, []string{"work_type: work_type.flexible", "core_time: core_time.none", "breaks: none"}},
	} {
		var got []string
		for _, p := range Summary(parse(t, test.kind, "{"+test.text+"}")) {
			if p.Label != "setting."+p.Key {
				t.Errorf("%s is called %s", p.Key, p.Label)
			}
			got = append(got, p.Key+": "+words(p.Value))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.text, got, test.want)
		}
	}
}

func TestDurations(t *testing.T) {
	for _, test := range []struct {
		v    Value
		want int
		ok   bool
	}{
		{Value{Shape: ShapeNumber, Number: 3600, Unit: Seconds}, 60, true},
		{Value{Shape: ShapeNumber, Number: 301, Unit: Seconds}, 0, false},
		{Value{Shape: ShapeNumber, Number: 45, Unit: Minutes}, 45, true},
		{Value{Shape: ShapeNumber, Number: 30, Unit: Days}, 0, false},
		{Value{Shape: ShapeText, Unit: Minutes}, 0, false},
	} {
		if got, ok := test.v.Minutes(); got != test.want || ok != test.ok {
			t.Errorf("%+v lasts %d, %t", test.v, got, ok)
		}
	}
}
