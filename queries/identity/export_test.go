package identity

import (
	"testing"
	"time"
)

// HoldStrangers takes the turn of strangers to have a password checked, until release is
// called.
func HoldStrangers(t *testing.T) (release func()) {
	t.Helper()
	if err := strangers.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	return func() { strangers.Release(1) }
}

// WaitingTries is how many attempts from a network wait.
const WaitingTries = waitingTries

// SetProviderTime sets how long all requests to a provider for one page may take.
func (s *Store) SetProviderTime(d time.Duration) { s.wait = d }
