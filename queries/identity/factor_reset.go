package identity

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// ResetFactors deletes the second factors of somebody who has lost them, on behalf of an
// administrator or of the command, and signs the person out everywhere. The person reads
// about it after signing in. reset is false where there were none. Conflict means
// that the person is the administrator: one's own factors are on the profile.
func (s *Store) ResetFactors(ctx context.Context, by queries.Actor, userID int64) (reset bool, err error) {
	if by.UserID == userID {
		return false, queries.Conflict("factor.reset.own")
	}
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: by.CompanyID, ID: userID})
	if err != nil {
		return false, err
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		reset, err = t.resetFactors(ctx, by, person)
		return err
	})
	return reset, err
}

// AcknowledgeReset stores that a person has read that somebody else has removed their
// factors.
func (s *Store) AcknowledgeReset(ctx context.Context, of directory.Person) error {
	return s.deleteFactorReset(ctx, deleteFactorResetParams{of.CompanyID, of.ID})
}

func (t *transaction) resetFactors(ctx context.Context, by queries.Actor, of directory.Person) (reset bool, err error) {
	if err := t.lockFactors(ctx, lockFactorsParams{of.CompanyID, of.ID}); err != nil {
		return false, err
	}
	app, err := t.deleteAuthenticatorApp(ctx, deleteAuthenticatorAppParams{of.CompanyID, of.ID, true})
	if err != nil {
		return false, err
	}
	passkeys, err := t.deletePasskeys(ctx, deletePasskeysParams{of.CompanyID, of.ID})
	if err != nil || app+passkeys == 0 {
		return false, err
	}
	if err := t.forgetAllFactors(ctx, of.CompanyID, of.ID); err != nil {
		return false, err
	}
	if err := t.insertFactorReset(ctx, insertFactorResetParams{CompanyID: of.CompanyID, UserID: of.ID, Now: t.now, ByName: by.Name}); err != nil {
		return false, err
	}
	if err := t.record(ctx, of.CompanyID, usage.Access{
		UserID: &of.ID, Kind: string(usage.AccessFactorReset), Reason: reasonOf(by, of.ID), Source: string(sourceOf(by)), Ip: usage.AddressOf(by.Address),
		ActorID: queries.OrNil(by.UserID), ActorName: by.Name,
	}); err != nil {
		return false, err
	}
	if _, err := t.endAll(ctx, by, []int64{of.ID}, 0, reasonFactorReset); err != nil {
		return false, err
	}
	return true, queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{
		Action: "user.factors_reset", ObjectType: "user", ObjectID: of.ID, ObjectName: of.Name,
	})
}
