package settings

// Shape is how a value is put into words.
type Shape int

// The shapes.
const (
	ShapeMessage Shape = iota // the message ID
	ShapeNumber               // Number of Unit
	ShapeText                 // Text as it is: names, addresses, times
	ShapeDate                 // Text is a day, "2026-11-20"
	ShapeUser                 // the person with the id Number
	ShapeList                 // Items, each after its Label if it has one
)

// Value is what a setting or a part of it holds, ready to be put into words
// in any language.
type Value struct {
	Shape  Shape
	Label  string // message id of the part's name, "" where it needs none
	ID     string
	Number int64
	Unit   Unit
	Text   string
	Items  []Value
}

// orNone is the word for nothing where a list is empty.
func (v Value) orNone() Value {
	if len(v.Items) == 0 {
		return Value{Shape: ShapeMessage, ID: "setting.none"}
	}
	return v
}

// Minutes is the length of time that a number stands for, if it does and is of
// whole minutes.
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
