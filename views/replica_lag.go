package views

import (
	"math"
	"time"
)

// shownLag is the age of a list from which it is worth saying. A replica is usually
// some milliseconds behind.
const shownLag = time.Second

func (f Frame) lagSeconds() int { return int(math.Ceil(f.ReplicaLag.Seconds())) }
