package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/views"
)

// MapServicePath is the address of the page of map services, without language prefix.
const MapServicePath = "/manage/use/map"

// customService is the choice of a service that the console does not know.
const customService = "custom"

// MapServices is the page of the services that provide maps. Rows is what the form shows,
// which Stored may differ from.
type MapServices struct {
	Frame    views.Frame
	Stored   directory.Maps
	Rows     []MapServiceRow
	Version  int32 // of the services that the form began with
	Refused  queries.FieldErrors
	Conflict bool // whether somebody else has saved Stored in the meantime
	Preview  MapView
}

// MapServiceRow is one service in the form. Service is the Provider of a well-known one,
// or customService.
type MapServiceRow struct {
	Service string
	directory.MapLicense
}

// MapServiceRows returns the rows of services as they are stored.
func MapServiceRows(licenses directory.MapLicenses) []MapServiceRow {
	var rows []MapServiceRow
	for _, l := range licenses {
		row := MapServiceRow{customService, l}
		if known, ok := knownService(l.Provider); ok && known.TileURL == l.TileURL && known.Attribution == l.Attribution {
			row.Service = l.Provider
		}
		rows = append(rows, row)
	}
	return rows
}

// License returns the service of a row. A well-known one needs nothing but its key.
func (r MapServiceRow) License() directory.MapLicense {
	if known, ok := knownService(r.Service); ok {
		known.Key = r.Key
		return known
	}
	return r.MapLicense
}

// IsEmpty reports whether nothing was typed into a row.
func (r MapServiceRow) IsEmpty() bool { return r.Key == "" && r.TileURL == "" && r.Provider == "" }

func knownService(name string) (directory.MapLicense, bool) {
	at := slices.IndexFunc(directory.MapServices, func(l directory.MapLicense) bool { return l.Provider == name })
	if at < 0 {
		return directory.MapLicense{}, false
	}
	return directory.MapServices[at], true
}

// withEmpty returns the rows and, where there is space for another service, an empty one.
func (p MapServices) withEmpty() []MapServiceRow {
	if len(p.Rows) >= directory.MaxMaps {
		return p.Rows
	}
	return append(p.Rows[:len(p.Rows):len(p.Rows)], MapServiceRow{Service: directory.MapServices[0].Provider})
}

func (p MapServices) title(ctx context.Context, i int) string {
	if i < len(p.Rows) {
		return locales.T(ctx, "map.service.number", "Number", fmt.Sprint(i+1))
	}
	return locales.T(ctx, "map.service.new")
}

func serviceOptions(ctx context.Context) []views.Option {
	var options []views.Option
	for _, known := range directory.MapServices {
		options = append(options, views.Option{Value: known.Provider, Text: known.Provider})
	}
	return append(options, views.Option{Value: customService, Text: locales.T(ctx, "map.service.custom")})
}

// inputs are the fields of a row; the first one is for every service.
func (p MapServices) inputs(ctx context.Context, i int, row MapServiceRow) []views.Input {
	var inputs []views.Input
	for _, f := range []struct{ name, value string }{{"key", row.Key}, {"provider", row.Provider}, {"tile_url", row.TileURL}, {"attribution", row.Attribution}} {
		name := fmt.Sprintf("%d.%s", i, f.name)
		in := views.Input{Name: name, Label: locales.T(ctx, "map."+f.name), Value: f.value, Error: views.Refusal(ctx, p.Refused, name)}
		if f.name == "tile_url" {
			in.Help = locales.T(ctx, "map.tile_url.help")
		}
		inputs = append(inputs, in)
	}
	return inputs
}

func (p MapServices) refusedInputs(ctx context.Context) []views.Input {
	var all []views.Input
	for i, row := range p.Rows {
		for _, in := range p.inputs(ctx, i, row) {
			if in.Error != "" {
				in.Error = p.title(ctx, i) + ": " + in.Error
				all = append(all, in)
			}
		}
	}
	return all
}

func (p MapServices) conflictText(ctx context.Context) string {
	if p.Stored.UpdatedAt == nil {
		return locales.T(ctx, "map.changed")
	}
	return locales.T(ctx, "installation.conflict", "Name", p.Stored.UpdatedByName, "Time", locales.ShortDateTime(ctx, p.Stored.UpdatedAt.In(p.Frame.Zone()), p.Frame.Now))
}

// samplePoints are where the preview of a map is, by the country of a time zone.
var samplePoints = map[string]MapPoint{
	"Asia/Tokyo": {Lat: 35.68124, Lng: 139.76713, Place: "東京駅"},
	"":           {Lat: 37.56629, Lng: 126.97795, Place: "서울시청"},
}

// SampleMap is a map of a well-known place, on which administrators see whether a key
// works.
func SampleMap(licenses directory.MapLicenses, zone *time.Location) MapView {
	at, ok := samplePoints[zone.String()]
	if !ok {
		at = samplePoints[""]
	}
	return MapView{Places: []MapPlace{{at.Place, at.Lat, at.Lng, 200}}, Arrival: &at, Licenses: licenses, MayRegister: true}
}
