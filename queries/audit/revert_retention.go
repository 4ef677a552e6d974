package audit

import (
	"context"
	"encoding/json"
	"fmt"

	"officeconsole/queries/usage"
)

// retentionUpdate sets the retention of logs to what it was. What was deleted
// meanwhile does not come back. A shorter time has to be confirmed.
func (r *reversal) retentionUpdate(ctx context.Context) error {
	var old, changed usage.RetentionRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	if err := json.Unmarshal(r.change.New, &changed); err != nil {
		return fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	if len(changed.Months().Shortened(old.Months())) > 0 && !r.confirmed {
		return Unconfirmed{"change.revert.deletes_rows"}
	}
	return r.usage.SaveRetention(ctx, r.by, r.new.VersionNo, old.Months())
}
