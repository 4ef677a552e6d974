package settings

// JSONSchema returns the settings of a kind as JSON Schema, draft 2020-12: an
// object whose properties are all optional, because a missing one has its
// default. title returns the text of a message id in the document's language.
func JSONSchema(kind Kind, title func(id string) string) map[string]any {
	properties := map[string]any{}
	for _, s := range Settings(kind) {
		property := s.Type.schema()
		property["title"] = title(s.LabelID())
		property["default"] = s.Default
		if id := s.HelpID(); id != "" {
			property["description"] = title(id)
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
