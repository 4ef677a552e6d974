package setting

import (
	"context"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/settings"
	"officeconsole/views"
)

// ErrorInputs returns the refused fields of a form of settings for
// views.ErrorSummary. Each has the name of the setting, the error and the id
// of the field.
func ErrorInputs(ctx context.Context, kind settings.Kind, errors settings.Errors) []views.Input {
	var inputs []views.Input
	for _, e := range errors {
		id, label := fieldOf(ctx, kind, e.Key)
		text := errorText(ctx, e)
		if label != "" {
			text = locales.T(ctx, "field.refused", "Label", label, "Text", text)
		}
		inputs = append(inputs, views.Input{Name: id, Label: label, Error: text})
	}
	return inputs
}

// fieldOf follows the path of an error to the id of its field and the label
// of the field: "허용 IP 대역 · 3번째 · IP 대역". The field of an unknown path is
// the form.
func fieldOf(ctx context.Context, kind settings.Kind, path string) (id, label string) {
	parts := strings.Split(path, ".")
	for _, s := range settings.Settings(kind) {
		if s.Key == parts[0] {
			id, names := follow(ctx, s.Type, s.Key, parts[1:])
			return id, strings.Join(append([]string{locales.T(ctx, s.LabelID())}, names...), " · ")
		}
	}
	return formID, path
}

// formID is the id of the element around all settings.
const formID = "settings"

// follow returns the id and the labels of the field at a path below id. It
// stops at the last part that has a field.
func follow(ctx context.Context, t settings.Type, id string, parts []string) (string, []string) {
	if len(parts) == 0 {
		return id, nil
	}
	next, name := partOf(ctx, t, parts[0])
	if next == nil {
		return id, nil
	}
	id, names := follow(ctx, next, id+"."+parts[0], parts[1:])
	return id, append([]string{name}, names...)
}

// partOf returns the type and the label of a part that has a field of its
// own, or nil if it has none.
func partOf(ctx context.Context, t settings.Type, part string) (settings.Type, string) {
	switch t := t.(type) {
	case settings.Nullable:
		return partOf(ctx, t.Of, part)
	case settings.Object:
		for _, field := range t.Fields {
			if field.Name == part {
				return field.Type, locales.T(ctx, field.Label)
			}
		}
	case settings.List:
		if n, err := strconv.Atoi(part); err == nil && hasRows(t) {
			return t.Of, locales.T(ctx, "field.row", "Number", locales.Number(ctx, int64(n+1)))
		}
	case settings.Window:
		if id, ok := windowParts[part]; ok {
			return settings.Clock{}, locales.T(ctx, id)
		}
	case settings.Shift:
		if id, ok := shiftParts[part]; ok {
			return shiftTypes[part], locales.T(ctx, id)
		}
	}
	return nil, ""
}

var windowParts = map[string]string{"from": "field.from", "to": "field.to"}

var shiftParts = map[string]string{
	"kind": "field.kind", "start": "field.start", "end": "field.end", "end_next_day": "field.next_day", "second": "field.second",
}

// shiftTypes are the types of parts that have parts or errors of their own. A
// second stint has times like the first one.
var shiftTypes = map[string]settings.Type{
	"kind": settings.DayKind, "start": settings.Clock{}, "end": settings.Clock{}, "end_next_day": settings.Bool{}, "second": settings.Shift{},
}
