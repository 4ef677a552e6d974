package workday

import "testing"

func TestOvernight(t *testing.T) {
	at := func(name string) func(*Policy) { return func(p *Policy) { p.Zone = zone(name) } }
	backToBack := func(p *Policy) {
		p.Week[1], p.Week[2] = shift("22:00-07:00"), shift("09:00-18:00")
		p.Breaks = nil
	}
	weekdayNights := func(p *Policy) {
		setWeek(p, "22:00-07:00")
		p.Breaks = []Span{span("02:00-03:00")}
	}
	runAll(t, []testCase{
		{name: "경비 박상철의 밤", date: "2026-11-16", policy: []func(*Policy){nightGuard}, clock: "in 21:50, out 07:05+1",
			want: "on_time left 21:50-07:05+1 worked=495 break=60 over=15 night=420 [overtime,night]"},
		{name: "밤 근무 지각", date: "2026-11-16", policy: []func(*Policy){nightGuard}, clock: "in 22:20, out 07:00+1",
			want: "late left 22:20-07:00+1 worked=460 break=60 night=400 late=20 [late,night]"},
		{name: "밤 근무 조퇴", date: "2026-11-16", policy: []func(*Policy){nightGuard}, clock: "in 22:00, out 05:00+1",
			want: "early_leave left 22:00-05:00+1 worked=360 break=60 night=360 early=120 [early_leave,night]"},
		{name: "자정 뒤에도 어제의 근무 중", date: "2026-11-16", policy: []func(*Policy){nightGuard}, clock: "in 22:00", now: "03:00+1",
			want: "working working 22:00-… worked=? | +1 not_due not_due …-…"},
		{name: "이틀 이어진 밤", date: "2026-11-16", policy: []func(*Policy){nightGuard},
			clock: "in 22:00, out 07:00+1, in 22:00+1, out 07:00+2",
			want:  "on_time left 22:00-07:00+1 worked=480 break=60 night=420 [night] | +1 on_time left 22:00-07:00+1 worked=480 break=60 night=420 [night]"},
		{name: "어제 퇴근을 잊은 밤은 오늘 출근이 닫지 않는다", date: "2026-11-16", policy: []func(*Policy){nightGuard},
			clock: "in 22:00, in 21:55+1, out 07:00+2",
			want:  "missing_departure missing_departure 22:00-… worked=? | +1 on_time left 21:55-07:00+1 worked=485 break=60 over=5 night=420 [overtime,night]"},
		{name: "금요일 밤은 토요일 아침에 끝난다", date: "2026-11-20", policy: []func(*Policy){weekdayNights}, clock: "in 22:00, out 07:00+1",
			want: "on_time left 22:00-07:00+1 worked=480 break=60 night=420 [night] | +1 day_off not_due …-…"},
		{name: "퇴근하고 토요일 낮에 다시 나옴", date: "2026-11-20", policy: []func(*Policy){weekdayNights},
			clock: "in 22:00, out 07:10+1, in 13:00+1, out 16:00+1",
			want:  "on_time left 22:00-07:10+1 worked=490 break=60 over=10 night=420 [overtime,night] | +1 day_off left 13:00-16:00 worked=180"},
		{name: "금요일 퇴근을 잊고 토요일 낮에 나옴", date: "2026-11-20", policy: []func(*Policy){weekdayNights},
			clock: "in 22:00, in 13:00+1, out 16:00+1",
			want:  "missing_departure missing_departure 22:00-… worked=? | +1 day_off left 13:00-16:00 worked=180"},
		{name: "토요일 05:30에 돌아와도 끝나지 않은 금요일 밤", date: "2026-11-20", policy: []func(*Policy){weekdayNights, pairs},
			clock: "in 22:00, out 05:00+1, in 05:30+1, out 07:00+1",
			want:  "on_time left 22:00-07:00+1 worked=450 break=60 night=390 [night,short_hours] | +1 day_off not_due …-…"},
		{name: "내림한 근무보다 긴 야간은 없다", date: "2026-11-16", policy: []func(*Policy){nightGuard, func(p *Policy) { p.RoundingMin = 30 }}, clock: "in 22:00, out 05:59+1",
			want: "early_leave left 22:00-05:59+1 worked=390 break=60 night=390 early=61 [early_leave,night]"},
		{name: "밤 근무에 이어 낮 근무", date: "2026-11-16", policy: []func(*Policy){backToBack},
			clock: "in 22:00, out 07:05+1, in 08:55+1, out 18:00+1",
			want:  "on_time left 22:00-07:05+1 worked=545 over=65 night=480 [overtime,night] | +1 on_time left 08:55-18:00 worked=545 over=65 [overtime]"},
		{name: "공휴일을 지나는 밤: 성탄 전야의 근무는 전야의 기록", date: "2025-12-24", policy: []func(*Policy){nightGuard},
			clock: "in 22:00, out 07:00+1",
			want:  "on_time left 22:00-07:00+1 worked=480 break=60 night=420 [night] | +1 holiday not_due …-…"},
		{name: "공휴일 밤의 근무는 휴일근무 한 건", date: "2025-12-25", policy: []func(*Policy){nightGuard}, clock: "in 22:00, out 07:00+1",
			want: "holiday_work left 22:00-07:00+1 worked=480 break=60 holiday=480 night=420 [night,holiday_work] | +1 absent absent …-…"},
		{name: "공휴일 낮의 호출도 그날의 기록", date: "2025-12-25", policy: []func(*Policy){nightGuard}, clock: "in 10:00, out 11:30",
			want: "holiday_work left 10:00-11:30 worked=90 holiday=90 [holiday_work]"},

		{name: "뉴욕, 시계를 앞당기는 밤은 한 시간 짧다", date: "2026-03-07", policy: []func(*Policy){nightGuard, at("America/New_York")}, clock: "in 22:00, out 07:00+1",
			want: "on_time left 22:00-07:00+1 worked=480 night=420 [night]"},
		{name: "뉴욕, 앞당기는 밤의 휴게 01:00-02:00", date: "2026-03-07",
			policy: []func(*Policy){nightGuard, at("America/New_York"), func(p *Policy) { p.Breaks = []Span{span("01:00-02:00")} }},
			clock:  "in 22:00, out 07:00+1",
			want:   "on_time left 22:00-07:00+1 worked=420 break=60 night=360 [night]"},
		{name: "뉴욕, 시계를 늦추는 밤은 한 시간 길다", date: "2026-10-31", policy: []func(*Policy){nightGuard, at("America/New_York")}, clock: "in 22:00, out 07:00+1",
			want: "on_time left 22:00-07:00+1 worked=540 break=60 over=60 night=480 [overtime,night]"},
		{name: "런던, 앞당기는 밤", date: "2026-03-28", policy: []func(*Policy){nightGuard, at("Europe/London")}, clock: "in 22:00, out 07:00+1",
			want: "on_time left 22:00-07:00+1 worked=420 break=60 night=360 [night]"},
		{name: "런던, 늦추는 밤", date: "2026-10-24", policy: []func(*Policy){nightGuard, at("Europe/London")}, clock: "in 22:00, out 07:00+1",
			want: "on_time left 22:00-07:00+1 worked=540 break=60 over=60 night=480 [overtime,night]"},
		{name: "런던, 25시간의 일요일 낮 근무", date: "2026-10-25", policy: []func(*Policy){everyDay, at("Europe/London")}, clock: "in 09:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "뉴욕, 23시간의 휴일 근무", date: "2026-03-07", policy: []func(*Policy){at("America/New_York")}, clock: "in 04:00, out 03:59+1",
			want: "day_off left 04:00-03:59+1 worked=1319 break=60 over=839 night=419 [overtime,night]"},
		{name: "반 시간 시차: 콜카타의 밤", date: "2026-11-16", policy: []func(*Policy){nightGuard, at("Asia/Kolkata")}, clock: "in 22:00, out 07:00+1",
			want: "on_time left 22:00-07:00+1 worked=480 break=60 night=420 [night]"},
	})
}

func TestDaysOff(t *testing.T) {
	narrow := func(p *Policy) { p.EarlyInMin, p.DayCloseMin = 0, 60 }
	runAll(t, []testCase{
		{name: "쉬는 토요일", date: "2026-11-21", want: "day_off not_due …-…"},
		{name: "토요일 근무", date: "2026-11-21", clock: "in 10:00, out 15:00",
			want: "day_off left 10:00-15:00 worked=240 break=60 | -1 absent absent …-…"},
		{name: "토요일 근무, 연장근무 없음", date: "2026-11-21", policy: []func(*Policy){func(p *Policy) { p.Overtime = OvertimeNone }}, clock: "in 10:00, out 15:00",
			want: "day_off left 10:00-15:00 worked=240 break=60"},
		{name: "토요일 새벽 03:59는 금요일", date: "2026-11-20", clock: "in 09:00, out 03:59+1",
			want: "on_time left 09:00-03:59+1 worked=1079 break=60 over=599 night=359 [overtime,night] | +1 day_off not_due …-…"},
		{name: "토요일 출근은 금요일의 누락을 닫지 않는다", date: "2026-11-20", clock: "in 09:00, in 10:00+1, out 15:00+1",
			want: "missing_departure missing_departure 09:00-… worked=? | +1 day_off left 10:00-15:00 worked=240 break=60"},
		{name: "토요일에 퇴근을 잊음", date: "2026-11-21", clock: "in 10:00",
			want: "missing_departure missing_departure 10:00-… worked=?"},
		{name: "토요일 근무 중", date: "2026-11-21", clock: "in 10:00", now: "12:00",
			want: "day_off working 10:00-… worked=?"},
		{name: "일요일 밤부터 월요일 새벽", date: "2026-11-22", clock: "in 22:00, out 02:00+1",
			want: "holiday_work left 22:00-02:00+1 worked=240 holiday=240 night=240 [night,holiday_work] | +1 absent absent …-…"},
		{name: "04:30 호출은 그날의 근무가 아닌 휴일 기록", date: "2026-11-16", clock: "in 04:30, out 04:50, in 09:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60 | x day_off left 04:30-04:50 worked=20 night=20 [night] | -1 holiday not_due …-…"},
		{name: "마감 뒤 밤의 호출", date: "2026-11-16", policy: []func(*Policy){narrow}, clock: "in 09:00, out 18:00, in 21:00, out 23:00",
			want: "on_time left 09:00-18:00 worked=480 break=60 | x day_off left 21:00-23:00 worked=120 night=60 [night]"},
		{name: "마감 뒤의 퇴근도 그 출근의 것", date: "2026-11-16", policy: []func(*Policy){narrow}, clock: "in 09:00, out 19:30",
			want: "on_time left 09:00-19:30 worked=570 break=60 over=90 [overtime,past_close] | x no record"},
		{name: "설날에 쉼", date: "2026-02-17", want: "holiday not_due …-…"},
		{name: "설날 근무", date: "2026-02-17", clock: "in 09:00, out 18:00",
			want: "holiday_work left 09:00-18:00 worked=480 break=60 holiday=480 [holiday_work]"},
		{name: "대체공휴일에 쉼", date: "2026-03-02", want: "holiday not_due …-…"},
		{name: "창립기념일은 회사의 휴일", date: "2026-11-18", day: func(d *Day) { d.Holiday = "창립기념일" }, want: "holiday not_due …-…"},
		{name: "휴일 근무에는 지각이 없다", date: "2026-02-17", clock: "in 13:00, out 15:00",
			want: "holiday_work left 13:00-15:00 worked=120 holiday=120 [holiday_work]"},
	})
}
