package usage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"officeconsole/queries"
	"officeconsole/queries/cache"
)

// countTime is how long it may take to count what a search of names finds: a page does
// not wait longer for its sums. A test sets it.
var countTime = 250 * time.Millisecond

const (
	maxSearchSums = 1_024            // filters
	searchSumsAge = 30 * time.Second // by which the sums may be late
)

type searchSumKey struct {
	companyID   int64
	zone, query string
}

// newSearchSumCache caches that there is more than is counted, or that counting takes too
// long, for the further pages of a search. Other sums are read each time.
func newSearchSumCache(now func() time.Time) *cache.Cache[searchSumKey, FileSums] {
	return cache.New[searchSumKey](cache.Options[FileSums]{
		Name: "file_search_sums", Size: maxSearchSums, Now: now, TTL: searchSumsAge,
		Keep: func(s FileSums) bool { return s.More || s.Unknown },
	})
}

// FileSumsOf is FileSums for a page of the filter's list: if it has all that a search of
// names finds, its rows are added up.
func (s *Store) FileSumsOf(ctx context.Context, companyID int64, zone *time.Location, f FileFilter, shown FileList) (FileSums, error) {
	isWhole := shown.First == 1 && shown.Previous == nil && shown.Next == nil
	if !isWhole || f.Search.Empty() || f.In != SearchName {
		return s.FileSums(ctx, companyID, zone, f)
	}
	sums := FileSums{Files: int64(len(shown.Rows))}
	for _, row := range shown.Rows {
		sums.Bytes = addSizes(sums.Bytes, row.Size)
	}
	return sums, nil
}

// searchSums returns the sums of what a search of names finds, up to MostCounted files.
// They are Unknown if it takes more than countTime to count them: the index finds what has
// the grams of the words, and the further filters may leave few of it.
func (s *Store) searchSums(ctx context.Context, zone *time.Location, f FileFilter, selection fileSelection) (FileSums, error) {
	return s.searched.Get(ctx, searchSumKey{selection.companyID, zone.String(), f.Values().Encode()}, func(ctx context.Context) (FileSums, error) {
		sums, err := s.countSearch(ctx, selection)
		if isTimeout(err) && ctx.Err() == nil {
			return FileSums{Unknown: true}, nil
		}
		return sums, err
	})
}

// countSearch counts among the first searchMatches files of the selection, of which a
// frequent word has enough, then by the index of grams, and then by reading on until
// there are enough. A statement that would run longer than countTime from the first one's
// start is ended by the database.
func (s *Store) countSearch(ctx context.Context, selection fileSelection) (FileSums, error) {
	end := time.Now().Add(countTime)
	limited := func() context.Context { // a time-out of 0 would be none
		return queries.WithStatementTimeout(ctx, max(time.Until(end), time.Millisecond))
	}
	sums, complete, err := s.countBounded(limited(), countedStretch, selection)
	if err == nil && !complete && len(selection.grams) > 0 {
		sums, complete, err = s.countBounded(limited(), countedGrams, selection)
	}
	if err != nil || complete {
		return sums, err
	}
	return s.countFiles(limited(), selection)
}

// countedStretch reads the first searchMatches files of a selection without regard to the
// search, and returns the condition for those that the search finds.
func countedStretch(s *fileStatement) (text, where string) {
	patterns := s.patterns
	s.patterns, s.unordered = nil, s.isMerged()
	text = s.keys(searchMatches, "size", "search_text")
	s.patterns = patterns
	return text, s.found("f")
}

// countedGrams reads at most searchMatches files of the period that have the grams of a
// search, and returns the condition for those that are selected.
func countedGrams(s *fileStatement) (text, where string) {
	text = s.holders()
	where = s.conditions()
	if s.platform != "" {
		where += " and f.platform = " + s.arg(s.platform, "text")
	}
	return text, where
}

// countBounded counts those files that some statement reads, searchMatches at most, for
// which a condition is true. complete is whether no others are to be counted.
func (s *Store) countBounded(ctx context.Context, read func(*fileStatement) (text, where string), selection fileSelection) (sums FileSums, complete bool, err error) {
	statement := fileStatement{fileSelection: selection}
	candidates, where := read(&statement)
	text := fmt.Sprintf(`with candidates as materialized (%s)
select (select count(*) from candidates), count(*), least(coalesce(sum(k.size), 0), 9223372036854775807)::bigint from (select f.size from candidates f where true%s limit %d) k`,
		candidates, where, MostCounted+1)
	rows, err := s.db.CustomPlan().Query(ctx, text, statement.args...)
	if err != nil {
		return sums, false, fmt.Errorf("count saved files: %w", err)
	}
	var candidateCount int
	sums, err = pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (sums FileSums, err error) {
		return sums, row.Scan(&candidateCount, &sums.Files, &sums.Bytes)
	})
	if err != nil {
		return sums, false, fmt.Errorf("count saved files: %w", err)
	}
	sums.limit()
	return sums, sums.More || candidateCount < searchMatches, nil
}

// isTimeout reports whether a statement took longer than it may.
func isTimeout(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "57014"
}
