package workday

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"officeconsole/settings"
)

func TestPolicyFromSettings(t *testing.T) {
	defaults := officePolicy()
	defaults.Calendar, defaults.OwnHolidays = CalendarKR, map[Date]string{}
	defaults.WeekStart, defaults.WeeklyCapMin, defaults.WeeklyWarnMin = time.Monday, 3120, 2880
	for _, c := range []struct {
		name, differences string
		change            func(*Policy)
	}{
		{"defaults", `{}`, func(p *Policy) {}},
		{"a night guard", `{"week":{"mon":{"work":true,"start":"22:00","end":"07:00","end_next_day":true}},"breaks":[{"from":"02:00","to":"03:00"}]}`,
			func(p *Policy) { p.Week[1] = shift("22:00-07:00"); p.Breaks = []Span{span("02:00-03:00")} }},
		{"no core time", `{"work_type":"flexible","core_time":null,"flexible_start":{"from":"08:00","to":"10:30"}}`,
			func(p *Policy) {
				p.WorkType, p.Core, p.FlexibleStart = Flexible, Span{}, span("08:00-10:30")
			}},
		{"free work has days off", `{"work_type":"free"}`, free},
		{"limits", `{"late_as_absent_min":120,"grace_in_min":5,"grace_out_min":6,"early_in_min":30,"day_close":90,"daily_required_min":420,"rounding_min":10,"weekly_cap_min":2400,"weekly_warn_min":2300,"week_start":"sun"}`,
			func(p *Policy) {
				p.LateAsAbsentMin, p.GraceInMin, p.GraceOutMin, p.EarlyInMin, p.DayCloseMin = 120, 5, 6, 30, 90
				p.RequiredMin, p.RoundingMin, p.WeeklyCapMin, p.WeeklyWarnMin, p.WeekStart = 420, 10, 2400, 2300, time.Sunday
			}},
		{"words", `{"break_mode":"statutory","count_mode":"pairs","missing_departure":"last_activity","overtime":"approved","night":{"from":"23:00","to":"05:00"},"timezone":"Europe/London"}`,
			func(p *Policy) {
				p.BreakMode, p.CountMode, p.MissingDeparture, p.Overtime = BreaksStatutory, Pairs, MissingLastActivity, OvertimeApproved
				p.Night, p.Zone = span("23:00-05:00"), zone("Europe/London")
			}},
		{"proof by address", `{"ip_mode":"listed","ip_ranges":[{"location_name":"본사","range":"203.0.113.0/24"}]}`,
			func(p *Policy) { p.ProofRequired = true }},
		{"holidays", `{"holiday_calendar":"JP","holiday_dates":[{"date":"2026-11-18","name":"창립기념일"}]}`,
			func(p *Policy) {
				p.Calendar, p.OwnHolidays = CalendarJP, map[Date]string{date("2026-11-18"): "창립기념일"}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := *defaults
			c.change(&want)
			values, refused := settings.Parse(settings.WorkingAttitude, json.RawMessage(c.differences))
			if len(refused) > 0 {
				t.Fatal(refused)
			}
			got, err := ReadPolicy(values.Complete())
			if err != nil || !reflect.DeepEqual(*got, want) {
				t.Errorf("%v\n got %+v\nwant %+v", err, got, &want)
			}
		})
	}
	for _, bad := range []string{``, `[]`, `{}`, `{"timezone":"Mars/Olympus"}`, `{"timezone":"Asia/Seoul","night":{"from":"25:00","to":"06:00"}}`} {
		if p, err := ReadPolicy(json.RawMessage(bad)); err == nil {
			t.Errorf("%s is read as %+v", bad, p)
		}
	}
}

func TestHolidaysOfAPolicy(t *testing.T) {
	p := &Policy{Calendar: CalendarKR, OwnHolidays: map[Date]string{date("2026-11-18"): "창립기념일", date("2026-12-25"): "송년 휴무"}}
	for day, want := range map[string]string{
		"2026-11-18": "창립기념일", "2026-12-25": "송년 휴무", "2026-10-09": "kr.hangul_day", "2026-11-19": "",
	} {
		if got := p.HolidayOn(date(day)); got != want {
			t.Errorf("%s is %q, not %q", day, got, want)
		}
	}
}

// A holiday of the company applies by every calendar; the dates of the policy go first, and
// the policy itself does not change.
func TestHolidaysOfACompany(t *testing.T) {
	p := &Policy{Calendar: CalendarNone, OwnHolidays: map[Date]string{date("2026-11-18"): "창립기념일"}}
	company := p.WithCompanyHolidays(map[Date]string{date("2026-11-18"): "회사 생일", date("2026-11-19"): "회사 생일"})
	for day, want := range map[string]string{"2026-11-18": "창립기념일", "2026-11-19": "회사 생일", "2026-10-09": "", "2026-11-20": ""} {
		if got := company.HolidayOn(date(day)); got != want {
			t.Errorf("%s is %q, not %q", day, got, want)
		}
	}
	if got := p.HolidayOn(date("2026-11-19")); got != "" {
		t.Errorf("the policy without the company has %q", got)
	}
}

// A version from before days off and weekly holidays were told apart has work
// instead of kind.
func TestKindsOfWeekdays(t *testing.T) {
	values, _ := settings.Parse(settings.WorkingAttitude, json.RawMessage(`{}`))
	read := func(changes string) *Policy {
		t.Helper()
		all := map[string]json.RawMessage{}
		for _, layer := range []string{string(values.Complete()), changes} {
			if err := json.Unmarshal([]byte(layer), &all); err != nil {
				t.Fatal(err)
			}
		}
		complete, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ReadPolicy(complete)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	old := `{"week":{"mon":{"work":true,"start":"09:00","end":"18:00"},"sat":{"work":false,"start":"09:00","end":"18:00"},"sun":{"work":false,"start":"09:00","end":"18:00"}}}`
	if p := read(old); p.Week[time.Monday].Kind != ShiftWork || p.Week[time.Saturday].Kind != ShiftDayOff || p.Week[time.Sunday].Kind != ShiftWeeklyHoliday ||
		p.Settlement != SettlementDay || p.WeeklyOvertimeAfterMin != 2400 {
		t.Errorf("%+v", p)
	}
	kinds := `{"week":{"mon":{"kind":"weekly_holiday","start":"09:00","end":"18:00"},"sat":{"kind":"work","start":"08:00","end":"11:00","second":{"start":"12:45","end":"16:30"}},"sun":{"kind":"day_off","start":"09:00","end":"18:00"}},"settlement":"month","weekly_overtime_after_min":2280}`
	p := read(kinds)
	if p.Week[time.Monday].Kind != ShiftWeeklyHoliday || p.Week[time.Sunday].Kind != ShiftDayOff || p.Week[time.Saturday].Second != span("12:45-16:30") ||
		p.Settlement != SettlementDay || p.WeeklyOvertimeAfterMin != 2280 {
		t.Errorf("%+v", p)
	}
	free := `{"work_type":"free","settlement":"month"}`
	if p := read(free); p.Settlement != SettlementMonth {
		t.Errorf("%+v", p)
	}
}

// The days off of free work require nothing, and work on its weekly holiday is holiday
// work.
func TestFreeWorkHasDaysOff(t *testing.T) {
	for _, settlement := range []Settlement{SettlementWeek, SettlementMonth} {
		values, refused := settings.Parse(settings.WorkingAttitude, json.RawMessage(`{"work_type":"free","settlement":"`+string(settlement)+`"}`))
		if len(refused) > 0 {
			t.Fatal(refused)
		}
		policy, err := ReadPolicy(values.Complete())
		if err != nil {
			t.Fatal(err)
		}
		week := example{policy: []func(*Policy){func(p *Policy) { *p = *policy }}, days: []string{
			"2026-11-16: in 09:00, out 18:00", "2026-11-17: in 09:00, out 18:00", "2026-11-18: in 09:00, out 18:00", "2026-11-19: in 09:00, out 18:00",
			"2026-11-20: in 09:00, out 18:00", "2026-11-21", "2026-11-22: in 09:00, out 18:00",
		}}.records()
		saturday, sunday := week[5], week[6]
		if saturday.Status != StatusDayOff || *saturday.BalanceMin != 0 {
			t.Errorf("%s: on Saturday %s, balance %d", settlement, saturday.Status, *saturday.BalanceMin)
		}
		if sunday.Status != StatusHolidayWork || sunday.HolidayMin != 480 || *sunday.BalanceMin != 0 || sunday.OvertimeMin != 0 {
			t.Errorf("%s: on Sunday %s of %d, balance %d, overtime %d", settlement, sunday.Status, sunday.HolidayMin, *sunday.BalanceMin, sunday.OvertimeMin)
		}
	}
}
