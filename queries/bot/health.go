package bot

import (
	"context"
	"errors"
	"time"

	"officeconsole/queries"
)

// HealthTime is the time that Health counts.
const HealthTime = 24 * time.Hour

// MostCounted is the number up to which Health counts.
const MostCounted = 10_000

// Health is how a company's bot is doing.
type Health struct {
	LastSuccess time.Time // of the newest accepted message; zero without any in KeepTime
	Messages    int64     // accepted and refused ones in HealthTime; MostCounted + 1 for more
	Refused     int64     // those that were refused; MostCounted + 1 for more
	Waiting     int       // messages that this process has yet to store
}

// Health returns how a company's bot is doing.
func (s *Store) Health(ctx context.Context, companyID int64) (Health, error) {
	now := s.db.Now()
	row, err := s.counts(ctx, countsParams{CompanyID: companyID, Since: now.Add(-HealthTime), Most: MostCounted + 1})
	if err != nil {
		return Health{}, err
	}
	health := Health{Messages: row.Messages, Refused: row.Refused, Waiting: s.queue.length(companyID)}
	health.LastSuccess, err = s.lastAccepted(ctx, lastAcceptedParams{CompanyID: companyID, Since: now.Add(-KeepTime)})
	if errors.Is(err, queries.NotFound) {
		err = nil
	}
	return health, err
}
