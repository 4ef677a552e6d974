package audit

import (
	"context"
	"encoding/json"
	"fmt"

	"officeconsole/queries/link"
)

func (r *reversal) linkCreation(ctx context.Context) error {
	_, err := r.links.Delete(ctx, r.by, r.change.ObjectID, r.new.VersionNo)
	return err
}

func (r *reversal) linkUpdate(ctx context.Context) error {
	var old link.Record
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.links.Update(ctx, r.by, r.change.ObjectID, r.new.VersionNo, func(link.Draft) link.Draft { return old.Draft })
}

func (r *reversal) linkDeletion(ctx context.Context) error {
	return r.links.Restore(ctx, r.by, r.change.ObjectID)
}

func (r *reversal) linkMove(ctx context.Context) error {
	var old link.Position
	if err := r.readOld(&old); err != nil {
		return err
	}
	_, err := r.links.Move(ctx, r.by, r.change.ObjectID, old.AfterID)
	return err
}

func (r *reversal) linkOrder(ctx context.Context) error {
	var old link.Arrangement
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.links.Order(ctx, r.by, old.IDs)
}

// serviceUpdate makes a service visible where it was; a service has its id for a name.
func (r *reversal) serviceUpdate(ctx context.Context) error {
	var old link.ServiceRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.links.SetServiceVisibility(ctx, r.by, r.change.ObjectName, link.VisibleOn(old.Visible))
}

func (r *reversal) serviceOrder(ctx context.Context) error {
	var old link.ServiceArrangement
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.links.OrderServices(ctx, r.by, old.IDs)
}

// readOld reads what the change log holds of the object before the change.
func (r *reversal) readOld(into any) error {
	if err := json.Unmarshal(r.change.Old, into); err != nil {
		return fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	return nil
}
