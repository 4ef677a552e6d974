package identity

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// The limits against guessing passwords: five attempts for each account (as the
// sign-in page says) and fifty for each address within ten minutes.
const (
	tryWindow       = 10 * time.Minute
	triesPerAccount = 5
	triesPerAddress = 50
)

// NewDevice returns a cookie by which a browser is known again after signing in.
func NewDevice() string { return rand.Text() }

// normalEmail returns an email as it is compared.
func normalEmail(email string) string {
	email = strings.ToValidUTF8(strings.ReplaceAll(email, "\x00", ""), "")
	return cut(strings.ToLower(strings.TrimSpace(email)), 320)
}

// authenticate sets the user with the credentials of an attempt. An unknown email
// and a wrong password have the same refusal, after the same work.
func (s *Store) authenticate(ctx context.Context, a *attempt) error {
	leave, err := s.enterLine(ctx, *a)
	if err != nil {
		return err
	}
	defer leave()
	row, err := s.credentialsByEmail(ctx, a.email)
	if err != nil && !errors.Is(err, queries.NotFound) {
		return fmt.Errorf("person by email: %w", err)
	}
	account, address, isKnown, err := s.subjects(ctx, *a, row.Person)
	if err != nil {
		return err
	}
	if address, err = s.takeTries(ctx, a, account, address); err != nil {
		return err
	}
	right, err := matchesOf(ctx, a.Password, row.Hash, isKnown)
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
	if row.Person.HiddenAt != nil {
		a.person.DeactivatedAt = row.Person.DeactivatedAt
		return queries.Invalid("session.hidden")
	}
	a.person = directory.Person(row.Person)
	return nil
}

// subjects returns what an attempt is counted by. A device or a network from which
// the person has signed in before is counted apart, so that strangers who guess
// cannot lock the person out. The address of a known device is not counted. isKnown
// reports whether the attempt comes from one of the two.
func (s *Store) subjects(ctx context.Context, a attempt, of Person) (account, address string, isKnown bool, err error) {
	network, err := networkOf(a.Address)
	if err != nil {
		return "", "", false, err
	}
	known, err := s.originOf(ctx, a, of)
	if err != nil {
		return "", "", false, err
	}
	account, address = "account:"+a.email, addressSubject(a.Address, 0, false)
	switch {
	case known.Device:
		return fmt.Sprintf("device:%x:%s", hashToken(a.Device), a.email), "", true, nil
	case known.Network:
		account = "network:" + network.String() + ":" + a.email
	}
	return account, address, known.Network, nil
}

// originOf returns whether a person has signed in before from the device or the network
// of an attempt.
func (s *Store) originOf(ctx context.Context, a attempt, of Person) (knownOriginRow, error) {
	network, err := networkOf(a.Address)
	if err != nil {
		return knownOriginRow{}, err
	}
	known, err := s.knownOrigin(ctx, knownOriginParams{CompanyID: of.CompanyID, UserID: of.ID, DeviceHash: hashUnlessEmpty(a.Device), Network: network.String()})
	if err != nil {
		return knownOriginRow{}, fmt.Errorf("known origin: %w", err)
	}
	return known, nil
}

// networkOf returns the network of an address, as one household or office has it.
func networkOf(address netip.Addr) (netip.Prefix, error) {
	if address.Is4() {
		return address.Prefix(24)
	}
	return address.Prefix(64)
}

// takeTries counts an attempt, and refuses it if there were too many. It returns what
// the attempt was counted by instead of the address.
func (s *Store) takeTries(ctx context.Context, a *attempt, account, address string) (string, error) {
	var err error
	if address != "" {
		if a.addressTries, err = s.countTry(ctx, address, ""); err != nil {
			return "", err
		}
		if a.addressTries > triesPerAddress {
			if address, err = s.unlockedSubject(ctx, *a); err == nil && address != "" {
				a.addressTries, err = s.countTry(ctx, address, "")
			}
			if err != nil {
				return "", err
			}
		}
		if a.addressTries > triesPerAddress {
			return "", queries.Invalid("session.locked")
		}
	}
	if a.accountTries, err = s.countTry(ctx, account, a.email); err != nil {
		return "", err
	}
	if a.accountTries > triesPerAccount {
		return "", queries.Invalid("session.locked")
	}
	return address, nil
}

// countTry counts an attempt by a subject, which is of an account unless that is "".
func (s *Store) countTry(ctx context.Context, subject, account string) (int32, error) {
	now := s.db.Now()
	taken, err := s.takeTry(ctx, takeTryParams{Subject: subject, Account: account, Now: now, WindowStart: now.Add(-tryWindow)})
	if err != nil {
		return 0, fmt.Errorf("count sign-in tries: %w", err)
	}
	return taken, nil
}

// LockedUntil returns until when somebody cannot sign in to a user's account, because
// of too many failures from the same known device or network, or from unknown ones;
// the zero time if it is not locked.
func (s *Store) LockedUntil(ctx context.Context, companyID, userID int64) (time.Time, error) {
	email, err := s.emailOf(ctx, emailOfParams{companyID, userID})
	if err != nil {
		return time.Time{}, err
	}
	return s.lockedUntil(ctx, s.db.Now(), email)
}

func (q *Queries) lockedUntil(ctx context.Context, now time.Time, email string) (time.Time, error) {
	since, err := q.lockOf(ctx, lockOfParams{Account: normalEmail(email), Most: triesPerAccount, WindowStart: now.Add(-tryWindow)})
	if errors.Is(err, queries.NotFound) {
		return time.Time{}, nil
	}
	return since.Add(tryWindow), err
}

// Unlock lets a user whose account is locked try again at once. unlocked is false if
// it was not locked any more.
func (s *Store) Unlock(ctx context.Context, by queries.Actor, userID int64) (unlocked bool, err error) {
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: by.CompanyID, ID: userID})
	if err != nil {
		return false, err
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		if unlocked, err = t.unlock(ctx, by, person); err != nil || !unlocked {
			return err
		}
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{Action: "user.unlocked", ObjectType: "user", ObjectID: userID, ObjectName: person.Name})
	})
	return unlocked, err
}

func (t *transaction) unlock(ctx context.Context, by queries.Actor, person directory.Person) (unlocked bool, err error) {
	until, err := t.lockedUntil(ctx, t.now, person.Email)
	if err != nil || until.IsZero() {
		return false, err
	}
	if err := t.forgetTriesOf(ctx, normalEmail(person.Email)); err != nil {
		return false, err
	}
	return true, t.record(ctx, by.CompanyID, usage.Access{
		UserID: &person.ID, Kind: string(usage.AccessUnlocked), Reason: reasonOf(by, person.ID), Source: string(sourceOf(by)), Ip: usage.AddressOf(by.Address),
		ActorID: queries.OrNil(by.UserID), ActorName: by.Name,
	})
}
