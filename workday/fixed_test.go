package workday

import "testing"

// In the week of Monday 2026-11-16 there is no holiday.
func TestFixedHours(t *testing.T) {
	grace := func(in, out int) func(*Policy) {
		return func(p *Policy) { p.GraceInMin, p.GraceOutMin = in, out }
	}
	absentAfter := func(n int) func(*Policy) { return func(p *Policy) { p.LateAsAbsentMin = n } }
	noOvertime := func(p *Policy) { p.Overtime = OvertimeNone }
	approved := func(p *Policy) { p.Overtime = OvertimeApproved }
	missing := func(m MissingDeparture) func(*Policy) { return func(p *Policy) { p.MissingDeparture = m } }
	rounding := func(n int) func(*Policy) { return func(p *Policy) { p.RoundingMin = n } }
	runAll(t, []testCase{
		{name: "김철수, 정시 출퇴근", date: "2026-11-16", clock: "in 09:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "초는 버린다: 09:00:59는 지각이 아니다", date: "2026-11-16", clock: "in 09:00 :59, out 18:00 :10",
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "1분 지각", date: "2026-11-16", clock: "in 09:01, out 18:00",
			want: "late left 09:01-18:00 worked=479 break=60 late=1 [late]"},
		{name: "유예 5분 안의 09:05", date: "2026-11-16", policy: []func(*Policy){grace(5, 0)}, clock: "in 09:05, out 18:00",
			want: "on_time left 09:05-18:00 worked=475 break=60"},
		{name: "유예를 넘기면 시작부터 센다", date: "2026-11-16", policy: []func(*Policy){grace(5, 0)}, clock: "in 09:06, out 18:00",
			want: "late left 09:06-18:00 worked=474 break=60 late=6 [late]"},
		{name: "조퇴 30분", date: "2026-11-16", clock: "in 09:00, out 17:30",
			want: "early_leave left 09:00-17:30 worked=450 break=60 early=30 [early_leave]"},
		{name: "조퇴 유예 10분", date: "2026-11-16", policy: []func(*Policy){grace(0, 10)}, clock: "in 09:00, out 17:50",
			want: "on_time left 09:00-17:50 worked=470 break=60"},
		{name: "조퇴 유예를 넘기면 끝까지 센다", date: "2026-11-16", policy: []func(*Policy){grace(0, 10)}, clock: "in 09:00, out 17:49",
			want: "early_leave left 09:00-17:49 worked=469 break=60 early=11 [early_leave]"},
		{name: "지각하고 조퇴", date: "2026-11-16", clock: "in 09:10, out 17:00",
			want: "late_and_early left 09:10-17:00 worked=410 break=60 late=10 early=60 [late,early_leave]"},
		{name: "점심 뒤에 출근", date: "2026-11-16", clock: "in 13:00, out 18:00",
			want: "late left 13:00-18:00 worked=300 late=240 [late]"},
		{name: "점심시간 가운데 출근", date: "2026-11-16", clock: "in 12:30, out 18:00",
			want: "late left 12:30-18:00 worked=300 break=30 late=210 [late]"},
		{name: "야근 세 시간", date: "2026-11-16", clock: "in 09:00, out 21:00",
			want: "on_time left 09:00-21:00 worked=660 break=60 over=180 [overtime]"},
		{name: "자정을 넘긴 야근", date: "2026-11-16", clock: "in 09:00, out 01:30+1",
			want: "on_time left 09:00-01:30+1 worked=930 break=60 over=450 night=210 [overtime,night] | +1 absent absent …-…"},
		{name: "일찍 나와도 연장근무", date: "2026-11-16", clock: "in 08:30, out 18:00",
			want: "on_time left 08:30-18:00 worked=510 break=60 over=30 [overtime]"},
		{name: "연장근무 없음: 시작 전은 세지 않는다", date: "2026-11-16", policy: []func(*Policy){noOvertime}, clock: "in 08:30, out 18:00",
			want: "on_time left 08:30-18:00 worked=480 break=60"},
		{name: "연장근무 없음: 늦은 퇴근은 근무이되 연장은 아니다", date: "2026-11-16", policy: []func(*Policy){noOvertime}, clock: "in 09:00, out 19:00",
			want: "on_time left 09:00-19:00 worked=540 break=60"},
		{name: "승인된 만큼만 연장", date: "2026-11-16", policy: []func(*Policy){approved}, clock: "in 09:00, out 21:00",
			day: func(d *Day) { d.ApprovedMin = 60 }, want: "on_time left 09:00-21:00 worked=660 break=60 over=60 [overtime]"},
		{name: "승인이 없으면 연장도 없다", date: "2026-11-16", policy: []func(*Policy){approved}, clock: "in 09:00, out 21:00",
			want: "on_time left 09:00-21:00 worked=660 break=60"},
		{name: "승인보다 적게 일하면 일한 만큼", date: "2026-11-16", policy: []func(*Policy){approved}, clock: "in 09:00, out 18:20",
			day: func(d *Day) { d.ApprovedMin = 60 }, want: "on_time left 09:00-18:20 worked=500 break=60 over=20 [overtime]"},
		{name: "10분 단위로 내림", date: "2026-11-16", policy: []func(*Policy){rounding(10)}, clock: "in 09:00, out 18:29",
			want: "on_time left 09:00-18:29 worked=500 break=60 over=20 [overtime]"},
		{name: "30분 단위로 내리면 모자란 하루", date: "2026-11-16", policy: []func(*Policy){rounding(30)}, clock: "in 09:01, out 18:00",
			want: "late left 09:01-18:00 worked=450 break=60 late=1 [late]"},
		{name: "퇴근 누락", date: "2026-11-16", clock: "in 09:00",
			want: "missing_departure missing_departure 09:00-… worked=?"},
		{name: "퇴근 누락, 종업 시각으로 마감", date: "2026-11-16", policy: []func(*Policy){missing(MissingScheduleEnd)}, clock: "in 09:00",
			want: "on_time left 09:00-18:00 worked=480 break=60 [auto_closed]"},
		{name: "종업 시각이 지나도 마감 전에는 근무 중", date: "2026-11-16", policy: []func(*Policy){missing(MissingScheduleEnd)}, clock: "in 09:00", now: "20:00",
			want: "working working 09:00-… worked=?"},
		{name: "종업 뒤에 출근했으면 마감할 수 없다", date: "2026-11-16", policy: []func(*Policy){missing(MissingScheduleEnd)}, clock: "in 18:30",
			want: "missing_departure missing_departure 18:30-… worked=? late=570 [late]"},
		{name: "퇴근 누락, 마지막 활동으로 마감", date: "2026-11-16", policy: []func(*Policy){missing(MissingLastActivity)}, clock: "in 09:00",
			day:  func(d *Day) { d.LastActivity = d.Date.At(clock("17:20"), d.Policy.Zone) },
			want: "early_leave left 09:00-17:20 worked=440 break=60 early=40 [early_leave,auto_closed]"},
		{name: "활동을 모르면 마감하지 않는다", date: "2026-11-16", policy: []func(*Policy){missing(MissingLastActivity)}, clock: "in 09:00",
			want: "missing_departure missing_departure 09:00-… worked=?"},
		{name: "다음 날의 활동은 오늘을 마감하지 않는다", date: "2026-11-16", policy: []func(*Policy){missing(MissingLastActivity)}, clock: "in 09:00",
			day:  func(d *Day) { d.LastActivity = d.Date.At(clock("09:00+1"), d.Policy.Zone) },
			want: "missing_departure missing_departure 09:00-… worked=?"},
		{name: "내일의 출근은 어제를 닫지 않는다", date: "2026-11-16", clock: "in 09:00, in 08:50+1, out 18:00+1",
			want: "missing_departure missing_departure 09:00-… worked=? | +1 on_time left 08:50-18:00 worked=490 break=60 over=10 [overtime]"},
		{name: "결근", date: "2026-11-16", want: "absent absent …-…"},
		{name: "퇴근만 찍었으면 출근 누락", date: "2026-11-16", clock: "out 18:00", want: "missing_arrival missing_arrival …-18:00 worked=?"},
		{name: "출근보다 먼저 찍힌 퇴근은 집계되지 않는다", date: "2026-11-16", clock: "out 08:00, in 09:00",
			want: "missing_departure missing_departure 09:00-… worked=? uncounted:out"},
		{name: "두 시간 넘는 지각은 결근", date: "2026-11-16", policy: []func(*Policy){absentAfter(120)}, clock: "in 11:01, out 18:00",
			want: "absent absent 11:01-18:00 worked=359 break=60 late=121 [late]"},
		{name: "꼭 두 시간이면 지각", date: "2026-11-16", policy: []func(*Policy){absentAfter(120)}, clock: "in 11:00, out 18:00",
			want: "late left 11:00-18:00 worked=360 break=60 late=120 [late]"},
		{name: "마감 전에는 결근이 아니다", date: "2026-11-16", policy: []func(*Policy){absentAfter(120)}, clock: "in 11:01", now: "15:00",
			want: "late working 11:01-… worked=? late=121 [late]"},
		{name: "첫 출근과 마지막 퇴근", date: "2026-11-16", clock: "in 09:00, out 11:00, in 14:00, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "출근을 두 번 누름", date: "2026-11-16", clock: "in 09:00, in 09:01, out 18:00",
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "퇴근을 두 번 누름", date: "2026-11-16", clock: "in 09:00, out 18:00, out 18:05",
			want: "on_time left 09:00-18:05 worked=485 break=60 over=5 [overtime]"},
		{name: "반나절 토요일", date: "2026-11-21", policy: []func(*Policy){func(p *Policy) { p.Week[6] = shift("09:00-13:00") }},
			clock: "in 09:00, out 13:00", want: "on_time left 09:00-13:00 worked=180 break=60"},
	})
}

func TestPresence(t *testing.T) {
	runAll(t, []testCase{
		{name: "아직 먼 날", date: "2026-11-16", now: "00:00", want: "not_due not_due …-…"},
		{name: "04:59에는 아직", date: "2026-11-16", now: "04:59", want: "not_due not_due …-…"},
		{name: "05:00부터 출근 전", date: "2026-11-16", now: "05:00", want: "before before …-…"},
		{name: "늦어도 아직 출근 전", date: "2026-11-16", now: "17:00", want: "before before …-…"},
		{name: "마감 1분 전까지 출근 전", date: "2026-11-16", now: "03:59+1", want: "before before …-…"},
		{name: "마감되면 결근", date: "2026-11-16", now: "04:00+1", want: "absent absent …-…"},
		{name: "근무 중", date: "2026-11-16", clock: "in 09:00", now: "15:00", want: "working working 09:00-… worked=?"},
		{name: "마감 1분 전까지 근무 중", date: "2026-11-16", clock: "in 09:00", now: "03:59+1", want: "working working 09:00-… worked=?"},
		{name: "마감되면 퇴근 누락", date: "2026-11-16", clock: "in 09:00", now: "04:00+1", want: "missing_departure missing_departure 09:00-… worked=?"},
		{name: "나갔다가 돌아와 근무 중", date: "2026-11-16", clock: "in 09:00, out 12:00, in 13:00", now: "15:00", want: "working working 09:00-… worked=?"},
		{name: "퇴근했으면 마감 전에도 퇴근", date: "2026-11-16", clock: "in 09:00, out 18:00", now: "18:00", want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "다가올 토요일은 휴무일", date: "2026-11-21", now: "00:00", want: "day_off not_due …-…"},
	})
}
