package audit

import (
	"context"

	"officeconsole/queries/identity"
)

// factorRuleUpdate sets the rule about second factors to what it was. One that cuts people
// off at once has to be confirmed.
func (r *reversal) factorRuleUpdate(ctx context.Context) error {
	var old identity.FactorRuleRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	cutOff, err := r.identity.CountCutOff(ctx, r.by.CompanyID, old.Draft())
	if err != nil {
		return err
	}
	if cutOff > 0 && !r.confirmed {
		return Unconfirmed{"change.revert.cuts_off"}
	}
	return r.identity.SaveFactorRule(ctx, r.by, r.new.VersionNo, old.Draft())
}
