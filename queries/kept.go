package queries

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// kept keeps values in memory. One too many drops all the others.
type kept[K comparable, V any] struct {
	mutex  sync.Mutex
	values map[K]V
}

func (k *kept[K, V]) of(key K) (value V, there bool) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	value, there = k.values[key]
	return value, there
}

func (k *kept[K, V]) put(key K, value V, most int) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if _, there := k.values[key]; k.values == nil || !there && len(k.values) >= most {
		k.values = map[K]V{}
	}
	k.values[key] = value
}

// made keeps what was made for somebody.
type made[K comparable, V any] struct{ kept kept[K, V] }

// keptMade bounds the memory of one of them.
const keptMade = 16

func (m *made[K, V]) of(key K, make func() (V, error)) (V, error) {
	if value, there := m.kept.of(key); there {
		return value, nil
	}
	value, err := make()
	if err == nil {
		m.kept.put(key, value, keptMade)
	}
	return value, err
}

// awaited is what somebody counts for everybody who asks meanwhile.
func awaited[T any](ctx context.Context, counting <-chan singleflight.Result) (counted T, err error) {
	select {
	case <-ctx.Done():
		return counted, ctx.Err()
	case result := <-counting:
		if result.Err != nil {
			return counted, result.Err
		}
		return result.Val.(T), nil
	}
}
