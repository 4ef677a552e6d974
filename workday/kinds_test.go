package workday

import (
	"strings"
	"testing"
	"time"
)

func TestFlexible(t *testing.T) {
	statutory := func(p *Policy) { p.BreakMode = BreaksStatutory }
	noOvertime := func(p *Policy) { p.Overtime = OvertimeNone }
	noCore := func(p *Policy) { p.Core = Span{} }
	runAll(t, []testCase{
		{name: "이영희, 10시에 와서 19시에", date: "2026-11-16", policy: []func(*Policy){flexible}, clock: "in 10:00, out 19:00",
			want: "on_time left 10:00-19:00 worked=480 break=60"},
		{name: "여덟 시간을 못 채우면 조퇴", date: "2026-11-16", policy: []func(*Policy){flexible}, clock: "in 10:00, out 18:30",
			want: "early_leave left 10:00-18:30 worked=450 break=60 early=30 [early_leave]"},
		{name: "11시까지는 지각이 아니다", date: "2026-11-16", policy: []func(*Policy){flexible}, clock: "in 11:00, out 20:00",
			want: "on_time left 11:00-20:00 worked=480 break=60"},
		{name: "11시 10분은 지각 10분", date: "2026-11-16", policy: []func(*Policy){flexible}, clock: "in 11:10, out 20:10",
			want: "late left 11:10-20:10 worked=480 break=60 late=10 [late]"},
		{name: "7시 전에 와도 7시부터 채운다", date: "2026-11-16", policy: []func(*Policy){flexible}, clock: "in 06:30, out 16:00",
			want: "on_time left 06:30-16:00 worked=510 break=60 over=30 [overtime]"},
		{name: "일찍 온 만큼 일찍 가지는 않는다", date: "2026-11-16", policy: []func(*Policy){flexible, func(p *Policy) { p.Core = Span{} }}, clock: "in 06:30, out 15:30",
			want: "early_leave left 06:30-15:30 worked=480 break=60 early=30 [early_leave]"},
		{name: "연장이 없으면 7시 전은 세지 않는다", date: "2026-11-16", policy: []func(*Policy){flexible, noOvertime}, clock: "in 06:30, out 16:00",
			want: "on_time left 06:30-16:00 worked=480 break=60"},
		{name: "코어 타임 끝까지 있어야 한다", date: "2026-11-16", policy: []func(*Policy){flexible, func(p *Policy) { p.RequiredMin = 360 }}, clock: "in 07:00, out 15:00",
			want: "early_leave left 07:00-15:00 worked=420 break=60 over=60 early=60 [early_leave,overtime]"},
		{name: "코어 타임이 없으면 시간만", date: "2026-11-16", policy: []func(*Policy){flexible, noCore, func(p *Policy) { p.RequiredMin = 360 }}, clock: "in 07:00, out 14:00",
			want: "on_time left 07:00-14:00 worked=360 break=60"},
		{name: "법정 휴게를 더한 퇴근 시각", date: "2026-11-16", policy: []func(*Policy){flexible, statutory}, clock: "in 09:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "오전 반차: 늦어도 오후 4시", date: "2026-11-16", policy: []func(*Policy){flexible}, clock: "in 16:00, out 20:00",
			day: func(d *Day) { d.Leave = HalfLeaveAM }, want: "on_time left 16:00-20:00 worked=240"},
		{name: "오후 반차: 네 시간이면 코어 타임과 무관", date: "2026-11-16", policy: []func(*Policy){flexible}, clock: "in 08:00, out 12:00",
			day: func(d *Day) { d.Leave = HalfLeavePM }, want: "on_time left 08:00-12:00 worked=240"},
		{name: "퇴근 누락은 채웠을 시각에 마감", date: "2026-11-16",
			policy: []func(*Policy){flexible, func(p *Policy) { p.MissingDeparture = MissingScheduleEnd }}, clock: "in 10:00",
			want: "on_time left 10:00-19:00 worked=480 break=60 [auto_closed]"},
	})
}

func TestFree(t *testing.T) {
	runAll(t, []testCase{
		{name: "자유 근무에는 지각이 없다", date: "2026-11-16", policy: []func(*Policy){free}, clock: "in 14:00, out 23:00",
			want: "on_time left 14:00-23:00 worked=540 over=60 night=60 [overtime,night]"},
		{name: "모자란 시간", date: "2026-11-16", policy: []func(*Policy){free}, clock: "in 14:00, out 18:00",
			want: "on_time left 14:00-18:00 worked=240 [short_hours]"},
		{name: "나오지 않은 월요일은 결근이 아니다", date: "2026-11-16", policy: []func(*Policy){free}, want: "not_due not_due …-…"},
		{name: "나오지 않은 토요일은 휴무일", date: "2026-11-21", policy: []func(*Policy){free}, want: "day_off not_due …-…"},
		{name: "나오지 않은 일요일은 주휴일", date: "2026-11-22", policy: []func(*Policy){free}, want: "holiday not_due …-…"},
		{name: "토요일에 나오면 일반 근무", date: "2026-11-21", policy: []func(*Policy){free}, clock: "in 14:00, out 18:00",
			want: "day_off left 14:00-18:00 worked=240"},
		{name: "일요일에 나오면 휴일 근무", date: "2026-11-22", policy: []func(*Policy){free}, clock: "in 14:00, out 18:00",
			want: "holiday_work left 14:00-18:00 worked=240 holiday=240 [holiday_work]"},
		{name: "새벽 세 시는 어제", date: "2026-11-16", policy: []func(*Policy){free}, clock: "in 20:00, out 03:00+1",
			want: "on_time left 20:00-03:00+1 worked=420 night=300 [night,short_hours]"},
		{name: "종업 시각이 없으니 누락은 그대로", date: "2026-11-16",
			policy: []func(*Policy){free, func(p *Policy) { p.MissingDeparture = MissingScheduleEnd }}, clock: "in 14:00",
			want: "missing_departure missing_departure 14:00-… worked=?"},
	})
}

func TestLeave(t *testing.T) {
	on := func(l DayType) func(*Day) { return func(d *Day) { d.Leave = l } }
	runAll(t, []testCase{
		{name: "연차", date: "2026-11-16", day: on(Leave), want: "leave not_due …-…"},
		{name: "연차인데 잠깐 들름", date: "2026-11-16", day: on(Leave), clock: "in 10:00, out 11:00",
			want: "leave left 10:00-11:00 worked=60"},
		{name: "오전 반차, 14시까지 출근", date: "2026-11-16", day: on(HalfLeaveAM), clock: "in 14:00, out 18:00",
			want: "on_time left 14:00-18:00 worked=240"},
		{name: "오전 반차에 지각", date: "2026-11-16", day: on(HalfLeaveAM), clock: "in 14:20, out 18:00",
			want: "late left 14:20-18:00 worked=220 late=20 [late]"},
		{name: "오후 반차, 14시 퇴근", date: "2026-11-16", day: on(HalfLeavePM), clock: "in 09:00, out 14:00",
			want: "on_time left 09:00-14:00 worked=240 break=60"},
		{name: "오후 반차보다 일찍", date: "2026-11-16", day: on(HalfLeavePM), clock: "in 09:00, out 13:00",
			want: "early_leave left 09:00-13:00 worked=180 break=60 early=60 [early_leave]"},
		{name: "오후 반차인데 끝까지 일함", date: "2026-11-16", day: on(HalfLeavePM), clock: "in 09:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60 over=240 [overtime]"},
		{name: "반차인데 결근", date: "2026-11-16", day: on(HalfLeaveAM), want: "absent absent …-…"},
		{name: "쉬는 날에는 휴가를 쓰지 않는다", date: "2026-11-21", day: on(Leave), want: "day_off not_due …-…"},
		{name: "밤 근무의 오전 반차는 02:30 출근", date: "2026-11-16", day: on(HalfLeaveAM),
			policy: []func(*Policy){nightGuard, func(p *Policy) { p.Breaks = nil }}, clock: "in 02:30+1, out 07:00+1",
			want: "on_time left 02:30+1-07:00+1 worked=270 over=30 night=210 [overtime,night]"},
		{name: "법정 휴게의 오후 반차는 13:30까지", date: "2026-11-16", day: on(HalfLeavePM),
			policy: []func(*Policy){func(p *Policy) { p.BreakMode = BreaksStatutory }}, clock: "in 09:00, out 13:30",
			want: "on_time left 09:00-13:30 worked=240 break=30"},
	})
}

func TestCountingAndBreaks(t *testing.T) {
	none := func(p *Policy) { p.BreakMode = BreaksNone }
	split := func(p *Policy) {
		p.Week[time.Monday] = Shift{Kind: ShiftWork, Start: clock("09:00"), End: clock("12:00"), Second: span("14:00-19:00")}
	}
	statutory := func(p *Policy) { p.BreakMode = BreaksStatutory }
	runAll(t, []testCase{
		{name: "짝으로 세면 나간 시간은 빠진다", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:00, out 14:00, in 16:00, out 19:00",
			want: "on_time left 09:00-19:00 worked=420 break=60 [short_hours]"},
		{name: "점심에 나갔으면 휴게를 두 번 빼지 않는다", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:00, out 12:00, in 13:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480"},
		{name: "짝이 없는 마지막 출근", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:00, out 12:00, in 13:00",
			want: "missing_departure missing_departure 09:00-… worked=180 uncounted:in"},
		{name: "짝이 없는 출근을 종업 시각으로 마감", date: "2026-11-16",
			policy: []func(*Policy){pairs, func(p *Policy) { p.MissingDeparture = MissingScheduleEnd }}, clock: "in 09:00, out 12:00, in 13:00",
			want: "on_time left 09:00-18:00 worked=480 [auto_closed]"},
		{name: "첫 구간의 퇴근을 잊으면 사이는 세지 않는다", date: "2026-11-16", policy: []func(*Policy){pairs, evening}, clock: "in 07:00, in 17:00, out 21:00",
			want: "on_time left 07:00-21:00 worked=240 [short_hours] uncounted:in"},
		{name: "두 번째 구간의 퇴근도 없으면", date: "2026-11-16", policy: []func(*Policy){pairs, evening}, clock: "in 07:00, in 17:00",
			want: "missing_departure missing_departure 07:00-… worked=? uncounted:in"},
		{name: "두 번째 구간만 종업 시각으로 마감", date: "2026-11-16",
			policy: []func(*Policy){pairs, evening, func(p *Policy) { p.MissingDeparture = MissingScheduleEnd }}, clock: "in 07:00, in 17:00",
			want: "on_time left 07:00-21:00 worked=240 [short_hours,auto_closed] uncounted:in"},
		{name: "세 번 들어온 마지막만 짝이 된다", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:00, out 10:00, in 11:00, in 14:00, in 15:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=240 [short_hours] uncounted:in uncounted:in"},
		{name: "두 번 누른 출근은 하나", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 08:59 :50, in 09:00 :05, in 09:04 :50, out 18:00",
			want: "on_time left 08:59-18:00 worked=481 break=60 over=1 [overtime]"},
		{name: "처음부터 끝까지 셀 때는 잊어도 같다", date: "2026-11-16", policy: []func(*Policy){evening}, clock: "in 07:00, in 17:00, out 21:00",
			want: "on_time left 07:00-21:00 worked=480 break=360"},
		{name: "나간 순간에 들어옴", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:00, out 15:00, in 15:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "휴게 없음", date: "2026-11-16", policy: []func(*Policy){none}, clock: "in 09:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=540 over=60 [overtime]"},
		{name: "찍은 휴게만 뺀다", date: "2026-11-16", policy: []func(*Policy){none}, clock: "in 09:00, break_start 15:00, break_end 15:20, out 18:00",
			want: "on_time left 09:00-18:00 worked=520 break=20 over=40 [overtime]"},
		{name: "휴게 창과 겹친 휴게는 한 번만", date: "2026-11-16", clock: "in 09:00, break_start 12:30, break_end 13:30, out 18:00",
			want: "early_leave left 09:00-17:00 worked=390 break=90 early=60 [early_leave]",
			events: func(all []Event) []Event {
				all[3].OccurredAt = date("2026-11-16").At(clock("17:00"), zone("Asia/Seoul"))
				return all
			}},
		{name: "끝나지 않은 휴게는 모른다", date: "2026-11-16", clock: "in 09:00, break_start 15:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60 uncounted:break_start"},
		{name: "나갔다 온 뒤에 끝난 휴게도 모른다", date: "2026-11-16", policy: []func(*Policy){pairs, none},
			clock: "in 09:00, break_start 15:00, out 16:00, in 17:00, break_end 17:30, out 18:00",
			want:  "on_time left 09:00-18:00 worked=480 uncounted:break_start uncounted:break_end"},
		{name: "법정 휴게: 여덟 시간 머물면 30분", date: "2026-11-16", policy: []func(*Policy){statutory}, clock: "in 09:00, out 17:00",
			want: "early_leave left 09:00-17:00 worked=450 break=30 early=60 [early_leave]"},
		{name: "법정 휴게: 아홉 시간에 한 시간", date: "2026-11-16", policy: []func(*Policy){statutory}, clock: "in 09:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "법정 휴게: 다섯 시간에 30분", date: "2026-11-16", policy: []func(*Policy){statutory}, clock: "in 13:00, out 18:00",
			want: "late left 13:00-18:00 worked=270 break=30 late=240 [late]"},
		{name: "법정 휴게: 네 시간이 안 되면 없다", date: "2026-11-16", policy: []func(*Policy){statutory}, clock: "in 14:01, out 18:00",
			want: "late left 14:01-18:00 worked=239 late=301 [late]"},
		{name: "법정 휴게: 두 근무 사이의 시간에 포함된다, 오전 반차", date: "2026-11-16", policy: []func(*Policy){statutory, split}, clock: "in 14:31, out 19:00",
			day: func(d *Day) { d.Leave = HalfLeaveAM }, want: "late left 14:31-19:00 worked=239 break=30 late=1 [late]"},
		{name: "법정 휴게: 두 근무 사이의 시간에 포함된다, 오후 반차", date: "2026-11-16", policy: []func(*Policy){statutory, split}, clock: "in 09:00, out 14:59",
			day: func(d *Day) { d.Leave = HalfLeavePM }, want: "early_leave left 09:00-14:59 worked=239 break=120 early=1 [early_leave]"},
		{name: "법정 휴게보다 오래 쉼", date: "2026-11-16", policy: []func(*Policy){statutory}, clock: "in 09:00, break_start 12:00, break_end 14:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=420 break=120"},
	})
}

// The gap of a split day is neither late nor early: only the stints are.
func TestMissedStints(t *testing.T) {
	noRest := func(p *Policy) { p.BreakMode = BreaksNone }
	grace := func(p *Policy) { p.GraceInMin, p.GraceOutMin = 10, 10 }
	absentAfter := func(min int) func(*Policy) { return func(p *Policy) { p.LateAsAbsentMin = min } }
	on := func(l DayType) func(*Day) { return func(d *Day) { d.Leave = l } }
	const monday = "2026-11-16"
	runAll(t, []testCase{
		{name: "첫 근무만 하고 감", date: monday, policy: []func(*Policy){evening}, clock: "in 07:00, out 11:00",
			want: "early_leave left 07:00-11:00 worked=240 early=240 [early_leave]"},
		{name: "사이에 감", date: monday, policy: []func(*Policy){evening}, clock: "in 07:00, out 12:00",
			want: "early_leave left 07:00-12:00 worked=240 break=60 early=240 [early_leave]"},
		{name: "첫 근무 중에 감", date: monday, policy: []func(*Policy){evening}, clock: "in 07:00, out 10:30",
			want: "early_leave left 07:00-10:30 worked=210 early=270 [early_leave]"},
		{name: "두 번째 근무 중에 감", date: monday, policy: []func(*Policy){evening}, clock: "in 07:00, out 20:00",
			want: "early_leave left 07:00-20:00 worked=420 break=360 early=60 [early_leave]"},
		{name: "첫 근무에 20분 지각", date: monday, policy: []func(*Policy){evening}, clock: "in 07:20, out 21:00",
			want: "late left 07:20-21:00 worked=460 break=360 late=20 [late]"},
		{name: "사이에 출근", date: monday, policy: []func(*Policy){evening}, clock: "in 16:40, out 21:00",
			want: "late left 16:40-21:00 worked=240 break=20 late=240 [late]"},
		{name: "두 번째 근무에도 지각", date: monday, policy: []func(*Policy){evening}, clock: "in 17:30, out 21:00",
			want: "late left 17:30-21:00 worked=210 late=270 [late]"},
		{name: "사이에만 있었음", date: monday, policy: []func(*Policy){evening}, clock: "in 12:00, out 16:00",
			want: "late_and_early left 12:00-16:00 break=240 late=240 early=240 [late,early_leave]"},
		{name: "근무 전에 왔다 감", date: monday, policy: []func(*Policy){evening, noRest}, clock: "in 06:00, out 06:30",
			want: "early_leave left 06:00-06:30 worked=30 early=480 [early_leave]"},
		{name: "근무가 끝난 뒤에 옴", date: monday, policy: []func(*Policy){evening, noRest}, clock: "in 21:30, out 22:00",
			want: "late left 21:30-22:00 worked=30 late=480 [late]"},
		{name: "짝으로 세도 같다", date: monday, policy: []func(*Policy){evening, pairs, noRest}, clock: "in 16:40, out 20:00",
			want: "late_and_early left 16:40-20:00 worked=200 late=240 early=60 [late,early_leave,short_hours]"},
		{name: "유예는 근무한 시간으로 센다", date: monday, policy: []func(*Policy){evening, grace}, clock: "in 07:10, out 20:50",
			want: "on_time left 07:10-20:50 worked=460 break=360"},
		{name: "결근 기준도 근무 시간으로 센다", date: monday, policy: []func(*Policy){evening, absentAfter(240)}, clock: "in 16:40, out 21:00",
			want: "late left 16:40-21:00 worked=240 break=20 late=240 [late]"},
		{name: "오전 반차, 두 번째 근무에 지각", date: monday, policy: []func(*Policy){evening}, day: on(HalfLeaveAM), clock: "in 17:15, out 21:00",
			want: "late left 17:15-21:00 worked=225 late=15 [late]"},
		{name: "오전 반차, 두 번째 근무 전에 감", date: monday, policy: []func(*Policy){evening}, day: on(HalfLeaveAM), clock: "in 14:00, out 16:00",
			want: "early_leave left 14:00-16:00 break=120 early=240 [early_leave]"},
		{name: "오후 반차, 첫 근무에서 일찍 감", date: monday, policy: []func(*Policy){evening}, day: on(HalfLeavePM), clock: "in 07:00, out 10:00",
			want: "early_leave left 07:00-10:00 worked=180 early=60 [early_leave]"},
	})
}

func TestStints(t *testing.T) {
	on := func(l DayType) func(*Day) { return func(d *Day) { d.Leave = l } }
	ordinary, none := func(*Policy) {}, func(*Day) {}
	split := func(first, second string) func(*Policy) {
		return func(p *Policy) {
			p.Week[time.Monday] = shift(first)
			p.Week[time.Monday].Second = span(second)
		}
	}
	night := split("18:00-22:00", "01:00-05:00")
	longMorning, longEvening := split("06:00-11:00", "17:00-20:00"), split("07:00-10:00", "16:00-21:00")
	for _, test := range []struct {
		policy func(*Policy)
		day    func(*Day)
		want   string
	}{
		{ordinary, none, "09:00-18:00"},
		{evening, none, "07:00-11:00 17:00-21:00 split"},
		{night, none, "18:00-22:00 01:00-05:00 split"},
		{evening, on(HalfLeaveAM), "17:00-21:00 split"},
		{evening, on(HalfLeavePM), "07:00-11:00 split"},
		{longMorning, on(HalfLeavePM), "06:00-10:00 split"},
		{longEvening, on(HalfLeaveAM), "17:00-21:00 split"},
		{evening, on(Leave), ""},
		{evening, func(d *Day) { d.Holiday = "창립기념일" }, ""},
		{free, none, ""},
	} {
		p := officePolicy()
		test.policy(p)
		day := Day{Date: date("2026-11-16"), Policy: p}
		test.day(&day)
		plan := &NewPlans([]Day{day})[0]
		var texts []string
		for _, s := range plan.Stints() {
			texts = append(texts, s.From.In(p.Zone).Format("15:04")+"-"+s.To.In(p.Zone).Format("15:04"))
		}
		if plan.IsSplit() {
			texts = append(texts, "split")
		}
		if got := strings.Join(texts, " "); got != test.want {
			t.Errorf("%s%s: %q, not %q", day.Leave, day.Holiday, got, test.want)
		}
	}
}
