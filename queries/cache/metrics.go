package cache

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	hits = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "officeconsole_cache_hits_total",
		Help: "Values that a cache had, by cache. A value that is refreshed in the background counts too.",
	}, []string{"cache"})
	misses = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "officeconsole_cache_misses_total",
		Help: "Values that a cache did not have, or no longer, by cache.",
	}, []string{"cache"})
	evictions = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "officeconsole_cache_evictions_total",
		Help: "Values that made room for another one, by cache.",
	}, []string{"cache"})
	entries = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "officeconsole_cache_entries",
		Help: "Values that a cache holds, by cache.",
	}, []string{"cache"})
)

// metrics are the metrics of one cache.
type metrics struct {
	hits, misses, evictions prometheus.Counter
	entries                 prometheus.Gauge
}

func newMetrics(name string) metrics {
	return metrics{
		hits: hits.WithLabelValues(name), misses: misses.WithLabelValues(name),
		evictions: evictions.WithLabelValues(name), entries: entries.WithLabelValues(name),
	}
}

func (m metrics) count(state freshness) {
	if state == missing {
		m.misses.Inc()
	} else {
		m.hits.Inc()
	}
}

func (m metrics) add(evicted bool, entries int) {
	if evicted {
		m.evictions.Inc()
	}
	m.entries.Set(float64(entries))
}
