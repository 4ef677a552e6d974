// Package setting renders the settings of a policy: their form controls, their
// differences, and their values in words.
package setting

import (
	"context"
	"encoding/json"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/settings"
	"officeconsole/views"

	"github.com/a-h/templ"
)

// A Reader is the context of a form of settings: who reads it and the values
// that it is compared with.
type Reader struct {
	Address   netip.Addr      // of the reader; invalid if it is unknown
	People    People          // names of the people in the settings and in the form
	UsersURL  string          // where people are searched
	RangesURL string          // where address ranges are checked while the reader types
	Before    settings.Values // in force; the zero value if there are none yet
}

// A view is a form of settings with everything that is read from it once for
// a page.
type view struct {
	form    settings.Form
	values  settings.Values
	errors  settings.Errors
	reader  Reader
	changes []settings.Change
}

func newView(form settings.Form, errors settings.Errors, reader Reader) view {
	values, _ := form.Values()
	return view{form, values, errors, reader, settings.Diff(reader.Before, values)}
}

// isChanged reports whether a setting differs from the value in force. A
// refused setting has no value and counts as changed.
func (v view) isChanged(s settings.Setting) bool {
	compared := v.reader.Before.Kind() == v.values.Kind()
	return compared && (len(v.errors.On(s.Key)) > 0 || len(v.changesOf(s)) > 0)
}

// ChangedSettings are the settings of a form that differ from the values in
// force.
func ChangedSettings(ctx context.Context, form settings.Form, errors settings.Errors, reader Reader) []ChangedField {
	v := newView(form, errors, reader)
	var changed []ChangedField
	for _, s := range settings.Settings(v.values.Kind()) {
		if v.isChanged(s) {
			changed = append(changed, ChangedField{"setting-" + s.Key, locales.T(ctx, s.LabelID())})
		}
	}
	return changed
}

func (v view) changesOf(s settings.Setting) []settings.Change {
	var found []settings.Change
	for _, c := range v.changes {
		if c.Key == s.Key {
			found = append(found, c)
		}
	}
	return found
}

// changeOf returns the change of a part of a setting, such as
// "file_save.web".
func (v view) changeOf(path string) (settings.Change, bool) {
	at := slices.IndexFunc(v.changes, func(c settings.Change) bool { return c.Path == path })
	if at < 0 {
		return settings.Change{}, false
	}
	return v.changes[at], true
}

// refusals are the translated errors of exactly the path.
func (v view) refusals(ctx context.Context, path string) []string {
	var texts []string
	for _, e := range v.errors {
		if e.Key == path {
			texts = append(texts, errorText(ctx, e))
		}
	}
	return texts
}

// errorsBelow are the translated errors of a path and of its parts, for
// settings whose parts have no element for errors.
func (v view) errorsBelow(ctx context.Context, path string) []string {
	var texts []string
	for _, e := range v.errors.On(path) {
		texts = append(texts, v.wordOf(e.Key)+errorText(ctx, e))
	}
	return texts
}

// wordOf is the word in a comma-separated field that a path refers to, such
// as the fourth extension for "file_exts.3".
func (v view) wordOf(path string) string {
	key, index, _ := strings.Cut(path, ".")
	n, err := strconv.Atoi(index)
	words := strings.FieldsFunc(v.form.Text(key), func(c rune) bool { return strings.ContainsRune(",;\n\r\t 、，", c) })
	if err != nil || n >= len(words) {
		return ""
	}
	return words[n] + ": "
}

// errorText translates an error, with its numbers in the form of the
// language.
func errorText(ctx context.Context, e settings.Error) string {
	args := slices.Clone(e.Args)
	for i, arg := range args {
		if n, ok := arg.(int64); ok {
			args[i] = locales.Number(ctx, n)
		}
	}
	return locales.T(ctx, e.Code, args...)
}

// isInvalid reports whether exactly the path was refused.
func (v view) isInvalid(path string) bool {
	return slices.ContainsFunc(v.errors, func(e settings.Error) bool { return e.Key == path })
}

// described lists the ids of the texts that describe the control of a path:
// help, previous value and errors; "" for none.
func (v view) described(s settings.Setting, path string) string {
	var ids []string
	if path == s.Key && v.hasHelp(s) {
		ids = append(ids, path+"-help")
	}
	if path == s.Key && len(v.errors.On(path)) > 0 && hasOneField(s.Type) || v.isInvalid(path) {
		ids = append(ids, path+"-error")
	}
	if row := rowOf(path); row != s.Key && v.isInvalid(row) {
		ids = append(ids, row+"-error")
	}
	if path == s.Key && len(v.changesOf(s)) > 0 && !isMatrix(s.Type) {
		ids = append(ids, path+"-was")
	}
	return strings.Join(ids, " ")
}

// rowOf is the path of the row that a part belongs to: "breaks.1" of
// "breaks.1.from".
func rowOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '.'))] }

func (v view) hasHelp(s settings.Setting) bool {
	return s.HelpID() != "" || hasBounds(s.Type) || v.showsDefault(s)
}

// showsDefault reports whether the default is shown below a setting: always
// for typed values, and for a choice only if it differs.
func (v view) showsDefault(s settings.Setting) bool {
	switch t := s.Type.(type) {
	case settings.Nullable, settings.Window:
		return true
	case settings.Int:
		return len(t.Choices) == 0 || v.differs(s)
	case settings.Enum, settings.Bool, settings.Set:
		return v.differs(s) && len(v.changesOf(s)) == 0
	}
	return false
}

// differs reports whether a setting differs from its default.
func (v view) differs(s settings.Setting) bool {
	return !v.values.Equal(settings.Defaults(v.values.Kind())) &&
		!sameValue(v.values.Value(s), v.defaultOf(s))
}

func (v view) defaultOf(s settings.Setting) settings.Value {
	return settings.Defaults(v.values.Kind()).Value(s)
}

func sameValue(a, b settings.Value) bool {
	return a.Shape == b.Shape && a.ID == b.ID && a.Number == b.Number && a.Text == b.Text &&
		slices.EqualFunc(a.Items, b.Items, sameValue)
}

// when is the attribute data-when, which tells the scripts when a setting
// applies: {"key":["value"]}, where the setting key must have one of the
// values. The attribute data-off hides it until they run.
func (v view) when(s settings.Setting) templ.Attributes {
	if len(s.When) == 0 {
		return nil
	}
	conditions := map[string][]string{}
	for _, c := range s.When {
		conditions[c.Key] = c.Values
	}
	text, err := json.Marshal(conditions)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return templ.Attributes{"data-when": string(text), "data-off": !v.values.Active(s)}
}

// conditionsText says when a setting has an effect: "적용 조건: 근무 유형 – 고정, 유연".
func conditionsText(ctx context.Context, kind settings.Kind, s settings.Setting) string {
	var texts []string
	for _, c := range s.When {
		at := slices.IndexFunc(settings.Settings(kind), func(s settings.Setting) bool { return s.Key == c.Key })
		on := settings.Settings(kind)[at]
		var values []string
		for _, value := range c.Values {
			values = append(values, locales.T(ctx, on.Type.(settings.Enum).LabelID(on.Key, value)))
		}
		texts = append(texts, locales.T(ctx, "field.condition", "Label", locales.T(ctx, on.LabelID()), "Values", views.Enumeration(ctx, values)))
	}
	return locales.T(ctx, "field.conditions", "Conditions", strings.Join(texts, " · "))
}

// bounds is the range of a number in the unit of its field: "5–480분".
func bounds(ctx context.Context, t settings.Type) string {
	n := number(t)
	lowest, highest := n.ShownBounds()
	text := locales.Number(ctx, lowest) + "–" + locales.Number(ctx, highest)
	if unit := n.ShownUnit().LabelID(); unit != "" {
		return locales.T(ctx, "field.bounds", "Bounds", text, "Unit", locales.T(ctx, unit))
	}
	return text
}

// hasBounds reports whether a type is a number without choices, also if it
// may be empty.
func hasBounds(t settings.Type) bool {
	if n, ok := t.(settings.Nullable); ok {
		t = n.Of
	}
	n, ok := t.(settings.Int)
	return ok && len(n.Choices) == 0
}

// number is the number type of a setting that may be empty, or the type
// itself.
func number(t settings.Type) settings.Int {
	if n, ok := t.(settings.Nullable); ok {
		t = n.Of
	}
	n, _ := t.(settings.Int)
	return n
}

// hasOneField reports whether all errors of a setting are shown in one
// element.
func hasOneField(t settings.Type) bool {
	switch t := t.(type) {
	case settings.Object, settings.Window:
		return false
	case settings.Nullable:
		return hasOneField(t.Of)
	case settings.List:
		return !hasRows(t)
	}
	return true
}

// hasRows reports whether each item of a list has a row of fields.
func hasRows(t settings.List) bool {
	switch t.Of.(type) {
	case settings.Object, settings.Window:
		return true
	}
	return false
}

// isMatrix reports whether a type offers the same choices for each of its
// parts, as a table.
func isMatrix(t settings.Type) bool {
	o, ok := t.(settings.Object)
	if !ok {
		return false
	}
	_, ok = o.Fields[0].Type.(settings.Enum)
	return ok
}

// platformIcon is the name of the icon of a platform, or "" for any other
// part.
func platformIcon(part string) string {
	switch part {
	case settings.PC:
		return "desktop"
	case settings.Web:
		return "globe"
	case settings.Mobile, settings.MobileWeb:
		return "phone-device"
	}
	return ""
}

// choiceID is the id of a radio button or check box. That of the first one
// is the name of the setting, so that links to the setting find it.
func choiceID(name, value string, at int) string {
	if at == 0 {
		return name
	}
	return name + "." + strings.ToLower(value)
}

// zones are the suggestions of a field for a time zone.
var zones = []string{
	"Asia/Seoul", "Asia/Tokyo", "Asia/Shanghai", "Asia/Taipei", "Asia/Singapore", "Asia/Ho_Chi_Minh", "Asia/Jakarta",
	"Asia/Kolkata", "Europe/London", "Europe/Berlin", "America/New_York", "America/Chicago", "America/Los_Angeles",
	"Australia/Sydney", "UTC",
}
