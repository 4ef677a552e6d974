package setting

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/settings"

	"github.com/a-h/templ"
)

// attributes are the attributes of every control: id, name, accessible name
// and error state. Label is the accessible name where no label element has
// it, else "".
func (v view) attributes(s settings.Setting, name, label string) templ.Attributes {
	a := templ.Attributes{"id": name, "name": name}
	if label != "" {
		a["aria-label"] = label
	}
	if v.isInvalid(name) || v.isInvalid(rowOf(name)) && rowOf(name) != s.Key || name == s.Key && hasOneField(s.Type) && len(v.errors.On(name)) > 0 {
		a["aria-invalid"] = "true"
	}
	if ids := v.described(s, name); ids != "" {
		a["aria-describedby"] = ids
	}
	return a
}

// fixedHours shows an element only for work with fixed hours.
func (v view) fixedHours() templ.Attributes {
	return templ.Attributes{"data-when": `{"work_type":["fixed"]}`, "data-off": v.form.Text("work_type") != "fixed"}
}

// inputMode is the attribute inputmode of a number.
func inputMode(t settings.Int) string {
	if t.ShownUnit() != t.Unit {
		return "decimal"
	}
	return "numeric"
}

// step is the attribute step of a number. Units that are shown larger than
// they are stored have decimals, such as 7.5 hours.
func step(t settings.Int) string {
	if t.ShownUnit() != t.Unit {
		return "any"
	}
	return "1"
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// isNone reports whether a setting that may be empty is empty.
func (v view) isNone(s settings.Setting) bool {
	return v.form.Text(s.Key)+v.form.Text(s.Key+".from")+v.form.Text(s.Key+".to") == ""
}

// noneOf is the message that says what an empty field of the setting means.
func (v view) noneOf(s settings.Setting) settings.Value {
	return settings.Value{Shape: settings.ShapeMessage, ID: s.LabelID() + ".none"}
}

// rows is the number of rows of a list: one for each item and an empty one,
// up to the greatest number of items.
func (v view) rows(key string, t settings.List) int {
	return min(v.form.Rows(key)+1, t.Max)
}

// rowLabel is the accessible name of a control in a row: "3번째 위도".
func rowLabel(ctx context.Context, row int, label string) string {
	return locales.T(ctx, "field.in_row", "Number", locales.Number(ctx, int64(row+1)), "Label", label)
}
