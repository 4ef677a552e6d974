package settings

import "net/url"

// Type is the type of a setting's values. Views choose a control by the
// concrete type: Bool, Int, Number, Enum, Text, Word, Clock, Window, Date,
// Zone, Address, Nullable, Set, Object or List.
type Type interface {
	// read converts the JSON value at the path (nil for null, numbers as
	// json.Number) to its stored form, or refuses it. Missing parts come from
	// missing, which may be nil.
	read(r *reader, path string, raw, missing any) any
	// posted returns the JSON value for what a form posted under the name;
	// false if nothing was posted.
	posted(f url.Values, name string) (any, bool)
	// fill is the inverse of posted.
	fill(f url.Values, name string, stored any)
	// schema returns the JSON Schema of the type.
	schema() map[string]any
	// value returns a stored value in a form that a view can translate.
	value(key string, stored any) Value
}

// Field is a part of an Object.
type Field struct {
	Name    string
	Label   string // message id
	Type    Type
	Default any    // default of a part that an item of a list may omit
	Missing string // message id for a missing part, if not the common one
}

// Unit is the unit of a number.
type Unit string

// The units.
const (
	Seconds   Unit = "seconds"
	Minutes   Unit = "minutes"
	Hours     Unit = "hours"
	Days      Unit = "days"
	Megabytes Unit = "megabytes"
	Meters    Unit = "meters"
	Devices   Unit = "devices" // simultaneous sign-ins
	Items     Unit = "items"   // items of a list, in a summary
)

// AmountID returns the id of the message that counts in the unit, as
// {{.Count}}; "" without a unit and for minutes, which are shown as a duration
// (Value.Minutes).
func (u Unit) AmountID() string {
	if u == "" || u == Minutes || u == Hours {
		return ""
	}
	return message("amount." + string(u))
}

// LabelID returns the id of the message beside a field; "" without a unit.
func (u Unit) LabelID() string {
	if u == "" {
		return ""
	}
	return message("unit." + string(u))
}

// in returns how many of u make one of the other unit.
func (u Unit) in(other Unit) int64 {
	switch {
	case u == Seconds && other == Minutes, u == Minutes && other == Hours:
		return 60
	}
	return 1
}
