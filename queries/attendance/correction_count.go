package attendance

import (
	"context"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
)

// pendingCount is the number of requests that an administrator may decide. Every page
// of attendance shows it. It is valid until the directory or attendance changes, and
// for pendingAge at most where this process learns nothing of a change by another one.
type pendingCount struct {
	requests         int64
	writes           int64 // Store.writes before they were counted
	version          int64 // of attendance, by which changes of other processes are known
	directoryVersion int64
}

type pendingKey struct {
	companyID, userID int64
	most              int32
}

const (
	pendingAge      = time.Second
	maxPendingCount = 1_024 // administrators
)

func newPendingCounts(now func() time.Time) *cache.Cache[pendingKey, pendingCount] {
	return cache.New[pendingKey](cache.Options[pendingCount]{Name: "pending_corrections", Size: maxPendingCount, Now: now, TTL: pendingAge})
}

// PendingCorrectionCount counts the requests that the scope of a reader may decide, up
// to most.
func (s *Store) PendingCorrectionCount(ctx context.Context, reader directory.Person, scope RecordScope, most int32) (int64, error) {
	count := func(ctx context.Context) (int64, error) {
		return s.countPendingCorrections(ctx, countPendingCorrectionsParams{reader.CompanyID, scope.UserID, scope.Everybody, scope.EditIDs, most})
	}
	switch {
	case !scope.EditsAnybody():
		return 0, nil
	case !scope.Everybody:
		return count(ctx)
	}
	writes, version := s.writes.Load(), s.db.Version(reader.CompanyID, cache.Attendance)
	valid := func(c pendingCount) bool {
		return c.writes == writes && c.version == version && c.directoryVersion == reader.DirectoryVersion
	}
	counted, err := s.pending.GetValid(ctx, pendingKey{reader.CompanyID, scope.UserID, most}, valid, func(ctx context.Context) (pendingCount, error) {
		requests, err := count(ctx)
		return pendingCount{requests, writes, version, reader.DirectoryVersion}, err
	})
	return counted.requests, err
}
