// Package cache holds bounded caches of values that are costly to get.
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

// Options configures a Cache. Name, Size and Now are required.
type Options[V any] struct {
	Name         string           // the label of the cache in the metrics
	Size         int              // the maximum number of values; the least recently used one is evicted
	Now          func() time.Time // the clock of TTL and RefreshAfter
	TTL          time.Duration    // the age at which a value expires; 0 for never
	RefreshAfter time.Duration    // the age at which a value is refreshed in the background; 0 for never
	Keep         func(V) bool     // reports whether a value is worth caching; nil for every value
}

// Cache is a bounded cache of values that are costly to get. Values are shared
// between callers and must not be changed. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	options Options[V]
	entries *lru.Cache[K, entry[V]]
	fills   singleflight.Group // by flightKey
	metrics metrics
}

type entry[V any] struct {
	value    V
	filledAt time.Time // when its fill began
}

// New returns an empty cache. It panics unless the size is positive.
func New[K comparable, V any](options Options[V]) *Cache[K, V] {
	entries, err := lru.New[K, entry[V]](options.Size)
	if err != nil {
		panic(fmt.Errorf("cache %s: %w", options.Name, err))
	}
	return &Cache[K, V]{options: options, entries: entries, metrics: newMetrics(options.Name)}
}

// Get returns the value of a key, and calls fill if there is none. Callers that
// ask for a key at the same time share one fill, which runs in a goroutine of
// its own with the values of the first caller's context and the deadline
// fillTimeout. Each caller waits no longer than its own context lasts. An error
// or a panic of fill is returned and not cached.
//
// In a transaction, call GetTx instead.
func (c *Cache[K, V]) Get(ctx context.Context, key K, fill func(context.Context) (V, error)) (V, error) {
	return c.GetValid(ctx, key, isAlwaysValid, fill)
}

// GetValid is Get for values that can become invalid by other things than age:
// a value for which valid returns false is filled again.
func (c *Cache[K, V]) GetValid(ctx context.Context, key K, valid func(V) bool, fill func(context.Context) (V, error)) (V, error) {
	value, state := c.find(key, valid)
	c.metrics.count(state)
	if state == fresh {
		return value, nil
	}
	filled := false // whether this caller's own fill ran
	filling := c.fills.DoChan(flightKey(key), func() (any, error) {
		if value, state := c.find(key, valid); state == fresh { // another fill has ended in the meantime
			return value, nil
		}
		filled = true
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fillTimeout)
		defer cancel()
		value, err := c.fill(ctx, key, fill)
		if err != nil && state == stale {
			slog.WarnContext(ctx, "cannot refresh a cached value, the old one is served until it expires", "cache", c.options.Name, "err", err)
		}
		return value, err
	})
	if state == stale {
		return value, nil
	}
	select {
	case <-ctx.Done():
		return value, ctx.Err()
	case result := <-filling:
		if result.Err != nil {
			return value, result.Err
		}
		value = result.Val.(V)
	}
	if filled || valid(value) {
		return value, nil
	}
	return c.fill(ctx, key, fill) // the other caller's value is of another version
}

// GetTx is GetValid inside a transaction, through which fill reads. It does not
// wait for another caller's fill, which may need a connection or a lock that
// the transaction holds, and other callers do not wait for its fill. A
// transaction that has changed what the value depends on must not call it,
// because it may be rolled back.
func (c *Cache[K, V]) GetTx(ctx context.Context, key K, valid func(V) bool, fill func(context.Context) (V, error)) (V, error) {
	value, state := c.find(key, valid)
	c.metrics.count(state)
	if state != missing {
		return value, nil
	}
	return c.fill(ctx, key, fill)
}

// Peek returns the value of a key without filling it, if there is one that has
// not expired.
func (c *Cache[K, V]) Peek(key K) (value V, found bool) {
	value, state := c.find(key, isAlwaysValid)
	return value, state != missing
}

func isAlwaysValid[V any](V) bool { return true }

// flightKey returns a text that differs for different keys of a cache.
func flightKey(key any) string { return fmt.Sprintf("%#v", key) }

type freshness int

const (
	missing freshness = iota // or invalid, or expired
	stale                    // to be refreshed
	fresh
)

func (c *Cache[K, V]) find(key K, valid func(V) bool) (value V, state freshness) {
	entry, found := c.entries.Get(key)
	if !found || !valid(entry.value) {
		return value, missing
	}
	if c.options.TTL == 0 && c.options.RefreshAfter == 0 {
		return entry.value, fresh
	}
	age := c.options.Now().Sub(entry.filledAt)
	switch {
	case age < 0 || c.options.TTL != 0 && age >= c.options.TTL: // the age is negative after the clock was set back
		return value, missing
	case c.options.RefreshAfter != 0 && age >= c.options.RefreshAfter:
		return entry.value, stale
	}
	return entry.value, fresh
}

// fill calls fill and caches its value.
func (c *Cache[K, V]) fill(ctx context.Context, key K, fill func(context.Context) (V, error)) (value V, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("cache %s: fill panicked: %v", c.options.Name, cause)
			slog.ErrorContext(ctx, "panic while filling a cache", "cache", c.options.Name, "panic", cause, "stack", string(debug.Stack()))
		}
	}()
	began := c.options.Now()
	if value, err = fill(replica.Without(ctx)); err != nil {
		return value, err
	}
	if c.options.Keep == nil || c.options.Keep(value) {
		evicted := c.entries.Add(key, entry[V]{value, began})
		c.metrics.add(evicted, c.entries.Len())
	}
	return value, nil
}

// Put stores a value that a caller got without a fill.
func (c *Cache[K, V]) Put(key K, value V) {
	evicted := c.entries.Add(key, entry[V]{value, c.options.Now()})
	c.metrics.add(evicted, c.entries.Len())
}

// Delete removes the value of a key. A fill that is running adds its value all the
// same.
func (c *Cache[K, V]) Delete(key K) {
	c.entries.Remove(key)
	c.metrics.entries.Set(float64(c.entries.Len()))
}

// Purge removes all values.
func (c *Cache[K, V]) Purge() { c.entries.Purge() }

// Wait returns when no fill of the key is running.
func (c *Cache[K, V]) Wait(key K) {
	<-c.fills.DoChan(flightKey(key), func() (any, error) {
		var none V
		return none, nil
	})
}
