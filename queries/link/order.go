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
func (s *Store) Move(ctx context.Context, by queries.Actor, id, afterID int64) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		moved, err := q.Link(ctx, LinkParams{by.CompanyID, id})
		if err != nil {
			return queries.Change{}, err
		}
		order, err := q.order(ctx, by.CompanyID)
		if err != nil {
			return queries.Change{}, err
		}
		at := slices.Index(order, id)
		old, rest := predecessor(order, at), slices.Delete(slices.Clone(order), at, at+1)
		if afterID == old || afterID == id {
			return queries.Change{}, nil
		}
		to := slices.Index(rest, afterID) + 1
		if to == 0 && afterID != 0 {
			return queries.Change{}, queries.Conflict("link.neighbor_deleted")
		}
		if err := q.orderLinks(ctx, orderLinksParams{CompanyID: by.CompanyID, Ids: slices.Insert(rest, to, id), Now: s.db.Now()}); err != nil {
			return queries.Change{}, err
		}
		return queries.Change{
			Action: "link.moved", ObjectType: "link", ObjectID: id, ObjectName: moved.Name,
			Old: Place{AfterID: old, Position: at + 1}, New: Place{AfterID: afterID, Position: to + 1},
		}, nil
	})
}

// Place is where a link stands, in the change log.
type Place struct {
	AfterID  int64 `json:"after_id"` // the link before it; 0 for the first
	Position int   `json:"position"`
}

func predecessor(order []int64, at int) int64 {
	if at == 0 {
		return 0
	}
	return order[at-1]
}

// Arrangement is the order of a company's links, in the change log.
type Arrangement struct {
	IDs []int64 `json:"ids"`
}

// Order puts the links with these ids first, in this order; links that are not
// among them, such as one that somebody has just added, follow in theirs. It
// refuses with FieldErrors of ids: link.order.unknown, link.order.twice.
func (s *Store) Order(ctx context.Context, by queries.Actor, ids []int64) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		old, err := q.order(ctx, by.CompanyID)
		if err != nil {
			return queries.Change{}, err
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
