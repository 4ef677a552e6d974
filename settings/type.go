package settings

import "net/url"

// Type is what a setting can hold. Views choose a control by the concrete
// type: Bool, Int, Number, Enum, Text, Word, Clock, Window, Date, Zone,
// Address, Nullable, Set, Object or List.
type Type interface {
	// read takes what JSON holds at the path (nil for null, numbers as
	// json.Number) and keeps it in the type's own form, or refuses it. Parts
	// that are missing come from missing, which may be nil.
	read(r *reader, path string, raw, missing any) any
	// posted is what JSON would hold for what was posted under the name;
	// false when nothing was.
	posted(f url.Values, name string) (any, bool)
	// fill is the opposite of posted.
	fill(f url.Values, name string, stored any)
	// schema describes the type as JSON Schema does.
	schema() map[string]any
	// value tells what is stored in a form that a view can put into words.
	value(key string, stored any) Value
}

// Field is a part of an Object.
type Field struct {
	Name    string
	Label   string // message id
	Type    Type
	Default any    // of a part that may be left out of an item of a list
	Missing string // message id for a part that is missing, if not the common one
}

// Unit is what a number counts.
type Unit string

// The units.
const (
	Seconds   Unit = "seconds"
	Minutes   Unit = "minutes"
	Hours     Unit = "hours"
	Days      Unit = "days"
	Megabytes Unit = "megabytes"
	Meters    Unit = "meters"
	Devices   Unit = "devices" // sign-ins at the same time
	Items     Unit = "items"   // of a list, in a summary
)

// AmountID is the message that counts in the unit, as {{.Count}}; "" for
// minutes, which read better as a length of time (Value.Minutes), and without
// a unit.
func (u Unit) AmountID() string {
	if u == "" || u == Minutes || u == Hours {
		return ""
	}
	return message("amount." + string(u))
}

// LabelID is the message that stands beside a field, "" without a unit.
func (u Unit) LabelID() string {
	if u == "" {
		return ""
	}
	return message("unit." + string(u))
}

// in is how many of u make one of the other.
func (u Unit) in(other Unit) int64 {
	switch {
	case u == Seconds && other == Minutes, u == Minutes && other == Hours:
		return 60
	}
	return 1
}
