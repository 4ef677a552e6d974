package settings

// Shape says how a value is translated to words.
type Shape int

// The shapes.
const (
	ShapeMessage    Shape = iota // the message ID
	ShapeNumber                  // Number of Unit
	ShapeText                    // Text as it is: names, addresses, times
	ShapeCoordinate              // Text is degrees; the name of the place says more to people
	ShapeDate                    // Text is a date, "2026-11-20"
	ShapeUser                    // Number is the id of a person
	ShapeList                    // Items, each with its Label if it has one
)

// Value is the value of a setting or of a part, ready to be translated.
type Value struct {
	Shape  Shape
	Label  string // message id of the part's name; "" if it needs none
	ID     string
	Number int64
	Unit   Unit
	Text   string
	Items  []Value
}

// orNone returns the message for nothing if a list is empty.
func (v Value) orNone() Value {
	if len(v.Items) == 0 {
		return Value{Shape: ShapeMessage, ID: "setting.none"}
	}
	return v
}

// Minutes returns a number as a duration in minutes; false if it is not a
// duration of whole minutes.
func (v Value) Minutes() (int, bool) {
	switch {
	case v.Shape != ShapeNumber:
		return 0, false
	case v.Unit == Minutes:
		return int(v.Number), true
	case v.Unit == Seconds && v.Number%60 == 0:
		return int(v.Number / 60), true
	}
	return 0, false
}
