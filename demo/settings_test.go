package demo

import (
	"encoding/json"
	"testing"

	"officeconsole/settings"
)

// What the demo company's policies say is what an administrator could have
// entered.
func TestSettingsAreInOrder(t *testing.T) {
	seen := 0
	for _, c := range companies(t, 100_000) {
		for _, p := range c.Policies {
			for _, v := range p.Versions {
				seen++
				values, errs := settings.Parse(settings.Kind(p.Kind), json.RawMessage(v.Settings))
				if len(errs) > 0 {
					t.Errorf("%s: %s: %v", v.Name, v.Settings, errs)
				}
				if warnings := values.Warnings(); len(warnings) > 0 {
					t.Errorf("%s: %v", v.Name, warnings)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d versions", seen)
	}
}
