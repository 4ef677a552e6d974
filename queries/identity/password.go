package identity

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"

	"github.com/alexedwards/argon2id"
	"golang.org/x/sync/semaphore"
)

// A hash takes 12 MiB and about twenty milliseconds (a setting recommended by
// OWASP). Two at a time keep many simultaneous sign-ins from using up the
// memory. At most one of them is for somebody at an unknown device in an unknown
// network, so that strangers who guess leave the other to everybody else.
var (
	hashParams = &argon2id.Params{Memory: 12 * 1024, Iterations: 3, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	hashing    = semaphore.NewWeighted(2)
	strangers  = semaphore.NewWeighted(1)
)

// unknownHash is compared with if there is no account, so that the response
// takes as long as for a wrong password. No password has this hash.
const unknownHash = "$argon2id$v=19$m=12288,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// HashPassword returns the text that is stored for a password.
func HashPassword(ctx context.Context, password string) (string, error) {
	if err := hashing.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer hashing.Release(1)
	return argon2id.CreateHash(password, hashParams)
}

// matchesOf is matchesPassword for an attempt to sign in from a known or unknown origin.
func matchesOf(ctx context.Context, password, hash string, isKnown bool) (bool, error) {
	if !isKnown {
		if err := strangers.Acquire(ctx, 1); err != nil {
			return false, err
		}
		defer strangers.Release(1)
	}
	return matchesPassword(ctx, password, hash)
}

func matchesPassword(ctx context.Context, password, hash string) (bool, error) {
	if err := hashing.Acquire(ctx, 1); err != nil {
		return false, err
	}
	defer hashing.Release(1)
	if hash == "" {
		hash = unknownHash
	}
	return argon2id.ComparePasswordAndHash(cut(password, 1000), hash)
}

// Confirmation is the user's own password, which confirms an action, and from where it
// was sent: SignInID is the session, and 0 for a program.
type Confirmation struct {
	Password  string
	HasProved bool // recently, see SignedIn.HasProved; counts for people without a password
	SignInID  int64
	Address   netip.Addr
	UserAgent string
}

// errNoPassword is the refusal of somebody who signs in without a password.
const errNoPassword = queries.Invalid("password.none")

// PasswordChange is the form of the profile page. Current confirms it.
type PasswordChange struct {
	Current           Confirmation
	New, Confirmation string
}

// confirm refuses a wrong password of a user with password.current.wrong, and every
// password with session.locked after too many wrong ones. Both are in the access
// history as a failure of the given kind. One that is missing is no try. It refuses
// people without a password with password.none, unless they have proved who they are.
func (s *Store) confirm(ctx context.Context, of directory.Person, c Confirmation, kind usage.AccessKind) error {
	hash, err := s.passwordHash(ctx, passwordHashParams{of.CompanyID, of.ID})
	switch {
	case errors.Is(err, queries.NotFound) && c.HasProved:
		return nil
	case errors.Is(err, queries.NotFound):
		return errNoPassword
	case err != nil:
		return fmt.Errorf("password of %d: %w", of.ID, err)
	case c.Password == "":
		return queries.Invalid("password.current.required")
	}
	subject, now := confirmationSubject(of, c.SignInID), s.db.Now()
	taken, err := s.takeTry(ctx, takeTryParams{Subject: subject, Now: now, WindowStart: now.Add(-tryWindow)})
	if err != nil {
		return fmt.Errorf("count wrong passwords of %d: %w", of.ID, err)
	}
	a := attempt{Credentials: Credentials{Address: c.Address, UserAgent: c.UserAgent}, source: usage.AccessConsole, person: of}
	if taken > triesPerAccount {
		if taken == triesPerAccount+1 { // only the first refusal while it is locked
			s.noteAttempt(ctx, of.CompanyID, a.event(kind, usage.AccessFailed, reasonLocked))
		}
		return queries.Invalid("session.locked")
	}
	right, err := matchesPassword(ctx, c.Password, hash)
	if err != nil {
		return err
	}
	if !right {
		s.noteAttempt(ctx, of.CompanyID, a.event(kind, usage.AccessFailed, reasonPassword))
		return queries.Invalid("password.current.wrong")
	}
	return s.forgetTries(ctx, subject)
}

// confirmationSubject is what the wrong passwords of somebody who is signed in are
// counted by: each session apart, so that whoever has stolen one cannot lock the person
// out of the others. Who has only a session cannot open another one with it.
func confirmationSubject(of directory.Person, signInID int64) string {
	return fmt.Sprintf("password:%d:%d:%d", of.CompanyID, of.ID, signInID)
}

// ChangePassword changes a user's own password and signs the user out of every
// other browser. It refuses with FieldErrors of current, new and confirmation; a wrong
// current password is in the access history.
func (store *Store) ChangePassword(ctx context.Context, s SignedIn, c PasswordChange) error {
	refused := queries.FieldErrors{}
	c.Current.SignInID = s.SignInID
	if err := store.confirm(ctx, s.Person, c.Current, usage.AccessPasswordChanged); err != nil {
		wrong := queries.Invalid("")
		if !errors.As(err, &wrong) {
			return err
		}
		if refused["current"] = wrong; wrong == "session.locked" || wrong == errNoPassword {
			return refused
		}
	}
	if reason := refuseOwnPassword(c.New, s.Person); reason != "" {
		refused["new"] = reason
	} else if refused["current"] == "" && c.New == c.Current.Password {
		refused["new"] = "password.new.same"
	}
	if c.Confirmation != c.New {
		refused["confirmation"] = "password.mismatch"
	}
	if len(refused) > 0 {
		return refused
	}
	changed, err := HashPassword(ctx, c.New)
	if err != nil {
		return err
	}
	return store.inTx(ctx, func(ctx context.Context, t *transaction) error {
		if err := t.storePassword(ctx, s.Person, changed); err != nil {
			return err
		}
		if err := t.record(ctx, s.CompanyID, usage.Access{
			UserID: &s.ID, Kind: string(usage.AccessPasswordChanged), Source: string(usage.AccessConsole), Platform: browser, Ip: usage.AddressOf(c.Current.Address), UserAgent: c.Current.UserAgent,
		}); err != nil {
			return err
		}
		_, err := t.endAll(ctx, queries.Actor{CompanyID: s.CompanyID, UserID: s.ID}, []int64{s.ID}, s.SignInID, reasonPasswordChange)
		return err
	})
}

// SetPassword sets a user's password on behalf of an operator, signs the user out
// everywhere and unlocks the account. It refuses a password that violates the rules
// of domain §9.
func (s *Store) SetPassword(ctx context.Context, person directory.Person, password string) error {
	if reason := refusePassword(password, person); reason != "" {
		return reason
	}
	hash, err := HashPassword(ctx, password)
	if err != nil {
		return err
	}
	operator := queries.Actor{CompanyID: person.CompanyID, Name: "officeconsole"}
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		return t.resetPassword(ctx, operator, person, hash, usage.Access{
			UserID: &person.ID, Kind: string(usage.AccessPasswordReset), Source: string(usage.AccessCommand), ActorName: operator.Name,
		})
	})
}

// storePassword stores the hash of a person's password and ends a link that would set
// another one.
func (t *transaction) storePassword(ctx context.Context, person directory.Person, hash string) error {
	if err := t.setPassword(ctx, setPasswordParams{CompanyID: person.CompanyID, UserID: person.ID, Hash: hash, Now: t.now}); err != nil {
		return err
	}
	_, err := t.deletePasswordLinks(ctx, deletePasswordLinksParams{person.CompanyID, []int64{person.ID}})
	return err
}

// resetPassword stores a password that somebody sets without the current one, signs
// the person out everywhere and unlocks the account. event is the row of the access
// history.
func (t *transaction) resetPassword(ctx context.Context, by queries.Actor, person directory.Person, hash string, event usage.Access) error {
	if err := t.storePassword(ctx, person, hash); err != nil {
		return err
	}
	if err := t.record(ctx, person.CompanyID, event); err != nil {
		return err
	}
	if _, err := t.unlock(ctx, by, person); err != nil {
		return err
	}
	if err := t.forgetTries(ctx, confirmationSubject(person, 0)); err != nil {
		return err
	}
	_, err := t.endAll(ctx, by, []int64{person.ID}, 0, reasonPasswordReset)
	return err
}
