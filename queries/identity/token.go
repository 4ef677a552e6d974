package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// AccessToken is a bearer token with its secret, which is returned only when
// the token is issued.
type AccessToken struct {
	Token     string
	ExpiresAt time.Time
}

// Bearer is the holder of a bearer token: a user or, without one, the messenger
// with some scopes.
type Bearer struct {
	CompanyID int64
	Person    *directory.Person
	SignedIn  SignedIn // of a person
	Scopes    []string
	TokenName string // of a service token
}

// IssueAccessToken signs a user in without a browser: the token is valid as long as a
// session is. It refuses as SignIn does.
func (s *Store) IssueAccessToken(ctx context.Context, c Credentials) (AccessToken, error) {
	token := newToken()
	in, err := s.enter(ctx, attempt{Credentials: c, email: normalEmail(c.Email), source: usage.AccessAPI, token: token}, s.authenticate)
	if err != nil {
		return AccessToken{}, err
	}
	return AccessToken{Token: token, ExpiresAt: in.ExpiresAt}, nil
}

func newToken() string { return rand.Text() + rand.Text() }

// PresentedToken is a bearer token as a request carries it.
type PresentedToken struct {
	Token     string
	CompanyID int64 // of the request's path, 0 for none
	Address   netip.Addr
	UserAgent string
}

// ForeignAddress is the refusal of a service token from an address that it does not
// allow.
const ForeignAddress = queries.Invalid("token.address.refused")

// Bearer returns the holder of a token, and notes at most once every NoteEvery that
// it was used. NotFound means that there is no such token or that it has ended, and
// ForeignAddress that the token does not allow the address. Both are in the access
// history.
func (s *Store) Bearer(ctx context.Context, p PresentedToken) (Bearer, error) {
	row, err := s.tokenByHash(ctx, hashToken(p.Token))
	if errors.Is(err, queries.NotFound) {
		return s.personBearer(ctx, p)
	}
	if err != nil {
		return Bearer{}, err
	}
	now := s.db.Now()
	if reason := row.ended(now); reason != "" {
		return Bearer{}, s.refuseToken(ctx, p, row.CompanyID, nil, reason)
	}
	if !allows(row.AllowedAddresses, p.Address) {
		if err := s.noteRefusedToken(ctx, p, row.CompanyID, nil, reasonForeignAddress); err != nil {
			return Bearer{}, err
		}
		return Bearer{}, ForeignAddress
	}
	if row.UsedAt == nil || now.Sub(*row.UsedAt) >= NoteEvery {
		if err := s.noteTokenUsed(ctx, noteTokenUsedParams{CompanyID: row.CompanyID, ID: row.ID, Now: now, UsedFrom: usage.AddressOf(p.Address), Before: now.Add(-NoteEvery)}); err != nil {
			return Bearer{}, fmt.Errorf("note the use of a token: %w", err)
		}
	}
	return Bearer{CompanyID: row.CompanyID, Scopes: row.Scopes, TokenName: row.Name}, nil
}

// personBearer returns the person of an access token, which ends as a session does.
func (s *Store) personBearer(ctx context.Context, p PresentedToken) (Bearer, error) {
	row, err := s.signedInByToken(ctx, hashToken(p.Token))
	if errors.Is(err, queries.NotFound) {
		return Bearer{}, s.refuseUnknownToken(ctx, p)
	}
	if err != nil {
		return Bearer{}, err
	}
	if reason := row.SignIn.ended(row.Person, s.db.Now()); reason != "" {
		return Bearer{}, s.refuseToken(ctx, p, row.SignIn.CompanyID, &row.SignIn.UserID, reason)
	}
	in := newSignedIn(row.Person, row.SignIn, row.FactorDemand)
	if err := s.NoteActivity(ctx, in, p.Address); err != nil {
		return Bearer{}, err
	}
	return Bearer{CompanyID: in.CompanyID, Person: &in.Person, SignedIn: in}, nil
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
	return s.refuseToken(ctx, p, company.ID, nil, usage.UnknownToken)
}

// refuseToken refuses a token with NotFound.
func (s *Store) refuseToken(ctx context.Context, p PresentedToken, companyID int64, userID *int64, reason string) error {
	if err := s.noteRefusedToken(ctx, p, companyID, userID, reason); err != nil {
		return err
	}
	return queries.NotFound
}

// noteRefusedToken records one refusal for each address and reason within tryWindow,
// so that a program that goes on trying does not fill the history.
func (s *Store) noteRefusedToken(ctx context.Context, p PresentedToken, companyID int64, userID *int64, reason string) error {
	now := s.db.Now()
	subject := fmt.Sprintf("token:%d:%s:%s", companyID, reason, p.Address)
	refusals, err := s.takeTry(ctx, takeTryParams{Subject: subject, Now: now, WindowStart: now.Add(-tryWindow)})
	if err != nil {
		return fmt.Errorf("count refused tokens: %w", err)
	}
	if refusals == 1 {
		s.noteAttempt(ctx, companyID, usage.Access{
			UserID: userID, Kind: string(usage.AccessTokenRefused), Reason: reason, Source: string(usage.AccessAPI), Ip: usage.AddressOf(p.Address), UserAgent: p.UserAgent,
		})
	}
	return nil
}

// CleanUp deletes what is no longer needed: ended sign-ins and tokens after
// EndedSignInDays, counted attempts and expired password links after a day, old
// messages, and expired files of exports.
func (s *Store) CleanUp(ctx context.Context) error {
	now := s.db.Now()
	month := now.AddDate(0, 0, -EndedSignInDays)
	return errors.Join(
		s.deleteDeadSignIns(ctx, month),
		s.deleteDeadTokens(ctx, &month),
		s.deleteDeadSessions(ctx, now),
		s.deleteOldTries(ctx, now.AddDate(0, 0, -1)),
		s.deleteOldUnlockedAddresses(ctx, now.AddDate(0, 0, -1)),
		s.deleteOldVisits(ctx, now.Add(-visitAge)),
		s.deleteOldAssertions(ctx, now),
		s.deleteOldHandovers(ctx, now),
		s.deleteOldChallenges(ctx, now.Add(-challengeAge)),
		s.deleteOldPendingSignIns(ctx, now.Add(-pendingAge)),
		s.deleteOldPasswordLinks(ctx, now.AddDate(0, 0, -1)),
		s.db.DeleteOldMessages(ctx, now),
		s.export.DeleteExpired(ctx, now),
	)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// hashUnlessEmpty is nil for an empty text.
func hashUnlessEmpty(text string) []byte {
	if text == "" {
		return nil
	}
	return hashToken(text)
}
