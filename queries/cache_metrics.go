package queries

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	cacheHits = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "officeconsole_cache_hits_total",
		Help: "Values that a cache had, by cache. A value that is refreshed in the background counts too.",
	}, []string{"cache"})
	cacheMisses = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "officeconsole_cache_misses_total",
		Help: "Values that a cache did not have, or no longer, by cache.",
	}, []string{"cache"})
	cacheEvictions = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "officeconsole_cache_evictions_total",
		Help: "Values that made room for another one, by cache.",
	}, []string{"cache"})
	cacheEntries = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "officeconsole_cache_entries",
		Help: "Values that a cache holds, by cache.",
	}, []string{"cache"})
)

// cacheMetrics are the metrics of one cache.
type cacheMetrics struct {
	hits, misses, evictions prometheus.Counter
	entries                 prometheus.Gauge
}

func newCacheMetrics(name string) cacheMetrics {
	return cacheMetrics{
		hits: cacheHits.WithLabelValues(name), misses: cacheMisses.WithLabelValues(name),
		evictions: cacheEvictions.WithLabelValues(name), entries: cacheEntries.WithLabelValues(name),
	}
}

func (m cacheMetrics) count(state cacheState) {
	if state == missing {
		m.misses.Inc()
	} else {
		m.hits.Inc()
	}
}

func (m cacheMetrics) add(evicted bool, entries int) {
	if evicted {
		m.evictions.Inc()
	}
	m.entries.Set(float64(entries))
}
