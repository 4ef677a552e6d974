package setting

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"officeconsole/locales"
	"officeconsole/settings"
	"officeconsole/views"
)

// isRanges reports whether the items of a list are named address ranges.
func isRanges(of settings.Object) bool {
	return slices.ContainsFunc(of.Fields, func(f settings.Field) bool { return f.Type == settings.Address{} })
}

// address is the reader's own address.
func (v view) address() string { return v.reader.Address.Unmap().String() }

// people are the ids of the people in a setting. If the setting was refused,
// they are the chosen ones whose names are known.
func (v view) people(s settings.Setting) []int64 {
	var ids []int64
	for _, item := range v.values.Value(s).Items {
		ids = append(ids, item.Number)
	}
	typed := map[string]bool{}
	for _, word := range v.form.Words(s.Key) {
		typed[word] = true
	}
	for _, id := range slices.Sorted(maps.Keys(v.reader.People)) {
		if typed[strconv.FormatInt(id, 10)] && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (v view) personName(ctx context.Context, id int64) string {
	if name := v.reader.People[id]; name != "" {
		return name
	}
	return locales.T(ctx, "field.person.unknown")
}

// chooser are the properties of the island in which people are chosen.
func (v view) chooser(ctx context.Context, s settings.Setting, t settings.List) views.PickerProps {
	props := views.PickerProps{
		Name: s.Key, IDs: true, Targets: []views.PickerTarget{}, Types: []string{"user"}, UsersURL: v.reader.UsersURL, Max: t.Max,
		Texts: views.PeopleTexts(ctx, s.LabelID(), s.HelpID(), "setting.none"),
	}
	props.Texts["choose"] = locales.T(ctx, "field.add")
	for _, id := range v.people(s) {
		props.Targets = append(props.Targets, views.PickerTarget{Type: "user", ID: id, Name: v.personName(ctx, id), IncludeChildren: true})
	}
	return props
}
