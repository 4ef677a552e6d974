package identity

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/usage"
)

// What a sign-in was made with besides the password, or that somebody else has
// vouched for the person: the column factor of sign_ins.
const (
	factorApp      = "app"
	factorPasskey  = "passkey"
	factorRecovery = "recovery"
	factorSignOn   = "sso"
	factorHandover = "handover"
)

// ProofAge is for how long a proof counts where a dangerous act asks for one.
const ProofAge = 10 * time.Minute

// Factors are the second factors of a person.
type Factors struct {
	App      bool // an authenticator app
	Passkeys int
	Codes    int // recovery codes that were not used
}

// Exist reports whether the person has a second factor. Recovery codes replace one,
// but are none.
func (f Factors) Exist() bool { return f.App || f.Passkeys > 0 }

// Factors returns the second factors of a person.
func (s *Store) Factors(ctx context.Context, companyID, userID int64) (Factors, error) {
	return s.Queries.factors(ctx, companyID, userID)
}

func (q *Queries) factors(ctx context.Context, companyID, userID int64) (Factors, error) {
	row, err := q.factorsOf(ctx, factorsOfParams{companyID, userID})
	return Factors{row.App, int(row.Passkeys), int(row.Codes)}, err
}

// Demand is what the company's rule asks of a signed-in person.
type Demand struct {
	DueAt    time.Time // from when on a second factor is needed; zero for never
	WasReset bool      // somebody else has removed the person's factors, and the person does not know
}

// LacksFactor reports whether the rule of the company asks for a second factor that
// this sign-in does not have.
func (s SignedIn) LacksFactor() bool { return !s.Demand.DueAt.IsZero() && !s.hasFactor }

// IsConfined reports whether the time to get a second factor has passed, so that the
// person may do nothing else.
func (s SignedIn) IsConfined(now time.Time) bool {
	return s.LacksFactor() && !now.Before(s.Demand.DueAt)
}

// HasProved reports whether the last proof of the person still counts.
func (s SignedIn) HasProved(now time.Time) bool { return now.Sub(s.ProvedAt) < ProofAge }

func (d FactorDemand) demand() Demand {
	demand := Demand{WasReset: d.WasReset}
	if d.DueAt != nil {
		demand.DueAt = *d.DueAt
	}
	return demand
}

// satisfiedBy reports whether a sign-in has what the rule asks for. A provider of single
// sign-on and the messenger vouch for people unless the rule says otherwise.
func (d FactorDemand) satisfiedBy(factor string) bool {
	switch factor {
	case "":
		return false
	case factorSignOn, factorHandover:
		return d.TrustsSignOn
	}
	return true
}

// Client is from where somebody changes or shows a factor.
type Client struct {
	Address   netip.Addr
	UserAgent string
}

// changeFactors runs a change of a person's own factors, which is in the access
// history with a reason.
func (s *Store) changeFactors(ctx context.Context, in SignedIn, from Client, reason string, change func(context.Context, *transaction, Factors) error) error {
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		if err := t.lockFactors(ctx, lockFactorsParams{in.CompanyID, in.ID}); err != nil {
			return err
		}
		before, err := t.factors(ctx, in.CompanyID, in.ID)
		if err != nil {
			return err
		}
		if err := change(ctx, t, before); err != nil {
			return err
		}
		a := attempt{Credentials: Credentials{Address: from.Address, UserAgent: from.UserAgent}, source: usage.AccessConsole, person: in.Person}
		return t.record(ctx, in.CompanyID, a.event(usage.AccessFactorChanged, usage.AccessOK, reason))
	})
}

// begin gives somebody who had no second factor before their recovery codes, and
// signs them out wherever they have signed in without it. It returns no codes where
// there are some.
func (t *transaction) begin(ctx context.Context, in SignedIn, before Factors, factor string, set recoverySet) (codes []string, err error) {
	if err := t.noteProof(ctx, noteProofParams{CompanyID: in.CompanyID, ID: in.SignInID, Now: t.now, Factor: factor}); err != nil || before.Exist() {
		return nil, err
	}
	if _, err := t.endAll(ctx, queries.Actor{CompanyID: in.CompanyID, UserID: in.ID}, []int64{in.ID}, in.SignInID, reasonFactorAdded); err != nil {
		return nil, err
	}
	return set.codes, t.replaceCodes(ctx, in, set)
}

// errLastFactor is the refusal to delete the only factor of somebody who must have one.
const errLastFactor = queries.Invalid("factor.last")

// afterDeletion deletes what belongs to second factors once the last one was
// deleted, unless the company's rule asks for one.
func (t *transaction) afterDeletion(ctx context.Context, in SignedIn) error {
	left, err := t.factors(ctx, in.CompanyID, in.ID)
	if err != nil || left.Exist() {
		return err
	}
	demand, err := t.factorDemand(ctx, factorDemandParams{in.CompanyID, in.ID})
	if err != nil {
		return err
	}
	if demand.DueAt != nil {
		return errLastFactor
	}
	return t.forgetAllFactors(ctx, in.CompanyID, in.ID)
}

func (t *transaction) forgetAllFactors(ctx context.Context, companyID, userID int64) error {
	return errors.Join(
		t.deleteRecoveryCodes(ctx, deleteRecoveryCodesParams{companyID, userID}),
		t.forgetFactors(ctx, forgetFactorsParams{companyID, userID}),
	)
}
