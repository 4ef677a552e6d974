package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/settings"
)

const settingsSchemas = "#/components/schemas/"

// policySettings are settings as JSON, which the settings package validates.
type policySettings []byte

func (s policySettings) raw() []byte {
	if len(s) == 0 {
		return []byte("{}")
	}
	return s
}

// ofDraft returns the settings of a draft with those that it leaves out and that a
// policy of the caller's company begins with.
func (s policySettings) ofDraft(ctx context.Context, kind string) []byte {
	return settings.WithDefaults(s.raw(), directory.FirstSettings(settings.Kind(kind), callerOf(ctx).TimeZone))
}

// MarshalJSON returns the settings unchanged.
func (s policySettings) MarshalJSON() ([]byte, error) { return s.raw(), nil }

// UnmarshalJSON stores the settings without decoding them.
func (s *policySettings) UnmarshalJSON(text []byte) error {
	*s = append((*s)[:0], text...)
	return nil
}

// Schema refers to the schemas of the two kinds.
func (policySettings) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true,
		AnyOf: []*huma.Schema{{Ref: settingsSchemas + "CommunicationSettings"}, {Ref: settingsSchemas + "WorkingAttitudeSettings"}},
	}
}

// describeSettings adds the schemas of the settings of both kinds to the
// document.
func (c *calls) describeSettings() {
	for name, kind := range map[string]settings.Kind{"CommunicationSettings": settings.Communication, "WorkingAttitudeSettings": settings.WorkingAttitude} {
		schema := settings.JSONSchema(kind, func(id string) string { return locales.English.T(id) })
		c.api.OpenAPI().Components.Schemas.Map()[name] = &huma.Schema{Extensions: schema}
	}
}
