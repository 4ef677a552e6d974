package audit

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"officeconsole/queries"
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

// moveReversal returns what reverting the move of a link does to its position: it follows the
// link that it followed before, wherever that is now. It is Invalid where that one is deleted,
// and where the link is no longer where it was moved to.
func (s *Store) moveReversal(ctx context.Context, c Change) ([]Difference, error) {
	var before, after link.Position
	if err := decode(c, &before, &after); err != nil {
		return nil, err
	}
	order, err := s.linkOrder(ctx, c.CompanyID)
	if err != nil {
		return nil, err
	}
	at := slices.Index(order, c.ObjectID)
	others := slices.DeleteFunc(order, func(id int64) bool { return id == c.ObjectID })
	if at+1 != after.Position || at > 0 && others[at-1] != after.AfterID {
		return nil, queries.Invalid("change.revert.changed")
	}
	neighbor := slices.Index(others, before.AfterID)
	if neighbor < 0 && before.AfterID != 0 {
		return nil, queries.Invalid("link.neighbor_deleted")
	}
	back := strconv.Itoa(neighbor + 2)
	return []Difference{{"position", json.RawMessage(strconv.Itoa(after.Position)), json.RawMessage(back)}}, nil
}

func (s *Store) isLatestOrder(ctx context.Context, c Change) (bool, error) {
	var before, after link.Arrangement
	if err := decode(c, &before, &after); err != nil {
		return false, err
	}
	order, err := s.linkOrder(ctx, c.CompanyID)
	return err == nil && len(order) >= len(after.IDs) && slices.Equal(order[:len(after.IDs)], after.IDs), err
}

// linkOrder returns the ids of the links of a company in their order.
func (s *Store) linkOrder(ctx context.Context, companyID int64) ([]int64, error) {
	links, err := s.links.Links(ctx, companyID)
	ids := make([]int64, len(links))
	for i, l := range links {
		ids[i] = l.ID
	}
	return ids, err
}

func (s *Store) isLatestOfServices(ctx context.Context, c Change) (bool, error) {
	var before, after struct {
		link.ServiceRecord
		link.ServiceArrangement
	}
	if err := decode(c, &before, &after); err != nil {
		return false, err
	}
	services, err := s.links.Services(ctx, c.CompanyID)
	if err != nil {
		return false, err
	}
	if c.Action == "service.updated" {
		at := slices.IndexFunc(services, func(s link.Service) bool { return s.ID == c.ObjectName })
		return at >= 0 && slices.Equal(services[at].Visible, after.Visible), nil
	}
	return slices.EqualFunc(services[:min(len(services), len(after.IDs))], after.IDs, func(s link.Service, id string) bool { return s.ID == id }), nil
}
