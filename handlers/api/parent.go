package api

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// parentID is the id of the parent department, or "#" for the root (spec §3).
type parentID struct{ id *int64 }

// MarshalJSON writes the number, or "#".
func (p parentID) MarshalJSON() ([]byte, error) {
	if p.id == nil {
		return []byte(`"#"`), nil
	}
	return json.Marshal(*p.id)
}

// Schema describes both spellings.
func (p parentID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: `The department above; "#" for the company itself.`,
		OneOf:       []*huma.Schema{{Type: huma.TypeInteger, Format: "int64"}, {Type: huma.TypeString, Enum: []any{"#"}}},
	}
}
