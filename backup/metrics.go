package backup

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are those of the schedule of this process. Without a backup there is no time
// of a last one.
var metrics = &collector{}

func init() { prometheus.MustRegister(metrics) }

type collector struct {
	mutex    sync.Mutex
	isUsed   bool
	last     Archive
	took     time.Duration
	failures float64
}

var (
	lastSuccess  = prometheus.NewDesc("officeconsole_backup_last_success_timestamp_seconds", "When the last backup that is there began.", nil, nil)
	lastSize     = prometheus.NewDesc("officeconsole_backup_last_size_bytes", "Size of the last backup.", nil, nil)
	lastDuration = prometheus.NewDesc("officeconsole_backup_last_duration_seconds", "How long the last backup of this process took.", nil, nil)
	failures     = prometheus.NewDesc("officeconsole_backup_failures_total", "Backups of this process that failed.", nil, nil)
)

// begin notes the backups that a schedule found, the latest first.
func (c *collector) begin(archives []Archive) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.isUsed, c.last, c.took = true, Archive{}, 0
	if len(archives) > 0 {
		c.last = archives[0]
	}
}

func (c *collector) noteResult(result Result) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.isUsed, c.last, c.took = true, Archive{result.Path, result.Header.At, result.Size}, result.Took
}

func (c *collector) noteFailure() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.isUsed = true
	c.failures++
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(descriptions chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{lastSuccess, lastSize, lastDuration, failures} {
		descriptions <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.isUsed {
		return
	}
	to <- prometheus.MustNewConstMetric(failures, prometheus.CounterValue, c.failures)
	if c.last.At.IsZero() {
		return
	}
	to <- prometheus.MustNewConstMetric(lastSuccess, prometheus.GaugeValue, float64(c.last.At.Unix()))
	to <- prometheus.MustNewConstMetric(lastSize, prometheus.GaugeValue, float64(c.last.Size))
	if c.took > 0 {
		to <- prometheus.MustNewConstMetric(lastDuration, prometheus.GaugeValue, c.took.Seconds())
	}
}
