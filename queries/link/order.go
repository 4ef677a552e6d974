package link

import (
	"context"
	"slices"

	"officeconsole/queries"
)

// Move puts a link directly after another one, or first where afterID is 0. So
// two people who move different links at the same time both get what they did.
// It refuses with NotFound where there is no such link, and with
// Conflict("link.neighbor_deleted") where the other one has been deleted.
func (s *Store) Move(ctx context.Context, by queries.Actor, id, afterID int64) (Moved, error) {
	return s.move(ctx, by, id, afterID, nil)
}

// move is Move of a link that must be at a position; nil for anywhere.
func (s *Store) move(ctx context.Context, by queries.Actor, id, afterID int64, from *Position) (moved Moved, err error) {
	err = s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		order, err := q.order(ctx, by.CompanyID)
		if err != nil {
			return queries.Change{}, err
		}
		if moved.Link, err = q.Link(ctx, LinkParams{by.CompanyID, id}); err != nil {
			return queries.Change{}, err
		}
		at := slices.Index(order, id)
		moved.AfterID = predecessor(order, at)
		old := Position{moved.AfterID, at + 1}
		if from != nil && *from != old {
			return queries.Change{}, errChanged
		}
		next, found := moveAfter(order, id, afterID)
		if !found && afterID != 0 {
			return queries.Change{}, queries.Conflict("link.neighbor_deleted")
		}
		if slices.Equal(next, order) {
			return queries.Change{}, nil
		}
		if err := q.orderLinks(ctx, orderLinksParams{CompanyID: by.CompanyID, Ids: next, Now: s.db.Now()}); err != nil {
			return queries.Change{}, err
		}
		return queries.Change{
			Action: "link.moved", ObjectType: "link", ObjectID: id, ObjectName: moved.Link.Name,
			Old: old, New: Position{afterID, slices.Index(next, id) + 1},
		}, nil
	})
	return moved, err
}

// Moved is a link that was moved, and the link that it followed before; 0 if it
// was the first.
type Moved struct {
	Link    Link
	AfterID int64
}

// Position is the position of a link, in the change log.
type Position struct {
	AfterID  int64 `json:"after_id"` // the link before it; 0 for the first
	Position int   `json:"position"`
}

// predecessor returns the id before an index; the zero value for the first.
func predecessor[ID any](order []ID, at int) (id ID) {
	if at > 0 {
		id = order[at-1]
	}
	return id
}

// moveAfter returns an order in which an id directly follows another one, or is the
// first if the other one is not found.
func moveAfter[ID comparable](order []ID, id, after ID) (moved []ID, found bool) {
	if id == after {
		return order, true
	}
	rest := slices.DeleteFunc(slices.Clone(order), func(other ID) bool { return other == id })
	at := slices.Index(rest, after)
	return slices.Insert(rest, at+1, id), at >= 0
}

// Arrangement is the order of a company's links, in the change log.
type Arrangement struct {
	IDs []int64 `json:"ids"`
}

// Order puts the links with these ids first, in this order; links that are not
// among them, such as one that somebody has just added, follow in theirs. It
// refuses with FieldErrors of ids: link.order.unknown, link.order.twice.
func (s *Store) Order(ctx context.Context, by queries.Actor, ids []int64) error {
	return s.reorder(ctx, by, ids, nil)
}

// reorder is Order of links that must begin with others in their order.
func (s *Store) reorder(ctx context.Context, by queries.Actor, ids, from []int64) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		old, err := q.order(ctx, by.CompanyID)
		if err != nil {
			return queries.Change{}, err
		}
		if !beginsWith(old, from) {
			return queries.Change{}, errChanged
		}
		order, err := arrange(old, ids)
		if err != nil || slices.Equal(order, old) {
			return queries.Change{}, err
		}
		if err := q.orderLinks(ctx, orderLinksParams{CompanyID: by.CompanyID, Ids: order, Now: s.db.Now()}); err != nil {
			return queries.Change{}, err
		}
		return queries.Change{Action: "link.ordered", ObjectType: "link_order", Old: Arrangement{old}, New: Arrangement{order}}, nil
	})
}

// arrange returns the members of all with those that were chosen first.
func arrange[ID comparable](all, chosen []ID) ([]ID, error) {
	order := make([]ID, 0, len(all))
	for _, id := range chosen {
		switch {
		case slices.Contains(order, id):
			return nil, queries.FieldErrors{"ids": "link.order.twice"}
		case !slices.Contains(all, id):
			return nil, queries.FieldErrors{"ids": "link.order.unknown"}
		}
		order = append(order, id)
	}
	for _, id := range all {
		if !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	return order, nil
}

// order returns the ids of a company's links in their order.
func (q *Queries) order(ctx context.Context, companyID int64) ([]int64, error) {
	links, err := q.Links(ctx, companyID)
	ids := make([]int64, len(links))
	for i, l := range links {
		ids[i] = l.ID
	}
	return ids, err
}
