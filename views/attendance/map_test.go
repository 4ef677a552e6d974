package attendance

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/views/viewstest"
)

var (
	tilesExample = directory.MapLicense{Provider: "tiles", Key: "k 1&2", TileURL: "https://{s}.tiles.example/{key}/{z}/{x}/{y}{r}.png", Attribution: "© tiles"}
	cityHall     = MapPoint{Lat: 37.566299, Lng: 126.977951, AccuracyM: 23.2, Place: "본사 <1층>", Time: "09:34"}
	nowhere      = MapPoint{Place: "본사", Time: "19:20"}
)

// islandProps are the properties of the map in a rendered view; false if it has
// no map.
func islandProps(t testing.TB, view string) (mapProps, bool) {
	t.Helper()
	found := regexp.MustCompile(`data-island="map" data-props="([^"]*)"`).FindStringSubmatch(view)
	if found == nil {
		return mapProps{}, false
	}
	var props mapProps
	if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), &props); err != nil {
		t.Fatalf("props %s: %v", found[1], err)
	}
	return props, true
}

// The distance to the nearest workplace is also shown without a map.
func TestMapSaysTheDistance(t *testing.T) {
	places := []MapPlace{
		{"본사", 37.5663, 126.978, 100}, {"판교 사옥", 37.4021, 127.1086, 150}, {"어디에도", math.NaN(), 0, 100}, {"없는 원", 37.5673, 126.978, 0},
	}
	for _, test := range []struct {
		name   string
		places []MapPlace
		at     MapPoint
		locale locales.Locale
		want   string
	}{
		{"inside", places, MapPoint{Lat: 37.5668, Lng: 126.978}, locales.Korean, "<small>본사에서 56m</small>"},
		{"outside", places, MapPoint{Lat: 37.5674, Lng: 126.978}, locales.Korean, "<small>본사에서 122m, 반경 100m 밖</small>"},
		{"of another place", places, MapPoint{Lat: 37.4025, Lng: 127.1086}, locales.English, "<small>44 m from 판교 사옥</small>"},
		{"a walk away", places, MapPoint{Lat: 37.5843, Lng: 126.978}, locales.Korean, "<small>본사에서 2.0km, 반경 100m 밖</small>"},
		{"far away", places, MapPoint{Lat: 35.1796, Lng: 129.0756}, locales.English, "<small>304 km from 판교 사옥, outside its radius of 150 m</small>"},
		{"in Japanese", places, MapPoint{Lat: 37.5674, Lng: 126.978}, locales.Japanese, "<small>본사から122m、半径100mの外</small>"},
		{"the larger circle", []MapPlace{{"사무실", 37.5663, 126.978, 50}, {"공단", 37.5663, 126.99, 2000}}, MapPoint{Lat: 37.5663, Lng: 126.979}, locales.Korean, "<small>공단에서 970m</small>"},
	} {
		view := viewstest.HTML(t, test.locale, mapSection(MapView{Arrival: &test.at, Places: test.places}))
		if !strings.Contains(view, test.want) {
			t.Errorf("%s: %s is not in %s", test.name, test.want, view)
		}
	}
	if view := viewstest.HTML(t, locales.Korean, mapSection(MapView{Arrival: &cityHall, Places: places[2:]})); strings.Contains(view, "에서") {
		t.Errorf("a distance to no place: %s", view)
	}
	if view := viewstest.HTML(t, locales.Korean, mapSection(MapView{Arrival: &nowhere, Places: places})); strings.Contains(view, "에서") {
		t.Errorf("a distance from nowhere: %s", view)
	}
}

func TestAttendanceMap(t *testing.T) {
	licensed := directory.MapLicenses{tilesExample}
	places := []MapPlace{{"본사", 37.5663, 126.978, 100}, {"어디에도", math.NaN(), 0, 100}, {"없는 원", 37.5, 127, 0}, {"서쪽 18km", 37.5663, 126.78, 100}, {"동쪽 22km", 37.5663, 127.23, 100}, {"북쪽 22km", 37.77, 126.978, 100}}
	const noMap, noCoordinates = "지도를 표시할 수 없습니다", "좌표를 표시할 수 없습니다"
	for _, test := range []struct {
		name           string
		view           MapView
		shows, without []string
		points         []string // on the map; nil for no map
	}{
		{"both", MapView{Arrival: &cityHall, Departure: &cityHall, Places: places, Licenses: licensed},
			[]string{"출근", "퇴근", "본사 &lt;1층&gt;", "37.56630, 126.97795", "오차 24m", "지도 보기", "<li class=\"chip\"><bdi>본사</bdi>", "반경 100m", "서쪽 18km"},
			[]string{noCoordinates, "<1층>", "어디에도", "없는 원", "22km"}, []string{"arrival 출근 09:34", "departure 퇴근 09:34"}},
		{"one", MapView{Departure: &cityHall, Licenses: licensed},
			[]string{"퇴근"}, []string{"출근 ", "가까운 근무지", noCoordinates}, []string{"departure 퇴근 09:34"}},
		{"one of two can be shown", MapView{Arrival: &cityHall, Departure: &nowhere, Licenses: licensed},
			[]string{noCoordinates, "<bdi>본사</bdi>", "19:20"}, []string{"0.00000"}, []string{"arrival 출근 09:34"}},
		{"no coordinates", MapView{Arrival: &nowhere, Licenses: licensed, Places: places},
			[]string{noCoordinates, "<bdi>본사</bdi>"}, []string{"지도", "0.00000"}, nil},
		{"no licence", MapView{Arrival: &cityHall},
			[]string{noMap, "37.56630, 126.97795", "본사"}, []string{"지도 보기"}, nil},
		{"no key", MapView{Arrival: &cityHall, Licenses: directory.MapLicenses{{Provider: "tiles", TileURL: tilesExample.TileURL}}},
			[]string{noMap}, []string{"지도 보기"}, nil},
		{"nothing", MapView{Licenses: licensed, Places: places},
			[]string{"기록된 위치가 없습니다."}, []string{"지도", "<dl>"}, nil},
		{"without a name and an accuracy", MapView{Arrival: &MapPoint{Lat: -33.5, Lng: -70, AccuracyM: math.Inf(1)}, Licenses: licensed},
			[]string{"장소 이름 없음", "-33.50000, -70.00000"}, []string{"오차", "<time>"}, []string{"arrival 출근"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			view := viewstest.HTML(t, locales.Korean, mapSection(test.view))
			props, ok := islandProps(t, view)
			if ok != (test.points != nil) {
				t.Fatalf("shows a map: %t", ok)
			}
			var points []string
			for _, p := range props.Points {
				points = append(points, p.Kind+" "+p.Label)
			}
			if !slices.Equal(points, test.points) {
				t.Errorf("on the map are %q, want %q", points, test.points)
			}
			for _, text := range test.shows {
				if !strings.Contains(view, text) {
					t.Errorf("without %q: %s", text, view)
				}
			}
			outside := regexp.MustCompile(`data-props="[^"]*"`).ReplaceAllString(view, "")
			for _, text := range test.without {
				// The content of the island before it is mounted says that the map failed.
				if strings.Contains(outside, text) {
					t.Errorf("with %q: %s", text, view)
				}
			}
		})
	}
}

func TestAttendanceMapInOtherLanguages(t *testing.T) {
	bad := MapView{Arrival: &cityHall, Departure: &nowhere}
	for l, want := range map[locales.Locale][]string{
		locales.English:  {"Arrival", "Departure", "accurate to 24 m", "The map cannot be shown", "The coordinates cannot be shown"},
		locales.Japanese: {"出勤", "退勤", "誤差24m", "地図を表示できません", "座標を表示できません"},
	} {
		view := viewstest.HTML(t, l, mapSection(bad))
		for _, text := range want {
			if !strings.Contains(view, text) {
				t.Errorf("%s: without %q", l, text)
			}
		}
	}
}

// Every usable licence may be chosen, and no other.
func TestMapLicenceIsChosen(t *testing.T) {
	second := directory.MapLicense{Key: "k", TileURL: "https://two.example/{z}/{x}/{-y}.png", Attribution: "© two"}
	v := MapView{Arrival: &cityHall, Licenses: directory.MapLicenses{tilesExample, {TileURL: second.TileURL}, second}}
	for i, want := range []string{"https://{s}.tiles.example/k%201%262/{z}/{x}/{y}{r}.png © tiles", "https://two.example/{z}/{x}/{-y}.png © two"} {
		v.Choose = func(n int) int {
			if n != 2 {
				t.Errorf("chosen among %d", n)
			}
			return i
		}
		props, _ := islandProps(t, viewstest.HTML(t, locales.Korean, mapSection(v)))
		if got := props.Tiles + " " + props.Attribution; got != want {
			t.Errorf("chosen is %q, want %q", got, want)
		}
	}
	v.Choose = nil
	seen := map[string]bool{}
	for range 200 {
		seen[v.props(t.Context()).Tiles] = true
	}
	if len(seen) != 2 {
		t.Errorf("at random came %v", seen)
	}
}

func TestTileOrigins(t *testing.T) {
	for _, test := range []struct{ key, url, want string }{
		{"k", "https://tile.example/{z}/{x}/{y}.png", "https://tile.example"},
		{"k", "http://10.0.0.7:8080/{key}/{z}/{y}/{x}", "http://10.0.0.7:8080"},
		{"k", "https://{s}.tile.example/{z}/{x}/{y}{r}.png?key={key}", "https://a.tile.example https://b.tile.example https://c.tile.example"},
		{"k", "https://tile.example/{z}/{x}/{-y}.png", "https://tile.example"},
		{"k;", "https://tile.example/{z}/{x}/{y}.png?k={key}", "https://tile.example"},
		{"", "https://tile.example/{z}/{x}/{y}.png", ""},
		{"k", "", ""},
		{"k", "https://tile.example/{z}/{x}.png", ""},
		{"k", "https://tile.example/{z}/{x}/{y}.{ext}", ""},
		{"k", "/{z}/{x}/{y}.png", ""},
		{"k", "//tile.example/{z}/{x}/{y}.png", ""},
		{"k", "javascript:{z}{x}{y}", ""},
		{"k", "data://tile.example/{z}/{x}/{y}", ""},
		{"k", "https:///{z}/{x}/{y}", ""},
		{"k", "https://*.example/{z}/{x}/{y}", ""},
		{"k", "https://{z}.tile.example/{x}/{y}", ""},
		{"k", "https://tile.example;script-src *;/{z}/{x}/{y}", ""},
		{"k", "https://tile.example *;/{z}/{x}/{y}", ""},
		{"*", "https://{key}.example/{z}/{x}/{y}", ""},
		{"k", "https://name:word@tile.example/{z}/{x}/{y}", ""},
	} {
		got := strings.Join(TileOrigins(directory.MapLicenses{{Key: test.key, TileURL: test.url}}), " ")
		if got != test.want {
			t.Errorf("%q with the key %q: from %q, want %q", test.url, test.key, got, test.want)
		}
	}
	twice := directory.MapLicenses{tilesExample, tilesExample, {Key: "k", TileURL: "https://a.tiles.example/{z}/{x}/{y}"}}
	if got := TileOrigins(twice); len(got) != 3 {
		t.Errorf("origins are %q", got)
	}
}

func TestCoordinates(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		lat, lng float64
		want     string // "" if they cannot be shown
	}{
		{37.5662951, 126.9779451, "37.56630, 126.97795"},
		{-90, 180, "-90.00000, 180.00000"},
		{90, -180, "90.00000, -180.00000"},
		{0, 127, "0.00000, 127.00000"},
		{-0.000001, 127, "0.00000, 127.00000"},
		{0.00001, 0, "0.00001, 0.00000"},
		{0, 0, ""},
		{math.Copysign(0, -1), 0, ""},
		{0.0000049, -0.0000049, ""},
		{90.0000001, 0, ""},
		{0, -180.0000001, ""},
		{126.97, 37.56, ""}, // latitude and longitude swapped
		{nan, 127, ""}, {37, nan, ""}, {inf, 127, ""}, {37, -inf, ""},
	} {
		p := MapPoint{Lat: test.lat, Lng: test.lng}
		got := ""
		if p.shown() {
			got = p.coordinates()
		}
		if got != test.want {
			t.Errorf("%v, %v is %q, want %q", test.lat, test.lng, got, test.want)
		}
	}
}

func FuzzMapCoordinates(f *testing.F) {
	for _, n := range []float64{0, -1e-9, 37.5, 90, -180, 180.1, 1e300, 5e-324, math.NaN(), math.Inf(-1)} {
		f.Add(n, 127.0, 20.0)
		f.Add(37.5, n, n)
		f.Add(n, n, 1e18)
	}
	f.Fuzz(func(t *testing.T, lat, lng, accuracy float64) {
		point := MapPoint{lat, lng, accuracy, "본사", "09:00"}
		view := viewstest.HTML(t, locales.English, mapSection(MapView{
			Arrival: &point, Departure: &cityHall, Licenses: directory.MapLicenses{tilesExample},
			Places: []MapPlace{{"본사", lat, lng, accuracy}},
		}))
		for _, text := range []string{"NaN", "Inf", "-0.00000"} {
			if strings.Contains(view, text) {
				t.Fatalf("shows %s: %s", text, view)
			}
		}
		refused := strings.Contains(view, "The coordinates cannot be shown")
		props, _ := islandProps(t, view)
		if onMap := len(props.Points) == 2; onMap == refused {
			t.Fatalf("%v, %v: refused %t, on the map %t", lat, lng, refused, onMap)
		}
		if refused {
			return
		}
		var a, b float64
		if _, err := fmt.Sscanf(point.coordinates(), "%f, %f", &a, &b); err != nil {
			t.Fatal(err)
		}
		if math.Abs(a-lat) > 0.000006 || math.Abs(b-lng) > 0.000006 || math.Abs(a) > 90 || math.Abs(b) > 180 || a == 0 && b == 0 {
			t.Fatalf("%v, %v is written %v, %v", lat, lng, a, b)
		}
	})
}
