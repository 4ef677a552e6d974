package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var requests = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name:    "officeconsole_request_seconds",
	Help:    "Time to answer a request, by method and status.",
	Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
}, []string{"method", "status"})

func observe(method string, status int, took time.Duration) {
	requests.WithLabelValues(method, strconv.Itoa(status)).Observe(took.Seconds())
}

// alive answers 200 as long as the process runs.
func alive(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

// ready answers 200 once the database is reachable and migrated.
func (h *handlers) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	if err := h.db.Ready(ctx); err != nil {
		slog.WarnContext(ctx, "not ready: the database is unreachable or not migrated", "err", err)
		http.Error(w, "not ready", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusOK)
}
