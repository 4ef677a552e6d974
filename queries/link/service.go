package link

import (
	"context"
	"slices"
	"strings"

	"officeconsole/queries"
)

// Platforms are where the messenger shows services.
var Platforms = []string{"pc", "web", "mobile"}

// Service is a service that is built into the messenger.
type Service struct {
	ID        string
	Supported []string // of Platforms, in their order
	Visible   []string // of Supported, in their order
	Locked    bool     // first and visible always
}

// builtIn are the services in their usual order, visible on every platform that
// supports them.
var builtIn = []Service{
	{ID: "chat", Supported: Platforms, Locked: true},
	{ID: "mail", Supported: Platforms},
	{ID: "meeting", Supported: Platforms},
	{ID: "screen_share", Supported: []string{"pc", "web"}},
	{ID: "drive", Supported: Platforms},
	{ID: "board", Supported: Platforms},
	{ID: "calendar", Supported: Platforms},
	{ID: "poll", Supported: Platforms},
	{ID: "translation", Supported: Platforms},
	{ID: "remote_support", Supported: []string{"pc", "web"}},
	{ID: "contacts", Supported: Platforms},
	{ID: "work_clock", Supported: Platforms},
}

// Services are the services in the company's order.
func (q *Queries) Services(ctx context.Context, companyID int64) ([]Service, error) {
	rows, err := q.services(ctx, companyID)
	if err != nil {
		return nil, err
	}
	services := make([]Service, 0, len(builtIn))
	find := func(id string) int { return slices.IndexFunc(builtIn, func(s Service) bool { return s.ID == id }) }
	for _, row := range rows {
		if i := find(row.ID); i >= 0 {
			s := builtIn[i]
			s.Visible = both(s.Supported, row.Platforms)
			services = append(services, s)
		}
	}
	for _, s := range builtIn { // one that a later version of the console has added follows
		if !slices.ContainsFunc(services, func(other Service) bool { return other.ID == s.ID }) {
			s.Visible = s.Supported
			services = append(services, s)
		}
	}
	return services, nil
}

// both returns the items of list that are among others.
func both(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !slices.Contains(others, s) })
}

// Visibility says on which platforms a service is visible.
type Visibility map[string]bool

// ServiceRecord is a service in the change log.
type ServiceRecord struct {
	Visible []string `json:"visible"`
}

// SetServiceVisibility shows or hides a service on platforms; others stay as
// they are. It refuses with NotFound where there is no such service, and with
// FieldErrors of visible: service.locked, service.unsupported.
func (s *Store) SetServiceVisibility(ctx context.Context, by queries.Actor, id string, v Visibility) error {
	return s.setServiceVisibility(ctx, by, id, v, nil)
}

// setServiceVisibility is SetServiceVisibility of a service that must be as it was
// recorded; nil for anyhow.
func (s *Store) setServiceVisibility(ctx context.Context, by queries.Actor, id string, v Visibility, from *ServiceRecord) error {
	return s.changeServices(ctx, by, func(services []Service) ([]Service, queries.Change, error) {
		i := slices.IndexFunc(services, func(s Service) bool { return s.ID == id })
		if i < 0 {
			return nil, queries.Change{}, queries.NotFound
		}
		old := services[i]
		if from != nil && !slices.Equal(from.Visible, old.Visible) {
			return nil, queries.Change{}, errChanged
		}
		visible := slices.Clone(old.Visible)
		for platform, shown := range v {
			switch {
			case old.Locked && !shown:
				return nil, queries.Change{}, queries.FieldErrors{"visible": "service.locked"}
			case shown && !slices.Contains(old.Supported, platform), !slices.Contains(Platforms, platform):
				return nil, queries.Change{}, queries.FieldErrors{"visible": "service.unsupported"}
			case shown:
				visible = append(visible, platform)
			default:
				visible = slices.DeleteFunc(visible, func(p string) bool { return p == platform })
			}
		}
		services[i].Visible = both(old.Supported, visible)
		if slices.Equal(old.Visible, services[i].Visible) {
			return nil, queries.Change{}, nil
		}
		return services, queries.Change{Action: "service.updated", ObjectType: "service", ObjectName: id, Old: ServiceRecord{old.Visible}, New: ServiceRecord{services[i].Visible}}, nil
	})
}

// ServiceArrangement is the order of a company's services, in the change log.
type ServiceArrangement struct {
	IDs []string `json:"ids"`
}

// MoveService puts a service directly after another one, and returns which one it
// followed before. The locked service stays first. It refuses with NotFound and
// with FieldErrors of after: service.locked.
func (s *Store) MoveService(ctx context.Context, by queries.Actor, id, afterID string) (followed string, err error) {
	err = s.changeServices(ctx, by, func(services []Service) ([]Service, queries.Change, error) {
		old := serviceIDs(services)
		at := slices.Index(old, id)
		if at < 0 || !slices.Contains(old, afterID) {
			return nil, queries.Change{}, queries.NotFound
		}
		if services[at].Locked {
			return nil, queries.Change{}, queries.FieldErrors{"after": "service.locked"}
		}
		followed = predecessor(old, at)
		next, _ := moveAfter(old, id, afterID)
		if slices.Equal(next, old) {
			return nil, queries.Change{}, nil
		}
		sortServices(services, next)
		return services, queries.Change{Action: "service.moved", ObjectType: "service", ObjectName: id, Old: ServiceArrangement{old}, New: ServiceArrangement{next}}, nil
	})
	return followed, err
}

// OrderServices is Order for services, the locked one first.
func (s *Store) OrderServices(ctx context.Context, by queries.Actor, ids []string) error {
	return s.reorderServices(ctx, by, ids, nil)
}

// reorderServices is reorder for services.
func (s *Store) reorderServices(ctx context.Context, by queries.Actor, ids, from []string) error {
	return s.changeServices(ctx, by, func(services []Service) ([]Service, queries.Change, error) {
		old := serviceIDs(services)
		if !beginsWith(old, from) {
			return nil, queries.Change{}, errChanged
		}
		order, err := arrange(old, ids)
		if err != nil || slices.Equal(order, old) {
			return nil, queries.Change{}, err
		}
		if order[0] != old[0] {
			return nil, queries.Change{}, queries.FieldErrors{"ids": "service.locked"}
		}
		sortServices(services, order)
		return services, queries.Change{Action: "service.ordered", ObjectType: "service", Old: ServiceArrangement{old}, New: ServiceArrangement{order}}, nil
	})
}

// sortServices sorts services in the order of their ids.
func sortServices(services []Service, ids []string) {
	slices.SortFunc(services, func(a, b Service) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
}

func serviceIDs(services []Service) []string {
	ids := make([]string, len(services))
	for i, s := range services {
		ids[i] = s.ID
	}
	return ids
}

// changeServices stores what edit returns of a company's services; nil changes nothing.
func (s *Store) changeServices(ctx context.Context, by queries.Actor, edit func([]Service) ([]Service, queries.Change, error)) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		services, err := q.Services(ctx, by.CompanyID)
		if err != nil {
			return queries.Change{}, err
		}
		services, change, err := edit(services)
		if err != nil || services == nil {
			return queries.Change{}, err
		}
		arg := setServicesParams{CompanyID: by.CompanyID, Now: s.db.Now(), Ids: serviceIDs(services)}
		for _, service := range services {
			arg.Platforms = append(arg.Platforms, strings.Join(service.Visible, ","))
		}
		return change, q.setServices(ctx, arg)
	})
}

// VisibleOn is the visibility of a service that is visible on these platforms only.
func VisibleOn(platforms []string) Visibility {
	v := Visibility{}
	for _, platform := range Platforms {
		v[platform] = slices.Contains(platforms, platform)
	}
	return v
}
