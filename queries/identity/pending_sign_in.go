package identity

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// pendingAge is how long somebody may take for the second factor before they have to
// begin again.
const pendingAge = 10 * time.Minute

// errPending is the refusal of somebody who took too long, or has signed in already.
const errPending = queries.Invalid("session.factor.expired")

// errFactorRequired is the refusal of a program that has sent no code of a second
// factor.
const errFactorRequired = queries.Invalid("session.factor.required")

// FactorRequired is returned instead of signing somebody in who has a second factor.
// Pending is the secret with which Store.CompleteSignIn goes on.
type FactorRequired struct{ Pending string }

func (FactorRequired) Error() string { return "a second factor is required" }

// FactorProof is what somebody shows as second factor: a code of the app, a recovery
// code, or what a passkey has signed for the site.
type FactorProof struct {
	Code, Passkey string
	Site          Site
}

// checkFactor lets an attempt pass that was made with a second factor, or by somebody
// who has none. Others have to show it: at once where the attempt has a code, or a
// program made it, otherwise on the next page.
func (s *Store) checkFactor(ctx context.Context, a *attempt) error {
	factors, err := s.Factors(ctx, a.person.CompanyID, a.person.ID)
	if err != nil || !factors.Exist() || a.factor == factorApp || a.factor == factorPasskey || a.factor == factorRecovery {
		return err
	}
	demand, err := s.factorDemand(ctx, factorDemandParams{a.person.CompanyID, a.person.ID})
	if err != nil || demand.satisfiedBy(a.factor) {
		return err
	}
	if a.Code != "" {
		return s.takeFactor(ctx, a, purposeSignIn, FactorProof{Code: a.Code})
	}
	if a.source == usage.AccessAPI || a.InPlace {
		return errFactorRequired
	}
	secret := newToken()
	if err := s.insertPendingSignIn(ctx, insertPendingSignInParams{
		CompanyID: a.person.CompanyID, Secret: hashToken(secret), UserID: a.person.ID, Reason: a.reason,
		ProviderID: queries.OrNil(a.providerID), IDToken: a.idToken, Now: s.db.Now(),
	}); err != nil {
		return err
	}
	return FactorRequired{secret}
}

// takeFactor accepts the second factor of an attempt, once. Wrong ones are counted as
// wrong passwords are, and refused with session.locked after too many.
func (s *Store) takeFactor(ctx context.Context, a *attempt, use purpose, p FactorProof) (err error) {
	a.email = normalEmail(a.person.Email)
	p.Code = normalCode(p.Code)
	if p.Passkey == "" && !appCode.MatchString(p.Code) && len(p.Code) != recoveryLength {
		return errNoCode
	}
	account, _, _, err := s.subjects(ctx, *a, Person(a.person))
	if err != nil {
		return err
	}
	subject := "factor:" + account
	if a.accountTries, err = s.countTry(ctx, subject, a.email); err != nil {
		return err
	}
	if a.accountTries > triesPerAccount {
		return queries.Invalid("session.locked")
	}
	if a.factor, err = s.checkProof(ctx, a.person, use, p); err != nil {
		return err
	}
	return s.forgetTries(ctx, subject)
}

// checkProof returns which factor a proof is of.
func (s *Store) checkProof(ctx context.Context, of directory.Person, use purpose, p FactorProof) (factor string, err error) {
	if p.Passkey != "" {
		_, err := s.takePasskey(ctx, of, use, p.Site, p.Passkey)
		return factorPasskey, err
	}
	if appCode.MatchString(p.Code) {
		return factorApp, s.takeAppCode(ctx, of, p.Code)
	}
	return factorRecovery, s.takeRecovery(ctx, of, p.Code)
}

// PendingPerson returns who is signing in, and their second factors. It refuses with
// session.factor.expired.
func (s *Store) PendingPerson(ctx context.Context, pending string) (directory.Person, Factors, error) {
	row, err := s.pending(ctx, pending)
	if err != nil {
		return directory.Person{}, Factors{}, err
	}
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: row.CompanyID, ID: row.UserID})
	if err != nil {
		return person, Factors{}, err
	}
	factors, err := s.Factors(ctx, row.CompanyID, row.UserID)
	return person, factors, err
}

func (s *Store) pending(ctx context.Context, secret string) (PendingSignIn, error) {
	row, err := s.pendingSignIn(ctx, hashToken(secret))
	if errors.Is(err, queries.NotFound) || err == nil && s.db.Now().Sub(row.CreatedAt) > pendingAge {
		return PendingSignIn{}, errPending
	}
	return row, err
}

// AskPendingPasskey returns what the browser of somebody who is signing in needs to
// sign with a passkey, as JSON.
func (s *Store) AskPendingPasskey(ctx context.Context, of directory.Person, site Site) (json.RawMessage, error) {
	return s.askPasskey(ctx, of, purposeSignIn, site)
}

// CompleteSignIn signs somebody in with the second factor. Of the credentials only the
// client counts. It refuses with session.factor.expired, factor.code.wrong,
// factor.code.used, factor.passkey.refused, session.locked, and as SignIn for
// everybody whom the policy does not let in. All are in the access history.
func (s *Store) CompleteSignIn(ctx context.Context, pending string, c Credentials, p FactorProof) (SignedIn, error) {
	row, err := s.pending(ctx, pending)
	if err != nil {
		return SignedIn{}, err
	}
	a := attempt{
		Credentials: c, source: usage.AccessConsole, companyID: row.CompanyID, reason: row.Reason, idToken: row.IDToken, pending: row.Secret,
	}
	if row.ProviderID != nil {
		a.providerID = *row.ProviderID
	}
	return s.enter(ctx, a, func(ctx context.Context, a *attempt) error {
		if a.person, err = s.directory.Person(ctx, directory.PersonParams{CompanyID: row.CompanyID, ID: row.UserID}); err != nil || a.person.HiddenAt != nil {
			return err
		}
		return s.takeFactor(ctx, a, purposeSignIn, p)
	})
}

// endPending ends the pending sign-in of an attempt, so that nobody signs in with it
// twice.
func (t *transaction) endPending(ctx context.Context, a attempt) error {
	if a.pending == nil {
		return nil
	}
	n, err := t.deletePendingSignIn(ctx, deletePendingSignInParams{a.companyID, a.pending})
	if err == nil && n == 0 {
		err = errPending
	}
	return err
}

// asksPerAddress is how often the page of passkeys can be opened from an address within
// tryWindow. Opening it is no failure: the limit is for what each time stores.
const asksPerAddress = 5000

// AskPasskey returns what a browser needs to sign somebody in with a passkey alone, as
// JSON. It refuses with ErrBusy an address that asks too often.
func (s *Store) AskPasskey(ctx context.Context, site Site, from Client) (json.RawMessage, error) {
	asked, err := s.countTry(ctx, "passkey:"+limitedAddress(from.Address).String(), "")
	if err != nil {
		return nil, err
	}
	if asked > asksPerAddress {
		return nil, ErrBusy
	}
	return s.askPasskey(ctx, directory.Person{}, purposeAlone, site)
}

// SignInByPasskey signs somebody in with a passkey alone, which has asked them for a
// fingerprint, their face or a PIN, and so stands for both factors. Of the credentials
// only the client counts. It refuses with factor.passkey.refused and as SignIn does.
func (s *Store) SignInByPasskey(ctx context.Context, c Credentials, site Site, answer string) (SignedIn, error) {
	a := attempt{Credentials: c, source: usage.AccessConsole, factor: factorPasskey}
	return s.enter(ctx, a, func(ctx context.Context, a *attempt) (err error) {
		a.person, err = s.takePasskey(ctx, directory.Person{}, purposeAlone, site, answer)
		a.companyID = a.person.CompanyID
		return err
	})
}
