package identity

import "time"

// SetProviderTime sets how long all requests to a provider for one page may take.
func (s *Store) SetProviderTime(d time.Duration) { s.wait = d }
