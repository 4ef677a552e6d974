package workday

import (
	"cmp"
	"slices"
	"time"
)

// stretch is the time between two minutes, counted since 1970.
type stretch struct{ from, to int64 }

func (s stretch) start() time.Time { return time.Unix(s.from*60, 0) }
func (s stretch) end() time.Time   { return time.Unix(s.to*60, 0) }
func (s stretch) minutes() int     { return int(max(0, s.to-s.from)) }

// intersect returns the intersection of two stretches, which may be empty.
func (s stretch) intersect(o stretch) stretch {
	return stretch{max(s.from, o.from), min(s.to, o.to)}
}

// stretches are in order and do not touch each other.
type stretches []stretch

func (all stretches) minutes() int {
	sum := 0
	for _, s := range all {
		sum += s.minutes()
	}
	return sum
}

// merge returns the stretches in order, without empty ones; those that touch
// or overlap become one.
func merge(all stretches) stretches {
	all = slices.DeleteFunc(all, func(s stretch) bool { return s.minutes() == 0 })
	if len(all) < 2 {
		return all
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
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

// within returns the intersection with other stretches.
func (all stretches) within(others stretches) stretches {
	var common stretches
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
// the stretches.
func (all stretches) daily(spans []Span, zone *time.Location) stretches {
	var found stretches
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
