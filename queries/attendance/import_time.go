package attendance

import "time"

// cellTime is a time in a file, to the second; 0 for none. It is twice the Unix
// time, plus one if the file gives no date with it.
type cellTime int64

func newCellTime(t time.Time, ofDay bool) cellTime {
	c := cellTime(t.Unix() * 2)
	if ofDay {
		c++
	}
	return c
}

func (c cellTime) time() time.Time { return time.Unix(int64(c>>1), 0).UTC() }

// timeOrNil returns nil for a cell without a time.
func (c cellTime) timeOrNil() *time.Time {
	if c == 0 {
		return nil
	}
	at := c.time()
	return &at
}

func (c cellTime) ofDay() bool { return c&1 != 0 }
