package attendance

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/settings"
)

// MapView is where a person clocked in and out on a day.
type MapView struct {
	Arrival, Departure *MapPoint // nil if the location is unknown
	Places             []MapPlace
	Licenses           directory.MapLicenses
	MayRegister        bool            // whether the reader may register a map service
	Choose             func(n int) int // chooses one of n usable licences; nil chooses at random (spec §3)
}

// MapPoint is where and when an event happened. AccuracyM is in metres, and
// not positive if the device did not report it.
type MapPoint struct {
	Lat, Lng, AccuracyM float64
	Place               string // "" for none
	Time                string // in words, "09:05"
}

// MapPlace is a workplace of the policy: a circle with the radius RadiusM,
// in metres.
type MapPlace struct {
	Name              string
	Lat, Lng, RadiusM float64
}

// shown reports whether coordinates can be shown. A device without a
// position sends 0, 0, which is in the sea.
func shown(lat, lng float64) bool {
	const small = 0.000005 // below it, coordinates are shown as 0.00000
	inside := math.Abs(lat) <= 90 && math.Abs(lng) <= 180
	return inside && (math.Abs(lat) >= small || math.Abs(lng) >= small)
}

func (p MapPoint) shown() bool { return shown(p.Lat, p.Lng) }

// coordinates writes latitude and longitude in degrees, to about a metre.
func (p MapPoint) coordinates() string { return degrees(p.Lat) + ", " + degrees(p.Lng) }

func degrees(angle float64) string {
	text := strconv.FormatFloat(angle, 'f', 5, 64)
	if text == "-0.00000" {
		return "0.00000"
	}
	return text
}

// accuracy returns the accuracy in metres; false if it is unknown.
func (p MapPoint) accuracy() (float64, bool) {
	return p.AccuracyM, p.AccuracyM > 0 && !math.IsInf(p.AccuracyM, 1)
}

func (p MapPoint) accuracyText(ctx context.Context) string {
	accuracy, ok := p.accuracy()
	if !ok {
		return ""
	}
	return locales.T(ctx, "map.accuracy", "Meters", metres(ctx, accuracy))
}

// distance says how far a point is from the nearest workplace, and whether
// it is outside its circle; "" if there are no workplaces.
func (v MapView) distance(ctx context.Context, at MapPoint) string {
	var nearest settings.Workplace
	var away float64
	for _, p := range v.Places {
		if !p.valid() {
			continue
		}
		place := settings.Workplace(p)
		// The nearest circle is the one whose edge is nearest.
		if d := place.DistanceM(at.Lat, at.Lng); nearest.RadiusM == 0 || d-place.RadiusM < away-nearest.RadiusM {
			nearest, away = place, d
		}
	}
	switch {
	case nearest.RadiusM == 0:
		return ""
	case nearest.Contains(at.Lat, at.Lng):
		return locales.T(ctx, "map.distance", "Place", nearest.Name, "Distance", length(ctx, away))
	}
	return locales.T(ctx, "map.distance.outside", "Place", nearest.Name, "Distance", length(ctx, away), "Radius", metres(ctx, nearest.RadiusM))
}

// valid reports whether the workplace is a circle on Earth.
func (p MapPlace) valid() bool {
	return shown(p.Lat, p.Lng) && p.RadiusM > 0 && !math.IsInf(p.RadiusM, 1)
}

// length writes a distance in metres, or from 1 km on in kilometres, with a
// decimal below 10 km.
func length(ctx context.Context, m float64) string {
	switch {
	case m >= 9_950:
		return locales.T(ctx, "map.length.km", "Kilometers", locales.Number(ctx, int64(math.Round(m/1000))))
	case m >= 999.5:
		return locales.T(ctx, "map.length.km", "Kilometers", strconv.FormatFloat(m/1000, 'f', 1, 64))
	}
	return locales.T(ctx, "map.length.m", "Meters", locales.Number(ctx, int64(math.Round(m))))
}

// metres writes a whole number of metres, rounded up.
func metres(ctx context.Context, n float64) string {
	return locales.Number(ctx, int64(math.Ceil(min(n, 1e9))))
}

// A mapEvent is a point and what happened there.
type mapEvent struct {
	kind string // "arrival" or "departure"
	MapPoint
}

func (v MapView) events() []mapEvent {
	var events []mapEvent
	if v.Arrival != nil {
		events = append(events, mapEvent{"arrival", *v.Arrival})
	}
	if v.Departure != nil {
		events = append(events, mapEvent{"departure", *v.Departure})
	}
	return events
}

func (e mapEvent) name(ctx context.Context) string { return locales.T(ctx, "map."+e.kind) }

// mapProps are the properties of the island map. All its coordinates can be
// shown.
type mapProps struct {
	Tiles       string            `json:"tiles"`
	Attribution string            `json:"attribution"`
	Points      []mapPointProp    `json:"points"`
	Places      []mapPlaceProp    `json:"places"`
	Texts       map[string]string `json:"texts"`
}

type mapPointProp struct {
	Kind     string  `json:"kind"`
	Lat      float64 `json:"lat"`
	Lng      float64 `json:"lng"`
	Accuracy float64 `json:"accuracy,omitempty"`
	Label    string  `json:"label"`
}

type mapPlaceProp struct {
	Name    string  `json:"name"`
	Lat     float64 `json:"lat"`
	Lng     float64 `json:"lng"`
	RadiusM float64 `json:"radius"`
}

// props returns nil if there is nothing to show on a map. Tiles is "" if no
// licence is usable.
func (v MapView) props(ctx context.Context) *mapProps {
	props := mapProps{Points: []mapPointProp{}, Places: []mapPlaceProp{}, Texts: mapTexts(ctx)}
	for _, e := range v.events() {
		if !e.shown() {
			continue
		}
		accuracy, ok := e.accuracy()
		if !ok {
			accuracy = 0
		}
		props.Points = append(props.Points, mapPointProp{e.kind, e.Lat, e.Lng, accuracy, strings.TrimSpace(e.name(ctx) + " " + e.Time)})
	}
	if len(props.Points) == 0 {
		return nil
	}
	for _, p := range v.Places {
		if p.valid() && p.isNear(props.Points) {
			props.Places = append(props.Places, mapPlaceProp(p))
		}
	}
	if tiles := usableTiles(v.Licenses); len(tiles) > 0 {
		choose := v.Choose
		if choose == nil {
			choose = rand.IntN
		}
		chosen := tiles[choose(len(tiles))]
		props.Tiles, props.Attribution = chosen.URL, chosen.Attribution
	}
	return &props
}

// isNear reports whether the workplace is within about 20 km of a point, so
// that one map can show both.
func (p MapPlace) isNear(points []mapPointProp) bool {
	const reach = 0.18 // degrees of latitude
	return slices.ContainsFunc(points, func(at mapPointProp) bool {
		east := (at.Lng - p.Lng) * math.Cos(at.Lat*math.Pi/180)
		return math.Abs(at.Lat-p.Lat) <= reach && math.Abs(east) <= reach
	})
}

func mapTexts(ctx context.Context) map[string]string {
	return map[string]string{
		"label": locales.T(ctx, "map.label"), "failed": locales.T(ctx, "map.failed"), "rejected": locales.T(ctx, "map.rejected"),
		"unreachable": locales.T(ctx, "map.unreachable"), "offline": locales.T(ctx, "map.offline"),
		"zoom_in": locales.T(ctx, "map.zoom_in"), "zoom_out": locales.T(ctx, "map.zoom_out"),
	}
}

// usableTiles are the map services with which a map can be shown.
func usableTiles(licenses directory.MapLicenses) []directory.Tiles {
	var usable []directory.Tiles
	for _, l := range licenses {
		if tiles, ok := l.Tiles(); ok {
			usable = append(usable, tiles)
		}
	}
	return usable
}

// TileOrigins are the origins of the images of the company's maps, for the
// header Content-Security-Policy.
func TileOrigins(licenses directory.MapLicenses) []string {
	var origins []string
	for _, tiles := range usableTiles(licenses) {
		origins = append(origins, tiles.Origins...)
	}
	slices.Sort(origins)
	return slices.Compact(origins)
}
