package webhook

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// The metrics of what webhooks still have to be sent. Every console tells the same,
// because they read it from the database.
var (
	waitingMetric = prometheus.NewDesc("officeconsole_webhook_deliveries_waiting", "Messages that wait for being sent to webhooks, counted up to 10,001.", nil, nil)
	oldestMetric  = prometheus.NewDesc("officeconsole_webhook_oldest_seconds", "How long the oldest message waits that a webhook has not been sent; 0 if none does.", nil, nil)
)

// metricsTime is how long reading the metrics may take.
const metricsTime = 5 * time.Second

// Metrics returns the metrics of what webhooks still have to be sent.
func (s *Store) Metrics() prometheus.Collector { return backlogMetrics{s} }

type backlogMetrics struct{ store *Store }

// Describe implements prometheus.Collector.
func (backlogMetrics) Describe(metrics chan<- *prometheus.Desc) {
	metrics <- waitingMetric
	metrics <- oldestMetric
}

// Collect implements prometheus.Collector. Without an answer of the database these
// metrics are missing.
func (m backlogMetrics) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), metricsTime)
	defer cancel()
	now := m.store.db.Now()
	backlog, err := m.store.backlog(ctx, now)
	if err != nil {
		slog.WarnContext(ctx, "metrics of webhooks are missing", "err", err)
		return
	}
	metrics <- prometheus.MustNewConstMetric(waitingMetric, prometheus.GaugeValue, float64(backlog.Waiting))
	metrics <- prometheus.MustNewConstMetric(oldestMetric, prometheus.GaugeValue, max(0, now.Sub(backlog.Oldest).Truncate(time.Millisecond).Seconds()))
}
