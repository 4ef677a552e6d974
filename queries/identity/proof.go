package identity

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// Proof is what somebody who is signed in proves with that they still are themselves:
// a second factor or, where they have none, the password.
type Proof struct {
	FactorProof
	Password string
	Device   string // see NewDevice
	From     Client
}

// ProofWays says with what a person can prove who they are.
type ProofWays struct {
	Factors
	Password bool // only without a second factor
	SignOn   bool // only without both: they can sign in again through a provider
}

// ProofWays returns with what a person can prove who they are. Who has neither a
// second factor nor a password signs in again.
func (s *Store) ProofWays(ctx context.Context, of directory.Person) (ways ProofWays, err error) {
	if ways.Factors, err = s.Factors(ctx, of.CompanyID, of.ID); err != nil || ways.Exist() {
		return ways, err
	}
	if ways.Password, err = s.HasPassword(ctx, HasPasswordParams{of.CompanyID, of.ID}); err != nil || ways.Password {
		return ways, err
	}
	_, domain, _ := strings.Cut(normalEmail(of.Email), "@")
	_, err = s.providerOfDomain(ctx, domain)
	ways.SignOn = err == nil
	if errors.Is(err, queries.NotFound) {
		err = nil
	}
	return ways, err
}

// AskProof returns what the browser of a person needs to prove by a passkey who they
// are, as JSON.
func (s *Store) AskProof(ctx context.Context, in SignedIn, site Site) (json.RawMessage, error) {
	return s.askPasskey(ctx, in.Person, purposeProve, site)
}

// Prove stores that a person has proved who they are. It refuses a wrong proof as
// CompleteSignIn and ChangePassword do, and everything with proof.sign_in where the
// person has neither a second factor nor a password. All are in the access history.
func (s *Store) Prove(ctx context.Context, in SignedIn, p Proof) error {
	ways, err := s.ProofWays(ctx, in.Person)
	if err != nil {
		return err
	}
	a := attempt{
		Credentials: Credentials{Address: p.From.Address, UserAgent: p.From.UserAgent, Device: p.Device}, source: usage.AccessConsole, person: in.Person,
	}
	switch {
	case ways.Exist():
		if err := s.takeFactor(ctx, &a, purposeProve, p.FactorProof); err != nil {
			s.noteRefusedProof(ctx, a, err)
			return err
		}
	case ways.Password:
		if err := s.confirm(ctx, in.Person, Confirmation{Password: p.Password, SignInID: in.SignInID, Address: p.From.Address, UserAgent: p.From.UserAgent}, usage.AccessProved); err != nil {
			return err
		}
	default:
		return queries.Invalid("proof.sign_in")
	}
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		if err := t.noteProof(ctx, noteProofParams{CompanyID: in.CompanyID, ID: in.SignInID, Now: t.now, Factor: a.factor}); err != nil {
			return err
		}
		return t.record(ctx, in.CompanyID, a.event(usage.AccessProved, usage.AccessOK, a.factor))
	})
}

func (s *Store) noteRefusedProof(ctx context.Context, a attempt, err error) {
	var refused queries.Invalid
	if !errors.As(err, &refused) {
		return
	}
	for _, e := range a.refusals(refused) {
		if e.Kind == string(usage.AccessLogin) {
			e.Kind = string(usage.AccessProved)
		}
		s.noteAttempt(ctx, a.person.CompanyID, e)
	}
}

// limitTries counts an attempt of somebody who is signed in, and refuses it with
// session.locked if there were too many.
func (s *Store) limitTries(ctx context.Context, subject string) error {
	taken, err := s.countTry(ctx, subject, "")
	if err == nil && taken > triesPerAccount {
		err = queries.Invalid("session.locked")
	}
	return err
}
