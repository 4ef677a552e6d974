package replica

import (
	"testing"
	"time"
)

func TestLag(t *testing.T) {
	began := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
	var p progress
	if _, known := p.lag(at(0), 0); known {
		t.Error("the lag is known before the primary has answered")
	}
	for i, position := range []Position{100, 100, 250, 250, 300} {
		p.note(at(200*i), position)
	}
	for _, c := range []struct {
		replayed Position
		lag      int
	}{
		{0, 900},   // since the first position
		{99, 900},  //
		{100, 500}, // 250 is there since 400
		{249, 500},
		{250, 100}, // 300 is there since 800
		{300, 0},
		{9000, 0}, // replayed since the last look at the primary
	} {
		lag, known := p.lag(at(900), c.replayed)
		if want := time.Duration(c.lag) * time.Millisecond; lag != want || !known {
			t.Errorf("replayed until %d: %v behind (known: %t), want %v", c.replayed, lag, known, want)
		}
	}
	if lag, known := p.lag(at(800+int(2*checkTimeout/time.Millisecond)), 300); lag != 0 || !known {
		t.Error("nobody has written since, which is no lag")
	}
	if _, known := p.lag(at(900+int(2*checkTimeout/time.Millisecond)), 300); known {
		t.Error("the lag is known although the primary does not answer any more")
	}
	p.note(at(5000), 280) // of another primary
	if lag, _ := p.lag(at(5100), 260); lag != 100*time.Millisecond {
		t.Errorf("after another primary has taken over: %v", lag)
	}
}

func TestLagOfLongAgo(t *testing.T) {
	var p progress
	began := time.Now()
	for i := range 2 * maxMarks {
		p.note(began.Add(time.Duration(i)*checkEvery), Position(i+1))
	}
	now := began.Add(time.Duration(2*maxMarks) * checkEvery)
	if lag, known := p.lag(now, 0); !known || lag < time.Duration(maxMarks/2)*checkEvery {
		t.Errorf("a replica that has replayed nothing is %v behind (known: %t)", lag, known)
	}
	if len(p.marks) > maxMarks {
		t.Errorf("%d positions are stored", len(p.marks))
	}
}

func TestChooseInTurn(t *testing.T) {
	a, b, c := New("a", nil), New("b", nil), New("c", nil)
	s := NewSet(nil, time.Second, a, b, c)
	if s.Choose(0) != nil {
		t.Error("a replica is chosen that nobody has checked")
	}
	for r, replayed := range map[*Replica]Position{a: 10, b: 20, c: 30} {
		r.status, r.replayed, r.at = Status{State: Current}, replayed, time.Now()
	}
	c.status.State = Promoted
	chosen := map[*Replica]int{}
	for range 30 {
		chosen[s.Choose(10)]++
	}
	if chosen[a] == 0 || chosen[b] == 0 || chosen[a]+chosen[b] != 30 {
		t.Errorf("chosen: a %d, b %d, others %d times", chosen[a], chosen[b], 30-chosen[a]-chosen[b])
	}
	if s.Choose(11) != b || s.Choose(21) != nil {
		t.Error("a replica is chosen that has not replayed the write")
	}
	b.at = time.Now().Add(-2 * checkTimeout)
	if s.Choose(11) != nil {
		t.Error("a replica is chosen that was not checked lately")
	}
}
