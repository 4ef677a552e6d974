// Package traffic knows who makes a request, and how much of something one caller
// may do at the same time.
package traffic

import (
	"context"
	"log/slog"
)

// Caller is who makes a request, for the log. Its fields are set while the request
// is served, by whatever recognizes the caller.
type Caller struct {
	CompanyID int64
	UserID    int64  // 0 for a service token
	Token     string // "service" or "user" if a token was presented
}

type callerKey struct{}

// WithCaller returns a context in which the caller can be noted, who is still
// unknown.
func WithCaller(ctx context.Context) (context.Context, *Caller) {
	caller := new(Caller)
	return context.WithValue(ctx, callerKey{}, caller), caller
}

// NoteCaller notes who makes a request.
func NoteCaller(ctx context.Context, caller Caller) {
	if noted, ok := ctx.Value(callerKey{}).(*Caller); ok {
		*noted = caller
	}
}

// LogValue implements slog.LogValuer.
func (c *Caller) LogValue() slog.Value {
	var known []slog.Attr
	if c.CompanyID != 0 {
		known = append(known, slog.Int64("company", c.CompanyID))
	}
	if c.UserID != 0 {
		known = append(known, slog.Int64("user", c.UserID))
	}
	if c.Token != "" {
		known = append(known, slog.String("token", c.Token))
	}
	return slog.GroupValue(known...)
}
