package attendance

import (
	"context"
	"time"

	"officeconsole/queries"
)

// Consent is the messenger's notice that a user agrees that the location of
// clock events is recorded, or no longer does (Act on location information,
// Article 15).
type Consent struct {
	UserID int64
	Given  bool
	At     time.Time // zero for now
}

// TakeConsents stores the consents of a company's users, in the given order and
// in one transaction. An unknown user is refused by itself. From then on, GPS
// settings of working attitude policies apply to the users who agreed.
func (s *Store) TakeConsents(ctx context.Context, companyID int64, consents []Consent) ([]ClockResult, error) {
	if len(consents) > ClockBatch {
		return nil, queries.Invalid("event.too_many")
	}
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]ClockResult, error) {
		results := make([]ClockResult, len(consents))
		for i, c := range consents {
			known, err := q.takeConsent(ctx, companyID, c, s.db.Now())
			if err != nil {
				return nil, err
			}
			results[i].Status = ClockAccepted
			if known == 0 {
				results[i] = ClockResult{Status: ClockRefused, Code: refusedUser}
			}
		}
		return results, nil
	})
}

func (q *Queries) takeConsent(ctx context.Context, companyID int64, c Consent, now time.Time) (known int64, err error) {
	if !c.Given {
		return q.withdrawConsent(ctx, withdrawConsentParams{companyID, c.UserID})
	}
	at := c.At
	if at.IsZero() || at.After(now) {
		at = now
	}
	return q.giveConsent(ctx, giveConsentParams{&at, companyID, c.UserID})
}
