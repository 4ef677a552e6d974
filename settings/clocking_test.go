package settings_test

import (
	"encoding/json"
	"testing"

	"officeconsole/settings"
)

func TestClocking(t *testing.T) {
	values, errs := settings.Parse(settings.WorkingAttitude, json.RawMessage(`{
		"clock_platforms": ["pc"], "device_binding": "registered", "ip_mode": "listed", "ip_ranges": [{"location_name": "본사", "range": "203.0.113.0/24"}],
		"gps_mode": "require", "places": [{"name": "본사", "lat": 37.5, "lng": 127, "radius_m": 100}],
		"gps_accuracy_max_m": 80, "proof_rule": "ip_and_gps", "mock_location": "block", "outside_work": "allow"}`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	c := values.Clocking()
	if len(c.Platforms) != 1 || c.Platforms[0] != "pc" || !c.OnlyRegistered || !c.AddressesListed || len(c.Ranges) != 1 || c.GPS != "require" ||
		c.AccuracyMaxM != 80 || !c.BothProofs || !c.BlockMock || c.Outside != "allow" {
		t.Errorf("read %+v", c)
	}
	if len(c.Places) != 1 || c.Places[0] != (settings.Workplace{Name: "본사", Lat: 37.5, Lng: 127, RadiusM: 100}) {
		t.Errorf("places %+v", c.Places)
	}
}

// A thousandth of a degree of latitude is 111 m everywhere; of longitude it is
// shorter the farther from the equator.
func TestWorkplaceContains(t *testing.T) {
	for name, c := range map[string]struct {
		lat, lng, northM, eastM float64
		want                    bool
	}{
		"the middle":                  {37.5, 127, 0, 0, true},
		"just within, north":          {37.5, 127, 99, 0, true},
		"just outside, north":         {37.5, 127, 101, 0, false},
		"just within, east":           {37.5, 127, 0, 99, true},
		"just outside, east":          {37.5, 127, 0, 101, false},
		"across the date line":        {-17, 179.9999, 0, 60, true},
		"the other side of the world": {37.5, 127, 0, 15_000_000, false},
	} {
		t.Run(name, func(t *testing.T) {
			const metersADegree = 6_371_000 * 3.14159265358979 / 180
			w := settings.Workplace{Lat: c.lat, Lng: c.lng, RadiusM: 100}
			lng := c.lng + c.eastM/(metersADegree*cosine(c.lat))
			if lng > 180 {
				lng -= 360
			}
			if got := w.Contains(c.lat+c.northM/metersADegree, lng); got != c.want {
				t.Errorf("Contains = %v", got)
			}
		})
	}
}

func cosine(degrees float64) float64 {
	if degrees == 37.5 {
		return 0.7933533
	}
	return 0.9563048 // of 17°
}
