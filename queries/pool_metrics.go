package queries

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"officeconsole/queries/replica"
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
	replicaLag      = prometheus.NewDesc("officeconsole_replica_lag_seconds", "How far a read replica is behind. Not there while nobody knows.", []string{"replica"}, nil)
	replicaCurrent  = prometheus.NewDesc("officeconsole_replica_current", "1 if a read replica may answer, else 0. Not there for the database itself.", []string{"replica"}, nil)
	metricsOfPool   = []*prometheus.Desc{poolConnections, poolMost, poolAcquires, poolWaits, poolWaitSeconds, poolRefusals}
)

// Requests that a replica may answer, by what did.
var replicaRequests = promauto.NewCounterVec(prometheus.CounterOpts{Name: "officeconsole_replica_requests_total", Help: "Requests that a read replica may answer, by what answered them (replica, primary)."}, []string{"from"})

var requestsOfReplicas, requestsOfPrimary = replicaRequests.WithLabelValues("replica"), replicaRequests.WithLabelValues("primary")

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
	metrics <- replicaLag
	metrics <- replicaCurrent
}

// Collect implements prometheus.Collector.
func (m poolMetrics) Collect(metrics chan<- prometheus.Metric) {
	collectPool(metrics, "requests", m.db.pool.Pool.Stat())
	if m.db.pool.direct != m.db.pool.Pool {
		collectPool(metrics, "direct", m.db.pool.direct.Stat())
	}
	for _, r := range m.db.Replicas() {
		collectReplica(metrics, r)
	}
	metrics <- prometheus.MustNewConstMetric(streamsMetric, prometheus.GaugeValue, float64(m.db.streams.count()))
}

func collectReplica(metrics chan<- prometheus.Metric, r *replica.Replica) {
	collectPool(metrics, "replica "+r.Name, r.Pool.Stat())
	status, current := r.Status(), 0.0
	if status.State == replica.Current {
		current = 1
	}
	if status.State != replica.Primary {
		metrics <- prometheus.MustNewConstMetric(replicaCurrent, prometheus.GaugeValue, current, r.Name)
	}
	if status.State == replica.Current || status.State == replica.Behind {
		metrics <- prometheus.MustNewConstMetric(replicaLag, prometheus.GaugeValue, status.Lag.Seconds(), r.Name)
	}
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
