package settings

import (
	"maps"
	"net/url"
	"slices"
)

// Nullable is null or a value of the type Of; a form posts null as an empty
// field.
type Nullable struct{ Of Type }

func (t Nullable) read(r *reader, path string, raw, missing any) any {
	if raw == nil {
		return nil
	}
	return t.Of.read(r, path, raw, missing)
}

func (t Nullable) posted(f url.Values, name string) (any, bool) { return t.Of.posted(f, name) }

func (t Nullable) fill(f url.Values, name string, stored any) {
	switch _, window := t.Of.(Window); {
	case stored != nil:
		t.Of.fill(f, name, stored)
	case window:
		f.Set(name+".from", "")
		f.Set(name+".to", "")
	default:
		f.Set(name, "")
	}
}

func (t Nullable) schema() map[string]any {
	s := t.Of.schema()
	s["type"] = []string{s["type"].(string), "null"}
	return s
}

func (t Nullable) value(key string, stored any) Value {
	if stored == nil {
		return Value{Shape: ShapeMessage, ID: message(key + ".none")}
	}
	return t.Of.value(key, stored)
}

// Set is a selection of the values, stored as []any of strings in their order.
// Message ids are as for an Enum. A form posts a hidden "" and the checked
// values under one name.
type Set struct {
	Values []string
	Labels string
	Least  int
}

// LabelID returns the message id of a value; key is the key of the setting.
func (t Set) LabelID(key, value string) string { return valueLabel(t.Labels, key, value) }

func (t Set) read(r *reader, path string, raw, _ any) any {
	list, ok := raw.([]any)
	if !ok {
		r.refuse(path, missingOr(raw, errList))
		return []any{}
	}
	var chosen []string
	for i, item := range list {
		if i == len(t.Values)*2 {
			r.refuse(path, errTooMany, "Max", int64(len(t.Values)))
			break
		}
		chosen = append(chosen, readChoice(r, itemPath(path, i), item, t.Values))
	}
	stored := []any{}
	for _, value := range t.Values {
		if slices.Contains(chosen, value) {
			stored = append(stored, value)
		}
	}
	if len(list) < t.Least {
		r.refuse(path, errRequired)
	}
	return stored
}

func (t Set) posted(f url.Values, name string) (any, bool) {
	all, ok := f[name]
	list := []any{}
	for _, value := range all {
		if value != "" {
			list = append(list, value)
		}
	}
	return list, ok
}

func (t Set) fill(f url.Values, name string, stored any) {
	f.Set(name, "")
	for _, value := range stored.([]any) {
		f.Add(name, value.(string))
	}
}

func (t Set) schema() map[string]any {
	return map[string]any{
		"type": "array", "uniqueItems": true, "minItems": t.Least,
		"items": map[string]any{"type": "string", "enum": t.Values},
	}
}

func (t Set) value(key string, stored any) Value {
	list := Value{Shape: ShapeList}
	for _, value := range stored.([]any) {
		list.Items = append(list.Items, Value{Shape: ShapeMessage, ID: t.LabelID(key, value.(string))})
	}
	return list.orNone()
}

// Object has named fields, stored as map[string]any with every field. Forms
// name them <key>.<name>.
type Object struct{ Fields []Field }

func (t Object) names() []string {
	names := make([]string, len(t.Fields))
	for i, field := range t.Fields {
		names[i] = field.Name
	}
	return names
}

func (t Object) read(r *reader, path string, raw, missing any) any {
	parts, ok := object(r, path, raw, t.names()...)
	stored := map[string]any{}
	if !ok {
		return stored
	}
	others, _ := missing.(map[string]any)
	for _, field := range t.Fields {
		part, given := parts[field.Name]
		other, known := others[field.Name]
		if !known && field.Default != nil {
			other, known = field.Default, true
		}
		before := len(r.errors)
		switch {
		case !given && known:
			stored[field.Name] = other
		default:
			stored[field.Name] = field.Type.read(r, path+"."+field.Name, part, other)
		}
		if field.Missing != "" && len(r.errors) > before && r.errors[before].Code == errRequired {
			r.errors[before].Code = field.Missing
		}
	}
	return stored
}

// object returns the members of a JSON object, and refuses other members than
// the named ones.
func object(r *reader, path string, raw any, names ...string) (map[string]any, bool) {
	parts, ok := raw.(map[string]any)
	if !ok {
		r.refuse(path, missingOr(raw, errObject))
		return nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if !slices.Contains(names, name) {
			r.unknown(path + "." + name)
		}
	}
	return parts, true
}

func (t Object) posted(f url.Values, name string) (any, bool) {
	parts, any := map[string]any{}, false
	for _, field := range t.Fields {
		part, ok := field.Type.posted(f, name+"."+field.Name)
		any = any || ok
		if ok && (part != nil || field.Default == nil) {
			parts[field.Name] = part
		}
	}
	return parts, any
}

func (t Object) fill(f url.Values, name string, stored any) {
	for _, field := range t.Fields {
		field.Type.fill(f, name+"."+field.Name, stored.(map[string]any)[field.Name])
	}
}

func (t Object) schema() map[string]any {
	properties := map[string]any{}
	var required []string
	for _, field := range t.Fields {
		property := field.Type.schema()
		if field.Default != nil {
			property["default"] = field.Default
		}
		properties[field.Name] = property
		if field.Missing != "" {
			required = append(required, field.Name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func (t Object) value(key string, stored any) Value {
	all := Value{Shape: ShapeList}
	for _, field := range t.Fields {
		part := field.Type.value(key, stored.(map[string]any)[field.Name])
		part.Label = field.Label
		all.Items = append(all.Items, part)
	}
	return all
}
