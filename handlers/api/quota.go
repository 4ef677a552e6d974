package api

import (
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/traffic"
)

// How many calls a caller may make at the same time. More are answered 429. The
// messenger has many servers, but a stream is for one of them.
const (
	mostServiceCalls = 200 // with a service token
	mostStreams      = 20  // with a service token
)

var mostCalls = 50 // of a person; a test changes it

type limits struct{ calls, serviceCalls, streams *traffic.Limit }

func newLimits() limits {
	return limits{traffic.NewLimit(mostCalls), traffic.NewLimit(mostServiceCalls), traffic.NewLimit(mostStreams)}
}

// admit goes on with a call unless its caller makes too many at the same time.
func (c *calls) admit(ctx huma.Context, limit *traffic.Limit, caller string, next func(huma.Context)) {
	leave, ok := limit.Enter(caller)
	if !ok {
		ctx.SetHeader("Retry-After", retryAfter)
		c.refuse(ctx, refusal{http.StatusTooManyRequests, "error.too_many"})
		return
	}
	defer leave()
	next(ctx)
}

// admitPerson limits the calls of a person, with whatever token or session.
func (c *calls) admitPerson(ctx huma.Context, who caller, next func(huma.Context)) {
	c.admit(ctx, c.limits.calls, strconv.FormatInt(who.ID, 10), next)
}

// admitService limits the calls with a service token.
func (c *calls) admitService(ctx huma.Context, next func(huma.Context)) {
	c.admit(ctx, c.limits.serviceCalls, presentedToken(ctx.Header("Authorization")), next)
}

// admitStream is the middleware that limits the streams of a service token.
func (c *calls) admitStream(ctx huma.Context, next func(huma.Context)) {
	c.admit(ctx, c.limits.streams, presentedToken(ctx.Header("Authorization")), next)
}
