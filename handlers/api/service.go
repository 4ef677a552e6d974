package api

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/link"
)

// registerServices registers the operations of convenience services.
func (c *calls) registerServices(middlewares huma.Middlewares) {
	const all = u + "/convenience-services"
	describe := func(d call) huma.Operation {
		d.tag = "Links"
		return d.operation(middlewares)
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	huma.Register(c.api, describe(call{id: "services", path: all, summary: "The messenger's built-in services in their order",
		description: "visible has each platform that supports the service. chat is always first and visible."}), c.services)
	huma.Register(c.api, describe(call{id: "update-service", method: http.MethodPatch, path: all + "/{service_id}", errors: unreadable,
		summary: "Show or hide a service", description: "On the platforms that are given; the others stay as they are."}), c.updateService)
	huma.Register(c.api, describe(call{id: "order-services", method: http.MethodPut, path: all + "/order", errors: unreadable,
		summary: "Put services in an order", description: "The same on every platform. Services that are not among ids follow in the order that they have."}), c.orderServices)
}

type serviceRow struct {
	ID      string          `json:"id"`
	Visible map[string]bool `json:"visible" nullable:"false" doc:"By platform: pc, web, mobile."`
	Locked  bool            `json:"locked" doc:"Whether it stays first and visible."`
}

type servicesOutput struct{ Body list[serviceRow] }

func (c *calls) services(ctx context.Context, in *OwnPath) (*servicesOutput, error) {
	services, err := c.db.Links.Services(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out := &servicesOutput{list[serviceRow]{Data: make([]serviceRow, len(services))}}
	for i, s := range services {
		out.Body.Data[i] = newService(s)
	}
	return out, nil
}

func newService(s link.Service) serviceRow {
	row := serviceRow{ID: s.ID, Visible: map[string]bool{}, Locked: s.Locked}
	for _, platform := range s.Supported {
		row.Visible[platform] = slices.Contains(s.Visible, platform)
	}
	return row
}

type updateServiceInput struct {
	OwnPath
	ServiceID string `path:"service_id"`
	Body      struct {
		Visible map[string]bool `json:"visible" nullable:"false" doc:"By platform: pc, web, mobile."`
	}
}

type serviceOutput struct{ Body serviceRow }

func (c *calls) updateService(ctx context.Context, in *updateServiceInput) (*serviceOutput, error) {
	if err := c.db.Links.SetServiceVisibility(ctx, actor(ctx), in.ServiceID, maps.Clone(in.Body.Visible)); err != nil {
		return nil, err
	}
	services, err := c.db.Links.Services(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	for _, s := range services {
		if s.ID == in.ServiceID {
			return &serviceOutput{newService(s)}, nil
		}
	}
	return nil, queries.NotFound
}

type orderServicesInput struct {
	OwnPath
	Body struct {
		IDs []string `json:"ids" nullable:"false"`
	}
}

func (c *calls) orderServices(ctx context.Context, in *orderServicesInput) (*servicesOutput, error) {
	if err := c.db.Links.OrderServices(ctx, actor(ctx), in.Body.IDs); err != nil {
		return nil, err
	}
	return c.services(ctx, &in.OwnPath)
}
