package cache

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"officeconsole/queries/replica"
)

// fillTimeout is the maximum duration of a shared fill. A fill does not end
// with the request that began it, because others may wait for it too.
const fillTimeout = time.Minute

// values are what a Cache holds, without its types. Generic code is compiled once
// for each pair of types in every package that imports it, however indirectly, so
// that only what converts types is generic.
type values struct {
	options Options[any]
	entries *lru.Cache[any, entry]
	fills   singleflight.Group // by flightKey
	metrics metrics
}

type entry struct {
	value    any
	filledAt time.Time // when its fill began
}

// fillFunc gets a value.
type fillFunc func(context.Context) (any, error)

func newValues(options Options[any]) *values {
	entries, err := lru.New[any, entry](options.Size)
	if err != nil {
		panic(fmt.Errorf("cache %s: %w", options.Name, err))
	}
	return &values{options: options, entries: entries, metrics: newMetrics(options.Name)}
}

type freshness int

const (
	missing freshness = iota // or invalid, or expired
	stale                    // to be refreshed
	fresh
)

// find returns the value of a key, and how fresh it is.
func (v *values) find(key any) (value any, state freshness) {
	entry, found := v.entries.Get(key)
	if !found {
		return nil, missing
	}
	if v.options.TTL == 0 && v.options.RefreshAfter == 0 {
		return entry.value, fresh
	}
	age := v.options.Now().Sub(entry.filledAt)
	switch {
	case age < 0 || v.options.TTL != 0 && age >= v.options.TTL: // the age is negative after the clock was set back
		return nil, missing
	case v.options.RefreshAfter != 0 && age >= v.options.RefreshAfter:
		return entry.value, stale
	}
	return entry.value, fresh
}

// refresh fills a stale value in the background, unless that is being done.
func (v *values) refresh(ctx context.Context, key any, valid func(any) bool, fill fillFunc) {
	v.share(ctx, key, valid, func(ctx context.Context) (any, error) {
		value, err := v.fill(ctx, key, fill)
		if err != nil {
			slog.WarnContext(ctx, "cannot refresh a cached value, the old one is served until it expires", "cache", v.options.Name, "err", err)
		}
		return value, err
	})
}

// get fills a missing value, or waits for the fill of another caller.
func (v *values) get(ctx context.Context, key any, valid func(any) bool, fill fillFunc) (any, error) {
	filled := false // whether this caller's own fill ran
	filling := v.share(ctx, key, valid, func(ctx context.Context) (any, error) {
		filled = true
		return v.fill(ctx, key, fill)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-filling:
		if result.Err != nil || filled || valid(result.Val) {
			return result.Val, result.Err
		}
	}
	return v.fill(ctx, key, fill) // the other caller's value is of another version
}

// share calls fill with the deadline fillTimeout, unless the key is being filled or has
// been filled in the meantime.
func (v *values) share(ctx context.Context, key any, valid func(any) bool, fill fillFunc) <-chan singleflight.Result {
	return v.fills.DoChan(flightKey(key), func() (any, error) {
		if value, state := v.find(key); state == fresh && valid(value) {
			return value, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fillTimeout)
		defer cancel()
		return fill(ctx)
	})
}

// flightKey returns a text that differs for different keys of a cache.
func flightKey(key any) string { return fmt.Sprintf("%#v", key) }

// fill calls fill and caches its value.
func (v *values) fill(ctx context.Context, key any, fill fillFunc) (value any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("cache %s: fill panicked: %v", v.options.Name, cause)
			slog.ErrorContext(ctx, "panic while filling a cache", "cache", v.options.Name, "panic", cause, "stack", string(debug.Stack()))
		}
	}()
	began := v.options.Now()
	if value, err = fill(replica.Without(ctx)); err != nil {
		return value, err
	}
	if v.options.Keep == nil || v.options.Keep(value) {
		v.add(key, entry{value, began})
	}
	return value, nil
}

func (v *values) add(key any, e entry) {
	evicted := v.entries.Add(key, e)
	v.metrics.add(evicted, v.entries.Len())
}

func (v *values) delete(key any) {
	v.entries.Remove(key)
	v.metrics.entries.Set(float64(v.entries.Len()))
}

// wait returns when no fill of the key is running.
func (v *values) wait(key any) {
	<-v.fills.DoChan(flightKey(key), func() (any, error) { return nil, nil })
}
