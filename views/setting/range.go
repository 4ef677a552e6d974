package setting

import (
	"cmp"
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/settings"
)

// rangesProps are the properties of the island ip-ranges.
type rangesProps struct {
	Name    string            `json:"name"`
	Ranges  []rangeProps      `json:"ranges"`
	Address string            `json:"address"`
	Check   string            `json:"checkURL,omitempty"` // where ranges are checked while typing
	Max     int               `json:"max"`
	Lines   string            `json:"lines,omitempty"`
	Texts   map[string]string `json:"texts"`
}

type rangeProps struct {
	LocationName string `json:"location_name"`
	Range        string `json:"range"`
	Error        string `json:"error,omitempty"`      // of the range
	NameError    string `json:"name_error,omitempty"` // of the location's name
}

func (v view) ranges(ctx context.Context, s settings.Setting, t settings.List) rangesProps {
	props := rangesProps{
		Name: s.Key, Ranges: []rangeProps{}, Max: t.Max, Check: v.reader.RangesURL,
		Lines: v.form.Text(s.Key + ".lines"), Texts: rangesTexts(ctx, s),
	}
	if v.reader.Address.IsValid() {
		props.Address = v.address()
	}
	for i := range v.form.Rows(s.Key) {
		path := s.Key + "." + strconv.Itoa(i)
		one := rangeProps{LocationName: v.form.Text(path + ".location_name"), Range: v.form.Text(path + ".range")}
		for _, e := range v.errors.On(path) {
			if e.Key == path+".location_name" {
				one.NameError = cmp.Or(one.NameError, errorText(ctx, e))
			} else {
				one.Error = cmp.Or(one.Error, errorText(ctx, e))
			}
		}
		props.Ranges = append(props.Ranges, one)
	}
	return props
}

// rangesTexts are the texts of the island, which fills in the names in
// braces.
func rangesTexts(ctx context.Context, s settings.Setting) map[string]string {
	t := func(id string, args ...any) string { return locales.T(ctx, id, args...) }
	name, span := t("setting.part.location_name"), t("setting.part.range")
	return map[string]string{
		"caption":      t(s.LabelID()),
		"number":       t("range.number"),
		"name":         name,
		"range":        span,
		"addresses":    t("range.addresses"),
		"action":       t("range.action"),
		"empty":        t("range.empty"),
		"add":          t("range.add"),
		"paste":        t("range.paste"),
		"count":        t("range.count", "Count", "{n}", "Max", "{max}"),
		"full":         t("range.full", "Max", "{max}"),
		"name_of":      t("field.in_row", "Number", "{n}", "Label", name),
		"range_of":     t("field.in_row", "Number", "{n}", "Label", span),
		"remove":       t("range.remove", "Name", "{name}"),
		"removed":      t("range.removed", "Name", "{name}", "Count", "{n}"),
		"repeated":     t("range.repeated", "Note", "{note}", "Count", "{n}"),
		"here":         t("range.here"),
		"name_missing": t("setting.error.location_name"),
		"name_long":    t("setting.error.too_long", "Max", "50"),
		"matches":      t(addressID(s, "listed"), "Address", "{address}", "Name", "{name}"),
		"matches_none": t(addressID(s, "missing"), "Address", "{address}"),
		"lines":        t("field.lines"),
		"lines_help":   t("field.lines.help"),
		"lines_add":    t("range.lines_add"),
		"added":        t("range.added", "Count", "{n}"),
		"left_out":     t("range.left_out", "Count", "{n}", "Max", "{max}"),
		"bad":          t("range.bad", "Count", "{n}"),
		"bad_line":     t("range.bad_line", "Count", "{n}", "Text", "{text}", "Problem", "{problem}"),
		"bad_more":     t("range.bad_more", "Count", "{n}"),
	}
}

// addressID is the message id of whether the ranges contain the reader's own
// address. Ranges that restrict signing in have a stronger message.
func addressID(s settings.Setting, word string) string {
	if s.Key == "allowed_ip_ranges" {
		return "field.address." + word
	}
	return "range.address." + word
}
