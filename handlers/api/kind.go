package api

// kinds maps the prefixes of huma's validation messages to message ids; the
// rest of a message is the value to insert.
var kinds = []struct{ prefix, id string }{
	{"expected required property ", "api.field.required"},
	{"required ", "api.field.required"},
	{"unexpected property", "api.field.unknown"},
	{"unknown query parameter", "api.field.unknown"},
	{"expected length >= ", "api.field.too_short"},
	{"expected length <= ", "api.field.too_long"},
	{"expected number >= ", "api.field.too_small"},
	{"expected number <= ", "api.field.too_large"},
	{"expected string to ", "api.field.invalid"}, // be a date, match a pattern
	{"expected string", "api.field.string"},
	{"expected integer", "api.field.integer"},
	{"invalid integer", "api.field.integer"},
	{"expected object", "api.field.object"},
}
