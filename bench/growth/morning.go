package growth

import "math"

// minute is what arrives in a second of a minute of the day.
type minute struct {
	at     int     // minutes since midnight in the first time zone
	events float64 // clock events
	calls  float64 // that bring them
}

// arriving returns the share of the people at work who arrive within a minute.
func arriving(at int) (share float64) {
	for _, h := range habits {
		share += h.share * (normal((float64(at+1)-h.around)/h.deviation) - normal((float64(at)-h.around)/h.deviation))
	}
	return share
}

// normal is the cumulative distribution function of the standard normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// callsFor returns the calls a second of a company whose events arrive at random, a
// number a second on average: the messenger sends one for every interval in which there
// was an event.
func callsFor(events float64) float64 {
	return -math.Expm1(-events*batchEvery.Seconds()) / batchEvery.Seconds()
}

// morning simulates a day minute by minute and returns the busiest one.
func morning(companies []class, zones []zone) (busiest minute) {
	const day = 24 * 60
	for at := range day {
		now := minute{at: at}
		for _, z := range zones {
			share := arriving((at - z.behind*60 + day) % day)
			for _, c := range companies {
				events := c.people * atWork * share / 60
				now.events += c.companies * z.share * events
				now.calls += c.companies * z.share * callsFor(events)
			}
		}
		if now.events > busiest.events {
			busiest = now
		}
	}
	return busiest
}
