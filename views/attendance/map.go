package attendance

import (
	"context"
	"math"
	"math/rand/v2"
	"net/url"
	"regexp"
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
	if tiles := tileSources(v.Licenses); len(tiles) > 0 {
		choose := v.Choose
		if choose == nil {
			choose = rand.IntN
		}
		chosen := tiles[choose(len(tiles))]
		props.Tiles, props.Attribution = chosen.url, chosen.attribution
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
		"label": locales.T(ctx, "map.label"), "failed": locales.T(ctx, "map.failed"),
		"zoom_in": locales.T(ctx, "map.zoom_in"), "zoom_out": locales.T(ctx, "map.zoom_out"),
	}
}

// tileSource is what a browser needs to load the images of a map licence.
type tileSource struct {
	url         string // URL template of Leaflet, including the key
	attribution string
	origins     []string // "https://tiles.example"
}

// tileSources are the sources of the licences with which a map can be shown.
func tileSources(licenses directory.MapLicenses) []tileSource {
	var sources []tileSource
	for _, l := range licenses {
		if s, ok := newTileSource(l); ok {
			sources = append(sources, s)
		}
	}
	return sources
}

// TileOrigins are the origins of the images of the company's maps, for the
// header Content-Security-Policy.
func TileOrigins(licenses directory.MapLicenses) []string {
	var origins []string
	for _, s := range tileSources(licenses) {
		origins = append(origins, s.origins...)
	}
	slices.Sort(origins)
	return slices.Compact(origins)
}

var tileHost = regexp.MustCompile(`^[a-zA-Z0-9.-]+(:[0-9]{1,5})?$`)

// newTileSource reads a licence. It returns false if the key is missing or
// the address is no template of tiles. A template must contain {z}, {x} and
// {y} or {-y}, and may contain {s} (a, b or c), {r} and {key}.
func newTileSource(l directory.MapLicense) (tileSource, bool) {
	if l.Key == "" {
		return tileSource{}, false
	}
	template := strings.ReplaceAll(l.TileURL, "{key}", strings.ReplaceAll(url.QueryEscape(l.Key), "+", "%20"))
	if !strings.Contains(template, "{z}") || !strings.Contains(template, "{x}") || !strings.Contains(template, "{y}") && !strings.Contains(template, "{-y}") {
		return tileSource{}, false
	}
	source := tileSource{url: template, attribution: l.Attribution}
	for _, subdomain := range []string{"a", "b", "c"} {
		origin, ok := originOf(strings.ReplaceAll(template, "{s}", subdomain))
		if !ok {
			return tileSource{}, false
		}
		source.origins = append(source.origins, origin)
	}
	source.origins = slices.Compact(source.origins)
	return source, true
}

var tileFields = strings.NewReplacer("{z}", "1", "{x}", "1", "{y}", "1", "{-y}", "1", "{r}", "")

// originOf returns the scheme and host of a template without {s}; false if
// the host has placeholders, since every tile would have an origin of its
// own.
func originOf(template string) (string, bool) {
	scheme, rest, _ := strings.Cut(template, "://")
	host, _, _ := strings.Cut(rest, "/")
	address := tileFields.Replace(template)
	_, err := url.Parse(address)
	ok := err == nil && (scheme == "https" || scheme == "http") && tileHost.MatchString(host) && !strings.ContainsAny(address, "{}")
	return scheme + "://" + host, ok
}
