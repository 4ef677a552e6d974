package usage

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/cache"
	"officeconsole/workday"
)

// MostCounted is the number up to which the files of people, departments and
// deceptive names are counted.
const MostCounted = 1_000

// FileSums are the sums of a selection.
type FileSums struct {
	Files, Bytes int64
	More         bool // whether there are more than was counted
	Unknown      bool // whether counting took too long, as it can for a search of names

	OfDays    bool  // whether the sums below are known
	Web       int64 // files saved in a browser, mobile or not
	Deceptive int64 // files with deceptive names
}

// FileSums returns the sums of what a filter selects, without regard to its cursor.
// Those of periods and platforms are stored for every day. Those of people and
// departments are counted by their index, up to MostCounted files, and so is what a
// search of names finds, as searchSums describes.
func (s *Store) FileSums(ctx context.Context, companyID int64, zone *time.Location, f FileFilter) (FileSums, error) {
	f.Cursor = nil
	selection, _, err := s.selection(ctx, companyID, zone, f)
	switch {
	case err != nil:
		return FileSums{}, err
	case selection.isEmpty():
		return FileSums{}, nil
	case len(selection.patterns) > 0:
		return s.searchSums(ctx, zone, f, selection)
	case selection.isOfDays():
		return s.sumDays(ctx, companyID, f)
	}
	return s.countFiles(ctx, selection)
}

func (s *Store) sumDays(ctx context.Context, companyID int64, f FileFilter) (sums FileSums, err error) {
	first, last := workday.DateOf(beginningOfTime), workday.DateOf(endOfTime)
	if f.From != 0 {
		first = f.From
	}
	if f.To != 0 {
		last = f.To
	}
	days, err := s.summedDays(ctx, fileDaysKey{companyID, first, last})
	if err != nil {
		return sums, fmt.Errorf("sums of saved files: %w", err)
	}
	sums.OfDays = true
	for _, d := range days {
		if f.Platform != "" && d.Platform != f.Platform {
			continue
		}
		sums.Files, sums.Bytes, sums.Deceptive = sums.Files+d.Files, addSizes(sums.Bytes, d.Bytes), sums.Deceptive+d.Deceptive
		if d.Platform == "web" || d.Platform == "mobile_web" {
			sums.Web += d.Files
		}
	}
	return sums, nil
}

// summedDays are the sums of a period by platform. Those of all days are on the first
// page of the log.
type summedDays struct {
	platforms []fileDaysRow
	writes    int64 // Store.writes before they were summed
	version   int64 // of the files, by which changes of other processes are known
}

type fileDaysKey struct {
	companyID   int64
	first, last workday.Date
}

const (
	maxSummedDays = 1_024       // periods
	summedDaysAge = time.Second // by which the sums may be late where this process learns nothing of what another one stores
)

func newSumCache(now func() time.Time) *cache.Cache[fileDaysKey, summedDays] {
	return cache.New[fileDaysKey](cache.Options[summedDays]{Name: "file_sums", Size: maxSummedDays, Now: now, TTL: summedDaysAge})
}

func (s *Store) summedDays(ctx context.Context, key fileDaysKey) ([]fileDaysRow, error) {
	writes, version := s.writes.Load(), s.db.Version(key.companyID, cache.Files)
	valid := func(d summedDays) bool { return d.writes == writes && d.version == version }
	days, err := s.sums.GetValid(ctx, key, valid, func(ctx context.Context) (summedDays, error) {
		platforms, err := s.fileDays(ctx, fileDaysParams{key.companyID, key.first.Time(), key.last.Time()})
		return summedDays{platforms, writes, version}, err
	})
	return days.platforms, err
}

// addSizes adds sizes, up to the largest number.
func addSizes(a, b int64) int64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return 1<<63 - 1
}

// countFiles counts the files of a selection, up to MostCounted.
func (s *Store) countFiles(ctx context.Context, selection fileSelection) (sums FileSums, err error) {
	statement := fileStatement{fileSelection: selection, unordered: true}
	text := fmt.Sprintf("select count(*), least(coalesce(sum(k.size), 0), 9223372036854775807)::bigint from (%s) k", statement.keys(MostCounted+1, "size"))
	rows, err := s.db.CustomPlan().Query(ctx, text, statement.args...)
	if err != nil {
		return sums, fmt.Errorf("count saved files: %w", err)
	}
	sums, err = pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (sums FileSums, err error) {
		return sums, row.Scan(&sums.Files, &sums.Bytes)
	})
	sums.limit()
	return sums, err
}

// limit ends the count of at most MostCounted files and one more.
func (s *FileSums) limit() {
	if s.Files > MostCounted {
		s.Files, s.More = MostCounted, true
	}
}
