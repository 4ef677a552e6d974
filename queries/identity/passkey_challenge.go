package identity

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// challengeAge is how long a browser may take to answer.
const challengeAge = 10 * time.Minute

// purpose is what a passkey is asked for. The answer counts for nothing else.
type purpose string

const (
	purposeCreate purpose = "create"
	purposeSignIn purpose = "sign_in" // after the password
	purposeAlone  purpose = "alone"   // instead of the password
	purposeProve  purpose = "prove"
)

// Site is the site that passkeys belong to: the URL of the console as browsers know it.
type Site struct{ Name, URL string }

// SupportsPasskeys reports whether browsers offer passkeys on the site: they want https,
// or localhost, and a name instead of an address.
func (s Site) SupportsPasskeys() bool {
	u, err := url.Parse(s.URL)
	if err != nil || u.Hostname() == "" {
		return false
	}
	_, err = netip.ParseAddr(u.Hostname())
	return err != nil && (u.Scheme == "https" || u.Hostname() == "localhost")
}

func (s Site) webAuthn() (*webauthn.WebAuthn, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	return webauthn.New(&webauthn.Config{RPID: u.Hostname(), RPDisplayName: s.Name, RPOrigins: []string{u.Scheme + "://" + u.Host}})
}

// userHandle is what a passkey knows its owner by.
func userHandle(companyID, userID int64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(companyID)), uint64(userID))
}

func ownerOf(handle []byte) (companyID, userID int64, ok bool) {
	if len(handle) != 16 {
		return 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(handle)), int64(binary.BigEndian.Uint64(handle[8:])), true
}

// askPasskey returns what a browser needs to sign with a passkey of a person, as JSON.
func (s *Store) askPasskey(ctx context.Context, of directory.Person, use purpose, site Site) (json.RawMessage, error) {
	w, err := site.webAuthn()
	if err != nil {
		return nil, err
	}
	var assertion *protocol.CredentialAssertion
	var session *webauthn.SessionData
	if use == purposeAlone {
		assertion, session, err = w.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	} else {
		var owner passkeyOwner
		if owner, err = s.passkeyOwner(ctx, of); err != nil {
			return nil, err
		}
		assertion, session, err = w.BeginLogin(owner, webauthn.WithUserVerification(protocol.VerificationPreferred))
	}
	if err != nil {
		return nil, err
	}
	if err := s.storeChallenge(ctx, of, use, session); err != nil {
		return nil, err
	}
	return json.Marshal(assertion.Response)
}

// storeChallenge stores what a browser is asked to sign. The person is zero where
// nobody is known yet.
func (s *Store) storeChallenge(ctx context.Context, of directory.Person, use purpose, session *webauthn.SessionData) error {
	text, err := json.Marshal(session)
	if err != nil {
		return err
	}
	return s.insertChallenge(ctx, insertChallengeParams{
		Challenge: hashToken(session.Challenge), CompanyID: queries.OrNil(of.CompanyID), UserID: queries.OrNil(of.ID),
		Purpose: string(use), Session: text, Now: s.db.Now(),
	})
}

// takeSession returns what a browser was asked to sign, once. It refuses a challenge
// that nobody was given, that is too old, or that was for somebody or something else.
func (s *Store) takeSession(ctx context.Context, of directory.Person, use purpose, challenge string) (session webauthn.SessionData, err error) {
	row, err := s.takeChallenge(ctx, hashToken(challenge))
	if errors.Is(err, queries.NotFound) {
		return session, refusePasskey(ctx, errors.New("nobody was given this challenge, or it was answered before"))
	}
	if err != nil {
		return session, err
	}
	asked := passkeyOwner{Person: directory.Person{ID: of.ID, CompanyID: of.CompanyID}}
	if row.UserID != nil && (*row.UserID != asked.ID || *row.CompanyID != asked.CompanyID) || row.UserID == nil && of.ID != 0 ||
		purpose(row.Purpose) != use || s.db.Now().Sub(row.CreatedAt) > challengeAge {
		return session, refusePasskey(ctx, errors.New("the challenge was for another person or purpose, or is too old"))
	}
	return session, json.Unmarshal(row.Session, &session)
}

// takePasskey accepts what a passkey of a person has signed. Without a person it
// returns who it is: such a passkey has verified its user by itself.
func (s *Store) takePasskey(ctx context.Context, of directory.Person, use purpose, site Site, answer string) (directory.Person, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return of, refusePasskey(ctx, err)
	}
	session, err := s.takeSession(ctx, of, use, parsed.Response.CollectedClientData.Challenge)
	if err != nil {
		return of, err
	}
	if of.ID == 0 {
		if of, err = s.personOfHandle(ctx, parsed.Response.UserHandle); err != nil {
			return of, err
		}
	}
	owner, err := s.passkeyOwner(ctx, of)
	if err != nil {
		return of, err
	}
	w, err := site.webAuthn()
	if err != nil {
		return of, err
	}
	credential, err := verifyPasskey(w, owner, use, session, parsed)
	if err != nil {
		return of, refusePasskey(ctx, err)
	}
	if credential.Authenticator.CloneWarning {
		return of, refusePasskey(ctx, errors.New("the counter of the passkey went back: it may have been copied"))
	}
	text, err := json.Marshal(credential)
	if err != nil {
		return of, err
	}
	n, err := s.notePasskeyUsed(ctx, notePasskeyUsedParams{CompanyID: of.CompanyID, UserID: of.ID, CredentialID: credential.ID, Credential: text, Now: s.db.Now()})
	if err == nil && n == 0 {
		err = refusePasskey(ctx, errors.New("the passkey was deleted"))
	}
	return of, err
}

func verifyPasskey(w *webauthn.WebAuthn, owner passkeyOwner, use purpose, session webauthn.SessionData, parsed *protocol.ParsedCredentialAssertionData) (*webauthn.Credential, error) {
	if use != purposeAlone {
		return w.ValidateLogin(owner, session, parsed)
	}
	_, credential, err := w.ValidatePasskeyLogin(func([]byte, []byte) (webauthn.User, error) { return owner, nil }, session, parsed)
	return credential, err
}

// personOfHandle returns the person that a passkey names as its owner.
func (s *Store) personOfHandle(ctx context.Context, handle []byte) (directory.Person, error) {
	companyID, userID, ok := ownerOf(handle)
	if !ok {
		return directory.Person{}, refusePasskey(ctx, errors.New("the passkey names no owner"))
	}
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: companyID, ID: userID})
	if errors.Is(err, queries.NotFound) {
		return person, refusePasskey(ctx, errors.New("the owner of the passkey is not in the directory"))
	}
	return person, err
}
