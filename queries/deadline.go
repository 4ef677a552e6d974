package queries

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// answerGrace is how long after its time-out a statement may take to be answered. The
// database ends statements itself, unless it does not run any more or cannot be reached;
// a pooler may have let the statement wait before.
var answerGrace = 10 * time.Second // shorter in a test

type deadlineKey struct{}

// withDeadline returns a context that ends when the answer to a statement does not come
// any more. The connection is then closed.
func (t *tracer) withDeadline(ctx context.Context) context.Context {
	timeout := t.statementTimeout
	if wanted, _ := ctx.Value(statementTimeoutKey{}).(time.Duration); wanted != 0 {
		timeout = wanted
	}
	if timeout == 0 {
		return ctx
	}
	ctx, cancel := context.WithTimeout(ctx, timeout+answerGrace)
	return context.WithValue(ctx, deadlineKey{}, cancel)
}

// endDeadline releases the timer of withDeadline.
func endDeadline(ctx context.Context) {
	if cancel, ok := ctx.Value(deadlineKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// durationOf reads a time-out as PostgreSQL's settings have it: milliseconds, or a number
// with its unit. Without a number that is understood, it is 0.
func durationOf(setting string) time.Duration {
	if ms, err := strconv.Atoi(setting); err == nil {
		return time.Duration(ms) * time.Millisecond
	}
	if minutes, ok := strings.CutSuffix(setting, "min"); ok {
		setting = minutes + "m"
	}
	d, _ := time.ParseDuration(setting)
	return d
}

// TraceQueryStart implements pgx.QueryTracer.
func (t *tracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	ctx = t.withDeadline(ctx)
	if other := t.other.Load(); other != nil {
		return (*other).TraceQueryStart(ctx, conn, data)
	}
	return t.Statements.TraceQueryStart(ctx, conn, data)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (t *tracer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	endDeadline(ctx)
	if other := t.other.Load(); other != nil {
		(*other).TraceQueryEnd(ctx, conn, data)
		return
	}
	t.Statements.TraceQueryEnd(ctx, conn, data)
}

// TraceBatchStart implements pgx.BatchTracer.
func (t *tracer) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	return t.Statements.TraceBatchStart(t.withDeadline(ctx), conn, data)
}

// TraceBatchEnd implements pgx.BatchTracer.
func (t *tracer) TraceBatchEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchEndData) {
	endDeadline(ctx)
	t.Statements.TraceBatchEnd(ctx, conn, data)
}

// TraceCopyFromStart implements pgx.CopyFromTracer.
func (t *tracer) TraceCopyFromStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceCopyFromStartData) context.Context {
	return t.Statements.TraceCopyFromStart(t.withDeadline(ctx), conn, data)
}

// TraceCopyFromEnd implements pgx.CopyFromTracer.
func (t *tracer) TraceCopyFromEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceCopyFromEndData) {
	endDeadline(ctx)
	t.Statements.TraceCopyFromEnd(ctx, conn, data)
}
