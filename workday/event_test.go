package workday

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// on returns a function that changes the first event of a kind.
func on(kind Kind, change func(*Event)) func([]Event) []Event {
	return func(all []Event) []Event {
		if i := slices.IndexFunc(all, func(e Event) bool { return e.Kind == kind }); i >= 0 {
			change(&all[i])
		}
		return all
	}
}

func TestEventTimesAndFlags(t *testing.T) {
	received := func(after time.Duration) func(*Event) {
		return func(e *Event) { e.ReceivedAt = e.OccurredAt.Add(after) }
	}
	proof := func(p *Policy) { p.ProofRequired = true }
	nine := "in 09:00, out 18:00"
	runAll(t, []testCase{
		{name: "시계가 4분 틀림", date: "2026-11-16", clock: nine, events: on(In, received(4*time.Minute)),
			want: "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "시계가 20분 늦음: 받은 시각으로", date: "2026-11-16", clock: nine, events: on(In, received(20*time.Minute)),
			want: "late left 09:20-18:00 worked=460 break=60 late=20 [late,clock_skew]"},
		{name: "오프라인이었으면 찍은 시각으로", date: "2026-11-16", clock: nine,
			events: on(In, func(e *Event) { received(3 * time.Hour)(e); e.Offline = true }),
			want:   "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "오프라인이라도 미래에서 오지는 않는다", date: "2026-11-16", clock: nine,
			events: on(Out, func(e *Event) { received(-time.Hour)(e); e.Offline = true }),
			want:   "early_leave left 09:00-17:00 worked=420 break=60 early=60 [early_leave,clock_skew]"},
		{name: "늦게 온 묶음은 보낸 시각을 비교한다", date: "2026-11-16", clock: nine,
			events: on(In, func(e *Event) { received(time.Hour)(e); e.SentAt = e.ReceivedAt.Add(-time.Second) }),
			want:   "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "시계가 앞섬", date: "2026-11-16", clock: nine, events: on(Out, received(-30*time.Minute)),
			want: "early_leave left 09:00-17:30 worked=450 break=60 early=30 [early_leave,clock_skew]"},
		{name: "같은 이벤트가 두 번", date: "2026-11-16", clock: "in 09:00, out 18:00",
			events: func(all []Event) []Event { return append(all, all...) },
			want:   "on_time left 09:00-18:00 worked=480 break=60"},
		{name: "위치 조작", date: "2026-11-16", clock: nine, events: on(In, func(e *Event) { e.Mock = true }),
			want: "on_time left 09:00-18:00 worked=480 break=60 [mock]"},
		{name: "외근", date: "2026-11-16", clock: nine, events: on(Out, func(e *Event) { e.Outside = true }),
			want: "on_time left 09:00-18:00 worked=480 break=60 [outside]"},
		{name: "처음 보는 기기", date: "2026-11-16", clock: nine, events: on(In, func(e *Event) { e.NewDevice = true }),
			want: "on_time left 09:00-18:00 worked=480 break=60 [device_new]"},
		{name: "인증이 없음", date: "2026-11-16", policy: []func(*Policy){proof}, clock: nine, events: on(In, func(e *Event) { e.Proof = "none" }),
			want: "on_time left 09:00-18:00 worked=480 break=60 [unproven]"},
		{name: "인증이 필요 없음", date: "2026-11-16", clock: nine, events: on(In, func(e *Event) { e.Proof = "none" }),
			want: "on_time left 09:00-18:00 worked=480 break=60"},
	})
}

func TestEdits(t *testing.T) {
	edit := func(id int64, field Field, text string) Edit {
		e := Edit{ID: id, At: date("2026-11-18").At(int(id), time.UTC), EditorID: 7, Field: field, Reason: "출장"}
		if text != "" {
			at := date("2026-11-16").At(clock(text), zone("Asia/Seoul"))
			e.New = &at
		}
		return e
	}
	edits := func(all ...Edit) func(*Day) { return func(d *Day) { d.Edits = all } }
	nine := "in 09:30, out 18:00"
	runAll(t, []testCase{
		{name: "출근을 고침", date: "2026-11-16", clock: nine, day: edits(edit(1, FieldArrival, "09:00")),
			want: "on_time left 09:00-18:00 worked=480 break=60 [edited]"},
		{name: "누락된 퇴근을 채움", date: "2026-11-16", clock: "in 09:00", day: edits(edit(1, FieldDeparture, "18:10")),
			want: "on_time left 09:00-18:10 worked=490 break=60 over=10 [overtime,edited]"},
		{name: "찍지 않은 하루를 채움", date: "2026-11-16", day: edits(edit(1, FieldArrival, "09:00"), edit(2, FieldDeparture, "18:00")),
			want: "on_time left 09:00-18:00 worked=480 break=60 [edited]"},
		{name: "나중의 수정이 이긴다", date: "2026-11-16", clock: nine, day: edits(edit(2, FieldArrival, "09:10"), edit(1, FieldArrival, "08:00")),
			want: "late left 09:10-18:00 worked=470 break=60 late=10 [late,edited]"},
		{name: "잘못 찍힌 퇴근을 지움", date: "2026-11-16", clock: nine, day: edits(edit(1, FieldDeparture, "")),
			want: "missing_departure missing_departure 09:30-… worked=? late=30 [late,edited]"},
		{name: "출근을 지우면 출근 누락", date: "2026-11-16", clock: nine, day: edits(edit(1, FieldArrival, "")),
			want: "missing_arrival missing_arrival …-18:00 worked=? [edited]"},
		{name: "짝으로 셀 때는 끝만 옮긴다", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:30, out 14:00, in 16:00, out 17:00",
			day:  edits(edit(1, FieldArrival, "09:00"), edit(2, FieldDeparture, "18:00")),
			want: "on_time left 09:00-18:00 worked=360 break=60 [short_hours,edited]"},
		{name: "고친 출근부터는 사이도 센다", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:30, in 16:00, out 18:00",
			day:  edits(edit(1, FieldArrival, "09:00")),
			want: "on_time left 09:00-18:00 worked=480 break=60 [edited]"},
		{name: "고친 퇴근 뒤의 출근은 세지 않는다", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:00, in 16:00, out 21:00",
			day:  edits(edit(1, FieldDeparture, "15:00")),
			want: "early_leave left 09:00-15:00 worked=300 break=60 early=180 [early_leave,short_hours,edited] uncounted:in"},
		{name: "두 번째 출근 뒤로 고친 퇴근", date: "2026-11-16", policy: []func(*Policy){pairs}, clock: "in 09:00, in 16:00",
			day:  edits(edit(1, FieldDeparture, "18:00")),
			want: "on_time left 09:00-18:00 worked=120 [short_hours,edited] uncounted:in"},
		{name: "거꾸로 고치면 일한 시간이 없다", date: "2026-11-16", clock: nine, day: edits(edit(1, FieldDeparture, "08:00")),
			want: "late_and_early left 09:30-08:00 late=30 early=600 [late,early_leave,edited]"},
	})
}

func TestEditsPreserveClockedTimes(t *testing.T) {
	p := officePolicy()
	d := date("2026-11-16")
	nine := d.At(9*60, p.Zone)
	day := Day{Date: d, Policy: p, Edits: []Edit{
		{ID: 1, Field: FieldArrival, New: &nine}, {ID: 2, Field: FieldDeparture},
	}}
	clocked := events(d, p.Zone, "in 09:30, out 18:00")
	r := Compute(NewPlans([]Day{day})[0], clocked, nine)
	want := ClockTime{At: nine, Edited: true, Event: clocked[0], Original: clocked[0].OccurredAt}
	if !reflect.DeepEqual(*r.Arrival, want) {
		t.Errorf("the arrival is %+v, not %+v", *r.Arrival, want)
	}
	if r.Departure != nil || r.Removed.Departure == nil || !r.Removed.Departure.Original.Equal(clocked[1].OccurredAt) {
		t.Errorf("the removed departure is %+v", r.Removed.Departure)
	}
}

func TestCheckRefusesOtherDays(t *testing.T) {
	p := officePolicy()
	d := date("2026-11-16")
	plans := NewPlans([]Day{{Date: d - 1, Policy: p}, {Date: d, Policy: p}, {Date: d + 1, Policy: p}})
	at := func(text string) *time.Time {
		if text == "" {
			return nil
		}
		t := d.At(clock(text), p.Zone)
		return &t
	}
	for _, c := range []struct {
		arrival, departure string
		want               error
	}{
		{"09:00", "18:00", nil},
		{"05:00", "04:00+1", nil},
		{"09:00", "", nil},
		{"", "18:00", nil},
		{"04:59", "18:00", ErrOutside},
		{"09:00", "04:01+1", nil}, // after the close, but still of this arrival
		{"", "04:01+1", ErrOutside},
		{"09:00", "18:00+1", ErrOutside},
		{"09:00", "09:00", ErrOrder},
		{"18:00", "09:00", ErrOrder},
	} {
		if err := plans[1].Check(at(c.arrival), at(c.departure)); err != c.want {
			t.Errorf("%s-%s: %v, not %v", c.arrival, c.departure, err, c.want)
		}
	}
}

func TestFlagsByName(t *testing.T) {
	all := Flags(1<<len(flagNames) - 1)
	if read, err := ParseFlags(all.Names()); err != nil || read != all || len(all.Names()) != 15 {
		t.Errorf("all flags are %v, %v", read, err)
	}
	if _, err := ParseFlags([]string{"late", "sleepy"}); err == nil {
		t.Error("an unknown flag is read")
	}
	if got := (FlagLate | FlagDeviceNew).String(); got != "late,device_new" {
		t.Errorf("got %s", got)
	}
}
