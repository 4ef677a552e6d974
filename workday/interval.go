package workday

import (
	"cmp"
	"slices"
	"time"
)

// interval is the time between two minutes, counted since 1970.
type interval struct{ from, to int64 }

func (s interval) start() time.Time { return time.Unix(s.from*60, 0) }
func (s interval) end() time.Time   { return time.Unix(s.to*60, 0) }
func (s interval) minutes() int     { return int(max(0, s.to-s.from)) }

// intersect returns the intersection of two intervals, which may be empty.
func (s interval) intersect(o interval) interval {
	return interval{max(s.from, o.from), min(s.to, o.to)}
}

// intervals are in order and do not touch each other.
type intervals []interval

func (all intervals) minutes() int {
	sum := 0
	for _, s := range all {
		sum += s.minutes()
	}
	return sum
}

// merge returns the intervals in order, without empty ones; those that touch
// or overlap become one.
func merge(all intervals) intervals {
	all = slices.DeleteFunc(all, func(s interval) bool { return s.minutes() == 0 })
	if len(all) < 2 {
		return all
	}
	slices.SortFunc(all, func(a, b interval) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	merged := all[:1]
	for _, s := range all[1:] {
		if last := &merged[len(merged)-1]; s.from <= last.to {
			last.to = max(last.to, s.to)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// within returns the intersection with other intervals.
func (all intervals) within(others intervals) intervals {
	var common intervals
	for _, s := range all {
		for _, o := range others {
			if c := s.intersect(o); c.minutes() > 0 {
				common = append(common, c)
			}
		}
	}
	return common
}

// daily returns the times at which the spans of a day occur on the days around
// the intervals.
func (all intervals) daily(spans []Span, zone *time.Location) intervals {
	var found intervals
	if len(all) == 0 || len(spans) == 0 {
		return found
	}
	first := DateOf(all[0].start().In(zone)) - 1
	last := DateOf(all[len(all)-1].end().In(zone))
	for d := first; d <= last; d++ {
		for _, span := range spans {
			if s := span.on(d, zone); s.minutes() > 0 && s.to > all[0].from {
				found = append(found, s)
			}
		}
	}
	return merge(found)
}
