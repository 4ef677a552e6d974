package replica

import (
	"slices"
	"time"
)

// progress is how far the log of the primary had come, and when. A replica's lag is the
// age of the earliest position that it has not replayed. Unlike the time of the last
// transaction that it replayed, that says nothing wrong where nobody writes, and needs
// no clock besides this one.
type progress struct {
	marks []mark // by time; positions increase
	at    time.Time
}

type mark struct {
	at       time.Time // not after the primary was there
	position Position
}

// maxMarks limits how much of the past is known: ten minutes of steady writing. A
// replica that is further behind has at least this lag.
const maxMarks = int(10 * time.Minute / checkEvery)

// note adds a position. One that is before the last is of another primary, one that
// took over from a primary whose last writes are lost.
func (p *progress) note(at time.Time, position Position) {
	p.at = at
	if n := len(p.marks); n > 0 {
		switch last := p.marks[n-1].position; {
		case position == last:
			return
		case position < last:
			p.marks = nil
		}
	}
	if len(p.marks) == maxMarks {
		p.marks = slices.Delete(p.marks, 0, maxMarks/2)
	}
	p.marks = append(p.marks, mark{at, position})
}

// lag returns how far somebody is behind who has replayed the log up to a position, and false
// if the primary has not answered lately.
func (p *progress) lag(now time.Time, replayed Position) (lag time.Duration, known bool) {
	if len(p.marks) == 0 || now.Sub(p.at) > 2*checkTimeout {
		return 0, false
	}
	i, _ := slices.BinarySearchFunc(p.marks, replayed, func(m mark, replayed Position) int {
		if m.position <= replayed {
			return -1
		}
		return 1
	})
	if i == len(p.marks) {
		return 0, true
	}
	return now.Sub(p.marks[i].at), true
}
