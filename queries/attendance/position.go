package attendance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/workday"
)

// positionBatch is how many events are looked at in one transaction.
const positionBatch = 2000

// ErasePositions removes the coordinates of the clock events of every company whose
// days have passed: location_keep_days of the policy that applied on their date. What
// else is known of an event stays. A record hides them from the day itself on, so that
// those of a night after midnight, which are erased a day later, are not shown either.
func (s *Store) ErasePositions(ctx context.Context) error {
	companies, err := s.directory.Companies(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		if failed := s.erasePositionsOfCompany(ctx, c); failed != nil {
			err = errors.Join(err, fmt.Errorf("erase positions of company %d: %w", c.ID, failed))
		}
	}
	return err
}

func (s *Store) erasePositionsOfCompany(ctx context.Context, c directory.Company) error {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return err
	}
	today := workday.DateOf(s.db.Now().In(zone))
	next := locatedEventsParams{CompanyID: c.ID, Zone: c.TimeZone, Before: (today - 1).At(0, zone), Size: positionBatch}
	for {
		found, err := inTx(ctx, s, func(ctx context.Context, q *Queries) ([]locatedEventsRow, error) {
			return s.eraseDuePositions(ctx, q, next, today, zone)
		})
		if err != nil || len(found) < positionBatch {
			return err
		}
		last := found[len(found)-1]
		next.AfterAt, next.AfterUserID, next.AfterEventID = last.At, last.UserID, last.EventID
	}
}

// eraseDuePositions erases what is due among the next events, and returns these.
func (s *Store) eraseDuePositions(ctx context.Context, q *Queries, next locatedEventsParams, today workday.Date, zone *time.Location) ([]locatedEventsRow, error) {
	found, err := q.locatedEvents(ctx, next)
	if err != nil {
		return nil, err
	}
	keys := map[policy.VersionKey]bool{}
	for _, e := range found {
		if e.PolicyID != 0 {
			keys[policy.VersionKey{PolicyID: e.PolicyID, No: e.VersionNo}] = true
		}
	}
	policies, err := s.policies.read(ctx, q, next.CompanyID, keys)
	if err != nil {
		return nil, err
	}
	due := erasePositionsParams{CompanyID: next.CompanyID}
	for _, e := range found {
		days := settings.MaxLocationKeepDays // without a record
		if p := policies[policy.VersionKey{PolicyID: e.PolicyID, No: e.VersionNo}]; p != nil {
			days = p.locationDays
		}
		if workday.DateOf(e.At.In(zone))+workday.Date(days) < today {
			due.UserIds, due.Ats, due.EventIds = append(due.UserIds, e.UserID), append(due.Ats, e.At), append(due.EventIds, e.EventID)
		}
	}
	if len(due.EventIds) == 0 {
		return found, nil
	}
	due.First, due.Last = boundsOf(due.Ats)
	erased, err := q.erasePositions(ctx, due)
	if err != nil {
		return nil, err
	}
	return found, q.recordErasure(ctx, next.CompanyID, s.db.Now(), erased, queries.Change{Action: "position.expired"})
}

// positionCount is how many positions there were before and after an erasure.
type positionCount struct {
	Positions int64 `json:"positions"`
}

// recordErasure records in the change log that positions were erased: of one user, the
// object of the change, or of the whole company.
func (q *Queries) recordErasure(ctx context.Context, companyID int64, at time.Time, positions int64, c queries.Change) error {
	c.ObjectType, c.Old, c.New = "position", positionCount{positions}, positionCount{0}
	return queries.New(q.db).RecordChange(ctx, queries.Actor{CompanyID: companyID}, at, c)
}
