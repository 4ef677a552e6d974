package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// A list in an answer is empty rather than null, unless its description says what null is.
// Bodies of requests are left out: they may have null for a list that is left out.
func TestListsAreNotNull(t *testing.T) {
	document := newCalls(nil, chi.NewRouter(), "test").api.OpenAPI()
	const ref = "#/components/schemas/"
	sent := map[string]bool{}
	var follow func(at *huma.Schema)
	follow = func(at *huma.Schema) {
		if at == nil || sent[at.Ref] {
			return
		}
		if at.Ref != "" {
			sent[at.Ref] = true
			at = document.Components.Schemas.SchemaFromRef(at.Ref)
		}
		follow(at.Items)
		for _, property := range at.Properties {
			follow(property)
		}
	}
	for _, op := range operations(document) {
		if op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil {
			follow(op.RequestBody.Content["application/json"].Schema)
		}
	}
	for name, schema := range document.Components.Schemas.Map() {
		for field, property := range schema.Properties {
			if property.Type == huma.TypeArray && property.Nullable && !sent[ref+name] && !strings.Contains(property.Description, "null") {
				t.Errorf("%s.%s can be null", name, field)
			}
		}
	}
}

// The document says of every object that can be null that it can.
func TestObjectsThatCanBeNull(t *testing.T) {
	schemas := newCalls(nil, chi.NewRouter(), "test").api.OpenAPI().Components.Schemas
	found := 0
	for name, schema := range schemas.Map() {
		described := schemas.TypeFromRef("#/components/schemas/" + name)
		if described == nil || described.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(described) {
			tag := f.Tag.Get("json")
			field, _, _ := strings.Cut(tag, ",")
			property := schema.Properties[field]
			if property == nil || f.Type.Kind() != reflect.Pointer || f.Type.Elem().Kind() != reflect.Struct || strings.Contains(tag, "omitempty") {
				continue
			}
			found++
			if text, err := json.Marshal(property); err != nil || !strings.Contains(string(text), `"null"`) {
				t.Errorf("%s.%s: %s %v", name, field, text, err)
			}
		}
	}
	if found == 0 {
		t.Error("no field is a pointer")
	}
}
