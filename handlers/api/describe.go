package api

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// operations returns the operations of a document, sorted by path.
func operations(document *huma.OpenAPI) []*huma.Operation {
	var all []*huma.Operation
	for _, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				all = append(all, op)
			}
		}
	}
	slices.SortFunc(all, func(a, b *huma.Operation) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	return all
}

// describeAnswers documents the answers that follow from what an operation takes, so
// that no operation has to list them.
func describeAnswers(document *huma.OpenAPI) {
	problems := map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/Problem"}}}
	for _, op := range operations(document) {
		add := func(description string, content map[string]*huma.MediaType, statuses ...int) {
			for _, status := range statuses {
				if code := strconv.Itoa(status); op.Responses[code] == nil {
					op.Responses[code] = &huma.Response{Description: cmp.Or(description, http.StatusText(status)), Content: content}
				}
			}
		}
		add("The database or the storage of files is busy or not available.", problems, http.StatusServiceUnavailable)
		if op.RequestBody != nil {
			add("", problems, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
		}
		if op.Method != http.MethodGet {
			add("The disk of the database or the storage of files is full.", problems, http.StatusInsufficientStorage)
		}
		if hasHeader(op, "If-Match") {
			add("", problems, http.StatusBadRequest)
		}
		if hasHeader(op, "If-None-Match") {
			add("It is still what If-None-Match names.", nil, http.StatusNotModified)
		}
		for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			if later := op.Responses[strconv.Itoa(status)]; later != nil {
				later.Headers = map[string]*huma.Param{"Retry-After": {Description: "How many seconds to wait before calling again.", Schema: &huma.Schema{Type: huma.TypeInteger}}}
			}
		}
		if ended := op.Responses[strconv.Itoa(statusEnded)]; ended != nil {
			ended.Description = "The token or the session has ended: sign in again." // HTTP has no phrase for it
		}
	}
}

func hasHeader(op *huma.Operation, name string) bool {
	return slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "header" && p.Name == name })
}

// describeNull documents which objects can be null. huma does that for plain values only,
// because some generators of clients cannot read it; those of make openapi can.
func describeNull(schemas huma.Registry) {
	for name, schema := range schemas.Map() {
		t := schemas.TypeFromRef("#/components/schemas/" + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(t) {
			field, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			property := schema.Properties[field]
			if f.Type.Kind() != reflect.Pointer || strings.Contains(options, "omitempty") || property == nil || property.Ref == "" {
				continue
			}
			property.AnyOf = []*huma.Schema{{Ref: property.Ref}, {Type: typeNull}}
			property.Ref = ""
		}
	}
}

// describeRequired documents what a new object needs: the fields that the tag needs of its
// embedded body lists. That body is also the one of a change, in which nothing is needed.
// The rules refuse what is missing and say why, so this adds nothing to the validation,
// which huma has prepared by then.
func describeRequired(schemas huma.Registry) {
	for name, schema := range schemas.Map() {
		t := schemas.TypeFromRef("#/components/schemas/" + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for i := range t.NumField() {
			if fields, found := t.Field(i).Tag.Lookup("needs"); found {
				schema.Required = append(schema.Required, strings.Split(fields, ",")...)
			}
		}
	}
}

const typeNull = "null"

// isNullable reports whether describeNull has changed a schema.
func isNullable(s *huma.Schema) bool { return len(s.AnyOf) == 2 && s.AnyOf[1].Type == typeNull }

// describer converts schemas to readable lines.
type describer struct{ schemas huma.Registry }

func (d describer) operation(op *huma.Operation) docsOperation {
	out := docsOperation{
		ID: op.OperationID, Method: op.Method, Path: op.Path,
		Summary: op.Summary, Signed: len(op.Security) > 0,
	}
	description, list, found := strings.Cut(op.Description, "\n\n- ")
	if out.Description = description; found {
		out.List = strings.Split(list, "\n- ")
	}
	for _, p := range op.Parameters {
		out.Parameters = append(out.Parameters, docsField{p.Name, p.In + ", " + d.kind(p.Schema), p.Description, p.Required})
	}
	if op.RequestBody != nil {
		out.Body = d.content(op.RequestBody.Content)
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		answer := docsAnswer{Status: status, Description: op.Responses[status].Description}
		if status < "300" {
			answer.Fields = d.content(op.Responses[status].Content)
		}
		out.Answers = append(out.Answers, answer)
	}
	return out
}

func (d describer) content(content map[string]*huma.MediaType) []docsField {
	media := content["application/json"]
	if media == nil || media.Schema == nil {
		return nil
	}
	return d.fields("", media.Schema, nil)
}

// fields returns the fields of an object, and nested fields with their paths:
// data[].id. A schema that is among those above it is not described again.
func (d describer) fields(prefix string, schema *huma.Schema, above []*huma.Schema) []docsField {
	schema = d.resolve(schema)
	if slices.Contains(above, schema) {
		return nil
	}
	above = append(slices.Clip(above), schema)
	var fields []docsField
	for _, one := range schema.OneOf {
		for _, field := range d.fields(prefix, one, above) {
			if !slices.ContainsFunc(fields, func(known docsField) bool { return known.Name == field.Name }) {
				fields = append(fields, field)
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(schema.Properties), order(schema)) {
		property := schema.Properties[name]
		resolved := d.resolve(property)
		field := docsField{prefix + name, d.kind(property), cmp.Or(property.Description, resolved.Description), slices.Contains(schema.Required, name)}
		fields = append(fields, field)
		switch resolved.Type {
		case huma.TypeObject:
			fields = append(fields, d.fields(field.Name+".", resolved, above)...)
		case huma.TypeArray:
			fields = append(fields, d.fields(field.Name+"[].", resolved.Items, above)...)
		}
	}
	return fields
}

// order compares properties by name: required ones come first, in the order of
// the schema.
func order(schema *huma.Schema) func(a, b string) int {
	rank := func(name string) int {
		if i := slices.Index(schema.Required, name); i >= 0 {
			return i
		}
		return len(schema.Required)
	}
	return func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) }
}

func (d describer) resolve(schema *huma.Schema) *huma.Schema {
	if isNullable(schema) {
		schema = schema.AnyOf[0]
	}
	if schema.Ref != "" {
		return d.schemas.SchemaFromRef(schema.Ref)
	}
	return schema
}

// kind describes the type of a schema in a few words: integer 1-500,
// string|null.
func (d describer) kind(schema *huma.Schema) string {
	s := d.resolve(schema)
	kind := s.Type
	switch {
	case s.Type == huma.TypeArray:
		kind = d.kind(s.Items) + "[]"
	case len(s.OneOf) > 0:
		var kinds []string
		for _, one := range s.OneOf {
			kinds = append(kinds, d.kind(one))
		}
		kind = strings.Join(kinds, "|")
	case len(s.Enum) == 1:
		if word, ok := s.Enum[0].(string); ok {
			kind = strconv.Quote(word)
		}
	case s.Format == "date-time":
		kind = "RFC 3339"
	}
	if s.Minimum != nil && s.Maximum != nil {
		kind += " " + number(*s.Minimum) + "-" + number(*s.Maximum)
	}
	if s.Nullable || isNullable(schema) {
		kind += "|null"
	}
	return kind
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
