package main

import (
	"strings"
	"sync"
	"time"
	"unicode"
)

// tally counts what came of the requests of a load.
type tally struct {
	mu                              sync.Mutex
	requests                        int
	acknowledged, unknown, refused  int // writes; an event is one
	writes                          map[kind]*silence
	pages                           silence
	honest, otherError, brokenPages int
	samples                         map[string]int // what was neither done nor honest, with how often
}

// silence is the longest time without something.
type silence struct {
	last        time.Time
	longest     time.Duration
	from, until time.Time // of the longest
}

func (s *silence) note(now time.Time) {
	if d := now.Sub(s.last); !s.last.IsZero() && d > s.longest {
		s.longest, s.from, s.until = d, s.last, now
	}
	s.last = now
}

func newTally(now time.Time) *tally {
	t := &tally{writes: map[kind]*silence{}, pages: silence{last: now}, samples: map[string]int{}}
	for _, k := range kinds {
		t.writes[k] = &silence{last: now}
	}
	return t
}

// note counts a request.
func (t *tally) note(a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	if a.status >= 500 && !a.isHonest() {
		t.sample(a.String())
	}
}

// sent returns how many requests were sent so far.
func (t *tally) sent() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.requests
}

// mostSamples is how many different failures are remembered.
const mostSamples = 20

func (t *tally) sample(text string) {
	if _, known := t.samples[text]; known || len(t.samples) < mostSamples {
		t.samples[text]++
	}
}

func (t *tally) noteDone(k kind, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acknowledged += n
	t.writes[k].note(time.Now())
}

func (t *tally) noteUnknown(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unknown += n
}

func (t *tally) noteRefused(n int, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refused += n
	t.sample(why)
}

// notePage counts a page that was answered with 200, or what came instead.
func (t *tally) notePage(a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case a.status == 200 && a.err == nil:
		t.pages.note(time.Now())
	case a.err != nil:
		t.brokenPages++
	case a.isHonest():
		t.honest++
	default:
		t.otherError++
	}
}

// isHonest reports whether an answer says that the console cannot answer now, and when
// to ask again: 503 with Retry-After, and a text in the reader's language.
func (a answer) isHonest() bool {
	hangul := strings.ContainsFunc(string(a.body), func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
	return a.status == 503 && a.header.Get("Retry-After") != "" && hangul
}

// allSince reports whether writes of all kinds, and a page, were answered after a time.
func (t *tally) allSince(at time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.writes {
		if !s.last.After(at) {
			return false
		}
	}
	return t.pages.last.After(at)
}

// finish ends all silences.
func (t *tally) finish() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for _, s := range t.writes {
		s.note(now)
	}
	t.pages.note(now)
}

// worstWrite returns the longest time without a write of some kind.
func (t *tally) worstWrite() (worst silence) {
	for _, s := range t.writes {
		if s.longest > worst.longest {
			worst = *s
		}
	}
	return worst
}

// interruption is the shortest silence that is one.
const interruption = time.Second

// writesAgain returns how long after a moment writes of all kinds were acknowledged
// again, or 0 if there was no interruption.
func (t *tally) writesAgain(after time.Time) (d time.Duration) {
	for _, s := range t.writes {
		if s.longest >= interruption && s.until.After(after) {
			d = max(d, s.until.Sub(after))
		}
	}
	return d
}
