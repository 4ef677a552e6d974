package audit

import (
	"context"

	"officeconsole/queries/usage"
)

// retentionUpdate sets the retention of logs to what it was. What was deleted
// meanwhile does not come back. A shorter time has to be confirmed.
func (r *reversal) retentionUpdate(ctx context.Context) error {
	var old, changed usage.RetentionRecord
	if err := r.readBoth(&old, &changed); err != nil {
		return err
	}
	if len(changed.Months().Shortened(old.Months())) > 0 && !r.confirmed {
		return Unconfirmed{"change.revert.deletes_rows"}
	}
	return r.usage.SaveRetention(ctx, r.by, r.new.VersionNo, old.Months())
}
