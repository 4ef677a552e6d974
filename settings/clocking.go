package settings

import "math"

// Clocking is what a working attitude policy requires of a clock event (domain
// §5).
type Clocking struct {
	Platforms       []string // of pc, web, mobile, mobile_web
	OnlyRegistered  bool     // the device must be registered for the person
	AddressesListed bool     // the address must be in Ranges
	Ranges          []NamedRange
	GPS             string // off, record, require
	Places          []Workplace
	AccuracyMaxM    float64
	BothProofs      bool // both address and place are required, not just one
	BlockMock       bool
	Outside         string // block, reason, allow
	WeeklyAction    string // at the weekly limit: none, notify, block
}

// Workplace is a circle on the map.
type Workplace struct {
	Name              string
	Lat, Lng, RadiusM float64
}

// Clocking returns the requirements of a working attitude policy.
func (v Values) Clocking() Clocking {
	c := Clocking{
		OnlyRegistered:  v.word("device_binding") == "registered",
		AddressesListed: v.word("ip_mode") == "listed", Ranges: v.Ranges(), GPS: v.word("gps_mode"), Places: v.Workplaces(),
		AccuracyMaxM: float64(v.number("gps_accuracy_max_m")), BothProofs: v.word("proof_rule") == "ip_and_gps",
		BlockMock: v.word("mock_location") == "block", Outside: v.word("outside_work"),
		WeeklyAction: v.word("weekly_action"),
	}
	for _, platform := range v.list("clock_platforms") {
		c.Platforms = append(c.Platforms, platform.(string))
	}
	return c
}

// Workplaces returns the places of a working attitude policy.
func (v Values) Workplaces() []Workplace {
	var all []Workplace
	for _, item := range v.list("places") {
		parts := item.(map[string]any)
		all = append(all, Workplace{parts["name"].(string), parts["lat"].(float64), parts["lng"].(float64), float64(parts["radius_m"].(int64))})
	}
	return all
}

const earthRadiusM = 6_371_000

// Contains reports whether a point is within the circle.
func (w Workplace) Contains(lat, lng float64) bool { return w.DistanceM(lat, lng) <= w.RadiusM }

// DistanceM returns the distance of a point from the centre, in metres.
func (w Workplace) DistanceM(lat, lng float64) float64 {
	const degree = math.Pi / 180
	north, east := (lat-w.Lat)*degree, (lng-w.Lng)*degree
	// the haversine formula
	h := math.Pow(math.Sin(north/2), 2) + math.Cos(lat*degree)*math.Cos(w.Lat*degree)*math.Pow(math.Sin(east/2), 2)
	return 2 * earthRadiusM * math.Asin(math.Sqrt(min(1, h)))
}
