package audit

import (
	"context"

	"officeconsole/queries/identity"
)

// factorRuleUpdate sets the rule about second factors to what it was.
func (r *reversal) factorRuleUpdate(ctx context.Context) error {
	var old identity.FactorRuleRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.identity.SaveFactorRule(ctx, r.by, r.new.VersionNo, old.Draft())
}
