package audit

import (
	"context"

	"officeconsole/queries/link"
)

func (r *reversal) linkCreation(ctx context.Context) error {
	_, err := r.links.Delete(ctx, r.by, r.change.ObjectID, r.new.VersionNo)
	return err
}

func (r *reversal) linkUpdate(ctx context.Context) error {
	return revertFields(r, func(edit func(link.Draft) link.Draft) error {
		return r.links.Update(ctx, r.by, r.change.ObjectID, 0, edit)
	})
}

func (r *reversal) linkDeletion(ctx context.Context) error {
	return r.links.RevertDeletion(ctx, r.by, r.change.ObjectID, r.old.VersionNo)
}

func (r *reversal) linkMove(ctx context.Context) error {
	var before, after link.Position
	if err := r.readBoth(&before, &after); err != nil {
		return err
	}
	return r.links.RevertMove(ctx, r.by, r.change.ObjectID, before, after)
}

func (r *reversal) linkOrder(ctx context.Context) error {
	var before, after link.Arrangement
	if err := r.readBoth(&before, &after); err != nil {
		return err
	}
	return r.links.RevertOrder(ctx, r.by, before, after)
}

// serviceUpdate makes a service visible where it was; a service has its id for a name.
func (r *reversal) serviceUpdate(ctx context.Context) error {
	var before, after link.ServiceRecord
	if err := r.readBoth(&before, &after); err != nil {
		return err
	}
	return r.links.RevertServiceVisibility(ctx, r.by, r.change.ObjectName, before, after)
}

func (r *reversal) serviceOrder(ctx context.Context) error {
	var before, after link.ServiceArrangement
	if err := r.readBoth(&before, &after); err != nil {
		return err
	}
	return r.links.RevertServiceOrder(ctx, r.by, before, after)
}
