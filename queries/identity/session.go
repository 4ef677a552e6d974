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
	"officeconsole/queries/usage"
)

const (
	// SessionAge is the maximum duration of a sign-in or an access token (spec
	// §9).
	SessionAge = 8 * time.Hour
	// NoteEvery is the minimum time between two updates of a sign-in's
	// activity, so that reading pages rarely writes. A sign-in may end by
	// idleness this much too late.
	NoteEvery = time.Minute

	// EndedSignInDays is for how many days ended sign-ins and tokens are stored.
	EndedSignInDays = 30

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
// policy does not allow browsers or this address. Both are in the access history.
func (store *Store) SignIn(ctx context.Context, c Credentials) (s SignedIn, err error) {
	err = store.enter(ctx, c, usage.AccessConsole, func(ctx context.Context, t *transaction, person directory.Person, idle int32) error {
		s, err = t.startSignIn(ctx, person, idle, c)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	return s, nil
}

// startSignIn stores that a person has signed in to a browser.
func (t *transaction) startSignIn(ctx context.Context, person directory.Person, idle int32, c Credentials) (s SignedIn, err error) {
	s = SignedIn{Person: person, SeenAt: t.now, ExpiresAt: t.now.Add(SessionAge), IdleSeconds: idle}
	s.SignInID, err = t.insertSignIn(ctx, insertSignInParams{
		CompanyID: person.CompanyID, UserID: person.ID, Now: t.now, ExpiresAt: s.ExpiresAt,
		IdleSeconds: idle, Address: c.Address, UserAgent: strings.ToValidUTF8(cut(c.UserAgent, 500), ""),
	})
	return s, err
}

// enter checks credentials and the policy, and stores with insert that the person
// has signed in.
func (s *Store) enter(ctx context.Context, c Credentials, source usage.AccessSource, insert func(context.Context, *transaction, directory.Person, int32) error) error {
	return s.enterBy(ctx, attempt{Credentials: c, email: normalEmail(c.Email), source: source}, s.authenticate, insert)
}

// enterBy is enter for an attempt whose person identify finds.
func (s *Store) enterBy(ctx context.Context, a attempt, identify func(context.Context, *attempt) error, insert func(context.Context, *transaction, directory.Person, int32) error) error {
	err := identify(ctx, &a)
	if err == nil && a.person.HiddenAt != nil {
		err = queries.Invalid("session.hidden")
	}
	var idle int32
	if err == nil {
		idle, err = s.admit(ctx, a.person, a.Address, s.db.Now())
	}
	if err == nil {
		err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
			if err := insert(ctx, t, a.person, idle); err != nil {
				return refuseHidden(err)
			}
			return t.record(ctx, a.person.CompanyID, a.event(usage.AccessLogin, usage.AccessOK, a.reason))
		})
	}
	if err != nil {
		s.noteRefusal(ctx, a, err)
	}
	return err
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
		return errors.Join(queries.NotFound, store.endRefused(ctx, s, from, refused))
	}
	if err != nil {
		return err
	}
	return store.noteSeen(ctx, noteSeenParams{CompanyID: s.CompanyID, ID: s.SignInID, Now: now, IdleSeconds: idle})
}

// endRefused ends a sign-in that the policy no longer allows from an address.
func (store *Store) endRefused(ctx context.Context, s SignedIn, from netip.Addr, refused queries.Invalid) error {
	return store.inTx(ctx, func(ctx context.Context, t *transaction) error {
		ended, err := t.endSignIn(ctx, endSignInParams{CompanyID: s.CompanyID, UserID: s.ID, ID: s.SignInID, Now: &t.now})
		if err != nil || len(ended) == 0 {
			return err
		}
		a := attempt{Credentials: Credentials{Address: from, UserAgent: ended[0].UserAgent}, source: usage.AccessConsole, person: s.Person}
		kind := usage.AccessAddressBlocked
		if refused == "session.platform" {
			kind = usage.AccessPlatformBlocked
		}
		return t.record(ctx, s.CompanyID, a.event(kind, "", reasonSession))
	})
}

// SignOut ends a sign-in of a user, who signs out; NotFound for another user's or an
// ended one.
func (s *Store) SignOut(ctx context.Context, companyID, userID, signInID int64) error {
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		ended, err := t.endSignIn(ctx, endSignInParams{CompanyID: companyID, UserID: userID, ID: signInID, Now: &t.now})
		if err != nil {
			return err
		}
		if len(ended) == 0 {
			return queries.NotFound
		}
		of := endedSession{userID, ended[0].Address, ended[0].UserAgent}
		return t.recordEnd(ctx, queries.Actor{CompanyID: companyID, UserID: userID}, usage.Access{Kind: string(usage.AccessLogout)}, []endedSession{of})
	})
}

// SignOutElsewhere ends every sign-in of a user but one, and all of the user's
// access tokens.
func (s *Store) SignOutElsewhere(ctx context.Context, companyID, userID, exceptID int64) error {
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		_, err := t.endAll(ctx, queries.Actor{CompanyID: companyID, UserID: userID}, []int64{userID}, exceptID, reasonSelf)
		return err
	})
}

// LastAccess returns by the ids of users when each was last seen in a browser.
// Sign-ins that ended more than EndedSignInDays ago are deleted, so users
// without a later one are missing.
func (s *Store) LastAccess(ctx context.Context, companyID int64, userIDs []int64) (map[int64]time.Time, error) {
	rows, err := s.lastSeen(ctx, lastSeenParams{UserIds: userIDs, CompanyID: companyID})
	times := make(map[int64]time.Time, len(rows))
	for _, row := range rows {
		times[row.UserID] = row.SeenAt
	}
	return times, err
}

// The limits against guessing passwords: five attempts for each account (as the
// sign-in page says) and fifty for each address within ten minutes.
const (
	tryWindow       = 10 * time.Minute
	triesPerAccount = 5
	triesPerAddress = 50
)

// normalEmail returns an email as it is compared.
func normalEmail(email string) string {
	email = strings.ToValidUTF8(strings.ReplaceAll(email, "\x00", ""), "")
	return cut(strings.ToLower(strings.TrimSpace(email)), 320)
}

// accountSubject is what the tries of an account are counted by.
func accountSubject(email string) string { return "account:" + normalEmail(email) }

// authenticate sets the user with the credentials of an attempt. An unknown email
// and a wrong password have the same refusal, after the same work.
func (s *Store) authenticate(ctx context.Context, a *attempt) error {
	account, address := accountSubject(a.email), "address:"+a.Address.String()
	if err := s.takeTries(ctx, a, account, address); err != nil {
		return err
	}
	row, err := s.credentialsByEmail(ctx, a.email)
	if err != nil && !errors.Is(err, queries.NotFound) {
		return fmt.Errorf("person by email: %w", err)
	}
	right, err := matchesPassword(ctx, a.Password, row.Hash)
	switch {
	case err != nil:
		return err
	case !right:
		return queries.Invalid("session.refused")
	}
	if err := s.forgetTries(ctx, account); err != nil {
		return err
	}
	if err := s.giveTryBack(ctx, address); err != nil {
		return err
	}
	a.person = directory.Person(row.Person)
	return nil
}

// takeTries counts an attempt, and refuses it if there were too many.
func (s *Store) takeTries(ctx context.Context, a *attempt, account, address string) error {
	now := s.db.Now()
	for _, limit := range []struct {
		subject string
		most    int32
		taken   *int32
	}{{address, triesPerAddress, &a.addressTries}, {account, triesPerAccount, &a.accountTries}} {
		taken, err := s.takeTry(ctx, takeTryParams{Subject: limit.subject, Now: now, WindowStart: now.Add(-tryWindow)})
		if err != nil {
			return fmt.Errorf("count sign-in tries: %w", err)
		}
		if *limit.taken = taken; taken > limit.most {
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
