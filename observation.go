package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"officeconsole/queries/areas"
	"officeconsole/tracing"
)

// observation answers at the address for metrics: with the metrics, and with profiles of
// the program if they are wanted.
func (s serveCommand) observation(db *areas.Areas) http.Handler {
	ofDatabase := prometheus.NewRegistry() // the default one is for the whole process
	ofDatabase.MustRegister(db.Metrics(), db.Webhooks.Metrics())
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(prometheus.Gatherers{prometheus.DefaultGatherer, ofDatabase}, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}))
	if s.Profiles {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// spansTime is how long the server waits at its end for its last spans to be sent.
const spansTime = 3 * time.Second

// startTracing sends traces to the collector, if there is one, until stop.
func (s serveCommand) startTracing(ctx context.Context) (stop func(), err error) {
	if !(s.TraceRatio >= 0 && s.TraceRatio <= 1) { // also NaN
		return nil, fmt.Errorf("--trace-ratio: %v is not between 0 and 1", s.TraceRatio)
	}
	if s.TraceURL == "" {
		return func() {}, nil
	}
	end, err := tracing.Start(ctx, tracing.Collector{URL: s.TraceURL, Ratio: s.TraceRatio, Version: version})
	if err != nil {
		return nil, err
	}
	return func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), spansTime)
		defer cancel()
		if err := end(ending); err != nil {
			slog.WarnContext(ctx, "the last spans were not sent", "err", err)
		}
	}, nil
}
