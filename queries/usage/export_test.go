package usage

import (
	"context"
	"testing"
	"time"
)

// SetSearch sets how many files a search reads before it asks the index, and how
// many the index may return, for the duration of a test.
func SetSearch(t *testing.T, stretch, matches int) {
	beforeStretch, beforeMatches := searchStretch, searchMatches
	searchStretch, searchMatches = stretch, matches
	t.Cleanup(func() { searchStretch, searchMatches = beforeStretch, beforeMatches })
}

// SetCountTime sets how long a statement that counts what a search finds may take, for
// the duration of a test.
func SetCountTime(t *testing.T, limit time.Duration) {
	before := countTime
	countTime = limit
	t.Cleanup(func() { countTime = before })
}

// AccessStatement returns the statement that reads a page of the access history.
func (s *Store) AccessStatement(ctx context.Context, companyID int64, zone *time.Location, f AccessFilter) (string, error) {
	selection, _, err := s.accessSelection(ctx, companyID, zone, f)
	statement := accessStatement{accessSelection: selection}
	return statement.rows(f.Limit + 1), err
}
