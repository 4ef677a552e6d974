package settings_test

import (
	"encoding/json"
	"testing"

	"officeconsole/settings"
)

// Every setting that an expectation can be about has a valid expectation for each of its
// parts and words, which the defaults meet or not.
func TestExpectableSettings(t *testing.T) {
	for _, kind := range []settings.Kind{settings.Communication, settings.WorkingAttitude} {
		if len(settings.Expectable(kind)) < 10 {
			t.Errorf("%s: only %d settings", kind, len(settings.Expectable(kind)))
		}
		for _, s := range settings.Expectable(kind) {
			words := s.Words()
			if len(words) == 0 {
				words = []settings.Choice{{Word: "30"}}
			}
			for _, part := range append(s.Parts(), settings.Choice{}) {
				met := 0
				for _, word := range words {
					e := settings.Expectation{Relation: s.Relations()[0], Key: s.Key, Part: part.Word, Value: word.Word}
					if field, refusal := e.Check(kind); refusal != "" && refusal != "check.value.out_of_range" {
						t.Errorf("%+v: %s %s", e, field, refusal)
					}
					if settings.Defaults(kind).Meets(e, 1) {
						met++
					}
				}
				if len(s.Words()) > 0 && met > 1 {
					t.Errorf("%s %s has %d values at the same time", s.Key, part.Word, met)
				}
			}
		}
	}
}

func TestSigningInFromARange(t *testing.T) {
	values, refused := settings.Parse(settings.Communication, json.RawMessage(`{"allowed_ip_mode":"listed","allowed_ip_platforms":["web"],"login_platforms":["pc","web"],"ip_exempt_user_ids":[6],
		"allowed_ip_ranges":[{"location_name":"a","range":"203.0.113.0-203.0.113.7"},{"location_name":"b","range":"203.0.113.8/29"},{"location_name":"c","range":"203.0.113.20"}]}`))
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	for _, test := range []struct {
		ranges, platform string
		user             int64
		want             bool
	}{
		{"203.0.113.0/28", "web", 1, true}, // two ranges beside each other
		{"203.0.113.0-203.0.113.16", "web", 1, false},
		{"203.0.113.20", "web", 1, true},
		{"203.0.113.15-203.0.113.20", "web", 1, false},
		{"203.0.112.255-203.0.113.3", "web", 1, false},
		{"203.0.113.0-203.0.113.16", "web", 6, true}, // exempt
		{"198.51.100.0/24", "pc", 1, true},           // the ranges are for the web
		{"198.51.100.0/24", "", 1, true},
		{"198.51.100.0/24", "mobile", 1, false}, // nobody may sign in there
	} {
		e := settings.Expectation{Relation: settings.SignIn, Part: test.platform, Value: test.ranges}
		if _, refusal := e.Check(settings.Communication); refusal != "" || values.Meets(e, test.user) != test.want {
			t.Errorf("%+v: %s, want %t", test, refusal, test.want)
		}
	}
	if _, refusal := (settings.Expectation{Relation: settings.SignIn, Value: "203.0.113.0/24"}).Check(settings.WorkingAttitude); refusal == "" {
		t.Error("a working attitude policy decides on signing in")
	}
}
