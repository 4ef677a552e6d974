package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

var kinds = []Kind{Communication, WorkingAttitude}

// parse parses a text and fails the test if it is refused.
func parse(t testing.TB, kind Kind, text string) Values {
	t.Helper()
	v, errs := Parse(kind, json.RawMessage(text))
	if len(errs) > 0 {
		t.Fatalf("%s is refused: %v", text, errs)
	}
	return v
}

// refusals returns "path code" for each error of a text.
func refusals(kind Kind, text string) []string {
	_, errs := Parse(kind, json.RawMessage(text))
	return lines(errs)
}

func lines(errs []Error) []string {
	all := []string{}
	for _, e := range errs {
		all = append(all, strings.TrimSpace(e.Key+" "+strings.TrimPrefix(e.Code, "setting.")))
	}
	return all
}

// The defaults are decisions of domain §4 and §5.
func TestDefaults(t *testing.T) {
	const day = `{"kind":%q,"work":%t,"start":"09:00","end":"18:00","end_next_day":false,"second":null}`
	on, off, rest := fmt.Sprintf(day, "work", true), fmt.Sprintf(day, "day_off", false), fmt.Sprintf(day, "weekly_holiday", false)
	for kind, want := range map[Kind]string{
		Communication: `{"retraction_mode":"always","retraction_limit_min":null,` +
			`"retraction_wording":{"en":"This message was retracted.","ja":"メッセージが取り消されました。","ko":"회수된 메시지입니다."},"read_receipt":"sender",` +
			`"login_platforms":["pc","web","mobile","mobile_web"],"allowed_ip_mode":"any","allowed_ip_ranges":[],"allowed_ip_platforms":["pc","web"],"ip_exempt_user_ids":[],` +
			`"session_time_sec":3600,"mobile_session_days":30,"auto_login":{"mobile":true,"pc":true},"concurrent_sessions":{"mobile":1,"pc":1,"web":1},` +
			`"file_send":{"mobile":true,"mobile_web":true,"pc":true,"web":true},"file_save":{"mobile":"allow","mobile_web":"allow","pc":"allow","web":"allow"},` +
			`"file_save_ip_mode":"any","file_save_log":true,"file_max_mb":100,"file_ext_mode":"all","file_exts":[],` +
			`"mobile_copy":true,"mobile_capture":true,"watermark":{"mobile":false,"pc":false},"screen_lock":"optional","chat_scope":"company","off_hours":"off"}`,
		WorkingAttitude: `{"work_type":"fixed","timezone":"Asia/Seoul",` +
			`"week":{"fri":` + on + `,"mon":` + on + `,"sat":` + off + `,"sun":` + rest + `,"thu":` + on + `,"tue":` + on + `,"wed":` + on + `},` +
			`"flexible_start":{"from":"07:00","to":"11:00"},"core_time":{"from":"11:00","to":"16:00"},"daily_required_min":480,` +
			`"break_mode":"windows","breaks":[{"from":"12:00","to":"13:00"}],"holiday_calendar":"KR","holiday_dates":[],` +
			`"early_in_min":240,"day_close":600,"grace_in_min":0,"grace_out_min":0,"late_as_absent_min":null,` +
			`"clock_platforms":["pc","mobile"],"device_binding":"none","auto_clock_in":false,"auto_clock_out":false,` +
			`"ip_mode":"any","ip_ranges":[],"gps_mode":"off","places":[],"gps_accuracy_max_m":100,"proof_rule":"ip_or_gps","mock_location":"flag","outside_work":"reason","location_keep_days":90,` +
			`"count_mode":"first_last","missing_departure":"keep","rounding_min":1,"settlement":"day","overtime":"automatic","weekly_overtime_after_min":2400,"night":{"from":"22:00","to":"06:00"},` +
			`"weekly_cap_min":3120,"weekly_warn_min":2880,"weekly_action":"notify","week_start":"mon","correction_days":7,"remind_in":null,"remind_out":null}`,
	} {
		v := Defaults(kind)
		if got := string(v.Complete()); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", kind, got, want)
		}
		if got := string(v.Differences()); got != "{}" {
			t.Errorf("%s: the defaults differ from themselves: %s", kind, got)
		}
		if again := parse(t, kind, want); !again.Equal(v) {
			t.Errorf("%s: the defaults read again are others", kind)
		}
		if parsed := parse(t, kind, ""); !parsed.Equal(v) || parsed.Kind() != kind {
			t.Errorf("%s: nothing is not the defaults", kind)
		}
	}
}

func TestNonObjectsAreRefused(t *testing.T) {
	for _, text := range []string{`null`, `[]`, `"always"`, `3`, `{`, `{}}`, `{} {}`, `{"retraction_mode":}`, ` `, `{"a":1,}`} {
		v, errs := Parse(Communication, json.RawMessage(text))
		if !slices.Equal(lines(errs), []string{"error.object"}) || !v.Equal(Defaults(Communication)) {
			t.Errorf("%s: %v", text, errs)
		}
	}
}

func TestUnknownKeysAreRefused(t *testing.T) {
	for text, want := range map[string][]string{
		`{"zzz":1,"aaa":2}`:                       {"aaa error.unknown", "zzz error.unknown"},
		`{"Retraction_Mode":"always"}`:            {"Retraction_Mode error.unknown"},
		`{"work_type":"fixed"}`:                   {"work_type error.unknown"},
		`{"":1}`:                                  {"error.unknown"},
		`{"file_save":{"tablet":"allow"}}`:        {"file_save.tablet error.unknown"},
		`{"auto_login":{"pc":true,"web":true}}`:   {"auto_login.web error.unknown"},
		`{"` + strings.Repeat("가", 2000) + `":1}`: {strings.Repeat("가", 33) + " error.unknown"},
		`{"allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.7","note":""}]}`: {"allowed_ip_ranges.0.note error.unknown"},
	} {
		if got := refusals(Communication, text); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if got := refusals("meeting", `{"retraction_mode":"always"}`); !slices.Equal(got, []string{"retraction_mode error.unknown"}) {
		t.Errorf("an unknown kind has settings: %v", got)
	}
}

// Every setting refuses each kind of JSON value that its type cannot hold.
func TestWrongTypesAreRefused(t *testing.T) {
	values := map[string]string{
		"null": "null", "bool": "true", "number": "7", "fraction": "1.5", "text": `"words"`, "list": "[]", "nested list": "[[]]", "object": `{"a":1}`,
	}
	for _, kind := range kinds {
		for _, s := range Settings(kind) {
			for name, text := range values {
				v, errs := Parse(kind, json.RawMessage(fmt.Sprintf(`{%q:%s}`, s.Key, text)))
				if slices.Contains(acceptedKinds(s.Type), name) {
					if len(errs) > 0 && errs[0].Code != errRequired && errs[0].Code != errOutOfRange && errs[0].Code != errChoice && errs[0].Code != errZone {
						t.Errorf("%s refuses %s: %v", s.Key, name, errs)
					}
					continue
				}
				if len(errs.On(s.Key)) == 0 {
					t.Errorf("%s takes %s", s.Key, name)
				}
				if !v.Equal(Defaults(kind)) {
					t.Errorf("%s: what is refused (%s) stays", s.Key, name)
				}
			}
		}
	}
}

// acceptedKinds returns the kinds of JSON values that a type may accept, apart
// from their bounds.
func acceptedKinds(t Type) []string {
	switch t := t.(type) {
	case Bool:
		return []string{"bool"}
	case Int:
		return []string{"number"}
	case Zone, Enum:
		return []string{"text"}
	case Set, List:
		return []string{"list"}
	case Nullable:
		return append(acceptedKinds(t.Of), "null")
	}
	return nil
}

func TestManyErrorsAtOnce(t *testing.T) {
	got := refusals(Communication, `{"session_time_sec":1,"file_max_mb":"100","no_such":1,
		"allowed_ip_ranges":[{"location_name":"a","range":"203.0.113.7"},{"location_name":" ","range":"203.0.113.300"},{"range":"203.0.113.9-203.0.113.1"},{"location_name":"b"}]}`)
	want := []string{
		"no_such error.unknown",
		"allowed_ip_ranges.1.location_name error.location_name", "allowed_ip_ranges.1.range error.range",
		"allowed_ip_ranges.2.location_name error.location_name", "allowed_ip_ranges.2.range error.range_reversed",
		"allowed_ip_ranges.3.range error.range_missing",
		"session_time_sec error.out_of_range", "file_max_mb error.integer",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Parts of an object that are missing, or empty if that means the default, have
// their default.
func TestPartsComeFromTheDefault(t *testing.T) {
	v := parse(t, Communication, `{"concurrent_sessions":{"mobile":2},"retraction_wording":{"ko":" 지운 메시지 ","ja":""}}`)
	want := `{"retraction_wording":{"en":"This message was retracted.","ja":"メッセージが取り消されました。","ko":"지운 메시지"},"concurrent_sessions":{"mobile":2,"pc":1,"web":1}}`
	if got := string(v.Differences()); got != want {
		t.Error(got)
	}
	v = parse(t, WorkingAttitude, `{"week":{"sat":{"work":true,"end":"13:00"}},"core_time":null,"night":{"to":"05:00"},"places":[{"name":"본사","lat":37.5,"lng":127}]}`)
	for _, part := range []string{`"sat":{"kind":"work","work":true,"start":"09:00","end":"13:00","end_next_day":false,"second":null}`, `"core_time":null`,
		`"night":{"from":"22:00","to":"05:00"}`, `{"lat":37.5,"lng":127,"name":"본사","radius_m":100}`} {
		if !strings.Contains(string(v.Differences()), part) {
			t.Errorf("no %s in %s", part, v.Differences())
		}
	}
}

func TestSetsAndListsAreNormalized(t *testing.T) {
	v := parse(t, Communication, `{"login_platforms":["mobile","pc","pc"],"file_ext_mode":"only","file_exts":[".PDF","pdf","*.Tar.Gz","한글"],"ip_exempt_user_ids":[7,3,7]}`)
	want := `{"login_platforms":["pc","mobile"],"ip_exempt_user_ids":[7,3],"file_ext_mode":"only","file_exts":["pdf","tar.gz","한글"]}`
	if got := string(v.Differences()); got != want {
		t.Error(got)
	}
}

// Versions and callers from before there were kinds of days say only whether a
// day is worked.
func TestDaysWithoutKinds(t *testing.T) {
	const office = `"mon":{"work":true,"start":"09:00","end":"18:00","end_next_day":false},"sat":{"work":false,"start":"09:00","end":"18:00","end_next_day":false},"sun":{"work":false}`
	if v := parse(t, WorkingAttitude, `{"week":{`+office+`}}`); !v.Equal(Defaults(WorkingAttitude)) {
		t.Errorf("the week of before differs: %s", v.Differences())
	}
	v := parse(t, WorkingAttitude, `{"week":{"mon":{"work":false},"tue":{"work":false,"kind":"weekly_holiday"},"wed":{"kind":"day_off","work":true},"sun":{"work":true}}}`)
	for name, want := range map[string]string{"mon": DayOffKind, "tue": WeeklyHolidayKind, "wed": DayOffKind, "sun": WorkKind} {
		if got := v.day(name).Kind; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// A draft has the zone and the holidays of its company, while what is stored means the
// same in every company.
func TestDefaultsOfACompany(t *testing.T) {
	chicago, seoul := DefaultsAt(WorkingAttitude, "America/Chicago", "none"), DefaultsAt(WorkingAttitude, "Asia/Seoul", "KR")
	if got := string(chicago.Differences()); got != `{"timezone":"America/Chicago","holiday_calendar":"none"}` {
		t.Errorf("Chicago differs by %s", got)
	}
	if !seoul.Equal(Defaults(WorkingAttitude)) || !DefaultsAt(Communication, "America/Chicago", "none").Equal(Defaults(Communication)) {
		t.Error("Seoul or communication differs")
	}
	for _, test := range []struct{ given, want string }{
		{"", `{"holiday_calendar":"none","timezone":"America/Chicago"}`},
		{"{}", `{"holiday_calendar":"none","timezone":"America/Chicago"}`},
		{`{"timezone":"Asia/Seoul","grace_in_min":5}`, `{"grace_in_min":5,"holiday_calendar":"none","timezone":"Asia/Seoul"}`},
		{`{"holiday_calendar":"KR","timezone":"Asia/Seoul"}`, `{"holiday_calendar":"KR","timezone":"Asia/Seoul"}`},
		{`{"timezone":null,"unknown":9007199254740993}`, `{"holiday_calendar":"none","timezone":null,"unknown":9007199254740993}`},
		{`null`, `null`},
		{`["timezone"]`, `["timezone"]`},
		{`{"timezone":`, `{"timezone":`},
	} {
		if got := string(WithDefaults(json.RawMessage(test.given), chicago)); got != test.want {
			t.Errorf("%s: %s, want %s", test.given, got, test.want)
		}
	}
	if stored := parse(t, WorkingAttitude, "{}"); !stored.Equal(seoul) {
		t.Errorf("a stored version without a zone has %s", stored.Complete())
	}
}
