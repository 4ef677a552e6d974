package api

// kinds are huma's findings, by how their messages begin; what follows is the
// value that the message inserts.
var kinds = []struct{ prefix, id string }{
	{"expected required property ", "api.field.required"},
	{"required ", "api.field.required"},
	{"unexpected property", "api.field.unknown"},
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
