package settings

// CorrectionDays returns for how many days after a work date the employee may
// request a correction; 0 is never.
func (v Values) CorrectionDays() int { return int(v.number("correction_days")) }

// MaxLocationKeepDays is the longest time that a policy can ask for.
const MaxLocationKeepDays = 365

// LocationKeepDays returns for how many days after a work date its locations
// are stored.
func (v Values) LocationKeepDays() int { return int(v.number("location_keep_days")) }

// Reminders says when people are reminded to clock.
type Reminders struct {
	In, Out *int // minutes before the start and after the end; nil for never

	// Of flexible work: how long after the start of the window an arrival is on
	// time, and the end of the core time, in minutes after that start; 0 without
	// a core time.
	Flexible bool
	LateMin  int
	CoreMin  int
}

// Reminders returns when the people of a working attitude policy are reminded.
func (v Values) Reminders() Reminders {
	r := Reminders{In: v.minutesOrNil("remind_in"), Out: v.minutesOrNil("remind_out")}
	if v.word("work_type") != "flexible" {
		return r
	}
	window := v.stored["flexible_start"].(Span)
	r.Flexible, r.LateMin = true, window.Minutes()
	if core, ok := v.stored["core_time"].(Span); ok {
		r.CoreMin = Span{window.From, core.To}.Minutes()
	}
	return r
}

func (v Values) minutesOrNil(key string) *int {
	n, ok := v.stored[key].(int64)
	if !ok {
		return nil
	}
	minutes := int(n)
	return &minutes
}
