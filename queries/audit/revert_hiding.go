package audit

import (
	"context"

	"officeconsole/queries/hiding"
)

// userHiding shows a hidden user again.
func (r *reversal) userHiding(ctx context.Context) error { return r.hiding(ctx, hiding.Hidden) }

// userShowing hides a user again, for the former reason.
func (r *reversal) userShowing(ctx context.Context) error { return r.showing(ctx, hiding.Hidden) }

// userDeactivation reactivates a deactivated user.
func (r *reversal) userDeactivation(ctx context.Context) error {
	return r.hiding(ctx, hiding.Deactivated)
}

// userReactivation deactivates a user again, for the former reason.
func (r *reversal) userReactivation(ctx context.Context) error {
	return r.showing(ctx, hiding.Deactivated)
}

func (r *reversal) hiding(ctx context.Context, state hiding.State) error {
	var hidden hiding.Record
	if err := r.readNew(&hidden); err != nil {
		return err
	}
	done, err := r.hidings.RevertHiding(ctx, r.by, state, r.change.ObjectID, hidden.ID)
	r.broken = done.Broken
	return err
}

func (r *reversal) showing(ctx context.Context, state hiding.State) error {
	var hidden hiding.Record
	if err := r.readOld(&hidden); err != nil {
		return err
	}
	done, err := r.hidings.RevertShowing(ctx, r.by, state, r.change.ObjectID, hidden.ID)
	r.broken = done.Broken
	return err
}
