// Package tracing sends spans of requests, jobs and statements to a collector of
// OpenTelemetry, and adds their ids to the log.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Collector is where spans are sent.
type Collector struct {
	URL     string  // such as http://127.0.0.1:4318; spans are posted to /v1/traces below it
	Ratio   float64 // the share of requests and job runs that are traced, from 0 to 1
	Version string  // of the program
}

// Start sends the spans of the whole process from now on. stop sends those that wait,
// until its context ends. A collector that cannot be reached costs spans and a warning
// in the log, nothing else. The headers that a collector may ask for are those of the
// variable OTEL_EXPORTER_OTLP_HEADERS, which the exporter reads.
func Start(ctx context.Context, c Collector) (stop func(context.Context) error, err error) {
	address, err := url.Parse(c.URL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		// Without the address, which may have a password.
		return nil, errors.New("collector of traces: its URL is not one like http://127.0.0.1:4318")
	}
	if address.User != nil {
		return nil, errors.New("collector of traces: its URL has a user or password; give them as a header in OTEL_EXPORTER_OTLP_HEADERS")
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(address.JoinPath("v1", "traces").String()))
	if err != nil {
		return nil, fmt.Errorf("collector of traces: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { slog.Warn("spans were not sent", "err", err) }))
	return start(exporter, c), nil
}

// start sends spans to an exporter in batches, in the background.
func start(exporter sdktrace.SpanExporter, c Collector) (stop func(context.Context) error) {
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(c.Ratio))),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "officeconsole"), attribute.String("service.version", c.Version))),
	)
	otel.SetTracerProvider(provider)
	return provider.Shutdown
}

// Begin begins the span of a request, job run or statement. Before Start it begins none,
// at nearly no cost.
func Begin(ctx context.Context, name string, kind trace.SpanKind, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	return otel.Tracer("officeconsole").Start(ctx, name, append(options, trace.WithSpanKind(kind))...)
}
