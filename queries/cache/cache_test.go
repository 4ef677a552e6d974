package cache_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"officeconsole/queries/cache"
	"officeconsole/queries/replica"
)

// What is cached lasts longer than a request, which may read from a replica.
func TestFillReadsFromPrimary(t *testing.T) {
	c := newCache(1)
	ctx := replica.With(t.Context(), replica.New("replica", nil))
	if _, err := c.Get(ctx, "key", func(ctx context.Context) (int, error) {
		if replica.From(ctx) != nil {
			t.Error("a value is filled from a replica")
		}
		return 1, nil
	}); err != nil {
		t.Fatal(err)
	}
}

// newCache returns a cache that uses the clock of the synctest bubble.
func newCache(size int, change ...func(*cache.Options[int])) *cache.Cache[string, int] {
	options := cache.Options[int]{Name: "test", Size: size, Now: time.Now}
	for _, change := range change {
		change(&options)
	}
	return cache.New[string](options)
}

func fixed(value int) func(context.Context) (int, error) {
	return func(context.Context) (int, error) { return value, nil }
}

func mustNotFill(context.Context) (int, error) { return 0, errors.New("filled again") }

func wantValue(t *testing.T, want int, got int, err error) {
	t.Helper()
	if err != nil || got != want {
		t.Errorf("%d (%v), not %d", got, err, want)
	}
}

func TestCacheDropsTheLeastRecentlyUsed(t *testing.T) {
	c, ctx := newCache(2), t.Context()
	for i, key := range []string{"a", "b", "a", "c"} {
		if _, err := c.Get(ctx, key, fixed(i)); err != nil {
			t.Fatal(err)
		}
	}
	for key, want := range map[string]bool{"a": true, "b": false, "c": true} {
		if _, found := c.Peek(key); found != want {
			t.Errorf("%s: %t", key, found)
		}
	}
}

func TestCacheDeletes(t *testing.T) {
	c, ctx := newCache(2), t.Context()
	for _, key := range []string{"a", "b"} {
		if _, err := c.Get(ctx, key, fixed(1)); err != nil {
			t.Fatal(err)
		}
	}
	c.Delete("a")
	c.Delete("missing")
	value, err := c.Get(ctx, "a", fixed(2))
	wantValue(t, 2, value, err)
	value, err = c.Get(ctx, "b", mustNotFill)
	wantValue(t, 1, value, err)
}

func TestCacheFillsOnceForManyCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, release := newCache(2), make(chan struct{})
		var fills atomic.Int32
		var callers sync.WaitGroup
		for range 50 {
			callers.Go(func() {
				value, err := c.Get(t.Context(), "a", func(context.Context) (int, error) {
					fills.Add(1)
					<-release
					return 7, nil
				})
				wantValue(t, 7, value, err)
			})
		}
		synctest.Wait()
		other, err := c.Get(t.Context(), "b", fixed(8)) // another key does not wait
		wantValue(t, 8, other, err)
		close(release)
		callers.Wait()
		if n := fills.Load(); n != 1 {
			t.Errorf("%d fills", n)
		}
	})
}

func TestCacheForgetsErrorsAndPanics(t *testing.T) {
	c, ctx := newCache(2), t.Context()
	failure := errors.New("failed")
	if _, err := c.Get(ctx, "a", func(context.Context) (int, error) { return 1, failure }); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	var log strings.Builder
	previous := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(previous) })
	for name, get := range map[string]func() (int, error){
		"Get": func() (int, error) { return c.Get(ctx, "a", func(context.Context) (int, error) { panic("no rows") }) },
		"GetTx": func() (int, error) {
			return c.GetTx(ctx, "a", isAny, func(context.Context) (int, error) { panic("no rows") })
		},
	} {
		if _, err := get(); err == nil || !strings.Contains(err.Error(), "no rows") {
			t.Errorf("%s: panic became %v", name, err)
		}
	}
	if !strings.Contains(log.String(), "cache_test.go") {
		t.Errorf("the log has no stack: %s", log.String())
	}
	value, err := c.Get(ctx, "a", fixed(3))
	wantValue(t, 3, value, err)
}

func isAny(int) bool { return true }

func TestCacheEndsLongFills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, began := newCache(2), time.Now()
		_, err := c.Get(t.Context(), "a", func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

// A fill continues when the caller that started it gives up, and later callers
// get its value.
func TestCacheCallerGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, release := newCache(2), make(chan struct{})
		type key struct{}
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "first"))
		go func() { synctest.Wait(); cancel() }()
		_, err := c.Get(ctx, "a", func(ctx context.Context) (int, error) {
			<-release
			if ctx.Value(key{}) != "first" {
				t.Error("the context of the fill lacks the caller's values")
			}
			return 1, ctx.Err()
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		close(release)
		value, err := c.Get(t.Context(), "a", mustNotFill)
		wantValue(t, 1, value, err)
	})
}

func TestCacheExpiresAndRefreshes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		c := newCache(2, func(o *cache.Options[int]) {
			o.TTL, o.RefreshAfter, o.Now = 10*time.Minute, time.Minute, func() time.Time { return now }
		})
		get := func(want int, fill func(context.Context) (int, error)) {
			t.Helper()
			value, err := c.Get(t.Context(), "a", fill)
			wantValue(t, want, value, err)
			synctest.Wait()
		}
		get(1, fixed(1))
		now = now.Add(time.Minute - 1)
		get(1, mustNotFill)
		now = now.Add(1)
		get(1, mustNotFill) // fails in the background
		get(1, fixed(2))
		get(2, mustNotFill)
		now = now.Add(10 * time.Minute)
		if _, found := c.Peek("a"); found {
			t.Error("expired and found")
		}
		get(3, fixed(3))
		now = now.Add(-time.Second)
		get(4, fixed(4)) // the clock was set back
	})
}

func TestCacheKeepsWhatIsWorthIt(t *testing.T) {
	c := newCache(2, func(o *cache.Options[int]) { o.Keep = func(value int) bool { return value > 9 } })
	for _, value := range []int{9, 10} {
		got, err := c.Get(t.Context(), "a", fixed(value))
		wantValue(t, value, got, err)
	}
	value, err := c.Get(t.Context(), "a", mustNotFill)
	wantValue(t, 10, value, err)
}

func atLeast(version int) func(int) bool { return func(value int) bool { return value >= version } }

// A caller that needs a newer version than the one that is being filled fills
// the value itself.
func TestCacheFillsInvalidValuesAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, release := newCache(2), make(chan struct{})
		var callers sync.WaitGroup
		callers.Go(func() {
			value, err := c.GetValid(t.Context(), "a", atLeast(1), func(context.Context) (int, error) {
				<-release
				return 1, nil
			})
			wantValue(t, 1, value, err)
		})
		synctest.Wait()
		callers.Go(func() {
			value, err := c.GetValid(t.Context(), "a", atLeast(2), fixed(2))
			wantValue(t, 2, value, err)
		})
		synctest.Wait()
		close(release)
		callers.Wait()
		value, err := c.GetValid(t.Context(), "a", atLeast(2), mustNotFill)
		wantValue(t, 2, value, err)
	})
}

// A transaction does not wait for another caller's fill, because that fill may
// wait for locks of the transaction.
func TestCacheInTransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, release := newCache(2), make(chan struct{})
		go c.Get(t.Context(), "a", func(context.Context) (int, error) {
			<-release
			return 1, nil
		})
		synctest.Wait()
		ctx := t.Context()
		value, err := c.GetTx(ctx, "a", isAny, func(inner context.Context) (int, error) {
			if inner != ctx {
				t.Error("filled with another context")
			}
			return 2, nil
		})
		wantValue(t, 2, value, err)
		value, err = c.GetTx(ctx, "a", isAny, mustNotFill)
		wantValue(t, 2, value, err)
		close(release)
	})
}

func TestCacheIsConcurrent(t *testing.T) {
	c := newCache(4, func(o *cache.Options[int]) { o.RefreshAfter = time.Nanosecond })
	var callers sync.WaitGroup
	for caller := range 16 {
		callers.Go(func() {
			for i := range 200 {
				want := (caller + i) % 8
				get := c.GetValid
				if i%3 == 0 {
					get = c.GetTx
				}
				value, err := get(t.Context(), fmt.Sprint(want), isAny, fixed(want))
				wantValue(t, want, value, err)
			}
		})
	}
	callers.Wait()
}

func TestCacheMetrics(t *testing.T) {
	c := newCache(1, func(o *cache.Options[int]) { o.Name = "measured" })
	for _, key := range []string{"a", "a", "b", "b", "b"} {
		if _, err := c.Get(t.Context(), key, fixed(1)); err != nil {
			t.Fatal(err)
		}
	}
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.Metric {
			for _, label := range metric.Label {
				if label.GetValue() == "measured" {
					got[family.GetName()] = metric.GetCounter().GetValue() + metric.GetGauge().GetValue()
				}
			}
		}
	}
	want := "map[officeconsole_cache_entries:1 officeconsole_cache_evictions_total:1 officeconsole_cache_hits_total:3 officeconsole_cache_misses_total:2]"
	if fmt.Sprint(got) != want {
		t.Errorf("metrics %v", got)
	}
}
