package bot

import (
	"context"
	"errors"
)

// CleanUp deletes messages after KeepTime, keys of messages after a day, and
// tokens a while after they have ended, of every company.
func (s *Store) CleanUp(ctx context.Context) error {
	now := s.db.Now()
	return errors.Join(
		s.deleteOldMessages(ctx, now.Add(-KeepTime)),
		s.deleteOldKeys(ctx, now.Add(-keyTime)),
		s.deleteOldTokens(ctx, now.Add(-endedTokenTime)),
	)
}
