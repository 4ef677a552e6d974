package settings

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Form is what a form of settings shows: the texts of its fields by name.
// Names are the key of a setting, <key>.<part> for parts, <key>.<number> and
// <key>.<number>.<part> for items of a list. A check box stands after a hidden
// field of the same name: "false" for a switch, "" for a set. A list of
// address ranges also takes pasted lines as <key>.lines.
type Form struct {
	kind   Kind
	fields url.Values
}

// FormOf shows values.
func FormOf(v Values) Form {
	f := Form{v.kind, url.Values{}}
	for _, s := range Settings(v.kind) {
		s.Type.fill(f.fields, s.Key, v.stored[s.Key])
	}
	return f
}

// NewForm takes from what was posted what belongs to settings. Items of lists
// are numbered anew, without empty ones; pasted lines become items as long as
// the list has room.
func NewForm(kind Kind, posted url.Values) Form {
	f := Form{kind, url.Values{}}
	for name, texts := range posted {
		key, _, _ := strings.Cut(name, ".")
		s, known := find(kind, key)
		if list, _ := s.Type.(List); known && !list.rows() {
			f.fields[name] = slices.Clone(texts)
		}
	}
	for _, s := range Settings(kind) {
		if list, _ := s.Type.(List); list.rows() {
			f.addRows(s.Key, posted)
			f.addLines(s.Key, list, posted.Get(s.Key+".lines"))
		}
	}
	return f
}

// FromForm reads settings from a posted form. A setting of which nothing was
// posted has its default. Errors of settings that have no effect are passed
// over: nobody could see them. Whatever is refused has its default in the
// values returned; the Form keeps what was typed.
func FromForm(kind Kind, posted url.Values) (Values, Errors) {
	return NewForm(kind, posted).Values()
}

// Values reads the form's settings, as FromForm does.
func (f Form) Values() (Values, Errors) {
	r := &reader{fromForm: true}
	given := map[string]any{}
	for _, s := range Settings(f.kind) {
		if list, is := s.Type.(List); is && f.fields.Get(s.Key+".lines") != "" {
			r.refuse(s.Key, errTooMany, "Max", int64(list.Max))
		}
		if raw, ok := s.Type.posted(f.fields, s.Key); ok {
			given[s.Key] = raw
		}
	}
	v := r.values(f.kind, given)
	var errors Errors
	for _, one := range r.errors {
		key, _, _ := strings.Cut(one.Key, ".")
		if s, _ := find(f.kind, key); v.Active(s) {
			errors = append(errors, one)
		}
	}
	return v, errors
}

// Text is what a field shows.
func (f Form) Text(name string) string {
	text, _ := postedText(f.fields, name)
	return text
}

// On reports whether a switch is on.
func (f Form) On(name string) bool { return f.Text(name) == "true" }

// Has reports whether a value is chosen in a set.
func (f Form) Has(name, value string) bool { return slices.Contains(f.fields[name], value) }

// Words are the items of a list that a form does not show in rows, as they were
// typed.
func (f Form) Words(name string) []string {
	return strings.FieldsFunc(strings.Join(f.fields[name], ","), isSeparator)
}

// Rows is how many items a list of rows shows.
func (f Form) Rows(key string) int {
	n := 0
	for f.hasRow(key, n) {
		n++
	}
	return n
}

func (f Form) hasRow(key string, n int) bool {
	s, _ := find(f.kind, key)
	list, ok := s.Type.(List)
	if !ok {
		return false
	}
	_, ok = list.Of.posted(f.fields, itemPath(key, n))
	return ok
}

// addRows copies the rows of a list in the order of their numbers.
func (f Form) addRows(key string, posted url.Values) {
	rows := map[int]url.Values{}
	for name, texts := range posted {
		if name == key {
			f.fields[key] = []string{""}
		}
		rest, _ := strings.CutPrefix(name, key+".")
		index, part, _ := strings.Cut(rest, ".")
		n, err := strconv.Atoi(index)
		if err != nil || part == "" || rest == name {
			continue
		}
		if rows[n] == nil {
			rows[n] = url.Values{}
		}
		rows[n][part] = texts
	}
	count := 0
	for _, n := range slices.Sorted(maps.Keys(rows)) {
		if empty(rows[n]) {
			f.fields[key] = []string{""}
			continue
		}
		for part, texts := range rows[n] {
			f.fields[itemPath(key, count)+"."+part] = slices.Clone(texts)
		}
		count++
	}
}

func empty(row url.Values) bool {
	for _, texts := range row {
		if strings.TrimSpace(strings.Join(texts, "")) != "" {
			return false
		}
	}
	return true
}

// addLines makes rows of pasted lines. A range alone is its own name.
func (f Form) addLines(key string, list List, text string) {
	lines := ParseLines(text)
	if len(lines) == 0 {
		return
	}
	rows := f.Rows(key)
	if rows+len(lines) > list.Max {
		f.fields.Set(key+".lines", text)
		return
	}
	for i, line := range lines {
		name := line.Name
		if name == "" && line.Code == "" {
			name = line.Text
		}
		f.fields.Set(itemPath(key, rows+i)+".location_name", name)
		f.fields.Set(itemPath(key, rows+i)+".range", line.Text)
	}
}
