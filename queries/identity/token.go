package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// AccessToken is a bearer token with its secret, which is returned only when
// the token is issued.
type AccessToken struct {
	Token     string
	ExpiresAt time.Time // zero for a service token, which lasts until it is revoked
}

// Bearer is the holder of a bearer token: a user or, without one, the messenger
// with some scopes.
type Bearer struct {
	CompanyID int64
	Person    *directory.Person
	Scopes    []string
}

// Scopes of a service token.
const (
	ScopeEvents = "events" // push clock, file, client, access and read events
	ScopeRead   = "read"   // read effective policies and what else the messenger shows
)

// Scopes lists all scopes.
var Scopes = []string{ScopeEvents, ScopeRead}

// IssueAccessToken issues a token that lasts for SessionAge. It refuses as
// SignIn does.
func (s *Store) IssueAccessToken(ctx context.Context, c Credentials) (issued AccessToken, err error) {
	err = s.enter(ctx, c, usage.AccessAPI, func(ctx context.Context, t *transaction, person directory.Person, _ int32) error {
		issued = AccessToken{Token: newToken(), ExpiresAt: t.now.Add(SessionAge)}
		_, err := t.insertAccessToken(ctx, insertAccessTokenParams{
			Hash: hashToken(issued.Token), Now: t.now, ExpiresAt: issued.ExpiresAt, CompanyID: person.CompanyID, UserID: person.ID,
		})
		return err
	})
	if err != nil {
		return AccessToken{}, err
	}
	return issued, nil
}

// IssueServiceToken issues a token for the messenger of a company. It refuses a
// missing or unknown scope with token.scope.invalid.
func (s *Store) IssueServiceToken(ctx context.Context, companyID int64, scopes []string) (AccessToken, error) {
	if len(scopes) == 0 {
		return AccessToken{}, queries.Invalid("token.scope.invalid")
	}
	for _, scope := range scopes {
		if !slices.Contains(Scopes, scope) {
			return AccessToken{}, queries.Invalid("token.scope.invalid")
		}
	}
	issued := AccessToken{Token: newToken()}
	return issued, s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		if _, err := t.insertToken(ctx, insertTokenParams{CompanyID: companyID, Hash: hashToken(issued.Token), Scopes: scopes, Now: t.now}); err != nil {
			return err
		}
		return t.record(ctx, companyID, usage.Access{Kind: string(usage.AccessTokenCreated), Reason: strings.Join(scopes, ", "), Source: string(usage.AccessCommand)})
	})
}

func newToken() string { return rand.Text() + rand.Text() }

// Bearer returns the holder of a token. NotFound means that there is no such
// token or that it has ended.
func (s *Store) Bearer(ctx context.Context, token string) (Bearer, error) {
	row, err := s.tokenByHash(ctx, hashToken(token))
	if err != nil {
		return Bearer{}, err
	}
	if row.RevokedAt != nil || row.ExpiresAt != nil && s.db.Now().After(*row.ExpiresAt) {
		return Bearer{}, queries.NotFound
	}
	b := Bearer{CompanyID: row.CompanyID, Scopes: row.Scopes}
	if row.UserID == nil {
		return b, nil
	}
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: row.CompanyID, ID: *row.UserID})
	if err != nil {
		return Bearer{}, err
	}
	if person.HiddenAt != nil {
		return Bearer{}, queries.NotFound
	}
	b.Person = &person
	return b, nil
}

// RevokeToken ends a token, with which somebody signs out. For one that has ended
// already it does nothing.
func (s *Store) RevokeToken(ctx context.Context, companyID int64, token string) error {
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		revoked, err := t.revokeToken(ctx, revokeTokenParams{CompanyID: companyID, Hash: hashToken(token), Now: &t.now})
		if err != nil || len(revoked) == 0 {
			return err
		}
		return t.record(ctx, companyID, usage.Access{UserID: revoked[0], Kind: string(usage.AccessLogout), Reason: reasonToken, Source: string(usage.AccessAPI)})
	})
}

// CleanUp deletes what is no longer needed: ended sign-ins and tokens after
// EndedSignInDays, counted attempts after a day, old messages, and expired files of
// exports.
func (s *Store) CleanUp(ctx context.Context) error {
	now := s.db.Now()
	month := now.AddDate(0, 0, -EndedSignInDays)
	return errors.Join(
		s.deleteDeadSignIns(ctx, month),
		s.deleteDeadTokens(ctx, &month),
		s.deleteDeadSessions(ctx, now),
		s.deleteOldTries(ctx, now.AddDate(0, 0, -1)),
		s.db.DeleteOldMessages(ctx, now),
		s.export.DeleteExpired(ctx, now),
	)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
