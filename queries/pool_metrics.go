package queries

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// The metrics of the connection pools and of event streams, read when somebody asks for
// them. The pool "direct" is that of the database behind a pooler, if there is one.
var (
	poolConnections = newPoolMetric("officeconsole_pool_connections", "Open connections to the database, by pool and state (acquired, idle, opening).", "state")
	poolMost        = newPoolMetric("officeconsole_pool_connections_most", "Connections that a pool may open.")
	poolAcquires    = newPoolMetric("officeconsole_pool_acquires_total", "Connections that were taken from a pool.")
	poolWaits       = newPoolMetric("officeconsole_pool_waits_total", "Connections for which somebody had to wait, because a pool was empty.")
	poolWaitSeconds = newPoolMetric("officeconsole_pool_wait_seconds_total", "Time that was spent waiting for connections of an empty pool.")
	poolRefusals    = newPoolMetric("officeconsole_pool_refusals_total", "Waits for a connection that ended without one.")
	streamsMetric   = prometheus.NewDesc("officeconsole_event_streams", "Event streams that are open.", nil, nil)
	metricsOfPool   = []*prometheus.Desc{poolConnections, poolMost, poolAcquires, poolWaits, poolWaitSeconds, poolRefusals}
)

func newPoolMetric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, append([]string{"pool"}, labels...), nil)
}

// Metrics returns the metrics of the database's connections and event streams.
func (db *DB) Metrics() prometheus.Collector { return poolMetrics{db} }

type poolMetrics struct{ db *DB }

// Describe implements prometheus.Collector.
func (m poolMetrics) Describe(metrics chan<- *prometheus.Desc) {
	for _, d := range metricsOfPool {
		metrics <- d
	}
	metrics <- streamsMetric
}

// Collect implements prometheus.Collector.
func (m poolMetrics) Collect(metrics chan<- prometheus.Metric) {
	collectPool(metrics, "requests", m.db.pool.Pool.Stat())
	if m.db.pool.direct != m.db.pool.Pool {
		collectPool(metrics, "direct", m.db.pool.direct.Stat())
	}
	metrics <- prometheus.MustNewConstMetric(streamsMetric, prometheus.GaugeValue, float64(m.db.streams.count()))
}

func collectPool(metrics chan<- prometheus.Metric, pool string, now *pgxpool.Stat) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, kind, value, append([]string{pool}, labels...)...)
	}
	send(poolConnections, prometheus.GaugeValue, float64(now.AcquiredConns()), "acquired")
	send(poolConnections, prometheus.GaugeValue, float64(now.IdleConns()), "idle")
	send(poolConnections, prometheus.GaugeValue, float64(now.ConstructingConns()), "opening")
	send(poolMost, prometheus.GaugeValue, float64(now.MaxConns()))
	send(poolAcquires, prometheus.CounterValue, float64(now.AcquireCount()))
	send(poolWaits, prometheus.CounterValue, float64(now.EmptyAcquireCount()))
	send(poolWaitSeconds, prometheus.CounterValue, now.EmptyAcquireWaitTime().Seconds())
	send(poolRefusals, prometheus.CounterValue, float64(now.CanceledAcquireCount()))
}
