package handlers

import (
	"context"
	"log/slog"

	"github.com/go-chi/chi/v5/middleware"
)

// WithRequestID returns a log handler that adds the request's id, as the
// attribute id, to every record that is logged with the context of a request.
func WithRequestID(next slog.Handler) slog.Handler { return requestIDHandler{next} }

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
