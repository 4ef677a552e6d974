package settings

import (
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/width"
)

// Int is a whole number, stored as int64. Forms may show it in a larger unit.
type Int struct {
	Min, Max int64
	Choices  []int64 // the only allowed values, if any
	Unit     Unit
	FormUnit Unit // "" for Unit
}

// ShownUnit returns the unit of the form's field.
func (t Int) ShownUnit() Unit {
	if t.FormUnit == "" {
		return t.Unit
	}
	return t.FormUnit
}

// ShownBounds returns the bounds in the unit of the form's field.
func (t Int) ShownBounds() (lowest, highest int64) {
	scale := t.Unit.in(t.ShownUnit())
	return t.Min / scale, t.Max / scale
}

func (t Int) read(r *reader, path string, raw, _ any) any {
	number, ok := raw.(json.Number)
	if !ok {
		r.refuse(path, missingOr(raw, t.errFormat(r)))
		return nil
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		r.refuse(path, t.errFormat(r))
	case len(t.Choices) > 0 && !slices.Contains(t.Choices, n):
		r.refuse(path, errChoice)
	case err != nil || n < t.Min || n > t.Max:
		lowest, highest := t.Min, t.Max
		if r.fromForm {
			lowest, highest = t.ShownBounds()
		}
		r.refuse(path, errOutOfRange, "Min", lowest, "Max", highest)
	}
	return n
}

// errFormat is the code for a value that cannot be read. Only a form accepts decimals,
// where it shows a larger unit.
func (t Int) errFormat(r *reader) string {
	if r.fromForm && t.ShownUnit() != t.Unit {
		return errDecimal
	}
	return errInteger
}

// posted accepts decimals of a larger unit: 7.5 hours are 450 minutes.
func (t Int) posted(f url.Values, name string) (any, bool) {
	raw, ok := postedNumber(f, name)
	number, is := raw.(json.Number)
	scale := t.Unit.in(t.ShownUnit())
	if !is || scale == 1 {
		return raw, ok
	}
	n, err := number.Float64()
	if err != nil || math.Abs(n) > 1e9 {
		return raw, ok
	}
	return json.Number(strconv.FormatInt(int64(math.Round(n*float64(scale))), 10)), ok
}

// fill writes at most two decimals, which is enough to restore sixtieths
// exactly.
func (t Int) fill(f url.Values, name string, stored any) {
	shown := float64(stored.(int64)) / float64(t.Unit.in(t.ShownUnit()))
	f.Set(name, strconv.FormatFloat(math.Round(shown*100)/100, 'f', -1, 64))
}

func (t Int) schema() map[string]any {
	if len(t.Choices) > 0 {
		return map[string]any{"type": "integer", "enum": t.Choices}
	}
	return map[string]any{"type": "integer", "minimum": t.Min, "maximum": t.Max}
}

func (t Int) value(_ string, stored any) Value {
	return Value{Shape: ShapeNumber, Number: stored.(int64), Unit: t.Unit}
}

// Number is a decimal number, stored as float64 with at most six decimals. For
// a coordinate that is a tenth of a metre, and forms can show and read it.
type Number struct{ Min, Max float64 }

const millionths = 1e6

func (t Number) read(r *reader, path string, raw, _ any) any {
	number, ok := raw.(json.Number)
	if !ok {
		r.refuse(path, missingOr(raw, errNumber))
		return nil
	}
	n, err := number.Float64()
	if err != nil || n < t.Min || n > t.Max {
		r.refuse(path, errOutOfRange, "Min", int64(t.Min), "Max", int64(t.Max))
	}
	return math.Round(n*millionths)/millionths + 0 // never -0
}

func (t Number) posted(f url.Values, name string) (any, bool) { return postedNumber(f, name) }

func (t Number) fill(f url.Values, name string, stored any) { f.Set(name, decimal(stored.(float64))) }

func (t Number) schema() map[string]any {
	return map[string]any{"type": "number", "minimum": t.Min, "maximum": t.Max}
}

func (t Number) value(_ string, stored any) Value {
	return Value{Shape: ShapeCoordinate, Text: decimal(stored.(float64))}
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

var numberPattern = regexp.MustCompile(`^-?\d{1,20}(\.\d{1,20})?$`)

// postedNumber returns a json.Number, nil for an empty field, or else the text
// itself, which the type then refuses. It accepts full-width digits.
func postedNumber(f url.Values, name string) (any, bool) {
	text, ok := postedText(f, name)
	text = strings.TrimSpace(width.Narrow.String(text))
	switch {
	case text == "":
		return nil, ok
	case numberPattern.MatchString(text):
		return json.Number(canonicalNumber(text)), ok
	}
	return text, ok
}

// canonicalNumber removes what JSON does not allow or need: leading zeros, and
// the decimals of a whole number.
func canonicalNumber(text string) string {
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	whole = strings.TrimLeft(whole[:len(whole)-1], "0") + whole[len(whole)-1:]
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}

// missingOr returns the code for a value of the wrong type, or errRequired for
// a missing one.
func missingOr(raw any, code string) string {
	if raw == nil {
		return errRequired
	}
	return code
}

// postedText returns the last value posted under a name.
func postedText(f url.Values, name string) (string, bool) {
	all := f[name]
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1], true
}
