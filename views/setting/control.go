package setting

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/settings"

	"github.com/a-h/templ"
)

// attributes are those that the control of every type has.
func (v view) attributes(s settings.Setting, name, said string) templ.Attributes {
	a := templ.Attributes{"id": name, "name": name}
	if said != "" {
		a["aria-label"] = said
	}
	if v.invalid(name) || v.invalid(rowOf(name)) && rowOf(name) != s.Key || name == s.Key && single(s.Type) && len(v.errors.On(name)) > 0 {
		a["aria-invalid"] = "true"
	}
	if ids := v.described(s, name); ids != "" {
		a["aria-describedby"] = ids
	}
	return a
}

func inputMode(t settings.Int) string {
	if t.ShownUnit() != t.Unit {
		return "decimal"
	}
	return "numeric"
}

// step lets a larger unit have decimals: 7.5 hours.
func step(t settings.Int) string {
	if t.ShownUnit() != t.Unit {
		return "any"
	}
	return "1"
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// isNone reports whether a setting that may be left out is.
func (v view) isNone(s settings.Setting) bool {
	return v.form.Text(s.Key)+v.form.Text(s.Key+".from")+v.form.Text(s.Key+".to") == ""
}

// noneOf says what an empty field of the setting means.
func (v view) noneOf(s settings.Setting) settings.Value {
	return settings.Value{Shape: settings.ShapeMessage, ID: s.LabelID() + ".none"}
}

// rows are the numbers of a list's rows, with an empty one as long as there is
// room.
func (v view) rows(key string, t settings.List) int {
	return min(v.form.Rows(key)+1, t.Max)
}

// rowLabel says which row a control belongs to: "3번째 위도".
func rowLabel(ctx context.Context, row int, label string) string {
	return locales.T(ctx, "field.in_row", "Number", locales.Number(ctx, int64(row+1)), "Label", label)
}
