package hiding

import (
	"context"
	"fmt"

	"officeconsole/queries"
	"officeconsole/workday"
)

// until is the day on which the user is shown again, 0 for none.
func (h Hiding) until() workday.Date {
	if h.ShowAgainOn == nil {
		return 0
	}
	return workday.DateOf(*h.ShowAgainOn)
}

// ShowDue shows the users whose day has come in their company, as Show does, by no
// user. It can run at any time and in several processes.
func (s *Store) ShowDue(ctx context.Context) error {
	companies, err := s.companiesDue(ctx, s.db.Now())
	if err != nil {
		return err
	}
	for _, c := range companies {
		err := s.inTx(ctx, queries.Actor{CompanyID: c.CompanyID}, func(ctx context.Context, t *transaction) error {
			due, err := t.usersDue(ctx, usersDueParams{c.CompanyID, c.Today, MaxPeople})
			if err != nil || len(due) == 0 { // another process has shown them
				return err
			}
			t.isAutomatic = true
			_, err = t.show(ctx, Hidden, due)
			return err
		})
		if err != nil {
			return fmt.Errorf("show users of company %d: %w", c.CompanyID, err)
		}
	}
	return nil
}
