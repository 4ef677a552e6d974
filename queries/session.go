package queries

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"
)

const (
	// SessionAge is how long a sign-in or an access token lasts at most (spec §9).
	SessionAge = 8 * time.Hour
	// NoteEvery is how often at most a sign-in's activity is written down, so
	// that reading pages does not write. Idle ends may be late by this much.
	NoteEvery = time.Minute

	defaultIdleSeconds = 3600
)

// SignedIn is a person and the sign-in of the browser they use.
type SignedIn struct {
	Person
	SignInID    int64
	SeenAt      time.Time
	ExpiresAt   time.Time
	IdleSeconds int32
}

type signedInKey struct{}

// WithSignedIn makes ctx carry who is signed in, for every rule and page of a request.
func WithSignedIn(ctx context.Context, s SignedIn) context.Context {
	return context.WithValue(ctx, signedInKey{}, s)
}

// SignedInFrom is who is signed in, if anybody is.
func SignedInFrom(ctx context.Context) (SignedIn, bool) {
	s, ok := ctx.Value(signedInKey{}).(SignedIn)
	return s, ok
}

// Credentials are what somebody signs in with, and from where.
type Credentials struct {
	Email, Password string
	Address         netip.Addr
	UserAgent       string
}

// SignIn begins a browser's session. It refuses with session.refused (unknown
// email and wrong password alike), session.locked or session.hidden, and with
// session.platform or session.address where the person's communication policy
// does not allow a browser, or one there.
func (db *DB) SignIn(ctx context.Context, c Credentials) (SignedIn, error) {
	person, err := db.authenticate(ctx, c)
	if err != nil {
		return SignedIn{}, err
	}
	now := db.now()
	idle, err := db.admit(ctx, person, c.Address, now)
	if err != nil {
		return SignedIn{}, err
	}
	s := SignedIn{Person: person, SeenAt: now, ExpiresAt: now.Add(SessionAge), IdleSeconds: idle}
	s.SignInID, err = db.insertSignIn(ctx, insertSignInParams{
		CompanyID: person.CompanyID, UserID: person.ID, Now: now, ExpiresAt: s.ExpiresAt,
		IdleSeconds: idle, Address: c.Address, UserAgent: strings.ToValidUTF8(cut(c.UserAgent, 500), ""),
	})
	return s, err
}

// SignedIn finds who uses a sign-in. NotFound means that it has ended: by
// signing out, by its age, by idleness, or because the person was hidden.
func (db *DB) SignedIn(ctx context.Context, companyID, signInID int64) (SignedIn, error) {
	row, err := db.signedIn(ctx, signedInParams{companyID, signInID})
	if err != nil {
		return SignedIn{}, err
	}
	s := SignedIn{row.Person, row.SignInID, row.SeenAt, row.ExpiresAt, row.IdleSeconds}
	now := db.now()
	idleEnd := s.SeenAt.Add(time.Duration(s.IdleSeconds)*time.Second + NoteEvery)
	if now.After(s.ExpiresAt) || now.After(idleEnd) || s.HiddenAt != nil {
		return SignedIn{}, NotFound
	}
	return s, nil
}

// NoteActivity puts the idle end off. It writes at most once every NoteEvery,
// and then also reads the person's policy again: their session time, and
// whether they may still be here. If not, the sign-in ends: NotFound.
func (db *DB) NoteActivity(ctx context.Context, s SignedIn, from netip.Addr) error {
	now := db.now()
	if now.Sub(s.SeenAt) < NoteEvery {
		return nil
	}
	idle, err := db.admit(ctx, s.Person, from, now)
	var refused Invalid
	if errors.As(err, &refused) {
		return errors.Join(NotFound, db.SignOut(ctx, s.CompanyID, s.ID, s.SignInID))
	}
	if err != nil {
		return err
	}
	return db.noteSeen(ctx, noteSeenParams{CompanyID: s.CompanyID, ID: s.SignInID, Now: now, IdleSeconds: idle})
}

// SignOut ends one sign-in of a person. NotFound when it is not theirs or has ended.
func (db *DB) SignOut(ctx context.Context, companyID, userID, signInID int64) error {
	now := db.now()
	n, err := db.endSignIn(ctx, endSignInParams{CompanyID: companyID, UserID: userID, ID: signInID, Now: &now})
	if err == nil && n == 0 {
		return NotFound
	}
	return err
}

// SignOutElsewhere ends every sign-in of a person but one, and their access tokens.
func (db *DB) SignOutElsewhere(ctx context.Context, companyID, userID, exceptID int64) error {
	return db.inTx(ctx, func(ctx context.Context, q *Queries) error {
		return q.signOutAll(ctx, companyID, userID, exceptID, db.now())
	})
}

func (q *Queries) signOutAll(ctx context.Context, companyID, userID, exceptID int64, now time.Time) error {
	_, err := q.endSignIns(ctx, endSignInsParams{CompanyID: companyID, UserID: userID, ExceptID: exceptID, Now: &now})
	if err != nil {
		return err
	}
	return q.revokeTokens(ctx, revokeTokensParams{CompanyID: companyID, UserID: userID, Now: &now})
}

// The brake on guessing: five tries an account (as the sign-in page says) and
// fifty an address in ten minutes.
const (
	tryWindow       = 10 * time.Minute
	triesPerAccount = 5
	triesPerAddress = 50
)

// authenticate finds whose credentials these are. What it answers to an
// unknown email it also answers to a wrong password, after the same work.
func (db *DB) authenticate(ctx context.Context, c Credentials) (Person, error) {
	email := strings.ToLower(strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(c.Email, "\x00", ""), "")))
	account, address := "account:"+cut(email, 320), "address:"+c.Address.String()
	if err := db.takeTries(ctx, account, address); err != nil {
		return Person{}, err
	}
	row, err := db.credentialsByEmail(ctx, email)
	if err != nil && !errors.Is(err, NotFound) {
		return Person{}, fmt.Errorf("person by email: %w", err)
	}
	right, err := matchesPassword(ctx, c.Password, row.Hash)
	switch {
	case err != nil:
		return Person{}, err
	case !right:
		return Person{}, Invalid("session.refused")
	}
	if err := db.forgetTries(ctx, account); err != nil {
		return Person{}, err
	}
	if err := db.giveTryBack(ctx, address); err != nil {
		return Person{}, err
	}
	if row.Person.HiddenAt != nil {
		return Person{}, Invalid("session.hidden")
	}
	return row.Person, nil
}

func (db *DB) takeTries(ctx context.Context, account, address string) error {
	now := db.now()
	for _, limit := range []struct {
		subject string
		tries   int32
	}{{address, triesPerAddress}, {account, triesPerAccount}} {
		taken, err := db.takeTry(ctx, takeTryParams{Subject: limit.subject, Now: now, WindowStart: now.Add(-tryWindow)})
		if err != nil {
			return fmt.Errorf("count sign-in tries: %w", err)
		}
		if taken > limit.tries {
			return Invalid("session.locked")
		}
	}
	return nil
}

// admit holds the person's communication policy at the console's own door:
// whether they may come in by a browser and from an address, and for how many
// idle seconds; the default of domain §4 for those who have no policy.
func (db *DB) admit(ctx context.Context, p Person, from netip.Addr, at time.Time) (idle int32, err error) {
	effective, err := db.EffectivePolicy(ctx, p.CompanyID, p.ID, "communication", at)
	if errors.Is(err, NotFound) {
		return defaultIdleSeconds, nil
	}
	if err != nil {
		return 0, fmt.Errorf("policy at the door: %w", err)
	}
	switch {
	case !effective.Settings.LoginAllowed(browser):
		return 0, Invalid("session.platform")
	case !effective.Settings.AddressAllowed(browser, from, p.ID):
		return 0, Invalid("session.address")
	}
	return int32(effective.Settings.SessionTime().Seconds()), nil
}

// browser is the platform that the console is used on.
const browser = "web"

// cut shortens s to at most n bytes without breaking a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
