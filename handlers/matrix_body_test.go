package handlers_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// schema is what the matrix reads of a JSON schema.
type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Format     string
	Enum       []any
	Minimum    *float64
	MinLength  int
	Required   []string
	Properties map[string]*schema
	Items      *schema
}

// resolve returns a schema with what it refers to, a few levels deep.
func (s *schema) resolve(all map[string]*schema, depth int) *schema {
	if s == nil || depth > 6 {
		return &schema{}
	}
	if s.Ref != "" {
		return all[strings.TrimPrefix(s.Ref, "#/components/schemas/")].resolve(all, depth+1)
	}
	resolved := *s
	resolved.Properties = map[string]*schema{}
	for name, property := range s.Properties {
		if name != "$schema" {
			resolved.Properties[name] = property.resolve(all, depth+1)
		}
	}
	if s.Items != nil {
		resolved.Items = s.Items.resolve(all, depth+1)
	}
	return &resolved
}

func (s *schema) is(kind string) bool {
	if many, ok := s.Type.([]any); ok {
		return slices.Contains(many, any(kind))
	}
	return s.Type == kind
}

// sample returns a value that a schema accepts, with the ids of some objects wherever
// it may name one, and whether there is such an id.
func (s *schema) sample(name string, of objects) (value any, names bool) {
	if id := objectNamed(name, of); id != "" {
		switch {
		case s.is("array") && s.Items != nil && s.Items.is("integer"):
			return []any{json.Number(id)}, true
		case s.is("integer"):
			return json.Number(id), true
		}
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0], false
	case s.is("object"):
		object := map[string]any{}
		for _, property := range slices.Sorted(maps.Keys(s.Properties)) {
			value, named := s.Properties[property].sample(property, of)
			if named || slices.Contains(s.Required, property) {
				object[property] = value
				names = names || named
			}
		}
		if list, isExport := object["list"].(string); isExport { // which takes the filter of its list only
			maps.DeleteFunc(object, func(property string, _ any) bool {
				return property != list && !slices.Contains(s.Required, property)
			})
		}
		return object, names
	case s.is("array"):
		if s.Items == nil {
			return []any{}, false
		}
		value, names = s.Items.sample(name, of)
		return []any{value}, names
	case s.is("integer"), s.is("number"):
		if s.Minimum != nil {
			return *s.Minimum, false
		}
		return 1, false
	case s.is("boolean"):
		return true, false
	case s.Format == "date-time":
		return "2026-11-20T09:00:00+09:00", false
	case s.Format == "date":
		return "2026-11-20", false
	case s.is("string"):
		return plausibleText(name), false
	}
	return nil, false
}

func plausibleText(name string) string {
	switch {
	case strings.Contains(name, "url"):
		return "https://plausible.example/"
	case name == "month":
		return "2026-10"
	case name == "password" || name == "current":
		return "wrong"
	}
	return "plausible"
}

// objectNamed returns the id that a property of a body or form with a name is given.
func objectNamed(name string, of objects) string {
	switch {
	case strings.HasPrefix(name, "department"):
		return of["department"]
	case strings.HasPrefix(name, "notice"):
		return of["notice"]
	case strings.HasPrefix(name, "policy"), name == "from":
		return of["policy"]
	case strings.HasPrefix(name, "attachment"):
		return of["attachment"]
	case strings.HasPrefix(name, "link"), strings.HasPrefix(name, "after"):
		return of["link"]
	case name == "id", name == "ids", strings.HasPrefix(name, "user"):
		return of["user"]
	}
	return ""
}

// plausibleForm is a form with the fields of every page, which name objects.
func plausibleForm(of objects) string {
	form := url.Values{
		"name": {"plausible"}, "title": {"plausible"}, "body": {"plausible"}, "description": {"plausible"}, "url": {"https://plausible.example/"}, "reason": {"plausible"},
		"note": {"plausible"}, "text": {"plausible"}, "answer": {"plausible"}, "decision": {"approved"}, "approve": {"true"}, "visible": {"true"}, "enabled": {"true"}, "confirmed": {"true"},
		"password": {"wrong"}, "current": {"wrong"}, "new": {"wrong"}, "confirmation": {"wrong"}, "email": {"nobody@nowhere.example"}, "back": {"/"}, "month": {"2026-10"}, "overlap": {"0"},
		"arrival": {"09:00"}, "departure": {"18:00"}, "last_edit": {"0"}, "version": {"1"}, "scope": {"read"}, "kind": {"leave"}, "by": {"person"}, "everyone": {"false"},
		"people": {of["user"]}, "user": {of["user"]}, "users": {of["user"]}, "user_id": {of["user"]}, "department": {of["department"]}, "departments": {of["department"]}, "id": {of["user"]},
		"ids": {of["notice"]}, "policy": {of["policy"]}, "policies": {of["policy"]}, "target": {"user:" + of["user"]}, "targets": {"user:" + of["user"]}, "after": {of["link"]}, "record": {of["record"]},
		"attachment": {of["attachment"]}, "banner_key": {of["company"] + "/" + of["hash"]},
	}
	return form.Encode()
}
