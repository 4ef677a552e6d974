package views

import (
	"math"
	"time"
)

// lateEnough is the age of a list from which it is worth saying. A replica is usually
// some milliseconds behind.
const lateEnough = time.Second

func (f Frame) lateSeconds() int { return int(math.Ceil(f.Late.Seconds())) }
