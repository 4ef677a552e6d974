package audit

import (
	"context"

	"officeconsole/queries/usage"
)

// retentionUpdate sets the retention of logs to what it was. What was deleted
// meanwhile does not come back.
func (r *reversal) retentionUpdate(ctx context.Context) error {
	var old usage.RetentionRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.usage.SaveRetention(ctx, r.by, r.new.VersionNo, old.Months())
}
