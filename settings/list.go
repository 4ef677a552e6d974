package settings

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// List has up to Max items, stored as []any. A form posts objects as
// <key>.<number>.<name>; it posts other items under the key, several of them in
// one field if they are separated by commas, spaces or line breaks.
type List struct {
	Of     Type
	Max    int
	Unique bool // repeated items are dropped
}

func (t List) read(r *reader, path string, raw, _ any) any {
	list, ok := raw.([]any)
	stored := []any{}
	if !ok {
		r.refuse(path, missingOr(raw, errList))
		return stored
	}
	seen := map[any]bool{}
	for i, item := range list {
		if len(stored) == t.Max {
			r.refuse(path, errTooMany, "Max", int64(t.Max))
			break
		}
		one := t.Of.read(r, itemPath(path, i), item, nil)
		if t.Unique && seen[one] {
			continue
		}
		if t.Unique {
			seen[one] = true
		}
		stored = append(stored, one)
	}
	return stored
}

func (t List) posted(f url.Values, name string) (any, bool) {
	list := []any{}
	if !t.rows() {
		for _, text := range f[name] {
			for _, word := range strings.FieldsFunc(text, isSeparator) {
				one, _ := t.Of.posted(url.Values{name: {word}}, name)
				list = append(list, one)
			}
		}
		return list, f.Has(name)
	}
	for i := 0; ; i++ {
		row, ok := t.Of.posted(f, itemPath(name, i))
		if !ok {
			return list, f.Has(name) || i > 0
		}
		list = append(list, row)
	}
}

// rows reports whether a form posts each item in fields of its own.
func (t List) rows() bool {
	switch t.Of.(type) {
	case Object, Window:
		return true
	}
	return false
}

func isSeparator(c rune) bool { return strings.ContainsRune(",;\n\r\t 、，", c) }

func (t List) fill(f url.Values, name string, stored any) {
	f.Set(name, "")
	var words []string
	for i, item := range stored.([]any) {
		if t.rows() {
			t.Of.fill(f, itemPath(name, i), item)
		} else {
			words = append(words, fmt.Sprint(item))
		}
	}
	if len(words) > 0 {
		f.Set(name, strings.Join(words, ", "))
	}
}

func (t List) schema() map[string]any {
	return map[string]any{"type": "array", "maxItems": t.Max, "items": t.Of.schema()}
}

func (t List) value(key string, stored any) Value {
	list := Value{Shape: ShapeList}
	for _, item := range stored.([]any) {
		list.Items = append(list.Items, t.item(key, item))
	}
	return list.orNone()
}

// item returns an item for display. The parts of an object have no names: "본사
// 203.0.113.0/24".
func (t List) item(key string, stored any) Value {
	one := t.Of.value(key, stored)
	for i := range one.Items {
		one.Items[i].Label = ""
	}
	return one
}

// itemPath returns the path of an item of a list, which is also the name of its
// field.
func itemPath(path string, i int) string { return path + "." + strconv.Itoa(i) }
