package settings

import (
	"cmp"
	"slices"
)

// Change is one difference between two versions of a policy. For sets and lists
// it has the added and removed items, for anything else the old and the new
// value.
type Change struct {
	Key            string // of the setting
	Path           string // of the part that changed: "file_save.web"
	Label          string // message id of the setting
	Part           string // message id of the part, "" for the whole setting
	Old, New       Value
	Added, Removed []Value
}

// IsElements reports whether the change consists of added and removed items.
func (c Change) IsElements() bool { return len(c.Added)+len(c.Removed) > 0 }

// Diff returns the differences in the order of Settings. The order of a list is
// ignored. Values of different kinds have no differences.
func Diff(old, new Values) []Change {
	var changes []Change
	for _, s := range Settings(new.kind) {
		a, b := old.stored[s.Key], new.stored[s.Key]
		if old.kind == new.kind && !equal(a, b) {
			changes = append(changes, s.changes(a, b)...)
		}
	}
	return changes
}

func (s Setting) changes(old, new any) []Change {
	whole := Change{Key: s.Key, Path: s.Key, Label: s.LabelID()}
	switch t := s.Type.(type) {
	case Object:
		return t.changes(whole, old.(map[string]any), new.(map[string]any))
	case Set:
		whole.Removed, whole.Added = elements(old, new, func(v any) Value {
			return Value{Shape: ShapeMessage, ID: t.LabelID(s.Key, v.(string))}
		})
	case List:
		whole.Removed, whole.Added = elements(old, new, func(v any) Value { return t.item(s.Key, v) })
		if !whole.IsElements() {
			return nil
		}
	}
	whole.Old, whole.New = s.Type.value(s.Key, old), s.Type.value(s.Key, new)
	return []Change{whole}
}

func (t Object) changes(whole Change, old, new map[string]any) []Change {
	var changes []Change
	for _, field := range t.Fields {
		a, b := old[field.Name], new[field.Name]
		if equal(a, b) {
			continue
		}
		part := whole
		part.Path += "." + field.Name
		part.Part = field.Label
		part.Old, part.New = field.Type.value(whole.Key, a), field.Type.value(whole.Key, b)
		changes = append(changes, part)
	}
	return changes
}

// elements returns the items only the old list has, and those only the new one
// has.
func elements(old, new any, describe func(any) Value) (removed, added []Value) {
	rest := slices.Clone(old.([]any))
	for _, item := range new.([]any) {
		at := slices.IndexFunc(rest, func(other any) bool { return equal(item, other) })
		if at < 0 {
			added = append(added, describe(item))
		} else {
			rest = slices.Delete(rest, at, at+1)
		}
	}
	for _, item := range rest {
		removed = append(removed, describe(item))
	}
	return removed, added
}

// Point is an entry of a summary: a setting and its value.
type Point struct {
	Key   string
	Label string // message id
	Value Value
}

const (
	mostPoints = 3
	mostItems  = 2 // of a list whose items are shown
)

// Summary returns the most important differences from the defaults, at most
// three.
func Summary(v Values) []Point {
	var differing []Setting
	for _, s := range Settings(v.kind) {
		if v.Active(s) && !equal(v.stored[s.Key], s.Default) {
			differing = append(differing, s)
		}
	}
	slices.SortStableFunc(differing, func(a, b Setting) int { return cmp.Compare(b.Weight, a.Weight) })
	var points []Point
	for _, s := range differing[:min(mostPoints, len(differing))] {
		points = append(points, Point{s.Key, s.LabelID(), s.brief(v.stored[s.Key])})
	}
	return points
}

// brief returns a short form of a value: the number of items of a long list,
// and only those parts of an object that differ from the default.
func (s Setting) brief(stored any) Value {
	switch t := s.Type.(type) {
	case List:
		if n := len(stored.([]any)); n > mostItems {
			return Value{Shape: ShapeNumber, Number: int64(n), Unit: Items}
		}
	case Object:
		return t.brief(s, stored.(map[string]any))
	}
	return s.Type.value(s.Key, stored)
}

func (t Object) brief(s Setting, stored map[string]any) Value {
	parts := Value{Shape: ShapeList}
	same := true
	for _, field := range t.Fields {
		part := stored[field.Name]
		same = same && equal(part, stored[t.Fields[0].Name])
		if !equal(part, s.Default.(map[string]any)[field.Name]) {
			told := field.Type.value(s.Key, part)
			told.Label = field.Label
			parts.Items = append(parts.Items, told)
		}
	}
	if same {
		return t.Fields[0].Type.value(s.Key, stored[t.Fields[0].Name])
	}
	return parts
}
