package attendance

import (
	"context"
	"errors"
	"time"

	"officeconsole/queries"
)

// Consent is the notice that a user agrees that the location of clock events is
// recorded, or no longer does (Act on location information, Article 15).
type Consent struct {
	UserID int64
	Given  bool
	At     time.Time // zero for now
}

// ConsentSource is where a user agreed or withdrew the consent.
type ConsentSource string

// SourceMessenger is the only source: the messenger asks its users.
const SourceMessenger ConsentSource = "messenger"

// TakeConsents stores the consents of a company's users, in the given order and
// in one transaction. An unknown user is refused by itself. From then on, GPS
// settings of working attitude policies apply to the users who agreed. The positions
// of a user who no longer agrees are erased.
func (s *Store) TakeConsents(ctx context.Context, companyID int64, consents []Consent) ([]ClockResult, error) {
	if len(consents) > ClockBatch {
		return nil, queries.Invalid("event.too_many")
	}
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]ClockResult, error) {
		// Events are stored under the same lock, so that none keeps a position by a
		// consent that is withdrawn here.
		if err := q.lockAttendance(ctx, companyID); err != nil {
			return nil, err
		}
		results := make([]ClockResult, len(consents))
		for i, c := range consents {
			err := q.takeConsent(ctx, companyID, c, s.db.Now())
			results[i].Status = ClockAccepted
			if errors.Is(err, queries.NotFound) {
				results[i] = ClockResult{Status: ClockRefused, Code: refusedUser}
			} else if err != nil {
				return nil, err
			}
		}
		return results, nil
	})
}

// takeConsent stores a consent; NotFound means that there is no such user.
func (q *Queries) takeConsent(ctx context.Context, companyID int64, c Consent, now time.Time) error {
	user, err := q.lockConsent(ctx, lockConsentParams{companyID, c.UserID})
	if err != nil {
		return err
	}
	if c.At.IsZero() && c.Given == (user.LocationConsentAt != nil) {
		return nil // a repeated notice has no time of its own
	}
	if c.At.IsZero() || c.At.After(now) {
		c.At = now
	}
	added, err := q.insertConsent(ctx, insertConsentParams{companyID, c.UserID, c.At, c.Given, string(SourceMessenger), now})
	if err != nil || added == 0 {
		return err
	}
	if err := q.deriveConsent(ctx, deriveConsentParams{companyID, c.UserID}); err != nil || c.Given {
		return err
	}
	erased, err := q.erasePositionsOf(ctx, erasePositionsOfParams{companyID, c.UserID, c.At})
	if err != nil {
		return err
	}
	return q.recordErasure(ctx, companyID, now, erased, queries.Change{Action: "position.withdrawn", ObjectID: c.UserID, ObjectName: user.Name})
}
