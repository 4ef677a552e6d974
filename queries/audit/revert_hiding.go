package audit

import (
	"context"
	"encoding/json"
	"fmt"

	"officeconsole/queries/hiding"
)

// userHiding shows a hidden user again.
func (r *reversal) userHiding(ctx context.Context) error {
	var hidden hiding.Record
	if err := json.Unmarshal(r.change.New, &hidden); err != nil {
		return fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	return r.hidings.RevertHiding(ctx, r.by, r.change.ObjectID, hidden.ID)
}

// userShowing hides a user again, for the former reason.
func (r *reversal) userShowing(ctx context.Context) error {
	var hidden hiding.Record
	if err := r.readOld(&hidden); err != nil {
		return err
	}
	return r.hidings.RevertShowing(ctx, r.by, r.change.ObjectID, hidden.ID)
}
