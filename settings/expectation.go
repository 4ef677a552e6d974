package settings

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Relation is how an expectation compares a setting with a value.
type Relation string

// The relations. SignIn is no comparison: the value is the range of addresses from
// which somebody can sign in.
const (
	Is      Relation = "is"
	IsNot   Relation = "is_not"
	AtMost  Relation = "at_most"
	AtLeast Relation = "at_least"
	SignIn  Relation = "sign_in"
)

// Expectation is what somebody expects of the settings that apply to a person.
type Expectation struct {
	Relation Relation
	Key      string // of the setting; "" for SignIn
	Part     string // a part of the setting, or the platform to sign in on; "" for every part, or for any platform
	Value    string // a word of the setting, true or false, a number in its unit, or a range
}

// Expectable returns the settings of a kind that an expectation can be about: choices,
// switches and numbers, and those that have one for each part.
func Expectable(kind Kind) []Setting {
	return slices.DeleteFunc(slices.Clone(Settings(kind)), func(s Setting) bool { return s.valueType() == nil })
}

// valueType returns the type of the values of a setting, or of each of its parts; nil
// if that is no choice, switch or number. A selection has a switch for each word.
func (s Setting) valueType() Type {
	switch t := s.Type.(type) {
	case Bool, Enum, Int:
		return t
	case Set:
		return Bool{}
	case Object:
		for _, f := range t.Fields[1:] {
			if !equal(f.Type.schema(), t.Fields[0].Type.schema()) {
				return nil
			}
		}
		switch part := t.Fields[0].Type.(type) {
		case Bool, Enum, Int:
			return part
		}
	}
	return nil
}

// Choice is a word with the id of the message that names it.
type Choice struct{ Word, Label string }

// Parts returns the parts of a setting; none if it has one value.
func (s Setting) Parts() (parts []Choice) {
	switch t := s.Type.(type) {
	case Set:
		for _, word := range t.Values {
			parts = append(parts, Choice{word, t.LabelID(s.Key, word)})
		}
	case Object:
		for _, f := range t.Fields {
			parts = append(parts, Choice{f.Name, f.Label})
		}
	}
	return parts
}

// Words returns the values that a setting, or each of its parts, can have; none for a
// number.
func (s Setting) Words() (words []Choice) {
	switch t := s.valueType().(type) {
	case Bool:
		return []Choice{{"true", "setting.on"}, {"false", "setting.off"}}
	case Enum:
		for _, word := range t.Values {
			words = append(words, Choice{word, t.LabelID(s.Key, word)})
		}
	}
	return words
}

// Relations returns how a setting can be compared. A switch that is not on is off.
func (s Setting) Relations() []Relation {
	switch s.valueType().(type) {
	case Bool:
		return []Relation{Is}
	case Enum:
		return []Relation{Is, IsNot}
	}
	return []Relation{AtMost, AtLeast}
}

// The fields of an expectation, and the messages that refuse them.
const (
	FieldSetting  = "setting"
	FieldPart     = "part"
	FieldRelation = "relation"
	FieldValue    = "value"

	errExpected      = "check.setting.unknown"
	errExpectedPart  = "check.part.unknown"
	errExpectedHow   = "check.relation.unknown"
	errExpectedValue = "check.value.unknown"
	errExpectedRange = "check.value.out_of_range"
)

// Check returns why an expectation of policies of a kind is refused: the field and the
// message; "" for a valid one.
func (e Expectation) Check(kind Kind) (field, refusal string) {
	if e.Relation == SignIn {
		return e.checkSignIn(kind)
	}
	s, found := find(kind, e.Key)
	if !found || s.valueType() == nil {
		return FieldSetting, errExpected
	}
	if e.Part != "" && !hasWord(s.Parts(), e.Part) {
		return FieldPart, errExpectedPart
	}
	if !slices.Contains(s.Relations(), e.Relation) {
		return FieldRelation, errExpectedHow
	}
	if number, ok := s.valueType().(Int); ok {
		n, err := strconv.ParseInt(e.Value, 10, 64)
		if err != nil {
			return FieldValue, errInteger
		}
		if n < number.Min || n > number.Max {
			return FieldValue, errExpectedRange
		}
		return "", ""
	}
	if !hasWord(s.Words(), e.Value) {
		return FieldValue, errExpectedValue
	}
	return "", ""
}

func (e Expectation) checkSignIn(kind Kind) (field, refusal string) {
	if kind != Communication || e.Key != "" {
		return FieldSetting, errExpected
	}
	if e.Part != "" && !slices.Contains(platforms, e.Part) {
		return FieldPart, errExpectedPart
	}
	if _, refusal := ParseRange(e.Value); refusal != "" {
		return FieldValue, refusal
	}
	return "", ""
}

func hasWord(all []Choice, word string) bool {
	return slices.ContainsFunc(all, func(c Choice) bool { return c.Word == word })
}

// Shown returns the value of a valid expectation, ready to be translated.
func (e Expectation) Shown(kind Kind) Value {
	s, found := find(kind, e.Key)
	if !found {
		return Value{Shape: ShapeText, Text: e.Value}
	}
	for _, word := range s.Words() {
		if word.Word == e.Value {
			return Value{Shape: ShapeMessage, ID: word.Label}
		}
	}
	if number, ok := s.valueType().(Int); ok {
		n, _ := strconv.ParseInt(e.Value, 10, 64)
		return Value{Shape: ShapeNumber, Number: n, Unit: number.Unit}
	}
	return Value{Shape: ShapeText, Text: e.Value}
}

// Unit returns the unit in which the values of a setting are stored, "" for none.
func (s Setting) Unit() Unit {
	number, _ := s.valueType().(Int)
	return number.Unit
}

// PartLabel returns the id of the message that names the part of an expectation, ""
// for none.
func (e Expectation) PartLabel(kind Kind) string {
	if e.Part == "" {
		return ""
	}
	if e.Relation == SignIn {
		return platformLabels + "." + e.Part
	}
	s, _ := find(kind, e.Key)
	for _, part := range s.Parts() {
		if part.Word == e.Part {
			return part.Label
		}
	}
	return ""
}

// Meets reports whether the values are as expected for a person.
func (v Values) Meets(e Expectation, userID int64) bool {
	if e.Relation == SignIn {
		return v.admitsRange(e, userID)
	}
	s, found := find(v.kind, e.Key)
	if !found {
		return false
	}
	for _, value := range v.partsOf(s, e.Part) {
		if !e.meets(value) {
			return false
		}
	}
	return true
}

// partsOf returns the values of the parts of a setting that an expectation is about.
func (v Values) partsOf(s Setting, part string) (values []any) {
	if len(s.Parts()) == 0 {
		return []any{v.stored[s.Key]}
	}
	for _, p := range s.Parts() {
		if part != "" && p.Word != part {
			continue
		}
		switch stored := v.stored[s.Key].(type) {
		case []any:
			values = append(values, slices.Contains(stored, any(p.Word)))
		case map[string]any:
			values = append(values, stored[p.Word])
		}
	}
	return values
}

func (e Expectation) meets(value any) bool {
	switch value := value.(type) {
	case bool:
		return strconv.FormatBool(value) == e.Value
	case string:
		return (value == e.Value) == (e.Relation == Is)
	case int64:
		n, err := strconv.ParseInt(e.Value, 10, 64)
		if e.Relation == AtMost {
			return err == nil && value <= n
		}
		return err == nil && value >= n
	}
	return false
}

// Admission is whether somebody may sign in on a platform from an address.
type Admission int

// The results.
const (
	Admitted Admission = iota
	PlatformRefused
	AddressRefused
)

// Admits decides whether a person may sign in. An unknown address is not refused.
func (v Values) Admits(platform string, from netip.Addr, userID int64) Admission {
	switch {
	case !v.LoginAllowed(platform):
		return PlatformRefused
	case from.IsValid() && !v.AddressAllowed(platform, from.Unmap(), userID):
		return AddressRefused
	}
	return Admitted
}

// admitsRange reports whether a person may sign in from every address of a range, on
// the expected platform or, without one, on any.
func (v Values) admitsRange(e Expectation, userID int64) bool {
	r, refusal := ParseRange(strings.TrimSpace(e.Value))
	if refusal != "" {
		return false
	}
	// Addresses are admitted up to the end of an allowed range, so that it is enough to
	// try the first one and those behind each allowed range.
	tried := []netip.Addr{r.Start}
	for _, allowed := range v.Ranges() {
		if next := allowed.Range.End.Next(); next.IsValid() && r.Contains(next) {
			tried = append(tried, next)
		}
	}
	return slices.ContainsFunc(platforms, func(platform string) bool {
		if e.Part != "" && platform != e.Part {
			return false
		}
		return !slices.ContainsFunc(tried, func(a netip.Addr) bool { return v.Admits(platform, a, userID) != Admitted })
	})
}
