package settings

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Form is the content of a form of settings: the texts of its fields by name.
// Names are the key of a setting, <key>.<part> for parts, <key>.<number> and
// <key>.<number>.<part> for items of a list. A checkbox follows a hidden field
// of the same name: "false" for a switch, "" for a set. A list of address
// ranges also accepts pasted lines as <key>.lines.
type Form struct {
	kind   Kind
	fields url.Values
}

// FormOf returns a form that shows values.
func FormOf(v Values) Form {
	f := Form{v.kind, url.Values{}}
	for _, s := range Settings(v.kind) {
		s.Type.fill(f.fields, s.Key, v.stored[s.Key])
	}
	return f
}

// NewForm returns a form with those of the posted fields that belong to
// settings. Items of lists are renumbered and empty ones are dropped. Pasted
// lines become items as long as the list has room.
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

// FromForm reads settings from a posted form. A setting that was not posted has
// its default. Errors of settings without effect are ignored, because the form
// does not show them. In the values returned, refused settings have their
// default; the Form still has what was typed.
func FromForm(kind Kind, posted url.Values) (Values, Errors) {
	return NewForm(kind, posted).Values()
}

// Values returns the form's settings like FromForm.
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
	dropHiddenHours(given)
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

// dropHiddenHours removes the hours of days of flexible and free work that cannot
// be read, because the form only shows the kinds of such days. The days then have
// their default hours.
func dropHiddenHours(given map[string]any) {
	days, ok := given["week"].(map[string]any)
	if !ok || given["work_type"] != "flexible" && given["work_type"] != "free" {
		return
	}
	for _, f := range week().Fields {
		day, ok := days[f.Name].(map[string]any)
		if !ok {
			continue
		}
		r := &reader{fromForm: true}
		f.Type.read(r, f.Name, day, officeHours()[f.Name])
		if len(r.errors) > 0 {
			days[f.Name] = map[string]any{"kind": day["kind"]}
		}
	}
}

// Text returns the text of a field.
func (f Form) Text(name string) string {
	text, _ := postedText(f.fields, name)
	return text
}

// On reports whether a switch is on.
func (f Form) On(name string) bool { return f.Text(name) == "true" }

// Has reports whether a value of a set is selected.
func (f Form) Has(name, value string) bool { return slices.Contains(f.fields[name], value) }

// Words returns the typed items of a list that the form does not show in rows.
func (f Form) Words(name string) []string {
	return strings.FieldsFunc(strings.Join(f.fields[name], ","), isSeparator)
}

// Rows returns the number of rows that a list shows.
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

// addLines appends pasted lines as rows. A range without a name is its own
// name.
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
