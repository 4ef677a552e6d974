package directory

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/cache"
)

// gramsRefresh is the age at which the frequent grams are read again. PostgreSQL
// counts them when many users have changed.
const gramsRefresh = time.Minute

// frequentGrams are the grams that at least fewHolders users of the database have,
// as PostgreSQL has counted them.
type frequentGrams map[string]bool

func newGramCache(now func() time.Time) *cache.Cache[struct{}, frequentGrams] {
	return cache.New[struct{}](cache.Options[frequentGrams]{Name: "frequent_grams", Size: 1, Now: now, RefreshAfter: gramsRefresh})
}

// areFrequent reports whether every one of some grams is frequent. It is faster than
// expectedMatches, and enough where the texts that have a gram decide, not those that
// have a whole word.
func (s *Store) areFrequent(ctx context.Context, grams []string) (bool, error) {
	frequent, err := s.grams.Get(ctx, struct{}{}, s.readFrequentGrams)
	for _, gram := range grams {
		if !frequent[gram] {
			return false, err
		}
	}
	return true, err
}

func (s *Store) readFrequentGrams(ctx context.Context) (frequentGrams, error) {
	rows, err := s.db.Statements().Query(ctx, `
		select grams.gram from (
			select unnest(most_common_elems::text::text[]) as gram, unnest(most_common_elem_freqs) as frequency
			from pg_stats where schemaname = current_schema() and tablename = 'users' and attname = 'search_grams'
		) grams join pg_class t on t.oid = 'users'::regclass
		where grams.gram is not null and grams.frequency * t.reltuples >= $1`, fewHolders)
	if err != nil {
		return nil, fmt.Errorf("frequent grams: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("frequent grams: %w", err)
	}
	frequent := frequentGrams{}
	for _, gram := range found {
		frequent[gram] = true
	}
	return frequent, nil
}
