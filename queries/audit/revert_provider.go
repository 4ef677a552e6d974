package audit

import (
	"context"

	"officeconsole/queries"
	"officeconsole/queries/identity"
)

func (r *reversal) providerCreation(ctx context.Context) error {
	return r.identity.DeleteProvider(ctx, r.by, r.change.ObjectID, r.new.VersionNo)
}

// providerUpdate sets a provider to what it was, but for its secret.
func (r *reversal) providerUpdate(ctx context.Context) error {
	var old, changed identity.ProviderRecord
	if err := r.readBoth(&old, &changed); err != nil {
		return err
	}
	return r.identity.RevertProvider(ctx, r.by, r.change.ObjectID, old, changed)
}

// providerDeletion adds a deleted provider again, without its secret and not enabled.
func (r *reversal) providerDeletion(ctx context.Context) error {
	if !r.change.IsRestorable(r.db.Now()) {
		return queries.Invalid("change.revert.late")
	}
	var old identity.ProviderRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.identity.RestoreProvider(ctx, r.by, r.change.ObjectID, old)
}
