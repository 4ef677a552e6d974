package usage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/cache"
)

// AccessCounts are how many rows a filter selects, up to MostCounted and one more,
// and how many of them have each pattern, without regard to the filter's own.
type AccessCounts struct {
	All      int64
	Patterns map[AccessPattern]int64
}

const (
	maxCountedAccess = 1_024           // filters
	countedAccessTTL = 5 * time.Second // by which the counts of a pattern may be late
)

// accessCountKey is a filter without its pattern and cursor.
type accessCountKey struct {
	companyID   int64
	zone, query string
}

// newAccessCache caches the counts of filters that select more than MostCounted rows,
// which take longer to count than everything else on their page. Fewer are counted
// each time, so that whoever ends a session sees it in the counts.
func newAccessCache(now func() time.Time) *cache.Cache[accessCountKey, AccessCounts] {
	return cache.New[accessCountKey](cache.Options[AccessCounts]{
		Name: "access_counts", Size: maxCountedAccess, Now: now, TTL: countedAccessTTL,
		Keep: func(c AccessCounts) bool { return c.All > MostCounted },
	})
}

// CountAccess counts what a filter selects, without regard to its cursor. shown is a
// page of the filter's list, or none: if it has all rows, they are counted instead.
func (s *Store) CountAccess(ctx context.Context, companyID int64, zone *time.Location, f AccessFilter, shown AccessList) (counts AccessCounts, err error) {
	pattern := f.Pattern
	f.Pattern, f.Cursor = "", nil
	if isWhole := shown.First == 1 && shown.Previous == nil && shown.Next == nil; isWhole && pattern == "" {
		return countRows(shown.Rows), nil
	}
	counts, err = s.countedAccess.Get(ctx, accessCountKey{companyID, zone.String(), f.Values().Encode()}, func(ctx context.Context) (AccessCounts, error) {
		return s.countAccess(ctx, companyID, zone, f)
	})
	if pattern != "" {
		counts.All = counts.Patterns[pattern]
	}
	return counts, err
}

func countRows(rows []AccessRow) AccessCounts {
	counts := AccessCounts{int64(len(rows)), map[AccessPattern]int64{}}
	for _, row := range rows {
		for _, pattern := range AccessPatterns {
			if row.has(pattern) {
				counts.Patterns[pattern]++
			}
		}
	}
	return counts
}

// has is patternCondition of a row.
func (a Access) has(pattern AccessPattern) bool {
	switch pattern {
	case PatternFailures:
		return a.Failures > 0 || a.AddressFailures > 0
	case PatternNewAddress:
		return a.NewAddress
	case PatternNewDevice:
		return a.NewDevice
	}
	return true
}

func (s *Store) countAccess(ctx context.Context, companyID int64, zone *time.Location, f AccessFilter) (counts AccessCounts, err error) {
	selection, _, err := s.accessSelection(ctx, companyID, zone, f)
	counts.Patterns = map[AccessPattern]int64{}
	if err != nil || selection.isEmpty() {
		return counts, err
	}
	statement := accessStatement{accessSelection: selection, unmerged: true}
	patterns := append([]AccessPattern{""}, AccessPatterns...)
	parts := make([]string, len(patterns))
	for i, pattern := range patterns {
		statement.pattern = pattern
		parts[i] = fmt.Sprintf("(select count(*) from (%s) c)", statement.keys(MostCounted+1))
	}
	rows, err := s.db.OrderedPlan().Query(ctx, "select array["+strings.Join(parts, ", ")+"]", statement.args...)
	if err != nil {
		return counts, fmt.Errorf("count the access history: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[[]int64])
	if err != nil {
		return counts, fmt.Errorf("count the access history: %w", err)
	}
	counts.All = found[0]
	for i, pattern := range AccessPatterns {
		counts.Patterns[pattern] = found[i+1]
	}
	return counts, nil
}
