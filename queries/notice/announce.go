package notice

import (
	"cmp"
	"context"
	"slices"

	"officeconsole/queries"
)

// announcedAtOnce is how many notices a transaction announces.
const announcedAtOnce = 50

// Announce tells the messenger of the reservations of every company whose time
// has come, each once. It is a job, which several servers may run.
func (s *Store) Announce(ctx context.Context) error {
	for {
		due := 0
		err := s.inTx(ctx, func(ctx context.Context, q *Queries, shared *queries.Queries) error {
			now := s.db.Now()
			notices, err := q.announceNotices(ctx, announceNoticesParams{Now: now, Size: announcedAtOnce})
			if err != nil {
				return err
			}
			due = len(notices)
			// In the order of companies, so that two transactions do not wait for each other.
			slices.SortFunc(notices, func(a, b Notice) int {
				return cmp.Or(cmp.Compare(a.CompanyID, b.CompanyID), a.PublishAt.Compare(b.PublishAt), cmp.Compare(a.ID, b.ID))
			})
			for _, n := range notices {
				if err := q.publish(ctx, shared, now, "notice.published", n); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || due < announcedAtOnce {
			return err
		}
	}
}
