package tracing

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

func TestStatementName(t *testing.T) {
	for statement, want := range map[string]string{
		"-- name: effectivePolicy :one\nwith recursive x as (select 1) select * from x": "effectivePolicy",
		"select 1":              "select",
		"  \n BEGIN read only":  "begin",
		"":                      "statement",
		strings.Repeat(" ", 90): "statement",
	} {
		if name := statementName(statement); name != want {
			t.Errorf("%q: %q, not %q", statement, name, want)
		}
	}
}

// Statements of a traced request are its children, those of others are no spans, and
// lines of the log have the ids.
func TestSpans(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	ignored := tracetest.NewInMemoryExporter()
	stop := start(ignored, Collector{Ratio: 0})
	run(t.Context())
	if err := stop(t.Context()); err != nil || len(ignored.GetSpans()) != 0 {
		t.Errorf("%d spans of requests that are not traced, %v", len(ignored.GetSpans()), err)
	}
	stop = start(keep{spans}, Collector{Ratio: 1})
	log := run(t.Context())
	Statements{}.TraceQueryEnd(Statements{}.TraceQueryStart(t.Context(), nil, pgx.TraceQueryStartData{SQL: "select 1"}), nil, pgx.TraceQueryEndData{})
	if err := stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := spans.GetSpans()
	names := map[string]tracetest.SpanStub{}
	for _, span := range all {
		names[span.Name] = span
	}
	request := names["GET"]
	if len(all) != 4 || request.SpanContext.TraceID().String() == "" || names["one"].Parent.SpanID() != request.SpanContext.SpanID() {
		t.Errorf("spans are %+v", all)
	}
	if names["one"].Status.Code != codes.Error || names["batch"].Status.Code != codes.Unset || names[`copy "people"`].SpanContext.TraceID() != request.SpanContext.TraceID() {
		t.Errorf("spans are %+v", all)
	}
	if !strings.Contains(log, "trace_id="+request.SpanContext.TraceID().String()) || !strings.Contains(log, "span_id=") {
		t.Errorf("the log is %s", log)
	}
}

// keep is an exporter that does not forget its spans when it is stopped.
type keep struct{ *tracetest.InMemoryExporter }

func (keep) Shutdown(context.Context) error { return nil }

// run is a request with a statement that fails, a batch and a copy. It returns its log.
func run(ctx context.Context) string {
	ctx, span := Begin(ctx, "GET", trace.SpanKindServer)
	defer span.End()
	var s Statements
	s.TraceQueryEnd(s.TraceQueryStart(ctx, nil, pgx.TraceQueryStartData{SQL: "-- name: one :one\nselect 1"}), nil, pgx.TraceQueryEndData{Err: errors.New("refused")})
	batch := new(pgx.Batch)
	batch.Queue("-- name: two :one\nselect 2")
	s.TraceBatchEnd(s.TraceBatchStart(ctx, nil, pgx.TraceBatchStartData{Batch: batch}), nil, pgx.TraceBatchEndData{})
	s.TraceCopyFromEnd(s.TraceCopyFromStart(ctx, nil, pgx.TraceCopyFromStartData{TableName: pgx.Identifier{"people"}}), nil, pgx.TraceCopyFromEndData{})
	var log strings.Builder
	slog.New(WithIDs(slog.NewTextHandler(&log, nil))).InfoContext(ctx, "request")
	return log.String()
}
