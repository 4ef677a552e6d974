// Package cache holds bounded caches of values that are costly to get.
package cache

import (
	"context"
	"time"
)

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
type Cache[K comparable, V any] struct{ values *values }

// New returns an empty cache. It panics unless the size is positive.
func New[K comparable, V any](o Options[V]) *Cache[K, V] {
	return &Cache[K, V]{newValues(Options[any]{Name: o.Name, Size: o.Size, Now: o.Now, TTL: o.TTL, RefreshAfter: o.RefreshAfter, Keep: anyValue(o.Keep)})}
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
	switch state {
	case stale:
		c.values.refresh(ctx, key, anyValue(valid), anyFill(fill))
	case missing:
		filled, err := c.values.get(ctx, key, anyValue(valid), anyFill(fill))
		return typed[V](filled), err
	}
	return value, nil
}

// GetTx is GetValid inside a transaction, through which fill reads. It does not
// wait for another caller's fill, which may need a connection or a lock that
// the transaction holds, and other callers do not wait for its fill. A
// transaction that has changed what the value depends on must not call it,
// because it may be rolled back.
func (c *Cache[K, V]) GetTx(ctx context.Context, key K, valid func(V) bool, fill func(context.Context) (V, error)) (V, error) {
	value, state := c.find(key, valid)
	if state != missing {
		return value, nil
	}
	filled, err := c.values.fill(ctx, key, anyFill(fill))
	return typed[V](filled), err
}

// Peek returns the value of a key without filling it, if there is one that has
// not expired.
func (c *Cache[K, V]) Peek(key K) (value V, found bool) {
	cached, state := c.values.find(key)
	return typed[V](cached), state != missing
}

// find returns a valid value of a key, and counts whether there is one.
func (c *Cache[K, V]) find(key K, valid func(V) bool) (value V, state freshness) {
	cached, state := c.values.find(key)
	if state != missing {
		if value = typed[V](cached); !valid(value) {
			state = missing
		}
	}
	c.values.metrics.count(state)
	return value, state
}

// Put stores a value that a caller got without a fill.
func (c *Cache[K, V]) Put(key K, value V) { c.values.add(key, entry{value, c.values.options.Now()}) }

// Delete removes the value of a key. A fill that is running adds its value all the
// same.
func (c *Cache[K, V]) Delete(key K) { c.values.delete(key) }

// Purge removes all values.
func (c *Cache[K, V]) Purge() { c.values.entries.Purge() }

// Wait returns when no fill of the key is running.
func (c *Cache[K, V]) Wait(key K) { c.values.wait(key) }

func isAlwaysValid[V any](V) bool { return true }

// typed returns a value with its type; for nil, the zero value.
func typed[V any](value any) V {
	v, _ := value.(V)
	return v
}

// anyValue returns a function for values without their type; for nil, nil.
func anyValue[V any](is func(V) bool) func(any) bool {
	if is == nil {
		return nil
	}
	return func(value any) bool { return is(typed[V](value)) }
}

func anyFill[V any](fill func(context.Context) (V, error)) fillFunc {
	return func(ctx context.Context) (any, error) { return fill(ctx) }
}
