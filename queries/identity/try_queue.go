package identity

import (
	"context"
	"errors"
	"fmt"

	"officeconsole/queries"
	"officeconsole/traffic"
)

// waitingTries is how many attempts from a network wait while another is decided. At
// nine o'clock all people of a company may sign in from one address: so many take some
// ten seconds.
const waitingTries = 500

// enterLine waits until an attempt may be decided, which ends with leave: one of each
// network at a time, so that a program that guesses delays its own network only. Known
// devices have a line each. It refuses with ErrBusy where too many wait.
func (s *Store) enterLine(ctx context.Context, a attempt) (leave func(), err error) {
	network, err := networkOf(a.Address)
	if err != nil {
		return nil, err
	}
	line := network.String()
	isKnown, err := s.isKnownDevice(ctx, a, line+" device")
	if err != nil {
		return nil, err
	}
	if isKnown {
		line = fmt.Sprintf("device:%x", hashToken(a.Device))
	}
	return s.enterQueue(ctx, line)
}

// isKnownDevice reports whether an attempt comes from a device with which the person has
// signed in before. Cookies can be made up, so it looks them up in a line too.
func (s *Store) isKnownDevice(ctx context.Context, a attempt, line string) (bool, error) {
	if !a.SentDevice {
		return false, nil
	}
	leave, err := s.enterQueue(ctx, line)
	if err != nil {
		return false, err
	}
	defer leave()
	row, err := s.credentialsByEmail(ctx, a.email)
	if errors.Is(err, queries.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("person by email: %w", err)
	}
	known, err := s.originOf(ctx, a, row.Person)
	return known.Device, err
}

func (s *Store) enterQueue(ctx context.Context, line string) (leave func(), err error) {
	leave, err = s.lines.Enter(ctx, line)
	if errors.Is(err, traffic.ErrFull) {
		return nil, ErrBusy
	}
	return leave, err
}

// ErrBusy refuses an attempt that was not decided. It is neither counted nor recorded.
const ErrBusy = queries.Invalid("session.busy")
