package attendance

import (
	"context"
	"time"

	"officeconsole/queries"
)

// Consent is what the messenger reports of a person: that they agree that
// places are recorded when they clock, or no longer do (Act on location
// information, Article 15).
type Consent struct {
	UserID int64
	Given  bool
	At     time.Time // zero: now
}

// TakeConsents notes consents of people of a company, in their order: all of
// them, or none where it fails. An unknown person is refused by itself. From
// then on GPS settings of a working attitude policy apply to those who agreed.
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
