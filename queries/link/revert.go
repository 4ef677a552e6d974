package link

import (
	"context"
	"slices"

	"officeconsole/queries"
)

// errChanged is the refusal to revert what has changed since.
const errChanged = queries.Conflict("change.revert.changed")

// RevertDeletion restores a link as Restore does. Only the deletion of this version
// of it is reverted: the refusal is NotFound where the link has been restored since,
// and a Conflict where it has been deleted again.
func (s *Store) RevertDeletion(ctx context.Context, by queries.Actor, id int64, versionNo int32) error {
	return s.restore(ctx, by, id, versionNo+1)
}

// RevertMove moves a link back to where it was. It is a Conflict where the link is no
// longer where it was moved to.
func (s *Store) RevertMove(ctx context.Context, by queries.Actor, id int64, before, after Position) error {
	_, err := s.move(ctx, by, id, before.AfterID, &after)
	return err
}

// RevertOrder puts the links in the order that they had. It is a Conflict where they
// are no longer in the order that they got; links that were only added since follow.
func (s *Store) RevertOrder(ctx context.Context, by queries.Actor, before, after Arrangement) error {
	return s.reorder(ctx, by, before.IDs, after.IDs)
}

// RevertServiceVisibility shows a service where it was visible. It is a Conflict where
// the visibility has changed since.
func (s *Store) RevertServiceVisibility(ctx context.Context, by queries.Actor, id string, before, after ServiceRecord) error {
	return s.setServiceVisibility(ctx, by, id, VisibleOn(before.Visible), &after)
}

// RevertServiceOrder is RevertOrder for services.
func (s *Store) RevertServiceOrder(ctx context.Context, by queries.Actor, before, after ServiceArrangement) error {
	return s.reorderServices(ctx, by, before.IDs, after.IDs)
}

// beginsWith reports whether an order begins with these ids.
func beginsWith[ID comparable](order, ids []ID) bool {
	return len(ids) <= len(order) && slices.Equal(order[:len(ids)], ids)
}
