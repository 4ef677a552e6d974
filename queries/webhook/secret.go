package webhook

import (
	"context"
	"time"

	"officeconsole/queries"
	"officeconsole/seal"
	"officeconsole/sender"
)

// MaxOverlap is how long the previous secret can sign beside a new one.
const MaxOverlap = 7 * 24 * time.Hour

// SecretRecord is a rotation in the change log.
type SecretRecord struct {
	PreviousUntil *time.Time `json:"previous_until"` // nil where the previous secret ends at once
}

// RotateSecret replaces the secret and returns the new one, which nothing returns
// later. During the overlap messages are signed with both. It refuses with
// FieldErrors of overlap, and with Conflict while an earlier overlap runs: there is one
// previous secret, and receivers may rely on it until then. No overlap ends both at once.
func (s *Store) RotateSecret(ctx context.Context, by queries.Actor, overlap time.Duration) (secret string, err error) {
	if overlap < 0 || overlap > MaxOverlap {
		return "", queries.FieldErrors{"overlap": "webhook.overlap.invalid"}
	}
	secret = sender.NewSecret()
	sealed, err := s.db.SealSecret(ctx, secretField(by.CompanyID), secret)
	if err != nil {
		return "", err
	}
	return secret, s.change(ctx, by, func(ctx context.Context, q *Queries, e Endpoint, now time.Time) (queries.Change, error) {
		if overlap > 0 && e.PreviousUntil != nil && e.PreviousUntil.After(now) {
			return queries.Change{}, queries.Conflict("webhook.overlap.running")
		}
		previous, err := s.db.OpenSecret(ctx, secretField(by.CompanyID), e.Secret)
		if err != nil {
			return queries.Change{}, err
		}
		if previous, err = s.db.SealSecret(ctx, previousField(by.CompanyID), previous); err != nil {
			return queries.Change{}, err
		}
		until := now.Add(overlap)
		record := SecretRecord{}
		if overlap > 0 {
			record.PreviousUntil = &until
		}
		return queries.Change{Action: "webhook.secret_rotated", ObjectName: Host(e.URL), New: record},
			q.rotateSecret(ctx, rotateSecretParams{CompanyID: by.CompanyID, PreviousSecret: previous, PreviousUntil: until, Secret: sealed, Now: now})
	})
}

// EndPreviousSecret ends the overlap of a rotation. It does nothing where there
// is none.
func (s *Store) EndPreviousSecret(ctx context.Context, by queries.Actor) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries, e Endpoint, now time.Time) (queries.Change, error) {
		ended, err := q.endPreviousSecret(ctx, endPreviousSecretParams{by.CompanyID, now})
		if err != nil || ended == 0 {
			return queries.Change{}, err
		}
		return queries.Change{Action: "webhook.secret_ended", ObjectName: Host(e.URL), Old: SecretRecord{e.PreviousUntil}}, nil
	})
}

// secretField and previousField are where the secrets of a company's webhook are
// sealed.
func secretField(companyID int64) seal.Field {
	return seal.Field{Table: "webhooks", Column: "secret", CompanyID: companyID}
}

func previousField(companyID int64) seal.Field {
	return seal.Field{Table: "webhooks", Column: "previous_secret", CompanyID: companyID}
}

// Endpoint is a company's webhook with its secrets. It refuses with secret.unavailable
// where they cannot be opened.
func (s *Store) Endpoint(ctx context.Context, companyID int64) (Endpoint, error) {
	e, err := s.endpoint(ctx, companyID)
	if err != nil {
		return Endpoint{}, err
	}
	if e.Secret, err = s.db.OpenSecret(ctx, secretField(companyID), e.Secret); err != nil {
		return Endpoint{}, err
	}
	if e.PreviousSecret != nil {
		previous, err := s.db.OpenSecret(ctx, previousField(companyID), *e.PreviousSecret)
		if err != nil {
			return Endpoint{}, err
		}
		e.PreviousSecret = &previous
	}
	return e, nil
}

// secrets are those that sign at a time, the current one first.
func (e Endpoint) secrets(now time.Time) []string {
	all := []string{e.Secret}
	if e.PreviousSecret != nil && e.PreviousUntil.After(now) {
		all = append(all, *e.PreviousSecret)
	}
	return all
}

// hintLength is how many characters of a secret are shown.
const hintLength = 4

// SecretHint returns the end of the secret, by which people tell secrets apart.
func (e Endpoint) SecretHint() string { return hint(e.Secret) }

// PreviousSecretHint is SecretHint of the secret that still signs at a time; ""
// if there is none.
func (e Endpoint) PreviousSecretHint(now time.Time) string {
	if all := e.secrets(now); len(all) > 1 {
		return hint(all[1])
	}
	return ""
}

// hint leaves out the padding, which many secrets have in common.
func hint(secret string) string {
	end := len(secret)
	for end > 0 && secret[end-1] == '=' {
		end--
	}
	return secret[max(0, end-hintLength):end]
}
