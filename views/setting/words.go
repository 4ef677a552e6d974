package setting

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/settings"
	"officeconsole/views"
)

// People are the names of people by id.
type People map[int64]string

// ValueText writes a value in the reader's language: "1시간", "PC·웹 허용, 모바일
// 보기만". People without a known name are counted.
func ValueText(ctx context.Context, value settings.Value, people People) string {
	switch value.Shape {
	case settings.ShapeMessage:
		return locales.T(ctx, value.ID)
	case settings.ShapeNumber:
		return amount(ctx, value)
	case settings.ShapeDate:
		return dayText(ctx, value.Text)
	case settings.ShapeUser:
		return userNames(ctx, []settings.Value{value}, people)
	case settings.ShapeList:
		return listText(ctx, value.Items, people)
	}
	return value.Text
}

// amount is a number with its unit.
func amount(ctx context.Context, value settings.Value) string {
	if minutes, ok := value.Minutes(); ok {
		return locales.Duration(ctx, minutes)
	}
	id := value.Unit.AmountID()
	if id == "" {
		return locales.Number(ctx, value.Number)
	}
	return locales.N(ctx, id, int(value.Number))
}

// dayText writes a date such as "2026-11-20" in the reader's language.
func dayText(ctx context.Context, day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return locales.Date(ctx, at)
}

// listText enumerates the items of a list.
func listText(ctx context.Context, items []settings.Value, people People) string {
	if len(items) > 0 && items[0].Shape == settings.ShapeUser {
		return userNames(ctx, items, people)
	}
	if len(items) > 0 && items[0].Label != "" {
		return partsText(ctx, items, people)
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = itemText(ctx, item, people)
	}
	return views.Enumeration(ctx, texts)
}

// ExactText is the text of a value by which it differs from every other value:
// places have their coordinates.
func ExactText(ctx context.Context, value settings.Value, people People) string {
	if value.Shape != settings.ShapeList || !slices.ContainsFunc(value.Items, func(item settings.Value) bool { return item.Shape == settings.ShapeList }) {
		return ValueText(ctx, value, people)
	}
	texts := make([]string, len(value.Items))
	for i, item := range value.Items {
		texts[i] = exactItemText(ctx, item, people)
	}
	return views.Enumeration(ctx, texts)
}

// itemText is an item of a list with its parts side by side: "본사
// 203.0.113.0/24". A place is its name and radius, without its coordinates.
func itemText(ctx context.Context, item settings.Value, people People) string {
	if item.Shape == settings.ShapeList {
		item.Items = slices.DeleteFunc(slices.Clone(item.Items), func(part settings.Value) bool { return part.Shape == settings.ShapeCoordinate })
	}
	return exactItemText(ctx, item, people)
}

// exactItemText is an item of a list with all its parts: that of a place tells
// it from another one of the same name.
func exactItemText(ctx context.Context, item settings.Value, people People) string {
	if item.Shape != settings.ShapeList {
		return ValueText(ctx, item, people)
	}
	texts := make([]string, len(item.Items))
	for i, part := range item.Items {
		texts[i] = ValueText(ctx, part, people)
	}
	return strings.Join(texts, " ")
}

// partsText writes each part after its name. Neighbouring parts with the
// same value are written together.
func partsText(ctx context.Context, parts []settings.Value, people People) string {
	var texts []string
	for start := 0; start < len(parts); {
		text := ValueText(ctx, parts[start], people)
		names := []string{locales.T(ctx, parts[start].Label)}
		for start++; start < len(parts) && ValueText(ctx, parts[start], people) == text; start++ {
			names = append(names, locales.T(ctx, parts[start].Label))
		}
		texts = append(texts, locales.T(ctx, "field.part", "Label", strings.Join(names, "·"), "Value", text))
	}
	return views.Enumeration(ctx, texts)
}

// userNames enumerates people by name and counts those without one.
func userNames(ctx context.Context, users []settings.Value, people People) string {
	var names []string
	for _, user := range users {
		if name := people[user.Number]; name != "" {
			names = append(names, name)
		}
	}
	if unknown := len(users) - len(names); unknown > 0 {
		names = append(names, locales.N(ctx, "field.people", unknown))
	}
	return views.Enumeration(ctx, names)
}

// ChangeLabel names the changed setting: "파일 저장 · 웹".
func ChangeLabel(ctx context.Context, c settings.Change) string {
	if c.Part == "" {
		return locales.T(ctx, c.Label)
	}
	return locales.T(ctx, c.Label) + " · " + locales.T(ctx, c.Part)
}

// SummaryText is the line that a list shows for a policy: "세션 유지 시간 30분 · 파일
// 저장(모바일 보기만)". It is "" if the policy has only defaults.
func SummaryText(ctx context.Context, points []settings.Point, people People) string {
	texts := make([]string, len(points))
	for i, p := range points {
		id := "field.point"
		if len(p.Value.Items) > 0 && p.Value.Items[0].Label != "" {
			id = "field.point.parts"
		}
		texts[i] = locales.T(ctx, id, "Label", locales.T(ctx, p.Label), "Value", ValueText(ctx, p.Value, people))
	}
	return strings.Join(texts, " · ")
}

// shownItems is how many items of a list a difference names; the others are counted.
const shownItems = 20

// elementTexts are the removed and the added items of a list, at most shownItems of
// each. People without a known name are counted in one text. A place that was moved keeps
// its name, so both of its items have their coordinates.
func elementTexts(ctx context.Context, c settings.Change, people People) (removed, added []string) {
	times := map[string]int{}
	for _, item := range slices.Concat(c.Removed, c.Added) {
		times[itemText(ctx, item, people)]++
	}
	texts := func(items []settings.Value) []string {
		if len(items) > 0 && items[0].Shape == settings.ShapeUser {
			return []string{userNames(ctx, items, people)}
		}
		texts := make([]string, min(len(items), shownItems))
		for i := range texts {
			texts[i] = itemText(ctx, items[i], people)
			if times[texts[i]] > 1 {
				texts[i] = exactItemText(ctx, items[i], people)
			}
		}
		if rest := len(items) - len(texts); rest > 0 {
			texts = append(texts, locales.N(ctx, "policy.targets.others", rest))
		}
		return texts
	}
	return texts(c.Removed), texts(c.Added)
}

// addressWord matches an IPv4 address, a range of two, a prefix and a pattern
// such as 192.0.2.*.
var addressWord = regexp.MustCompile(`\d{1,3}(?:\.(?:\d{1,3}|\*)){3}(?:/\d{1,2}| ?- ?\d{1,3}(?:\.\d{1,3}){3})?`)

// textPart is a part of a text, which may be an address range.
type textPart struct {
	text      string
	isAddress bool
}

// addressParts cuts a text into its address ranges and what is between them.
func addressParts(text string) []textPart {
	var parts []textPart
	end := 0
	for _, at := range addressWord.FindAllStringIndex(text, -1) {
		parts = append(parts, textPart{text[end:at[0]], false}, textPart{text[at[0]:at[1]], true})
		end = at[1]
	}
	return append(parts, textPart{text[end:], false})
}
