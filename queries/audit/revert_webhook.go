package audit

import (
	"context"

	"officeconsole/queries/webhook"
)

// webhookUpdate sets the webhook to what it was. The secret is not part of the
// change log, so a deletion cannot be reverted.
func (r *reversal) webhookUpdate(ctx context.Context) error {
	var old webhook.Record
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.webhooks.Update(ctx, r.by, r.new.VersionNo, old.Draft)
}
