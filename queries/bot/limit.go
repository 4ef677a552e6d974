package bot

import (
	"fmt"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Rate is how many calls a second a token may make in the long run, Burst how
// many at once. Every process counts for itself.
const (
	Rate  = 20
	Burst = 100
)

// limitedTokens is how many tokens the limits are counted for; those that were
// used longest ago begin anew.
const limitedTokens = 10_000

// limits count the calls of every token.
type limits struct {
	mu     sync.Mutex
	rate   rate.Limit
	burst  int
	tokens *lru.Cache[int64, *limiter]
}

type limiter struct {
	calls *rate.Limiter
	notes *rate.Limiter // of the refusals that are logged
}

// SetRate replaces Rate and Burst, for tests and benchmarks.
func (s *Store) SetRate(perSecond float64, burst int) { s.limits.set(rate.Limit(perSecond), burst) }

func (l *limits) set(perSecond rate.Limit, burst int) {
	tokens, err := lru.New[int64, *limiter](limitedTokens)
	if err != nil {
		panic(fmt.Errorf("limits of tokens: %w", err)) // the size is a positive constant
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rate, l.burst, l.tokens = perSecond, burst, tokens
}

func (l *limits) of(tokenID int64) *limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.tokens.Get(tokenID)
	if !ok {
		found = &limiter{rate.NewLimiter(l.rate, l.burst), rate.NewLimiter(rate.Every(time.Minute), 1)}
		l.tokens.Add(tokenID, found)
	}
	return found
}

// wait counts a call, and returns how long the caller has to wait if that is one
// too many: 0 if it is not.
func (l *limiter) wait(now time.Time) time.Duration {
	call := l.calls.ReserveN(now, 1)
	if !call.OK() {
		return time.Minute
	}
	delay := call.DelayFrom(now)
	if delay > 0 {
		call.CancelAt(now)
	}
	return delay
}
