package settings

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"
)

// Values are all settings of a policy. They are never changed.
type Values struct {
	kind   Kind
	stored map[string]any
}

// Kind is the kind of policy.
func (v Values) Kind() Kind { return v.kind }

// Defaults are the values of a policy that says nothing.
func Defaults(kind Kind) Values {
	v := Values{kind, map[string]any{}}
	for _, s := range Settings(kind) {
		v.stored[s.Key] = s.Default
	}
	return v
}

// Parse reads a JSON object of what differs from the defaults, or of every
// key. Keys that no setting has are refused, and so are values out of bounds
// or at odds with each other (domain §4 and §5). Whatever is refused has its
// default in the values returned.
func Parse(kind Kind, differences json.RawMessage) (Values, Errors) {
	r := &reader{}
	given, ok := decode(differences)
	if !ok {
		r.refuse("", errObject)
		return Defaults(kind), r.errors
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if _, known := find(kind, key); !known {
			r.unknown(key)
		}
	}
	return r.values(kind, given), r.errors
}

func decode(differences json.RawMessage) (map[string]any, bool) {
	if len(differences) == 0 {
		return nil, true
	}
	decoder := json.NewDecoder(bytes.NewReader(differences))
	decoder.UseNumber()
	var given map[string]any
	if err := decoder.Decode(&given); err != nil || given == nil {
		return nil, false
	}
	_, err := decoder.Token()
	return given, err == io.EOF
}

// values reads the settings one by one, then looks at them together.
func (r *reader) values(kind Kind, given map[string]any) Values {
	v := Defaults(kind)
	for _, s := range Settings(kind) {
		raw, ok := given[s.Key]
		if !ok {
			continue
		}
		before := len(r.errors)
		stored := s.Type.read(r, s.Key, raw, s.Default)
		if len(r.errors) == before {
			v.stored[s.Key] = stored
		}
	}
	for _, rule := range rules(kind) {
		if !slices.ContainsFunc(rule.keys, func(key string) bool { return len(r.errors.On(key)) > 0 }) {
			rule.check(v, r)
		}
	}
	for _, s := range Settings(kind) {
		if len(r.errors.On(s.Key)) > 0 {
			v.stored[s.Key] = s.Default
		}
	}
	return v
}

// Complete is a JSON object of every key, in the order of Settings.
func (v Values) Complete() json.RawMessage {
	return v.json(func(Setting) bool { return true })
}

// Differences is a JSON object of the settings that differ from the defaults.
func (v Values) Differences() json.RawMessage {
	return v.json(func(s Setting) bool { return !equal(v.stored[s.Key], s.Default) })
}

func (v Values) json(chosen func(Setting) bool) json.RawMessage {
	text := []byte{'{'}
	for _, s := range Settings(v.kind) {
		if !chosen(s) {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(text, '"')
		text = append(text, s.Key...)
		text = append(text, '"', ':')
		text = append(text, encode(v.stored[s.Key])...)
	}
	return append(text, '}')
}

func encode(stored any) []byte {
	text, err := json.Marshal(stored)
	if err != nil {
		panic(err) // what is stored are texts, numbers, lists and maps
	}
	return text
}

// Equal reports whether both hold the same.
func (v Values) Equal(other Values) bool {
	return v.kind == other.kind && equal(v.stored, other.stored)
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// Active reports whether a setting has an effect beside the others.
func (v Values) Active(s Setting) bool {
	if len(s.When) == 0 {
		return true
	}
	return slices.ContainsFunc(s.When, func(c Condition) bool {
		return slices.Contains(c.Values, v.stored[c.Key].(string))
	})
}

// Value is what a setting holds, to be put into words.
func (v Values) Value(s Setting) Value { return s.Type.value(s.Key, v.stored[s.Key]) }
