package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
)

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
