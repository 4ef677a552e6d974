package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/directory"
)

// registerMaps registers the services that provide maps.
func (c *calls) registerMaps(administrators huma.Middlewares) {
	const path = u + "/map-licenses"
	describe := func(d call) huma.Operation {
		d.tag = "Attendance"
		return d.operation(administrators)
	}
	huma.Register(c.api, describe(call{id: "map-licenses", path: path, summary: "The services that provide maps",
		description: "For administrators. ETag is the version, for If-Match."}), c.mapLicenses)
	huma.Register(c.api, describe(call{id: "set-map-licenses", method: http.MethodPut, path: path,
		errors:  []int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity},
		summary: "Replace the services that provide maps", description: "For administrators. Pages with a map use one of them at random. Refused fields are such as 0.tile_url. With If-Match, 409 when somebody else has saved in between."}), c.setMapLicenses)
}

type mapService struct {
	Provider    string `json:"provider" doc:"The name of the service, at most 50 characters."`
	Key         string `json:"key" doc:"At most 200 characters. Every browser that shows a map has it."`
	TileURL     string `json:"tile_url" doc:"An https address of images with {z}, {x} and {y} or {-y}, and where the service wants it {s} (a, b or c), {r} and {key}; at most 500 characters."`
	Attribution string `json:"attribution" doc:"What the service asks to be shown on the map, at most 200 characters."`
}

type mapServices struct {
	Data []mapService `json:"data" nullable:"false" maxItems:"5"`
}

type mapLicensesOutput struct {
	ETag string `header:"ETag"`
	Body mapServices
}

func (c *calls) mapLicenses(ctx context.Context, in *OwnPath) (*mapLicensesOutput, error) {
	stored, err := c.db.Directory.Maps(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out := &mapLicensesOutput{ETag: versionTag(stored.VersionNo), Body: mapServices{[]mapService{}}}
	for _, l := range stored.Licenses {
		out.Body.Data = append(out.Body.Data, mapService(l))
	}
	return out, nil
}

type setMapLicensesInput struct {
	OwnPath
	IfMatch string `header:"If-Match" doc:"The ETag of the services as the client has seen them; without it whatever there is is changed."`
	Body    mapServices
}

func (c *calls) setMapLicenses(ctx context.Context, in *setMapLicensesInput) (*mapLicensesOutput, error) {
	seen, err := seenVersion(in.IfMatch, func() (int32, error) {
		stored, err := c.db.Directory.Maps(ctx, in.CompanyID)
		return stored.VersionNo, err
	})
	if err != nil {
		return nil, err
	}
	var licenses directory.MapLicenses
	for _, l := range in.Body.Data {
		licenses = append(licenses, directory.MapLicense(l))
	}
	if err := c.db.Directory.SaveMaps(ctx, actor(ctx), seen, licenses); err != nil {
		return nil, err
	}
	return c.mapLicenses(ctx, &in.OwnPath)
}
