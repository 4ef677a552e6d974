package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"officeconsole/traffic"
)

// WithRequestID returns a log handler that adds the request's id, as the
// attribute id, to every record that is logged with the context of a request.
func WithRequestID(next slog.Handler) slog.Handler { return requestIDHandler{next} }

type claimedIDKey struct{}

// longestClaimedID is the number of bytes of a claimed id that are logged.
const longestClaimedID = 100

// identify gives a request an id of its own. What the sender claims to be its id may
// be anything, and is only logged beside it.
func identify(next http.Handler) http.Handler {
	next = middleware.RequestID(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		claimed := r.Header.Get(middleware.RequestIDHeader)
		r.Header.Del(middleware.RequestIDHeader)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), claimedIDKey{}, claimed[:min(len(claimed), longestClaimedID)])))
	})
}

// logRequests logs, counts and traces every request with who made it.
func logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		ctx, caller := traffic.WithCaller(r.Context())
		ctx, span := beginSpan(ctx, r)
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r.WithContext(ctx))
		took := time.Since(began)
		route := routeOf(ctx)
		countRequest(route, r.Method, countedStatus(r, ww.Status()), took)
		endSpan(span, route, r.Method, ww.Status(), caller)
		attributes := []slog.Attr{
			slog.String("method", r.Method),
			slog.String("path", withoutSecret(r.URL.Path)),
			slog.Int("status", ww.Status()),
			slog.Int("bytes", ww.BytesWritten()),
			slog.Duration("took", took),
			slog.String("address", address(r).String()),
			slog.Any("caller", caller),
		}
		if claimed, _ := ctx.Value(claimedIDKey{}).(string); claimed != "" {
			attributes = append(attributes, slog.String("claimed_id", claimed))
		}
		slog.LogAttrs(ctx, slog.LevelInfo, "request", attributes...)
	})
}

// withoutSecret returns a path for the log: the token in that of a hook lets
// anybody send messages.
func withoutSecret(path string) string {
	if strings.HasPrefix(path, hooksPath) {
		return hooksPath + "…"
	}
	return path
}

type requestIDHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h requestIDHandler) Handle(ctx context.Context, record slog.Record) error {
	if id := middleware.GetReqID(ctx); id != "" {
		record = record.Clone()
		record.AddAttrs(slog.String("id", id))
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h requestIDHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return requestIDHandler{h.Handler.WithAttrs(attributes)}
}

// WithGroup implements slog.Handler.
func (h requestIDHandler) WithGroup(name string) slog.Handler {
	return requestIDHandler{h.Handler.WithGroup(name)}
}
