package identity

import "testing"

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
