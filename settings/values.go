package settings

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"
)

// Values are all settings of a policy. They are immutable.
type Values struct {
	kind   Kind
	stored map[string]any
}

// Kind returns the kind of policy.
func (v Values) Kind() Kind { return v.kind }

// Defaults returns the values of a policy without settings of its own.
func Defaults(kind Kind) Values {
	v := Values{kind, map[string]any{}}
	for _, s := range Settings(kind) {
		v.stored[s.Key] = s.Default
	}
	return v
}

// Parse reads a JSON object of the settings that differ from the defaults, or
// of all. It refuses unknown keys, values out of bounds and values that
// contradict each other (domain §4 and §5). In the values returned, refused
// settings have their default.
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

// values reads the settings one by one, then checks the rules between them.
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

// Complete returns a JSON object with every key, in the order of Settings.
func (v Values) Complete() json.RawMessage {
	return v.json(func(Setting) bool { return true })
}

// Differences returns a JSON object of the settings that differ from the
// defaults.
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
		panic(err) // stored values are texts, numbers, lists and maps
	}
	return text
}

// Equal reports whether both have the same values.
func (v Values) Equal(other Values) bool {
	return v.kind == other.kind && equal(v.stored, other.stored)
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// Active reports whether a setting has an effect, given the other settings.
func (v Values) Active(s Setting) bool {
	if len(s.When) == 0 {
		return true
	}
	return slices.ContainsFunc(s.When, func(c Condition) bool {
		return slices.Contains(c.Values, v.stored[c.Key].(string))
	})
}

// Value returns the value of a setting, ready to be translated.
func (v Values) Value(s Setting) Value { return s.Type.value(s.Key, v.stored[s.Key]) }
