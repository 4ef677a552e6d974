package traffic

import "sync"

// Limit is how many requests of one kind a caller may make at the same time. Each
// process counts for itself. It is safe for concurrent use.
type Limit struct {
	most    int
	mutex   sync.Mutex
	running map[string]int // by caller, without those who have none
}

// NewLimit returns a limit for each caller.
func NewLimit(most int) *Limit { return &Limit{most: most, running: map[string]int{}} }

// Enter counts a request of a caller until leave is called. It returns false if the
// caller has as many as are allowed.
func (l *Limit) Enter(caller string) (leave func(), ok bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.running[caller] >= l.most {
		return nil, false
	}
	l.running[caller]++
	return func() { l.leave(caller) }, true
}

func (l *Limit) leave(caller string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.running[caller]--; l.running[caller] == 0 {
		delete(l.running, caller)
	}
}
