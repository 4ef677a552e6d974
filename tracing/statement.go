package tracing

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Statements makes a span of every statement within a traced request or job, named as
// the statement is in its file: "effectivePolicy". It is a tracer of pgx. Its spans have
// no arguments, because these are what people have typed.
type Statements struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (Statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return begin(ctx, statementName(data.SQL))
}

// TraceQueryEnd implements pgx.QueryTracer.
func (Statements) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	end(ctx, data.Err)
}

// TraceBatchStart implements pgx.BatchTracer. A batch is one span, because its
// statements make one round trip.
func (Statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	var names []string
	for _, q := range data.Batch.QueuedQueries {
		names = append(names, statementName(q.SQL))
	}
	return begin(ctx, "batch", attribute.StringSlice("officeconsole.statements", names))
}

// TraceBatchQuery implements pgx.BatchTracer.
func (Statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (Statements) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	end(ctx, data.Err)
}

// TraceCopyFromStart implements pgx.CopyFromTracer.
func (Statements) TraceCopyFromStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceCopyFromStartData) context.Context {
	return begin(ctx, "copy "+data.TableName.Sanitize())
}

// TraceCopyFromEnd implements pgx.CopyFromTracer.
func (Statements) TraceCopyFromEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceCopyFromEndData) {
	end(ctx, data.Err)
}

type statementKey struct{}

// begin begins the span of a statement, unless the request or job around it is not
// traced.
func begin(ctx context.Context, name string, attributes ...attribute.KeyValue) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	attributes = append(attributes, attribute.String("db.system.name", "postgresql"), attribute.String("db.query.summary", name))
	ctx, span := Begin(ctx, name, trace.SpanKindClient, trace.WithAttributes(attributes...))
	return context.WithValue(ctx, statementKey{}, span)
}

// end ends the span that begin began, which pgx passes on with the context.
func end(ctx context.Context, err error) {
	span, ok := ctx.Value(statementKey{}).(trace.Span)
	if !ok {
		return
	}
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}

// statementName returns the name in the comment before a statement, which sqlc writes
// there, or its first word: "begin", "select".
func statementName(statement string) string {
	if named, ok := strings.CutPrefix(statement, "-- name: "); ok {
		name, _, _ := strings.Cut(named, " ")
		return name
	}
	words := strings.Fields(statement[:min(len(statement), longestWord)])
	if len(words) == 0 {
		return "statement"
	}
	return strings.ToLower(words[0])
}

// longestWord is the number of bytes in which the first word of a statement is looked for.
const longestWord = 40
