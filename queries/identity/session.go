package identity

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

const (
	// SessionAge is the maximum duration of a sign-in or an access token (spec
	// §9).
	SessionAge = 8 * time.Hour
	// NoteEvery is the minimum time between two updates of a sign-in's
	// activity, so that reading pages rarely writes. A sign-in may end by
	// idleness this much too late.
	NoteEvery = time.Minute

	defaultIdleSeconds = 3600
)

// SignedIn is a person and the sign-in of the browser they use.
type SignedIn struct {
	directory.Person
	SignInID    int64
	SeenAt      time.Time
	ExpiresAt   time.Time
	IdleSeconds int32
}

type signedInKey struct{}

// WithSignedIn returns a context that contains who is signed in.
func WithSignedIn(ctx context.Context, s SignedIn) context.Context {
	return context.WithValue(ctx, signedInKey{}, s)
}

// SignedInFrom returns who is signed in, and whether anybody is.
func SignedInFrom(ctx context.Context) (SignedIn, bool) {
	s, ok := ctx.Value(signedInKey{}).(SignedIn)
	return s, ok
}

// Credentials are what a user signs in with, and the address and browser.
type Credentials struct {
	Email, Password string
	Address         netip.Addr
	UserAgent       string
}

// SignIn signs a user in to a browser. It refuses with session.refused (for an
// unknown email and a wrong password alike), session.locked or session.hidden,
// and with session.platform or session.address if the user's communication
// policy does not allow browsers or this address.
func (store *Store) SignIn(ctx context.Context, c Credentials) (SignedIn, error) {
	person, err := store.authenticate(ctx, c)
	if err != nil {
		return SignedIn{}, err
	}
	now := store.db.Now()
	idle, err := store.admit(ctx, person, c.Address, now)
	if err != nil {
		return SignedIn{}, err
	}
	s := SignedIn{Person: person, SeenAt: now, ExpiresAt: now.Add(SessionAge), IdleSeconds: idle}
	s.SignInID, err = store.insertSignIn(ctx, insertSignInParams{
		CompanyID: person.CompanyID, UserID: person.ID, Now: now, ExpiresAt: s.ExpiresAt,
		IdleSeconds: idle, Address: c.Address, UserAgent: strings.ToValidUTF8(cut(c.UserAgent, 500), ""),
	})
	return s, refuseHidden(err)
}

// refuseHidden turns the NotFound of a statement that skips hidden users into
// the refusal: the user was hidden while signing in.
func refuseHidden(err error) error {
	if errors.Is(err, queries.NotFound) {
		return queries.Invalid("session.hidden")
	}
	return err
}

// SignedIn returns the user of a sign-in. NotFound means that it has ended: by
// signing out, by its age, by idleness, or because the user was hidden.
func (store *Store) SignedIn(ctx context.Context, companyID, signInID int64) (SignedIn, error) {
	row, err := store.signedIn(ctx, signedInParams{companyID, signInID})
	if err != nil {
		return SignedIn{}, err
	}
	s := SignedIn{directory.Person(row.Person), row.SignInID, row.SeenAt, row.ExpiresAt, row.IdleSeconds}
	now := store.db.Now()
	idleEnd := s.SeenAt.Add(time.Duration(s.IdleSeconds)*time.Second + NoteEvery)
	if now.After(s.ExpiresAt) || now.After(idleEnd) || s.HiddenAt != nil {
		return SignedIn{}, queries.NotFound
	}
	return s, nil
}

// NoteActivity postpones the end of a sign-in by idleness. It writes at most
// once every NoteEvery, and then also reads the user's communication policy
// again. If that no longer allows the sign-in, it ends with NotFound.
func (store *Store) NoteActivity(ctx context.Context, s SignedIn, from netip.Addr) error {
	now := store.db.Now()
	if now.Sub(s.SeenAt) < NoteEvery {
		return nil
	}
	idle, err := store.admit(ctx, s.Person, from, now)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		return errors.Join(queries.NotFound, store.SignOut(ctx, s.CompanyID, s.ID, s.SignInID))
	}
	if err != nil {
		return err
	}
	return store.noteSeen(ctx, noteSeenParams{CompanyID: s.CompanyID, ID: s.SignInID, Now: now, IdleSeconds: idle})
}

// SignOut ends a sign-in of a user; NotFound for another user's or an ended
// one.
func (s *Store) SignOut(ctx context.Context, companyID, userID, signInID int64) error {
	now := s.db.Now()
	n, err := s.endSignIn(ctx, endSignInParams{CompanyID: companyID, UserID: userID, ID: signInID, Now: &now})
	if err == nil && n == 0 {
		return queries.NotFound
	}
	return err
}

// SignOutElsewhere ends every sign-in of a user but one, and all of the user's
// access tokens.
func (s *Store) SignOutElsewhere(ctx context.Context, companyID, userID, exceptID int64) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		return q.signOutAll(ctx, companyID, userID, exceptID, s.db.Now())
	})
}

func (q *Queries) signOutAll(ctx context.Context, companyID, userID, exceptID int64, now time.Time) error {
	_, err := q.endSignIns(ctx, endSignInsParams{CompanyID: companyID, UserID: userID, ExceptID: exceptID, Now: &now})
	if err != nil {
		return err
	}
	return q.revokeTokens(ctx, revokeTokensParams{CompanyID: companyID, UserID: userID, Now: &now})
}

// EndAccess ends every sign-in and access token of users in the transaction of
// another rule.
func EndAccess(ctx context.Context, tx queries.Tx, companyID int64, userIDs []int64, now time.Time) error {
	q := New(tx)
	if err := q.endSignInsOf(ctx, endSignInsOfParams{CompanyID: companyID, UserIds: userIDs, Now: now}); err != nil {
		return err
	}
	return q.revokeTokensOf(ctx, revokeTokensOfParams{CompanyID: companyID, UserIds: userIDs, Now: now})
}

// The limits against guessing passwords: five attempts for each account (as the
// sign-in page says) and fifty for each address within ten minutes.
const (
	tryWindow       = 10 * time.Minute
	triesPerAccount = 5
	triesPerAddress = 50
)

// authenticate returns the user with these credentials. An unknown email and a
// wrong password have the same refusal, after the same work.
func (s *Store) authenticate(ctx context.Context, c Credentials) (directory.Person, error) {
	email := strings.ToLower(strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(c.Email, "\x00", ""), "")))
	account, address := "account:"+cut(email, 320), "address:"+c.Address.String()
	if err := s.takeTries(ctx, account, address); err != nil {
		return directory.Person{}, err
	}
	row, err := s.credentialsByEmail(ctx, email)
	if err != nil && !errors.Is(err, queries.NotFound) {
		return directory.Person{}, fmt.Errorf("person by email: %w", err)
	}
	right, err := matchesPassword(ctx, c.Password, row.Hash)
	switch {
	case err != nil:
		return directory.Person{}, err
	case !right:
		return directory.Person{}, queries.Invalid("session.refused")
	}
	if err := s.forgetTries(ctx, account); err != nil {
		return directory.Person{}, err
	}
	if err := s.giveTryBack(ctx, address); err != nil {
		return directory.Person{}, err
	}
	if row.Person.HiddenAt != nil {
		return directory.Person{}, queries.Invalid("session.hidden")
	}
	return directory.Person(row.Person), nil
}

func (s *Store) takeTries(ctx context.Context, account, address string) error {
	now := s.db.Now()
	for _, limit := range []struct {
		subject string
		tries   int32
	}{{address, triesPerAddress}, {account, triesPerAccount}} {
		taken, err := s.takeTry(ctx, takeTryParams{Subject: limit.subject, Now: now, WindowStart: now.Add(-tryWindow)})
		if err != nil {
			return fmt.Errorf("count sign-in tries: %w", err)
		}
		if taken > limit.tries {
			return queries.Invalid("session.locked")
		}
	}
	return nil
}

// admit checks the user's communication policy, by default that of domain §4:
// whether it allows browsers and the address. It returns the number of idle
// seconds until a sign-in ends.
func (s *Store) admit(ctx context.Context, p directory.Person, from netip.Addr, at time.Time) (idle int32, err error) {
	effective, err := s.policy.Effective(ctx, p.CompanyID, p.ID, "communication", at)
	if errors.Is(err, queries.NotFound) {
		return defaultIdleSeconds, nil
	}
	if err != nil {
		return 0, fmt.Errorf("policy at the door: %w", err)
	}
	switch {
	case !effective.Settings.LoginAllowed(browser):
		return 0, queries.Invalid("session.platform")
	case !effective.Settings.AddressAllowed(browser, from, p.ID):
		return 0, queries.Invalid("session.address")
	}
	return int32(effective.Settings.SessionTime().Seconds()), nil
}

// browser is the name of the console's platform in policies.
const browser = "web"

// cut shortens s to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
