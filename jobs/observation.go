package jobs

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"officeconsole/tracing"
)

var (
	runs = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "officeconsole_job_seconds",
		Help:    "Time that a run of a job took, by name and result (ok, failed).",
		Buckets: []float64{.01, .1, 1, 10, 60, 600, 3600},
	}, []string{"name", "result"})
	successes = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "officeconsole_job_last_success_timestamp_seconds",
		Help: "When a run of a job last ended well, by name.",
	}, []string{"name"})
)

// observe runs a job, and counts and traces the run.
func (j job) observe(ctx context.Context, do func(context.Context) error) error {
	ctx, span := tracing.Begin(ctx, "job "+j.name, trace.SpanKindInternal)
	defer span.End()
	began := time.Now()
	err := do(ctx)
	result := "ok"
	if err != nil {
		result = "failed"
		span.SetStatus(codes.Error, err.Error())
	} else {
		successes.WithLabelValues(j.name).SetToCurrentTime()
	}
	runs.WithLabelValues(j.name, result).Observe(time.Since(began).Seconds())
	return err
}
