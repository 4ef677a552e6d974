package settings

import (
	"cmp"
	"fmt"
	"strings"
)

// JSONSchema returns the settings of a kind as JSON Schema, draft 2020-12: an
// object whose properties are all optional, because a missing one has its
// default. A number's unit is the one that is stored, which the form may show
// in a larger one: the session time is in seconds. title returns the text of a message id in the document's language.
func JSONSchema(kind Kind, title func(id string) string) map[string]any {
	properties := map[string]any{}
	for _, s := range Settings(kind) {
		property := s.Type.schema()
		property["title"] = title(s.LabelID())
		property["default"] = s.Default
		if id := s.HelpID(); id != "" {
			property["description"] = title(id)
		}
		if unit := unitOf(s.Type); unit != "" {
			property["x-unit"] = unit
			property["description"] = strings.TrimSpace(fmt.Sprint(cmp.Or(property["description"], any("")), " In ", unit, "."))
		}
		properties[s.Key] = property
	}
	return map[string]any{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"type":                 "object",
		"properties":           properties,
		"additionalProperties": false,
	}
}

func unitOf(t Type) Unit {
	switch t := t.(type) {
	case Int:
		return t.Unit
	case Nullable:
		return unitOf(t.Of)
	}
	return ""
}
