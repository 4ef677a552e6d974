package identity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/search"
)

const (
	mostPasskeys   = 20 // of a person
	maxPasskeyName = 50 // characters
)

// errPasskey is the refusal of what a passkey has signed: with another key, for another
// site, twice or too late. The reason is in the log.
const errPasskey = queries.Invalid("factor.passkey.refused")

// PasskeyInfo is a passkey of a person, without its key.
type PasskeyInfo struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name"`
	CreatedAt time.Time  `json:"created_at"`
	UsedAt    *time.Time `json:"used_at"`
}

// Passkeys returns the passkeys of a person, the oldest first.
func (s *Store) Passkeys(ctx context.Context, companyID, userID int64) ([]PasskeyInfo, error) {
	rows, err := s.passkeysOf(ctx, passkeysOfParams{companyID, userID})
	all := make([]PasskeyInfo, len(rows))
	for i, row := range rows {
		all[i] = PasskeyInfo{row.ID, row.Name, row.CreatedAt, row.UsedAt}
	}
	return all, err
}

// BeginPasskey returns what a browser needs to create a passkey of a person, as JSON.
func (s *Store) BeginPasskey(ctx context.Context, in SignedIn, site Site) (options json.RawMessage, err error) {
	owner, err := s.passkeyOwner(ctx, in.Person)
	if err != nil {
		return nil, err
	}
	w, err := site.webAuthn()
	if err != nil {
		return nil, err
	}
	creation, session, err := w.BeginRegistration(owner,
		webauthn.WithExclusions(webauthn.Credentials(owner.credentials).CredentialDescriptors()),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationPreferred,
		}),
	)
	if err != nil {
		return nil, err
	}
	if err := s.storeChallenge(ctx, in.Person, purposeCreate, session); err != nil {
		return nil, err
	}
	return json.Marshal(creation.Response)
}

// AddPasskey stores the passkey that a browser has created. It returns recovery codes
// where the person had no second factor before. It refuses with FieldErrors of name and
// passkey.
func (s *Store) AddPasskey(ctx context.Context, in SignedIn, from Client, site Site, name, answer string) (codes []string, err error) {
	name = strings.TrimSpace(name)
	if refused := refusePasskeyName(name); refused != "" {
		return nil, queries.FieldErrors{"name": refused}
	}
	owner, err := s.passkeyOwner(ctx, in.Person)
	if err != nil {
		return nil, err
	}
	if len(owner.credentials) >= mostPasskeys {
		return nil, queries.FieldErrors{"passkey": "factor.passkey.many"}
	}
	credential, err := s.readCreation(ctx, owner, site, answer)
	if errors.Is(err, errPasskey) {
		return nil, queries.FieldErrors{"passkey": errPasskey}
	}
	if err != nil {
		return nil, err
	}
	stored, err := json.Marshal(credential)
	if err != nil {
		return nil, err
	}
	set, err := newRecoverySet(ctx)
	if err != nil {
		return nil, err
	}
	err = s.changeFactors(ctx, in, from, reasonPasskeyAdded, func(ctx context.Context, t *transaction, before Factors) error {
		if err := t.insertPasskey(ctx, insertPasskeyParams{
			CompanyID: in.CompanyID, UserID: in.ID, CredentialID: credential.ID, Credential: stored, Name: name, Now: t.now,
		}); err != nil {
			return err
		}
		codes, err = t.begin(ctx, in, before, factorPasskey, set)
		return err
	})
	if _, exists := queries.ViolatedConstraint(err); exists {
		return nil, queries.FieldErrors{"passkey": errPasskey}
	}
	return codes, err
}

func refusePasskeyName(name string) queries.Invalid {
	switch {
	case search.IsBlank(name):
		return "factor.passkey.name.required"
	case utf8.RuneCountInString(name) > maxPasskeyName:
		return "factor.passkey.name.long"
	case !utf8.ValidString(name) || strings.ContainsRune(name, 0):
		return "error.unreadable"
	}
	return ""
}

// RenamePasskey gives a passkey of a person another name. It refuses with FieldErrors
// of name; NotFound means that the person has no such passkey.
func (s *Store) RenamePasskey(ctx context.Context, of directory.Person, id int64, name string) error {
	name = strings.TrimSpace(name)
	if refused := refusePasskeyName(name); refused != "" {
		return queries.FieldErrors{"name": refused}
	}
	n, err := s.renamePasskey(ctx, renamePasskeyParams{CompanyID: of.CompanyID, UserID: of.ID, ID: id, Name: name})
	if err == nil && n == 0 {
		err = queries.NotFound
	}
	return err
}

// DeletePasskey deletes a person's own passkey. NotFound means that there is none, and
// factor.last that the person must have a second factor.
func (s *Store) DeletePasskey(ctx context.Context, in SignedIn, from Client, id int64) error {
	return s.changeFactors(ctx, in, from, reasonPasskeyRemoved, func(ctx context.Context, t *transaction, _ Factors) error {
		n, err := t.deletePasskey(ctx, deletePasskeyParams{in.CompanyID, in.ID, id})
		if err == nil && n == 0 {
			err = queries.NotFound
		}
		if err != nil {
			return err
		}
		return t.afterDeletion(ctx, in)
	})
}

// readCreation reads and verifies a new passkey.
func (s *Store) readCreation(ctx context.Context, owner passkeyOwner, site Site, answer string) (*webauthn.Credential, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return nil, refusePasskey(ctx, err)
	}
	session, err := s.takeSession(ctx, owner.Person, purposeCreate, parsed.Response.CollectedClientData.Challenge)
	if err != nil {
		return nil, err
	}
	w, err := site.webAuthn()
	if err != nil {
		return nil, err
	}
	credential, err := w.CreateCredential(owner, session, parsed)
	if err != nil {
		return nil, refusePasskey(ctx, err)
	}
	credential.Attestation = webauthn.CredentialAttestation{} // nobody reads it again
	return credential, nil
}

// refusePasskey logs why a passkey is refused. The person reads only that it is.
func refusePasskey(ctx context.Context, err error) error {
	var detail *protocol.Error
	if errors.As(err, &detail) {
		slog.InfoContext(ctx, "a passkey was refused", "reason", detail.Details, "info", detail.DevInfo)
	} else {
		slog.InfoContext(ctx, "a passkey was refused", "reason", err)
	}
	return errPasskey
}

// passkeyOwner is a person with their passkeys, for the WebAuthn library.
type passkeyOwner struct {
	directory.Person
	credentials []webauthn.Credential
}

func (s *Store) passkeyOwner(ctx context.Context, of directory.Person) (passkeyOwner, error) {
	owner := passkeyOwner{Person: of}
	rows, err := s.passkeysOf(ctx, passkeysOfParams{of.CompanyID, of.ID})
	if err != nil {
		return owner, err
	}
	for _, row := range rows {
		var c webauthn.Credential
		if err := json.NewDecoder(bytes.NewReader(row.Credential)).Decode(&c); err != nil {
			return owner, err
		}
		owner.credentials = append(owner.credentials, c)
	}
	return owner, nil
}

func (o passkeyOwner) WebAuthnID() []byte                         { return userHandle(o.CompanyID, o.ID) }
func (o passkeyOwner) WebAuthnName() string                       { return o.Email }
func (o passkeyOwner) WebAuthnDisplayName() string                { return o.Name }
func (o passkeyOwner) WebAuthnCredentials() []webauthn.Credential { return o.credentials }
