package audit

import (
	"context"
	"encoding/json"
	"slices"

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

// withoutSecret corrects what reverting a change does to the fields of a provider: a secret
// is not set back, and a restored provider is not enabled.
func withoutSecret(c Change, all []Difference) ([]Difference, error) {
	var before, after identity.ProviderRecord
	if err := decode(c, &before, &after); err != nil || c.Old == nil {
		return all, err
	}
	if err := before.CheckReversal(after); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d Difference) bool { return d.Field == "secret_at" })
	for i := range all {
		if c.New == nil && all[i].Field == "enabled" {
			all[i].New = json.RawMessage("false")
		}
	}
	return all, nil
}
