package handlers

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"officeconsole/tracing"
	"officeconsole/traffic"
)

var requests = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name:    "officeconsole_request_seconds",
	Help:    "Time to answer a request, by route, method and status.",
	Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
}, []string{"route", "method", "status"})

// statusLeft stands in the metrics for the status of an answer for which the client did
// not wait, as others write it.
const statusLeft = 499

// countedStatus is the status of a request in the metrics: a client that leaves is no
// fault of the console.
func countedStatus(r *http.Request, status int) int {
	if status == http.StatusServiceUnavailable && errors.Is(r.Context().Err(), context.Canceled) {
		return statusLeft
	}
	return status
}

func countRequest(route, method string, status int, took time.Duration) {
	requests.WithLabelValues(route, knownMethod(method), strconv.Itoa(status)).Observe(took.Seconds())
}

// knownMethod returns a method, or "other" for one that HTTP does not define: clients
// could invent as many as they like, and each has metrics of its own.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// routeOf returns the pattern of the route that has served a request, without the
// language, such as /policies/{kind}/{policy}, or "none".
func routeOf(ctx context.Context) string {
	route := chi.RouteContext(ctx)
	if route == nil {
		return "none"
	}
	// A router inside another one has the whole path again after the pattern with which
	// the outer one has found it: "/api/v1/*", "/api/v1/profile".
	var path string
	for _, pattern := range route.RoutePatterns {
		if outer := strings.TrimSuffix(path, "/*"); outer != path && !strings.HasPrefix(pattern, outer) {
			path = outer
		} else {
			path = ""
		}
		path += pattern
	}
	if path == "" || path == "/*" {
		return "none"
	}
	return path
}

// beginSpan begins the span of a request. A trace that its sender says to belong to is
// only linked, because the sender may be anybody.
func beginSpan(ctx context.Context, r *http.Request) (context.Context, trace.Span) {
	options := []trace.SpanStartOption{trace.WithNewRoot()}
	if r.Header.Get("Traceparent") != "" {
		sender := propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
		options = append(options, trace.WithLinks(trace.LinkFromContext(sender)))
	}
	return tracing.Begin(ctx, r.Method, trace.SpanKindServer, options...)
}

// endSpan ends the span of a request with what is known by then: its route and caller.
func endSpan(span trace.Span, route, method string, status int, caller *traffic.Caller) {
	defer span.End()
	if !span.IsRecording() {
		return
	}
	span.SetName(method + " " + route)
	span.SetAttributes(
		attribute.String("http.request.method", method),
		attribute.String("http.route", route),
		attribute.Int("http.response.status_code", status),
		attribute.Int64("officeconsole.company", caller.CompanyID),
	)
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
}
