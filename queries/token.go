package queries

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"time"
)

// AccessToken is a bearer token as its holder gets it, once.
type AccessToken struct {
	Token     string
	ExpiresAt time.Time // zero for a service token, which lasts until it is revoked
}

// Bearer is who a bearer token speaks for: a person, or (without one) the
// messenger, within its scopes.
type Bearer struct {
	CompanyID int64
	Person    *Person
	Scopes    []string
}

// Scopes of a service token.
const (
	ScopeEvents = "events" // push clock, file, client, access and read events
	ScopeRead   = "read"   // read effective policies and what else the messenger shows
)

// Scopes lists every scope there is.
var Scopes = []string{ScopeEvents, ScopeRead}

// IssueAccessToken answers credentials with a token of SessionAge. It refuses
// as SignIn does.
func (db *DB) IssueAccessToken(ctx context.Context, c Credentials) (AccessToken, error) {
	person, err := db.authenticate(ctx, c)
	if err != nil {
		return AccessToken{}, err
	}
	now := db.now()
	if _, err := db.admit(ctx, person, c.Address, now); err != nil {
		return AccessToken{}, err
	}
	expires := now.Add(SessionAge)
	return db.issueToken(ctx, insertTokenParams{CompanyID: person.CompanyID, UserID: &person.ID, Scopes: []string{}, ExpiresAt: &expires})
}

// IssueServiceToken makes a token for the messenger of a company. It refuses
// an unknown or missing scope with token.scope.invalid.
func (db *DB) IssueServiceToken(ctx context.Context, companyID int64, scopes []string) (AccessToken, error) {
	if len(scopes) == 0 {
		return AccessToken{}, Invalid("token.scope.invalid")
	}
	for _, scope := range scopes {
		if !slices.Contains(Scopes, scope) {
			return AccessToken{}, Invalid("token.scope.invalid")
		}
	}
	return db.issueToken(ctx, insertTokenParams{CompanyID: companyID, Scopes: scopes})
}

func (db *DB) issueToken(ctx context.Context, params insertTokenParams) (AccessToken, error) {
	token := rand.Text() + rand.Text()
	params.Hash, params.Now = hashToken(token), db.now()
	if _, err := db.insertToken(ctx, params); err != nil {
		return AccessToken{}, err
	}
	issued := AccessToken{Token: token}
	if params.ExpiresAt != nil {
		issued.ExpiresAt = *params.ExpiresAt
	}
	return issued, nil
}

// Bearer finds whom a token speaks for. NotFound means that there is no such
// token, or that it has ended.
func (db *DB) Bearer(ctx context.Context, token string) (Bearer, error) {
	row, err := db.tokenByHash(ctx, hashToken(token))
	if err != nil {
		return Bearer{}, err
	}
	if row.RevokedAt != nil || row.ExpiresAt != nil && db.now().After(*row.ExpiresAt) {
		return Bearer{}, NotFound
	}
	b := Bearer{CompanyID: row.CompanyID, Scopes: row.Scopes}
	if row.UserID == nil {
		return b, nil
	}
	person, err := db.Person(ctx, PersonParams{row.CompanyID, *row.UserID})
	if err != nil {
		return Bearer{}, err
	}
	if person.HiddenAt != nil {
		return Bearer{}, NotFound
	}
	b.Person = &person
	return b, nil
}

// RevokeToken ends a token at once. One that has ended already is no error.
func (db *DB) RevokeToken(ctx context.Context, companyID int64, token string) error {
	now := db.now()
	_, err := db.revokeToken(ctx, revokeTokenParams{CompanyID: companyID, Hash: hashToken(token), Now: &now})
	return err
}

// CleanUp removes what no longer means anything: ended sign-ins and tokens
// after thirty days, counted tries after a day, messages after OutboxDays, files of
// exports when they expire.
func (db *DB) CleanUp(ctx context.Context) error {
	now := db.now()
	month := now.AddDate(0, 0, -30)
	return errors.Join(
		db.deleteDeadSignIns(ctx, month),
		db.deleteDeadTokens(ctx, &month),
		db.deleteDeadSessions(ctx, now),
		db.deleteOldTries(ctx, now.AddDate(0, 0, -1)),
		db.deleteOldMessages(ctx, now.AddDate(0, 0, -OutboxDays)),
		db.deleteExpiredExports(ctx, now),
	)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
