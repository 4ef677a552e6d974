package directory

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
)

// MapLicense is a service that provides the images of maps. A page with a map uses one
// of the company's at random (spec §3). The key is no secret: every browser that shows a
// map has it.
type MapLicense struct {
	Provider    string `json:"provider"`
	Key         string `json:"key"`
	TileURL     string `json:"tile_url"`
	Attribution string `json:"attribution"`
}

// MapLicenses are map licenses as they are stored, as JSON.
type MapLicenses []MapLicense

// MapServices are well-known services, without a key.
var MapServices = MapLicenses{
	{Provider: "VWorld", TileURL: "https://api.vworld.kr/req/wmts/1.0.0/{key}/Base/{z}/{y}/{x}.png", Attribution: "© VWorld"},
	{Provider: "MapTiler", TileURL: "https://api.maptiler.com/maps/streets-v2/256/{z}/{x}/{y}.png?key={key}", Attribution: "© MapTiler © OpenStreetMap contributors"},
}

// MaxMaps is how many map services a company may have.
const MaxMaps = 5

// Maps are the map services of a company.
type Maps struct {
	Licenses  MapLicenses
	VersionNo int32 // 0 before the first change

	UpdatedAt     *time.Time
	UpdatedByName string
}

// MapsRecord is the map services in the change log: for readers the names and the ends
// of the keys, and all of it for reverting a change.
type MapsRecord struct {
	VersionNo int32       `json:"version_no"`
	Maps      []string    `json:"maps"`
	Licenses  MapLicenses `json:"map_licenses"`
}

func newMapsRecord(version int32, licenses MapLicenses) MapsRecord {
	r := MapsRecord{VersionNo: version, Maps: []string{}, Licenses: licenses}
	for _, l := range licenses {
		r.Maps = append(r.Maps, l.String())
	}
	return r
}

// String names the service, its host and the end of the key.
func (l MapLicense) String() string {
	_, rest, _ := strings.Cut(l.TileURL, "://")
	host, _, _ := strings.Cut(rest, "/")
	return fmt.Sprintf("%s (%s, …%s)", l.Provider, host, l.Key[max(0, len(l.Key)-4):])
}

// Maps returns the map services of a company.
func (q *Queries) Maps(ctx context.Context, companyID int64) (Maps, error) {
	row, err := q.storedMaps(ctx, companyID)
	if err != nil {
		return Maps{}, fmt.Errorf("map services of company %d: %w", companyID, err)
	}
	return Maps{row.MapLicenses, row.MapVersionNo, row.MapUpdatedAt, row.MapUpdatedByName}, nil
}

// SaveMaps replaces the map services of a company. It refuses with FieldErrors such as
// 0.tile_url, and with Conflict where ifMatch is not the VersionNo.
func (s *Store) SaveMaps(ctx context.Context, by queries.Actor, ifMatch int32, licenses MapLicenses) error {
	licenses = licenses.tidy()
	if err := licenses.check(); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q, now := New(tx), s.db.Now()
		if _, err := q.lockCompany(ctx, by.CompanyID); err != nil {
			return err
		}
		stored, err := q.Maps(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		if stored.VersionNo != ifMatch {
			return queries.Conflict("map.changed")
		}
		if slices.Equal(stored.Licenses, licenses) {
			return nil
		}
		if err := q.storeMaps(ctx, storeMapsParams{MapLicenses: licenses, Now: &now, Name: by.Name, CompanyID: by.CompanyID}); err != nil {
			return err
		}
		return queries.New(tx).RecordChange(ctx, by, now, queries.Change{
			Action: "map.updated", ObjectType: "map", ObjectID: by.CompanyID,
			Old: newMapsRecord(stored.VersionNo, stored.Licenses), New: newMapsRecord(stored.VersionNo+1, licenses),
		})
	})
}

func (l MapLicenses) tidy() MapLicenses {
	all := MapLicenses{}
	for _, one := range l {
		all = append(all, MapLicense{strings.TrimSpace(one.Provider), strings.TrimSpace(one.Key), strings.TrimSpace(one.TileURL), strings.TrimSpace(one.Attribution)})
	}
	return all
}

func (l MapLicenses) check() error {
	if len(l) > MaxMaps {
		return queries.Invalid("map.too_many")
	}
	refused := queries.FieldErrors{}
	for i, one := range l {
		for _, field := range []struct {
			name, value string
			most        int
		}{{"provider", one.Provider, 50}, {"key", one.Key, 200}, {"tile_url", one.TileURL, 500}, {"attribution", one.Attribution, 200}} {
			name := fmt.Sprintf("%d.%s", i, field.name)
			switch {
			case field.value == "":
				refused[name] = queries.Invalid("map." + field.name + ".required")
			case utf8.RuneCountInString(field.value) > field.most || !utf8.ValidString(field.value):
				refused[name] = queries.Invalid("map." + field.name + ".invalid")
			}
		}
		name := fmt.Sprintf("%d.tile_url", i)
		if _, isUsable := one.Tiles(); !isUsable && one.Key != "" && refused[name] == "" || refused[name] == "" && !strings.HasPrefix(one.TileURL, "https://") {
			refused[name] = "map.tile_url.invalid"
		}
	}
	if len(refused) > 0 {
		return refused
	}
	return nil
}

// Tiles is what a browser needs to load the images of a map.
type Tiles struct {
	URL         string // URL template of Leaflet, including the key
	Attribution string
	Origins     []string // "https://tiles.example"
}

var tileHost = regexp.MustCompile(`^[a-zA-Z0-9.-]+(:[0-9]{1,5})?$`)

// Tiles reads a license. It returns false if the key is missing or the address is no
// template of tiles. A template must contain {z}, {x} and {y} or {-y}, and may contain
// {s} (a, b or c), {r} and {key}.
func (l MapLicense) Tiles() (Tiles, bool) {
	if l.Key == "" {
		return Tiles{}, false
	}
	template := strings.ReplaceAll(l.TileURL, "{key}", strings.ReplaceAll(url.QueryEscape(l.Key), "+", "%20"))
	if !strings.Contains(template, "{z}") || !strings.Contains(template, "{x}") || !strings.Contains(template, "{y}") && !strings.Contains(template, "{-y}") {
		return Tiles{}, false
	}
	tiles := Tiles{URL: template, Attribution: l.Attribution}
	for _, subdomain := range []string{"a", "b", "c"} {
		origin, ok := originOf(strings.ReplaceAll(template, "{s}", subdomain))
		if !ok {
			return Tiles{}, false
		}
		tiles.Origins = append(tiles.Origins, origin)
	}
	tiles.Origins = slices.Compact(tiles.Origins)
	return tiles, true
}

var tileFields = strings.NewReplacer("{z}", "1", "{x}", "1", "{y}", "1", "{-y}", "1", "{r}", "")

// originOf returns the scheme and host of a template without {s}; false if the host has
// placeholders, since every tile would have an origin of its own.
func originOf(template string) (string, bool) {
	scheme, rest, _ := strings.Cut(template, "://")
	host, _, _ := strings.Cut(rest, "/")
	address := tileFields.Replace(template)
	_, err := url.Parse(address)
	ok := err == nil && (scheme == "https" || scheme == "http") && tileHost.MatchString(host) && !strings.ContainsAny(address, "{}")
	return scheme + "://" + host, ok
}
