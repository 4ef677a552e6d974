package backup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

func TestSchedule(t *testing.T) {
	now := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	for _, name := range []string{"officeconsole-2026-11-01T000000Z.tar.zst", "officeconsole-2026-11-02T000000Z.tar.zst", "officeconsole-2026-11-02T000000Z.tar.zst.unfinished", "other.tar.zst"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := &Schedule{Source: open(t).source(), Dir: dir, Every: 24 * time.Hour, Keep: 2, Now: func() time.Time { return now }}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	good, before := s.Source, gather(t) // other tests have failures, too
	for _, step := range []struct {
		wait   time.Duration
		source Source
		fails  bool
		want   string // the times of the archives
	}{
		{0, Source{DataDir: dir}, true, "2026-11-01T000000Z 2026-11-02T000000Z"},
		{retryTime - time.Minute, good, false, "2026-11-01T000000Z 2026-11-02T000000Z"}, // too soon after a failure
		{time.Minute, good, false, "2026-11-02T000000Z 2026-11-20T040000Z"},
		{23 * time.Hour, good, false, "2026-11-02T000000Z 2026-11-20T040000Z"}, // not due
		{time.Hour, good, false, "2026-11-20T040000Z 2026-11-21T040000Z"},
		{24 * time.Hour, Source{DataDir: dir}, true, "2026-11-20T040000Z 2026-11-21T040000Z"},
		{-72 * time.Hour, good, false, "2026-11-19T040000Z 2026-11-21T040000Z"}, // the clock was set back
	} {
		now = now.Add(step.wait)
		s.Source = step.source
		if err := s.Run(t.Context()); (err != nil) != step.fails {
			t.Errorf("at %v: %v", now, err)
		}
		var times []string
		archives, err := s.Archives()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range archives {
			times = append(times, a.At.Format(nameLayout))
		}
		slices.Sort(times)
		if got := strings.Join(times, " "); got != step.want {
			t.Errorf("at %v there are %s, want %s", now, got, step.want)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 3 { // the archives and what belongs to somebody else
		t.Errorf("in the directory: %v (%v)", left, err)
	}
	values := gather(t)
	if values["officeconsole_backup_failures_total"]-before["officeconsole_backup_failures_total"] != 2 || values["officeconsole_backup_last_size_bytes"] < 1e6 ||
		values["officeconsole_backup_last_duration_seconds"] <= 0 || values["officeconsole_backup_last_success_timestamp_seconds"] == 0 {
		t.Errorf("metrics: %v", values)
	}
}

func gather(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.Metric {
			values[family.GetName()] = metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
		}
	}
	return values
}

func TestScheduleThatCannotWork(t *testing.T) {
	dir := t.TempDir()
	for _, s := range []*Schedule{
		{Dir: filepath.Join(dir, "missing"), Every: time.Hour, Keep: 1},
		{Dir: save(t, nil), Every: time.Hour, Keep: 1},
		{Dir: dir, Every: time.Second, Keep: 1},
		{Dir: dir, Every: time.Hour},
	} {
		if err := s.Check(); err == nil {
			t.Errorf("%+v was taken", s)
		}
	}
}
