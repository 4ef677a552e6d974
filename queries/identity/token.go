package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
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

// PresentedToken is a bearer token as a request carries it.
type PresentedToken struct {
	Token     string
	CompanyID int64 // of the request's path, 0 for none
	Address   netip.Addr
	UserAgent string
}

// Bearer returns the holder of a token, and notes at most once every NoteEvery that
// it was used. NotFound means that there is no such token or that it has ended; that
// is in the access history.
func (s *Store) Bearer(ctx context.Context, p PresentedToken) (Bearer, error) {
	now := s.db.Now()
	row, err := s.tokenByHash(ctx, hashToken(p.Token))
	if errors.Is(err, queries.NotFound) {
		return Bearer{}, s.refuseUnknownToken(ctx, p)
	}
	if err != nil {
		return Bearer{}, err
	}
	if reason := row.ended(now); reason != "" {
		return Bearer{}, s.refuseToken(ctx, p, row, reason)
	}
	if row.UsedAt == nil || now.Sub(*row.UsedAt) >= NoteEvery {
		if err := s.noteTokenUsed(ctx, noteTokenUsedParams{CompanyID: row.CompanyID, ID: row.ID, Now: now, Before: now.Add(-NoteEvery)}); err != nil {
			return Bearer{}, fmt.Errorf("note the use of a token: %w", err)
		}
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
		return Bearer{}, s.refuseToken(ctx, p, row, reasonHidden)
	}
	b.Person = &person
	return b, nil
}

// ended returns why the token has ended at a time, or "". One that expired is marked
// as revoked at that time later.
func (t Token) ended(now time.Time) string {
	switch {
	case t.RevokedAt != nil && (t.ExpiresAt == nil || t.RevokedAt.Before(*t.ExpiresAt)):
		return reasonRevoked
	case t.RevokedAt != nil || t.ExpiresAt != nil && now.After(*t.ExpiresAt):
		return reasonExpired
	}
	return ""
}

// refuseUnknownToken refuses a token that does not exist. It is recorded for the
// company that the request is about; without one it is only logged.
func (s *Store) refuseUnknownToken(ctx context.Context, p PresentedToken) error {
	company, err := s.directory.Company(ctx, p.CompanyID)
	if errors.Is(err, queries.NotFound) {
		slog.InfoContext(ctx, "an unknown token of no company was refused", "address", p.Address)
	}
	if err != nil {
		return err
	}
	return s.refuseToken(ctx, p, Token{CompanyID: company.ID}, usage.UnknownToken)
}

// refuseToken refuses a token with NotFound. It records one refusal for each address
// and reason within tryWindow, so that a program that goes on trying does not fill
// the history.
func (s *Store) refuseToken(ctx context.Context, p PresentedToken, of Token, reason string) error {
	now := s.db.Now()
	subject := fmt.Sprintf("token:%d:%s:%s", of.CompanyID, reason, p.Address)
	refusals, err := s.takeTry(ctx, takeTryParams{Subject: subject, Now: now, WindowStart: now.Add(-tryWindow)})
	if err != nil {
		return fmt.Errorf("count refused tokens: %w", err)
	}
	if refusals == 1 {
		s.noteAttempt(ctx, of.CompanyID, usage.Access{
			UserID: of.UserID, Kind: string(usage.AccessTokenRefused), Reason: reason, Source: string(usage.AccessAPI), Ip: usage.AddressOf(p.Address), UserAgent: p.UserAgent,
		})
	}
	return queries.NotFound
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
		s.deleteOldVisits(ctx, now.Add(-visitAge)),
		s.deleteOldHandovers(ctx, now),
		s.db.DeleteOldMessages(ctx, now),
		s.export.DeleteExpired(ctx, now),
	)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
