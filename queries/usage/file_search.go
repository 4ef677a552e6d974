package usage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries"
)

// A search first reads searchStretch files in the order of the list, or a quarter if they
// are merged, among which a frequent word has enough. Then it asks the index of grams, one month after the
// other, for at most searchMatches files of each. Tests set them.
var (
	searchStretch = 2000
	searchMatches = 4000
)

// frequentShare is the part of a page that the first stretch must have for a word to
// be called frequent: then a few further stretches fill the page.
const frequentShare = 6

// searchFiles returns the keys of the next files whose names the search finds. The
// index of grams is not in the order of the list, so what it finds has to be
// sorted; in a month in which it finds too many, the files are read in order until
// there are enough.
func (s *Store) searchFiles(ctx context.Context, selection fileSelection, size int) ([]FileKey, error) {
	keys, end, err := s.searchNext(ctx, selection, size)
	if err != nil || end == nil || len(keys) >= size {
		return keys, err
	}
	selection.edge = end
	if len(keys)*frequentShare >= size { // reading on finds the rest soon
		found, err := s.searchOn(ctx, selection, size-len(keys))
		return append(keys, found...), err
	}
	months, err := s.months(ctx, selection)
	if err != nil {
		return nil, err
	}
	for _, month := range months {
		selection.from, selection.before = month.from, month.before
		found, err := s.searchMonth(ctx, selection, size-len(keys))
		if err != nil {
			return nil, err
		}
		if keys = append(keys, found...); len(keys) >= size {
			break
		}
	}
	return keys, nil
}

// searchMonth returns what the search finds in a month.
func (s *Store) searchMonth(ctx context.Context, selection fileSelection, size int) ([]FileKey, error) {
	if len(selection.grams) > 0 {
		keys, complete, err := s.searchGrams(ctx, selection, size)
		if err != nil || complete {
			return keys, err
		}
	}
	return s.searchOn(ctx, selection, size)
}

// searchOn returns what the search finds, by reading the files in order until there
// are enough.
func (s *Store) searchOn(ctx context.Context, selection fileSelection, size int) ([]FileKey, error) {
	statement := fileStatement{fileSelection: selection}
	text := statement.keys(size)
	return s.queryKeys(ctx, text, statement.args)
}

// searchNext returns what the search finds among the next files, and the last of
// these files unless there are no more.
func (s *Store) searchNext(ctx context.Context, selection fileSelection, size int) (keys []FileKey, end *FileKey, err error) {
	patterns := selection.patterns
	selection.patterns = nil
	statement := fileStatement{fileSelection: selection}
	stretch, length := statement.stretch()
	statement.patterns = patterns
	backward := "asc"
	if selection.backward {
		backward = "desc"
	}
	text := fmt.Sprintf(`with stretch as materialized (%[1]s)
(select false, k.saved_at, k.id from stretch k where true%[2]s%[3]s limit %[4]d) union all
(select true, k.saved_at, k.id from stretch k where (select count(*) from stretch) = %[5]d order by k.saved_at %[6]s, k.id %[6]s limit 1)`,
		stretch, statement.found("k"), statement.order("k"), size, length, backward)
	q := s.db.CustomPlan()
	if statement.isMerged() {
		q = s.db.OrderedPlan()
	}
	rows, err := q.Query(ctx, text, statement.args...)
	if err != nil {
		return nil, nil, err
	}
	var isEnd bool
	var key FileKey
	_, err = pgx.ForEachRow(rows, []any{&isEnd, &key.SavedAt, &key.ID}, func() error {
		if isEnd {
			end = &FileKey{key.SavedAt, key.ID}
		} else {
			keys = append(keys, key)
		}
		return nil
	})
	slices.SortFunc(keys, selection.compare)
	return keys, end, err
}

// stretch reads the keys and the search text of the next files, at most as many as its
// length. Merged files are read that far for each person or department: by their index
// alone until it is known which are next.
func (s *fileStatement) stretch() (text string, length int) {
	if !s.isMerged() {
		return s.keys(searchStretch, "search_text"), searchStretch
	}
	length = max(1, searchStretch/4)
	return fmt.Sprintf("select k.saved_at, k.id, f.search_text from (%s) k%s", s.keys(length), s.file("")), length
}

// searchGrams returns what the search finds in a month by the index of grams. If
// the month has searchMatches files with the grams or more, complete is false.
func (s *Store) searchGrams(ctx context.Context, selection fileSelection, size int) (keys []FileKey, complete bool, err error) {
	statement := fileStatement{fileSelection: selection}
	holders := statement.holders()
	where := "true" + statement.conditions()
	if selection.platform != "" {
		where += " and f.platform = " + statement.arg(selection.platform, "text")
	}
	if selection.edge != nil {
		side := "<"
		if selection.backward {
			side = ">"
		}
		where += fmt.Sprintf(" and (f.saved_at, f.id) %s (%s, %s)", side, statement.arg(selection.edge.SavedAt, "timestamptz"), statement.arg(selection.edge.ID, "bigint"))
	}
	text := fmt.Sprintf(`with holders as materialized (%s)
select n.count, k.saved_at, k.id from (select count(*) from holders) n
left join lateral (select f.saved_at, f.id from holders f where %s%s limit %d) k on true`, holders, where, statement.order("f"), size)
	rows, err := s.db.CustomPlan().Query(ctx, text, statement.args...)
	if err != nil {
		return nil, false, err
	}
	var count int
	var at *time.Time
	var id *int64
	_, err = pgx.ForEachRow(rows, []any{&count, &at, &id}, func() error {
		if id != nil {
			keys = append(keys, FileKey{*at, *id})
		}
		return nil
	})
	if err != nil || count >= searchMatches {
		return nil, false, err
	}
	slices.SortFunc(keys, selection.compare)
	return keys, true, nil
}

// holders reads at most searchMatches files of the period that have the grams of the
// search.
func (s *fileStatement) holders() string {
	return fmt.Sprintf("select * from search_saved_files(%s, %s, %s, %s, %d)", s.arg(s.companyID, "bigint"), s.arg(s.grams, "integer[]"),
		s.arg(s.from, "timestamptz"), s.arg(s.before, "timestamptz"), searchMatches)
}

func (s *Store) queryKeys(ctx context.Context, text string, args []any) ([]FileKey, error) {
	rows, err := s.db.CustomPlan().Query(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[FileKey])
}

// period is a time span, without its end.
type period struct{ from, before time.Time }

// months returns the months of the selection that can have files, in the order in
// which they are read.
func (s *Store) months(ctx context.Context, selection fileSelection) ([]period, error) {
	first, err := s.firstFileDay(ctx, selection.companyID)
	if errors.Is(err, queries.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// A day begins up to fourteen hours earlier in UTC.
	from, before := latest(selection.from, first.AddDate(0, 0, -1)), earliest(selection.before, s.db.Now().Add(2*maxEventLead))
	if selection.backward {
		from = latest(from, selection.edge.SavedAt)
	} else {
		before = earliest(before, selection.edge.SavedAt.Add(time.Microsecond))
	}
	var months []period
	for from.Before(before) {
		year, month, _ := from.UTC().Date()
		end := earliest(before, time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC))
		months = append(months, period{from, end})
		from = end
	}
	if !selection.backward {
		slices.Reverse(months)
	}
	return months, nil
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
