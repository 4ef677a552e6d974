package settings

import "slices"

// rule checks several settings together. It is skipped if one of its keys was
// already refused.
type rule struct {
	keys  []string
	check func(v Values, r *reader)
}

func rules(kind Kind) []rule {
	switch kind {
	case Communication:
		return []rule{
			{[]string{"allowed_ip_mode", "file_save_ip_mode", "allowed_ip_ranges"}, needsItems("allowed_ip_ranges", errNoRanges)},
			{[]string{"file_ext_mode", "file_exts"}, needsItems("file_exts", errNoExtensions)},
		}
	case WorkingAttitude:
		return []rule{
			{[]string{"work_type", "week"}, checkWeek},
			{[]string{"work_type", "settlement"}, checkSettlement},
			{[]string{"work_type", "flexible_start", "core_time", "daily_required_min", "break_mode", "breaks"}, checkCore},
			{[]string{"break_mode", "breaks"}, checkBreaksApart},
			{[]string{"work_type", "week", "flexible_start", "daily_required_min", "break_mode", "breaks"}, checkBreaksInside},
			{[]string{"holiday_dates"}, checkHolidays},
			{[]string{"ip_mode", "ip_ranges"}, needsItems("ip_ranges", errNoRanges)},
			{[]string{"gps_mode", "places"}, checkPlaces},
			{[]string{"weekly_cap_min", "weekly_warn_min"}, checkWeekly},
		}
	}
	return nil
}

// needsItems refuses an empty list while the list has an effect, because it
// would allow nothing at all.
func needsItems(key, code string) func(Values, *reader) {
	return func(v Values, r *reader) {
		s, _ := find(v.kind, key)
		if v.Active(s) && len(v.list(key)) == 0 {
			r.refuse(key, code)
		}
	}
}

// checkWeek checks the days of the week. Only fixed work has hours on its days. Free
// work may do without working days: then no day requires any work.
func checkWeek(v Values, r *reader) {
	if v.word("work_type") == "free" {
		return
	}
	days := 0
	for _, name := range weekdays {
		d := v.day(name)
		if !d.Works() {
			continue
		}
		days++
		if v.word("work_type") == "fixed" {
			checkHours(r, "week."+name, d)
		}
	}
	if days == 0 {
		r.refuse("week", errNoWorkDays)
	}
}

func checkHours(r *reader, path string, d Day) {
	switch {
	case d.Minutes() <= 0:
		r.refuse(path+".end", errEndFirst)
		return
	case d.Minutes() > day:
		r.refuse(path+".end", errShiftTooLong)
		return
	}
	switch {
	case d.Second == nil:
	case d.EndNextDay:
		r.refuse(path+".second.start", errSecondNextDay)
	case d.Second.Start < d.End:
		r.refuse(path+".second.start", errSecondOverlap, "End", d.End.String())
	case d.Second.End <= d.Second.Start:
		r.refuse(path+".second.end", errEndFirst)
	}
}

// checkSettlement refuses a period of settlement for fixed work, whose hours
// are those of each day.
func checkSettlement(v Values, r *reader) {
	if v.word("work_type") == "fixed" && v.word("settlement") != "day" {
		r.refuse("settlement", errSettlementFixed)
	}
}

// flexibleSpan returns the span from the earliest arrival to the latest
// departure of flexible work, in minutes since midnight; the end may be on the
// next day. Whoever arrives last still works the required time and takes the
// breaks.
func (v Values) flexibleSpan() (from, to int) {
	window := v.stored["flexible_start"].(Span)
	to = int(window.To) + int(v.number("daily_required_min"))
	switch v.word("break_mode") {
	case "windows":
		for _, pause := range v.list("breaks") {
			to += pause.(Span).Minutes()
		}
	case "statutory":
		to += statutoryBreak(int(v.number("daily_required_min")))
	}
	return int(window.From), to
}

// statutoryBreak returns the minimum break in minutes: 30 from 4 hours and 60
// from 8 hours of work (domain §5; Labour Standards Act, Article 54).
func statutoryBreak(worked int) int {
	switch {
	case worked >= 8*60:
		return 60
	case worked >= 4*60:
		return 30
	}
	return 0
}

func checkCore(v Values, r *reader) {
	core, has := v.stored["core_time"].(Span)
	if !has || v.word("work_type") != "flexible" {
		return
	}
	from, to := v.flexibleSpan()
	if !isInside(core, from, to) {
		r.refuse("core_time", errCoreOutside, "From", clock(from), "To", clock(to))
	}
}

// isInside reports whether a span lies between two minutes; the later one may be
// on the next day.
func isInside(s Span, from, to int) bool {
	for _, start := range []int{int(s.From), int(s.From) + day} {
		if from <= start && start+s.Minutes() <= to {
			return true
		}
	}
	return false
}

func clock(minutes int) string { return Time(minutes % day).String() }

func checkBreaksApart(v Values, r *reader) {
	if v.word("break_mode") != "windows" {
		return
	}
	breaks := v.list("breaks")
	for i, one := range breaks {
		if slices.ContainsFunc(breaks[:i], func(other any) bool { return overlap(one.(Span), other.(Span)) }) {
			r.refuse(itemPath("breaks", i), errBreakOverlap)
		}
	}
}

// overlap reports whether spans have a minute in common, on any day.
func overlap(a, b Span) bool {
	for _, shift := range []int{-day, 0, day} {
		start := int(b.From) + shift
		if int(a.From) < start+b.Minutes() && start < int(a.From)+a.Minutes() {
			return true
		}
	}
	return false
}

// checkBreaksInside refuses a break that lies within no working day. A day that
// ends earlier, such as a half Saturday, simply does not have the break.
func checkBreaksInside(v Values, r *reader) {
	if v.word("break_mode") != "windows" || v.word("work_type") == "free" {
		return
	}
	for i, pause := range v.list("breaks") {
		if !v.hasBreak(pause.(Span)) {
			r.refuse(itemPath("breaks", i), errBreakOutside)
		}
	}
}

func (v Values) hasBreak(pause Span) bool {
	if v.word("work_type") == "flexible" {
		from, to := v.flexibleSpan()
		return isInside(pause, from, to)
	}
	return slices.ContainsFunc(weekdays, func(name string) bool {
		d := v.day(name)
		return d.Works() && (isInside(pause, int(d.Start), int(d.Start)+d.Minutes()) ||
			d.Second != nil && isInside(pause, int(d.Second.Start), int(d.Second.End)))
	})
}

func checkHolidays(v Values, r *reader) {
	seen := map[any]bool{}
	for i, holiday := range v.list("holiday_dates") {
		date := holiday.(map[string]any)["date"]
		if seen[date] {
			r.refuse(itemPath("holiday_dates", i)+".date", errTwice)
		}
		seen[date] = true
	}
}

func checkPlaces(v Values, r *reader) {
	if v.word("gps_mode") == "require" && len(v.list("places")) == 0 {
		r.refuse("places", errNoPlaces)
	}
}

func checkWeekly(v Values, r *reader) {
	if v.number("weekly_warn_min") > v.number("weekly_cap_min") {
		r.refuse("weekly_warn_min", errWarnAboveCap)
	}
}

// Warnings returns values that are allowed but may be a mistake: private
// address ranges, and ranges with addresses in common.
func (v Values) Warnings() []Error {
	r := &reader{}
	for _, key := range []string{"allowed_ip_ranges", "ip_ranges"} {
		ranges := v.ranges(key)
		for i, one := range ranges {
			path := itemPath(key, i) + ".range"
			if one.Range.Private() {
				r.refuse(path, warnPrivate)
			}
			if other := slices.IndexFunc(ranges[:i], func(o NamedRange) bool { return one.Range.Overlaps(o.Range) }); other >= 0 {
				r.refuse(path, warnOverlap, "Name", ranges[other].Name)
			}
		}
	}
	return r.errors
}
