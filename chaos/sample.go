package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// sample is what a console and its database use at a moment.
type sample struct {
	at          time.Duration // since the beginning of the steady load
	resident    float64       // MiB, of the console without its database
	goroutines  float64
	connections float64 // to the database
	partitions  float64
	dead        float64 // percent of all rows
	size        float64 // of the database, MiB
	log         float64 // write-ahead log, MiB
	requests    int     // so far
	failedJobs  float64 // since the start
	successes   map[string]float64
}

// figures are the numbers of a sample that are to stay flat.
var figures = []struct {
	name string
	of   func(sample) float64
}{
	{"resident memory, MiB", func(s sample) float64 { return s.resident }},
	{"goroutines", func(s sample) float64 { return s.goroutines }},
	{"connections", func(s sample) float64 { return s.connections }},
	{"partitions", func(s sample) float64 { return s.partitions }},
	{"dead rows, %", func(s sample) float64 { return s.dead }},
	{"database, MiB", func(s sample) float64 { return s.size }},
	{"write-ahead log, MiB", func(s sample) float64 { return s.log }},
}

const databaseFigures = `select
	(select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()),
	(select count(*) from pg_inherits),
	(select coalesce(100.0 * sum(n_dead_tup) / nullif(sum(n_dead_tup + n_live_tup), 0), 0)::float8 from pg_stat_user_tables),
	pg_database_size(current_database()) / 1048576.0::float8`

// takeSample asks the console for its metrics, and the database.
func takeSample(ctx context.Context, p *program, conn *pgx.Conn, cluster string) (s sample, err error) {
	values, err := readMetrics(ctx, p.metrics)
	if err != nil {
		return s, err
	}
	s.resident, s.goroutines = values["process_resident_memory_bytes"]/(1<<20), values["go_goroutines"]
	s.successes = map[string]float64{}
	for name, value := range values {
		switch {
		case strings.HasPrefix(name, "officeconsole_job_last_success_timestamp_seconds{"):
			s.successes[name] = value
		case strings.HasPrefix(name, "officeconsole_job_seconds_count{") && strings.Contains(name, `result="failed"`):
			s.failedJobs += value
		}
	}
	if err := conn.QueryRow(ctx, databaseFigures).Scan(&s.connections, &s.partitions, &s.dead, &s.size); err != nil {
		return s, err
	}
	s.log, err = sizeOf(filepath.Join(cluster, "pg_wal"))
	return s, err
}

// readMetrics returns metrics in the text format of Prometheus by their names and labels.
func readMetrics(ctx context.Context, address string) (map[string]float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	values := map[string]float64{}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		line := lines.Text()
		i := strings.LastIndexByte(line, ' ')
		if i < 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if values[line[:i]], err = strconv.ParseFloat(line[i+1:], 64); err != nil {
			return nil, fmt.Errorf("metric %q: %w", line, err)
		}
	}
	return values, lines.Err()
}

// sizeOf returns the size of the files in a directory in MiB.
func sizeOf(dir string) (total float64, err error) {
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the log is recycled
		}
		if err == nil {
			total += float64(info.Size()) / (1 << 20)
		}
		return err
	})
	return total, err
}
