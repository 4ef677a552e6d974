package audit

import (
	"context"

	"officeconsole/queries/usage"
)

// installationUpdate sets the rules of installation to what they were.
func (r *reversal) installationUpdate(ctx context.Context) error {
	var old usage.RulesRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.usage.RevertRules(ctx, r.by, r.new.VersionNo, old.Rules)
}
