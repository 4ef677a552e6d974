package identity

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// PasswordLinkAge is how long a new password can be set with a link.
const PasswordLinkAge = 24 * time.Hour

// errPasswordLink is the refusal of a link that was used, replaced or withdrawn, that
// has expired, or that never existed.
const errPasswordLink = queries.Invalid("password_link.refused")

// NewPasswordLink is a link with its secret, which is not stored.
type NewPasswordLink struct {
	Secret    string
	ExpiresAt time.Time
}

// Path is the address of the link below that of the console.
func (l NewPasswordLink) Path() string { return "/password?token=" + url.QueryEscape(l.Secret) }

// CreatePasswordLink returns a link with which a person sets a new password, once and
// within PasswordLinkAge. An earlier link of the person ends. It refuses with
// password_link.own, because a link of one's own would be a way around the current
// password, and with password_link.absent for somebody who is hidden or deactivated.
// NotFound means that the actor's company has no such person.
func (s *Store) CreatePasswordLink(ctx context.Context, by queries.Actor, userID int64) (link NewPasswordLink, err error) {
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: by.CompanyID, ID: userID})
	switch {
	case err != nil:
		return NewPasswordLink{}, err
	case person.Bot:
		return NewPasswordLink{}, queries.NotFound
	case by.UserID == userID:
		return NewPasswordLink{}, queries.Invalid("password_link.own")
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		link = NewPasswordLink{newToken(), t.now.Add(PasswordLinkAge)}
		saved, err := t.savePasswordLink(ctx, savePasswordLinkParams{
			CompanyID: by.CompanyID, UserID: userID, SecretHash: hashToken(link.Secret), CreatedBy: queries.OrNil(by.UserID), Now: t.now, ExpiresAt: link.ExpiresAt,
		})
		if err != nil {
			return fmt.Errorf("save a password link: %w", err)
		}
		if saved == 0 {
			return queries.Invalid("password_link.absent")
		}
		if err := t.record(ctx, by.CompanyID, usage.Access{
			UserID: &userID, Kind: string(usage.AccessPasswordLink), Reason: reasonAdministrator, Source: string(sourceOf(by)), Ip: usage.AddressOf(by.Address),
			ActorID: queries.OrNil(by.UserID), ActorName: by.Name,
		}); err != nil {
			return err
		}
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{Action: "user.password_link_created", ObjectType: "user", ObjectID: userID, ObjectName: person.Name})
	})
	if err != nil {
		return NewPasswordLink{}, err
	}
	return link, nil
}

// WithdrawPasswordLink ends the link of a person before it is used. withdrawn is false
// if there was none any more. NotFound means that the actor's company has no such
// person.
func (s *Store) WithdrawPasswordLink(ctx context.Context, by queries.Actor, userID int64) (withdrawn bool, err error) {
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: by.CompanyID, ID: userID})
	if err != nil {
		return false, err
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		deleted, err := t.deletePasswordLinks(ctx, deletePasswordLinksParams{by.CompanyID, []int64{userID}})
		if withdrawn = deleted > 0; err != nil || !withdrawn {
			return err
		}
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{Action: "user.password_link_withdrawn", ObjectType: "user", ObjectID: userID, ObjectName: person.Name})
	})
	return withdrawn, err
}

// PresentedLink is the secret of a link as a browser presents it.
type PresentedLink struct {
	Secret    string
	Address   netip.Addr
	UserAgent string
}

// PersonOfPasswordLink returns whose password a link sets. It refuses with
// password_link.refused and, after too many refused links from the address, with
// session.locked.
func (s *Store) PersonOfPasswordLink(ctx context.Context, l PresentedLink) (directory.Person, error) {
	person, err := s.checkPasswordLink(ctx, l)
	if err == nil {
		err = s.giveTryBack(ctx, linkSubject(l.Address))
	}
	return person, err
}

// linkSubject is what the links that are tried from an address are counted by.
func linkSubject(address netip.Addr) string { return "link:" + limitedAddress(address).String() }

// checkPasswordLink is PersonOfPasswordLink that counts valid links, too. A browser that
// has opened no link tries none.
func (s *Store) checkPasswordLink(ctx context.Context, l PresentedLink) (directory.Person, error) {
	if l.Secret == "" {
		return directory.Person{}, errPasswordLink
	}
	tries, err := s.countTry(ctx, linkSubject(l.Address), "")
	if err != nil {
		return directory.Person{}, err
	}
	if tries > triesPerAddress {
		return directory.Person{}, queries.Invalid("session.locked")
	}
	row, err := s.personOfPasswordLink(ctx, hashToken(l.Secret))
	if errors.Is(err, queries.NotFound) {
		slog.InfoContext(ctx, "an unknown or used password link was refused", "address", l.Address)
		return directory.Person{}, errPasswordLink
	}
	if err != nil {
		return directory.Person{}, fmt.Errorf("person of a password link: %w", err)
	}
	if !s.db.Now().Before(row.ExpiresAt) {
		s.noteAttempt(ctx, row.Person.CompanyID, l.event(row.Person.ID, usage.AccessFailed, reasonLinkExpired))
		return directory.Person{}, errPasswordLink
	}
	return directory.Person(row.Person), nil
}

// event returns the use of a link as a row of the access history.
func (l PresentedLink) event(userID int64, result usage.AccessResult, reason string) usage.Access {
	return usage.Access{
		UserID: &userID, Kind: string(usage.AccessPasswordReset), Result: string(result), Reason: reason,
		Source: string(usage.AccessConsole), Platform: browser, Ip: usage.AddressOf(l.Address), UserAgent: l.UserAgent,
	}
}

// PasswordReset is the form of the page of a password link.
type PasswordReset struct {
	PresentedLink
	New, Confirmation string
}

// ResetPassword sets the password of the person of a link, signs them out everywhere
// and unlocks the account. It refuses as PersonOfPasswordLink, and with FieldErrors of
// new and confirmation. Every try counts, so that whoever has the link cannot guess
// which password the person had before.
func (s *Store) ResetPassword(ctx context.Context, r PasswordReset) error {
	person, err := s.checkPasswordLink(ctx, r.PresentedLink)
	if err != nil {
		return err
	}
	if err := s.checkReset(ctx, person, r); err != nil {
		return err
	}
	hash, err := HashPassword(ctx, r.New)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		taken, err := t.takePasswordLink(ctx, takePasswordLinkParams{person.CompanyID, person.ID, hashToken(r.Secret)})
		if err != nil {
			return fmt.Errorf("take a password link: %w", err)
		}
		if taken == 0 { // used, or the person was hidden, meanwhile
			return errPasswordLink
		}
		return t.resetPassword(ctx, directory.ActorFrom(person, r.Address), person, hash, r.event(person.ID, usage.AccessOK, reasonLink))
	})
}

// checkReset refuses the passwords that ChangePassword refuses, the one before
// included: a reset is often asked for because others know it.
func (s *Store) checkReset(ctx context.Context, person directory.Person, r PasswordReset) error {
	refused := queries.FieldErrors{}
	if reason := refuseOwnPassword(r.New, person); reason != "" {
		refused["new"] = reason
	} else {
		before, err := s.passwordHash(ctx, passwordHashParams{person.CompanyID, person.ID})
		if err != nil && !errors.Is(err, queries.NotFound) {
			return fmt.Errorf("password of %d: %w", person.ID, err)
		}
		same, err := matchesPassword(ctx, r.New, before)
		if err != nil {
			return err
		}
		if same {
			refused["new"] = "password.new.same"
		}
	}
	if r.Confirmation != r.New {
		refused["confirmation"] = "password.mismatch"
	}
	if len(refused) > 0 {
		return refused
	}
	return nil
}
